// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_filter_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>

#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/run/mutation_model.h"

namespace cubinlab::ui {

StepFilterBar::StepFilterBar(const MutationModel* model, QWidget* parent) : QWidget(parent), model_(model) {
    row_ = new FlowLayout(this);
    row_->setContentsMargins(8, 4, 8, 4);
    row_->setSpacing(8);
    kind_ = new QComboBox;
    kind_->setAccessibleName(tr("Filter by kind"));
    kind_->addItem(tr("all kinds"), StepFilter{}.kinds);
    for (int k = 0; k < kMutationKinds; ++k)
        kind_->addItem(kind_title(static_cast<MutationKind>(k)), 1U << k);
    outcome_ = new QComboBox;
    outcome_->setAccessibleName(tr("Filter by outcome"));
    outcome_->addItem(tr("all outcomes"), StepFilter{}.outcomes);
    outcome_->addItem(tr("failed"), StepFilter{}.outcomes & ~1U);
    for (int k = 0; k <= static_cast<int>(OutcomeKind::Error); ++k)
        outcome_->addItem(outcome_title(static_cast<OutcomeKind>(k)), 1U << k);
    accepted_ = new QCheckBox(tr("accepted"));
    accepted_->setAccessibleName(tr("Accepted steps only"));
    best_ = new QCheckBox(tr("best"));
    best_->setAccessibleName(tr("Improvements only"));
    best_->setToolTip(tr("Only steps that became the run's best"));
    instr_ = new QLineEdit;
    instr_->setPlaceholderText(tr("instruction or 0x offset"));
    instr_->setAccessibleName(tr("Filter by instruction"));
    instr_->setToolTip(tr("Part of an instruction's text, or its offset in the original (0x0120)"));
    instr_->setClearButtonEnabled(true);
    instr_->setFixedWidth(instr_->fontMetrics().horizontalAdvance(instr_->placeholderText()) + 44);
    for (QComboBox* box : {kind_, outcome_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::currentIndexChanged, this, &StepFilterBar::changed);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{kind_, outcome_, accepted_, best_, instr_})
        row_->addWidget(widget);
    connect(accepted_, &QCheckBox::toggled, this, &StepFilterBar::changed);
    connect(best_, &QCheckBox::toggled, this, &StepFilterBar::changed);
    connect(instr_, &QLineEdit::textChanged, this, &StepFilterBar::changed);
}

StepFilter StepFilterBar::filter() const {
    StepFilter filter;
    filter.kinds = kind_->currentData().toUInt();
    filter.outcomes = outcome_->currentData().toUInt();
    filter.accepted_only = accepted_->isChecked();
    filter.best_only = best_->isChecked();
    filter.instructions = model_->instructions_matching(instr_->text());
    return filter;
}

bool StepFilterBar::filters() const {
    return kind_->currentIndex() > 0 || outcome_->currentIndex() > 0 || accepted_->isChecked() ||
           best_->isChecked() || !instr_->text().isEmpty();
}

void StepFilterBar::clear() {
    {
        const QSignalBlocker once(this);
        kind_->setCurrentIndex(0);
        outcome_->setCurrentIndex(0);
        accepted_->setChecked(false);
        best_->setChecked(false);
        instr_->clear();
    }
    Q_EMIT changed();
}

void StepFilterBar::add(QWidget* widget) {
    row_->addWidget(widget);
}

}  // namespace cubinlab::ui
