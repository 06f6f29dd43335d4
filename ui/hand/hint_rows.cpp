// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/hint_rows.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/sass/opcode_help.h"
#include "ui/base/plain_text.h"

namespace cubinlab::ui {

HintRows::HintRows(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    eviction_row_ = make_row(tr("Eviction"), "eviction");
    prefetch_row_ = make_row(tr("L2 prefetch"), "prefetch");
    for (std::size_t i = 0; i < evictions_.size(); ++i) {
        const auto eviction = static_cast<Eviction>(i);
        QString text = QLatin1String(to_string(eviction));
        evictions_[i] = make_chip(eviction_row_, text.remove(QStringLiteral("evict_")),
                                  tr("Eviction priority: %1").arg(QLatin1String(to_string(eviction))));
        connect(evictions_[i], &QToolButton::clicked, this, [this, eviction] {
            Q_EMIT chosen({eviction, hint_.prefetch});
        });
    }
    for (std::size_t i = 0; i < prefetches_.size(); ++i) {
        const auto prefetch = static_cast<Prefetch>(i);
        prefetches_[i] = make_chip(prefetch_row_, QLatin1String(to_string(prefetch)),
                                   tr("L2 prefetch: %1").arg(QLatin1String(to_string(prefetch))));
        connect(prefetches_[i], &QToolButton::clicked, this, [this, prefetch] {
            Q_EMIT chosen({hint_.eviction, prefetch});
        });
    }
    layout->addWidget(eviction_row_);
    layout->addWidget(prefetch_row_);
}

QWidget* HintRows::make_row(const QString& title, const char* help) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    layout->setAlignment(Qt::AlignLeft);
    auto* name = new QLabel(title, row);
    name->setFixedWidth(88);
    if (const OpcodeHelp* found = control_field_help(help))
        name->setToolTip(QString::fromUtf8(found->text.data(), static_cast<qsizetype>(found->text.size())));
    layout->addWidget(name);
    return row;
}

QToolButton* HintRows::make_chip(QWidget* row, const QString& text, const QString& name) {
    auto* chip = new QToolButton(row);
    chip->setText(text);
    chip->setCheckable(true);
    chip->setAccessibleName(name);
    chip->setFocusPolicy(Qt::StrongFocus);
    chip->setProperty("chip", true);
    row->layout()->addWidget(chip);
    return chip;
}

void HintRows::show_hint(const Arch& arch, const Instruction& instruction, const CacheHint& hint) {
    hint_ = hint;
    eviction_row_->setVisible(has_eviction(instruction.word));
    prefetch_row_->setVisible(has_prefetch(instruction.word));
    setVisible(has_eviction(instruction.word) || has_prefetch(instruction.word));
    const auto show = [&](QToolButton* chip, const CacheHint& with) {
        const std::string why = hint_refusal(arch, instruction, with);
        chip->setChecked(with == hint);
        chip->setEnabled(why.empty());
        chip->setToolTip(why.empty() ? chip->accessibleName() : plain_tip(QString::fromStdString(why)));
        chip->setAccessibleDescription(QString::fromStdString(why));
    };
    for (std::size_t i = 0; i < evictions_.size(); ++i)
        show(evictions_[i], {static_cast<Eviction>(i), hint.prefetch});
    for (std::size_t i = 0; i < prefetches_.size(); ++i)
        show(prefetches_[i], {hint.eviction, static_cast<Prefetch>(i)});
}

}  // namespace cubinlab::ui
