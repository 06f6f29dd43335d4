// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/mutation_log.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>

#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"
#include "ui/run/mutation_model.h"

namespace cubinlab::ui {
namespace {

constexpr int kRowPadding = 7, kClosePadding = 2;  // above and below a row's text together

}  // namespace

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

MutationLog::MutationLog(QWidget* parent) : QWidget(parent) {
    build();
}

void MutationLog::build() {
    setAccessibleName(tr("Mutations"));
    model_ = new MutationModel(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(build_filters());
    column->addWidget(build_left_out());

    table_ = new_table(nullptr, tr("Mutations of the run"), model_, kRowPadding);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setTextElideMode(Qt::ElideRight);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    set_column_widths(table_, {70, 74, 104, 210, 230, 88, 80, 108, 140, 72, 118, 128});
    int widest = 0;  // all kinds are short
    for (int k = 0; k < kMutationKinds; ++k)
        widest = std::max(widest, table_->fontMetrics().horizontalAdvance(
                                      kind_title(static_cast<MutationKind>(k)) + QStringLiteral("mm")));
    table_->setColumnWidth(MutationModel::Kind, std::max(table_->columnWidth(MutationModel::Kind), widest));
    // What is asked first comes first: what a step was worth, and whether it was kept. The time, last, takes
    // what is left.
    int place = 1;
    for (const int logical :
         {MutationModel::Gain, MutationModel::Mark, MutationModel::Measured, MutationModel::Kind,
          MutationModel::Instr, MutationModel::Change, MutationModel::VerdictText, MutationModel::Interval,
          MutationModel::OutcomeText, MutationModel::Reward})
        table_->horizontalHeader()->moveSection(table_->horizontalHeader()->visualIndex(logical), place++);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setColumnHidden(MutationModel::Measured, true);  // until something is
    connect(model_, &MutationModel::measurements_changed, this,
            [this] { table_->setColumnHidden(MutationModel::Measured, !model_->has_measurements()); });
    table_->horizontalHeader()->setHighlightSections(false);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    scroll_ = new QScrollBar(Qt::Vertical);
    scroll_->setAccessibleName(tr("Position in the log"));
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(table_, 1);
    row->addWidget(scroll_);
    column->addLayout(row, 1);
    empty_ = new EmptyNote(table_->viewport());
    setFocusProxy(table_);

    connect(model_, &MutationModel::total_changed, this, &MutationLog::total_changed);
    connect(model_, &MutationModel::total_changed, this, &MutationLog::update_left_out);
    connect(scroll_, &QScrollBar::valueChanged, this, [this] {
        follow_->setChecked(at_end());
        update_window();
    });
    connect(table_, &QTableView::clicked, this,
            [this](const QModelIndex& at) { choose_row(model_->first() + at.row()); });
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        const InstrId id = at.data(MutationModel::InstrRole).toUInt();
        if (id != kNone) Q_EMIT instr_chosen(id);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        update_state_text();
        table_->viewport()->update();
        // After the table's rows, which follow the text size.
        QMetaObject::invokeMethod(this, &MutationLog::fit_height, Qt::QueuedConnection);
    });
    total_changed();
}

QWidget* MutationLog::build_filters() {
    filters_ = new StepFilterBar(model_);
    follow_ = text_button(tr("Follow"), tr("Scroll to the newest step"));
    follow_->setCheckable(true);
    follow_->setChecked(true);
    count_ = new QLabel;
    count_->setAccessibleName(tr("Number of steps"));
    filters_->add(follow_);
    filters_->add(count_);
    connect(filters_, &StepFilterBar::changed, this, &MutationLog::apply_filter);
    connect(follow_, &QToolButton::clicked, this, [this](bool on) { set_following(on); });
    return filters_;
}

QWidget* MutationLog::build_left_out() {
    left_out_ = new QWidget;
    auto* row = new QHBoxLayout(left_out_);
    row->setContentsMargins(8, 0, 8, 2);
    row->setSpacing(8);
    left_out_text_ = new FittingLabel;
    auto* clear = text_button(tr("Clear the filter"), tr("List all steps, including this one"));
    row->addWidget(left_out_text_, 1);
    row->addWidget(clear);
    connect(clear, &QToolButton::clicked, this, [this] {
        filters_->clear();
        table_->setFocus();  // the button goes
        show_step(current_);
    });
    left_out_->hide();
    return left_out_;
}

bool MutationLog::following() const {
    return follow_->isChecked();
}

void MutationLog::set_following(bool on) {
    follow_->setChecked(on);
    if (on) scroll_->setValue(scroll_->maximum());
}

void MutationLog::apply_filter() {
    model_->set_filter(filters_->filter());
    if (current_ > 0) show_current_row();
    update_left_out();
    fit_height();
}

// In a low dock the steps come first: the filters have one line, unless one of them leaves steps out, and rows stand
// closer together.
void MutationLog::fit_height() {
    constexpr int kRows = 6;
    const int text = table_->fontMetrics().height(), row = text + kRowPadding;
    const int lines = filters_->layout()->heightForWidth(std::max(1, width()));
    const int one_line = filters_->layout()->heightForWidth(QWIDGETSIZE_MAX);
    const int rest = height() - table_->horizontalHeader()->height() -
                     table_->horizontalScrollBar()->sizeHint().height() -
                     (left_out_->isHidden() ? 0 : left_out_->sizeHint().height());
    const bool low = rest - lines < kRows * row && !filters_->filters();
    filters_->setMaximumHeight(low ? one_line : QWIDGETSIZE_MAX);
    const int shown = rest - (low ? one_line : lines);
    table_->verticalHeader()->setDefaultSectionSize(shown < kRows * row ? text + kClosePadding : row);
    total_changed();  // as many of them as fit now
}

void MutationLog::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_height();
}

int MutationLog::visible_rows() const {
    return std::max(
        1, table_->viewport()->height() / std::max(1, table_->verticalHeader()->defaultSectionSize()));
}

bool MutationLog::at_end() const {
    return scroll_->value() >= scroll_->maximum();
}

void MutationLog::total_changed() {
    const bool stay_at_end = following();
    const auto last = std::max<qint64>(0, model_->total() - visible_rows());
    {
        const QSignalBlocker block(scroll_);
        scroll_->setRange(0, static_cast<int>(std::min<qint64>(last, 0x7fffffff)));
        scroll_->setPageStep(visible_rows());
        if (stay_at_end) scroll_->setValue(scroll_->maximum());
    }
    scroll_->setVisible(last > 0);
    update_window();
    update_state_text();
}

void MutationLog::update_window() {
    model_->set_window(scroll_->value(), visible_rows());
    const qint64 row = current_ > 0 ? model_->row_of_step(current_) : -1;
    const qint64 local = row - model_->first();
    const bool there =
        row >= 0 && model_->step_of_row(row) == current_ && local >= 0 && local < model_->rowCount();
    const QModelIndex at =
        there ? model_->index(static_cast<int>(local), std::max(0, table_->currentIndex().column()))
              : QModelIndex();
    if (there)
        table_->selectionModel()->setCurrentIndex(
            at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    else
        table_->selectionModel()->clear();
}

void MutationLog::update_state_text() {
    const StepId all = model_->steps().last();
    const qint64 shown = model_->total();
    count_->setText(all == 0       ? QString()
                    : shown == all ? all == 1 ? tr("1 step") : tr("%1 steps").arg(grouped(all))
                                   : tr("%1 of %2 steps").arg(grouped(shown), grouped(all)));
    empty_->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().colors().text_dim.name()));
    empty_->setText(all == 0 ? tr("No mutations yet. Start an agent, open a session, or edit by hand.")
                             : tr("No step matches the filter."));
    empty_->setVisible(shown == 0);
    empty_->setGeometry(table_->viewport()->rect().adjusted(20, 0, -20, 0));
}

void MutationLog::set_current(StepId step, bool reveal) {
    current_ = step;
    if (reveal && step > 0)
        show_current_row();
    else
        update_window();
    update_left_out();
}

void MutationLog::show_step(StepId step) {
    const qint64 row = step > 0 ? model_->row_of_step(step) : -1;
    const int rows = visible_rows();
    if (row >= 0 && (row < scroll_->value() || row >= scroll_->value() + rows))
        scroll_->setValue(static_cast<int>(std::max<qint64>(0, row - rows / 2)));
    set_current(step);
}

QString MutationLog::left_out_text() const {
    return left_out_->isHidden() ? QString() : left_out_text_->text();
}

void MutationLog::update_left_out() {
    const bool logged = current_ > 0 && current_ <= model_->steps().last();
    const bool out = logged && model_->step_of_row(model_->row_of_step(current_)) != current_;
    if (out)
        left_out_text_->set_texts(
            {tr("Step %1 is shown, but the filter hides it in the list").arg(grouped(current_)),
             tr("Step %1: hidden by the filter").arg(grouped(current_))});
    if (out == left_out_->isHidden()) {
        left_out_->setVisible(out);
        fit_height();
    }
}

void MutationLog::show_current_row() {
    const qint64 row = model_->row_of_step(current_);
    if (row >= 0) {
        const int rows = visible_rows();
        if (row < scroll_->value()) scroll_->setValue(static_cast<int>(row));
        if (row >= scroll_->value() + rows) scroll_->setValue(static_cast<int>(row - rows + 1));
    }
    update_window();
}

void MutationLog::choose_row(qint64 row) {
    const StepId step =
        model_->step_of_row(std::clamp<qint64>(row, 0, std::max<qint64>(0, model_->total() - 1)));
    if (step <= 0) return;
    set_current(step);
    Q_EMIT step_chosen(model_->run().id, step);
}

bool MutationLog::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && watched == table_)
        return key_pressed(static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        if (wheel->angleDelta().y() == 0) return false;
        const int lines = wheel->angleDelta().y() / 40;
        scroll_->setValue(scroll_->value() - (lines != 0 ? lines : wheel->angleDelta().y() > 0 ? 1 : -1));
        return true;
    }
    if (event->type() == QEvent::Resize && watched == table_->viewport()) total_changed();
    return QWidget::eventFilter(watched, event);
}

bool MutationLog::key_pressed(QKeyEvent* e) {
    const qint64 total = model_->total();
    if (total == 0 || (e->modifiers() & (Qt::AltModifier | Qt::ControlModifier))) return false;
    const qint64 here = current_ > 0 ? model_->row_of_step(current_) : scroll_->value() - 1;
    switch (e->key()) {
        case Qt::Key_Up:
            choose_row(here - 1);
            return true;
        case Qt::Key_Down:
            choose_row(here + 1);
            return true;
        case Qt::Key_PageUp:
            choose_row(here - visible_rows());
            return true;
        case Qt::Key_PageDown:
            choose_row(here + visible_rows());
            return true;
        case Qt::Key_Home:
            choose_row(0);
            return true;
        case Qt::Key_End:
            choose_row(total - 1);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose_row(std::max<qint64>(0, here));
            return true;
        default:
            return false;
    }
}

}  // namespace cubinlab::ui
