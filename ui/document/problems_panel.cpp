// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/problems_panel.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {
namespace {
enum Column { RuleTitle, Earlier, Later, Cycles, Resource, Explanation, kColumns };
constexpr int kInstrRole = Qt::UserRole + 1;
constexpr int kBesideHead = 6;         // a head is cut in what it says that it needs
constexpr std::size_t kMaxRows = 500;  // a foreign cubin may have tens of thousands of findings
}  // namespace

ProblemsPanel::ProblemsPanel(Document* document, Selection* selection, QWidget* parent) : QWidget(parent) {
    build();
    set_names([document](InstrId id) {
        const SchedulePtr shown = document->pair().right();
        return shown && id < shown->size() ? document->name_of(id, *shown) : QString::number(id);
    });
    const auto show = [this, document] {
        if (!document->is_open()) return;
        if (!document->checker())
            return set_message(document->kernel()->arch().editable() &&
                                       document->file_check().problem.isEmpty()
                                   ? tr("Preparing the check...")
                                   : tr("Not checked: %1.").arg(document->hand().why_not_editable()));
        set_problems(title_of(document->pair().right_slot()), document->pair().problems(),
                     document->pair().check_notes());
        set_file_report(document->file_check().report);
    };
    connect(document, &Document::file_checked, this, show);
    connect(document, &Document::opened, this, show);
    connect(document, &Document::checker_ready, this, show);
    connect(&document->pair(), &ComparedPair::problems_changed, this, show);
    connect(document, &Document::leaving, this,
            [this] { set_message(tr("Open a cubin to check its schedules.")); });
    connect(&document->hand(), &HandEditor::refused, this,
            [this](const Refusal& r) { set_refusal(r.attempt, r.reason, r.hazards); });
    connect(&document->hand(), &HandEditor::changed, this, &ProblemsPanel::clear_refusal);
    connect(this, &ProblemsPanel::instr_chosen, selection, &Selection::select);
    show();
}

ProblemsPanel::ProblemsPanel(QWidget* parent) : QWidget(parent) {
    build();
}

void ProblemsPanel::build() {
    setAccessibleName(tr("Problems"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto line = [column](const QString& name) {
        auto* label = new QLabel;
        label->setContentsMargins(8, 5, 8, 5);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setAccessibleName(name);
        column->addWidget(label);
        return label;
    };
    file_state_ = line(tr("Result of the file check"));
    state_ = line(tr("Result of the schedule check"));
    refusal_ = line(tr("Why the last edit was rejected"));
    refusal_->hide();
    tree_ = new QTreeWidget;
    tree_->setAccessibleName(tr("Findings"));
    tree_->setColumnCount(kColumns);
    tree_->setHeaderLabels(
        {tr("Rule"), tr("Earlier"), tr("Later"), tr("Cycles"), tr("On"), tr("Explanation")});
    tree_->setRootIsDecorated(true);
    tree_->setIndentation(12);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    // The explanation also names instructions and cycles, so it comes first.
    tree_->header()->setStretchLastSection(false);
    tree_->header()->moveSection(Explanation, Earlier);
    connect(tree_->header(), &QHeaderView::sectionResized, this,
            [this] { by_hand_ = by_hand_ || QGuiApplication::mouseButtons().testFlag(Qt::LeftButton); });
    tree_->installEventFilter(this);
    tree_->viewport()->installEventFilter(this);
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
    notes_.clear();
    file_.reset();
    clear_refusal();
}

void ProblemsPanel::set_file_report(std::shared_ptr<const CheckReport> report) {
    if (report == file_) return;
    file_ = std::move(report);
    refill();
}

void ProblemsPanel::set_problems(const QString& subject, const Legality& problems,
                                 const std::vector<CheckNote>& notes) {
    message_.clear();
    subject_ = subject;
    problems_ = problems;
    notes_ = notes;
    refill();
}

void ProblemsPanel::set_refusal(const QString& attempt, const QString& reason, const Legality& hazards) {
    attempt_ = attempt;
    reason_ = reason;
    refused_ = hazards;
    refill();
}

void ProblemsPanel::clear_refusal() {
    attempt_.clear();
    reason_.clear();
    refused_.clear();
    refill();
}

// Rule and explanation share the width if the other columns do not fit.
void ProblemsPanel::fit_columns() {
    if (by_hand_) return;
    const int room = tree_->viewport()->width();
    int others = 0;
    for (const Column c : {RuleTitle, Earlier, Later, Cycles, Resource}) {
        tree_->resizeColumnToContents(c);
        tree_->setColumnWidth(c, tree_->columnWidth(c) + kBesideHead);
        others += c == RuleTitle ? 0 : tree_->columnWidth(c);
    }
    const int rule = std::min(tree_->columnWidth(RuleTitle), room * 2 / 5), left = room - rule;
    tree_->setColumnWidth(RuleTitle, rule);
    tree_->setColumnWidth(Explanation, left - others >= room / 3 ? left - others : left);
}

// Names instructions like the cells next to it.
QString ProblemsPanel::worded(const Hazard& h) const {
    if (!name_) return QString::fromStdString(h.explanation);
    return QString::fromStdString(explanation_by(h, [this](InstrId id) { return name_(id).toStdString(); }));
}

void ProblemsPanel::add_hazard(QTreeWidgetItem* parent, const Hazard& h) {
    auto* item = new QTreeWidgetItem(parent);
    item->setText(RuleTitle, QString::fromLatin1(title_of(h.rule)));
    item->setToolTip(RuleTitle, QString::fromLatin1(to_string(h.rule)));
    set_places(item, h.earlier, h.later);
    if (h.need > 0) item->setText(Cycles, tr("needs %1, has %2").arg(h.need).arg(h.have));
    item->setText(Resource, QString::fromStdString(h.resource));
    const QString why = worded(h);
    item->setText(Explanation, why);
    item->setToolTip(Explanation, why);
}

void ProblemsPanel::set_places(QTreeWidgetItem* item, InstrId earlier, InstrId later) {
    const auto name = [this](InstrId id) {
        return id == kNone ? QString() : name_ ? name_(id) : QString::number(id);
    };
    item->setText(Earlier, name(earlier));
    item->setText(Later, name(later));
    item->setData(Earlier, kInstrRole, earlier);
    item->setData(Later, kInstrRole, later != kNone ? later : earlier);
}

void ProblemsPanel::add_notes(const QString& title, const std::vector<CheckNote>& notes) {
    if (notes.empty()) return;
    auto* group = new QTreeWidgetItem(tree_, {title});
    group->setFirstColumnSpanned(true);
    const std::size_t shown = std::min(notes.size(), kMaxRows);
    for (std::size_t i = 0; i < shown; ++i) {
        auto* item = new QTreeWidgetItem(group);
        item->setText(RuleTitle, QStringLiteral("\u2139 ") + tr("Note"));
        Hazard named;
        named.earlier = notes[i].earlier;
        named.later = notes[i].later;
        named.explanation = notes[i].text;
        const QString text = worded(named);
        item->setText(Explanation, text);
        for (const Column column : {RuleTitle, Explanation})
            item->setToolTip(column, text);
        set_places(item, notes[i].earlier, notes[i].later);
    }
    if (shown < notes.size())
        (new QTreeWidgetItem(group, {tr("... and %1 more of the same kind")
                                         .arg(grouped(static_cast<qint64>(notes.size() - shown)))}))
            ->setFirstColumnSpanned(true);
    group->setExpanded(true);
}

void ProblemsPanel::add_group(const QString& title, const Legality& hazards) {
    if (hazards.empty()) return;
    auto* group = new QTreeWidgetItem(tree_, {title});
    group->setFirstColumnSpanned(true);
    const std::size_t shown = std::min(hazards.size(), kMaxRows);
    for (std::size_t i = 0; i < shown; ++i)
        add_hazard(group, hazards[i]);
    if (shown < hazards.size())
        (new QTreeWidgetItem(
             group, {tr("... and %1 more").arg(grouped(static_cast<qint64>(hazards.size() - shown)))}))
            ->setFirstColumnSpanned(true);
    group->setExpanded(true);
}

// The file check, like `cubinlab check FILE` for this kernel.
QString ProblemsPanel::file_text() const {
    if (!file_) return tr("File check: not run yet.");
    const QString pairs = file_->uncovered_pairs == 0
                              ? tr("%1 pairs checked").arg(grouped(static_cast<qint64>(file_->checked_pairs)))
                              : tr("%1 pairs checked, %2 without table data")
                                    .arg(grouped(static_cast<qint64>(file_->checked_pairs)),
                                         grouped(static_cast<qint64>(file_->uncovered_pairs)));
    return file_->hazards.empty()
               ? QStringLiteral("\u2713 ") + tr("File check: no findings (%1).").arg(pairs)
               : QStringLiteral("\u26A0 ") +
                     tr("File check: %n finding(s) (%1).", nullptr, file_count()).arg(pairs);
}

QString ProblemsPanel::schedule_text() const {
    if (problems_.empty()) {
        const QString none =
            QStringLiteral("\u2713 ") + tr("%1 against the original: no problems.").arg(subject_);
        return notes_.empty() ? none : none + tr(" %n note(s).", nullptr, static_cast<int>(notes_.size()));
    }
    return QStringLiteral("\u26A0 ") +
           tr("%1 against the original: %n problem(s).", nullptr, static_cast<int>(problems_.size()))
               .arg(subject_);
}

void ProblemsPanel::refill() {
    tree_->clear();
    add_group(tr("Rejected: %1").arg(attempt_), refused_);
    add_group(tr("%1 against the original").arg(subject_), problems_);
    if (file_) add_group(tr("File check"), file_->hazards);
    add_notes(tr("Notes: legal, if the program keeps a promise"), notes_);
    if (file_) add_notes(tr("Notes of the file check"), file_->notes);
    file_state_->setVisible(message_.isEmpty());
    file_state_->setText(file_text());
    state_->setText(message_.isEmpty() ? schedule_text() : message_);
    refusal_->setVisible(!attempt_.isEmpty());
    refusal_->setText(QStringLiteral("\u2717 ") + tr("Rejected: %1. %2").arg(attempt_, reason_));
    apply_theme();
    fit_columns();
    Q_EMIT count_changed(count());
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
    if (!file_)
        style(file_state_, c.text_dim, c.window);
    else if (file_->hazards.empty())
        style(file_state_, c.good, c.good_soft);
    else
        style(file_state_, c.bad, c.bad_soft);
    style(refusal_, c.warn, c.warn_soft);
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == tree_->viewport() && event->type() == QEvent::Resize) fit_columns();
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
