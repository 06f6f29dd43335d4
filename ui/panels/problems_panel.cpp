// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/problems_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme.h"

namespace cubinlab::ui {
namespace {
enum Column { RuleTitle, Earlier, Later, Cycles, Resource, Explanation, kColumns };
constexpr int kInstrRole = Qt::UserRole + 1;
constexpr std::size_t kMaxRows = 500;  // a foreign cubin may have tens of thousands of findings
}  // namespace

ProblemsPanel::ProblemsPanel(QWidget* parent) : QWidget(parent) {
    build();
}

void ProblemsPanel::build() {
    setAccessibleName(tr("Problems"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    state_ = new QLabel;
    state_->setContentsMargins(8, 5, 8, 5);
    state_->setWordWrap(true);
    state_->setAccessibleName(tr("Result of the check"));
    column->addWidget(state_);
    refusal_ = new QLabel;
    refusal_->setContentsMargins(8, 5, 8, 5);
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setAccessibleName(tr("Why the last edit was refused"));
    refusal_->hide();
    column->addWidget(refusal_);
    tree_ = new QTreeWidget;
    tree_->setAccessibleName(tr("Findings"));
    tree_->setColumnCount(kColumns);
    tree_->setHeaderLabels(
        {tr("Rule"), tr("Earlier"), tr("Later"), tr("Cycles"), tr("On"), tr("Explanation")});
    tree_->setRootIsDecorated(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    tree_->header()->setStretchLastSection(true);
    const int widths[] = {280, 150, 150, 130, 70};
    for (int c = 0; c < Explanation; ++c)
        tree_->setColumnWidth(c, widths[c]);
    tree_->installEventFilter(this);
    column->addWidget(tree_, 1);
    setFocusProxy(tree_);
    connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int c) {
        const InstrId id = item->data(c == Earlier ? Earlier : Later, kInstrRole).toUInt();
        if (item->data(Later, kInstrRole).isValid() && id != kNone) Q_EMIT instr_chosen(id);
    });
    connect(&Theme::instance(), &Theme::changed, this, &ProblemsPanel::apply_theme);
    set_message(tr("Open a cubin to check its schedules."));
}

void ProblemsPanel::set_message(const QString& message) {
    message_ = message;
    problems_.clear();
    clear_refusal();
}

void ProblemsPanel::set_problems(const QString& subject, const Legality& problems) {
    message_.clear();
    subject_ = subject;
    problems_ = problems;
    refill();
}

void ProblemsPanel::set_refusal(const QString& attempt, const QString& reason, const Legality& hazards,
                                InstrId instr) {
    attempt_ = attempt;
    reason_ = reason;
    refused_ = hazards;
    refused_instr_ = instr;
    refill();
}

void ProblemsPanel::clear_refusal() {
    attempt_.clear();
    reason_.clear();
    refused_.clear();
    refill();
}

void ProblemsPanel::add_hazard(QTreeWidgetItem* parent, const Hazard& h) {
    auto* item = new QTreeWidgetItem(parent);
    const auto name = [this](InstrId id) {
        return id == kNone ? QString() : name_ ? name_(id) : QString::number(id);
    };
    item->setText(RuleTitle, QString::fromLatin1(title_of(h.rule)));
    item->setToolTip(RuleTitle, QString::fromLatin1(to_string(h.rule)));
    item->setText(Earlier, name(h.earlier));
    item->setText(Later, name(h.later));
    item->setData(Earlier, kInstrRole, h.earlier);
    item->setData(Later, kInstrRole, h.later != kNone ? h.later : h.earlier);
    if (h.need > 0) item->setText(Cycles, tr("needs %1, has %2").arg(h.need).arg(h.have));
    item->setText(Resource, QString::fromStdString(h.resource));
    item->setText(Explanation, QString::fromStdString(h.explanation));
    item->setToolTip(Explanation, QString::fromStdString(h.explanation));
}

void ProblemsPanel::refill() {
    tree_->clear();
    if (!refused_.empty()) {
        auto* group = new QTreeWidgetItem(tree_, {tr("Refused: %1").arg(attempt_)});
        group->setFirstColumnSpanned(true);
        for (const Hazard& h : refused_)
            add_hazard(group, h);
        group->setExpanded(true);
    }
    const std::size_t shown = std::min(problems_.size(), kMaxRows);
    for (std::size_t i = 0; i < shown; ++i)
        add_hazard(tree_->invisibleRootItem(), problems_[i]);
    problem_count_ = static_cast<int>(problems_.size());
    if (!message_.isEmpty())
        state_->setText(message_);
    else if (problems_.empty())
        state_->setText(QStringLiteral("\u2713 ") +
                        tr("%1: no problems found by the full check.").arg(subject_));
    else if (shown < problems_.size())
        state_->setText(
            QStringLiteral("\u26A0 ") +
            tr("%1: %2 problems, the first %3 are listed.").arg(subject_).arg(problems_.size()).arg(shown));
    else
        state_->setText(QStringLiteral("\u26A0 ") +
                        tr("%1: %n problem(s).", nullptr, problem_count_).arg(subject_));
    refusal_->setVisible(!attempt_.isEmpty());
    refusal_->setText(QStringLiteral("\u2717 ") + tr("Refused: %1. %2").arg(attempt_, reason_));
    apply_theme();
    Q_EMIT count_changed(problem_count_);
}

void ProblemsPanel::apply_theme() {
    const ThemeColors& c = Theme::instance().colors();
    const auto style = [](QLabel* label, const QColor& text, const QColor& back) {
        label->setStyleSheet(QStringLiteral("color: %1; background: %2").arg(text.name(), back.name()));
    };
    if (!message_.isEmpty())
        style(state_, c.text_dim, c.window);
    else if (problems_.empty())
        style(state_, c.good, c.good_soft);
    else
        style(state_, c.bad, c.bad_soft);
    style(refusal_, c.warn, c.warn_soft);
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != tree_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return false;
    const QTreeWidgetItem* item = tree_->currentItem();
    if (!item || !item->data(Later, kInstrRole).isValid()) return false;
    const InstrId id =
        item->data(key->modifiers() & Qt::ShiftModifier ? Earlier : Later, kInstrRole).toUInt();
    if (id != kNone) Q_EMIT instr_chosen(id);
    return true;
}

}  // namespace cubinlab::ui
