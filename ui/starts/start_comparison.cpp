// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/starts/start_comparison.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>

#include "core/sass/decoder.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kPadding = 4;       // pixels at the sides of a cell
constexpr int kLeastText = 120;   // pixels of a column of text

QString offset_text(InstrId id) {
    return id == kNone ? QString() : QStringLiteral("%1").arg(id * kWordBytes, 4, 16, QLatin1Char('0'));
}

QString text_of(const Kernel& kernel, InstrId id) {
    if (id == kNone) return {};
    return QString::fromStdString(render(kernel.arch(), kernel.instruction(id).word, id * kWordBytes));
}

QString heading_of(const Kernel& kernel, InstrId id) {
    if (id == kNone) return {};
    const BlockId block = kernel.block_of(id);
    const auto depth = kernel.flow().blocks[block].loop_depth;
    return depth == 0 ? ComparisonModel::tr("block %1").arg(block)
                      : ComparisonModel::tr("block %1, loop depth %2").arg(block).arg(depth);
}

bool begins_block(const Kernel& kernel, InstrId id) {
    return id != kNone && kernel.flow().blocks[kernel.block_of(id)].first == id;
}

}  // namespace

QString StartComparison::summary() const {
    const auto count = [](std::size_t n) { return grouped(static_cast<qint64>(n)); };
    return ComparisonModel::tr("%1 the same, %2 in other registers, %3 elsewhere, %4 only in %5, %6 only in %7")
        .arg(count(alignment.same), count(alignment.renamed), count(alignment.moved), count(alignment.only_left), left,
             count(alignment.only_right), right);
}

StartComparison compare_starts(const KernelPtr& left, const QString& left_name, const KernelPtr& right,
                               const QString& right_name) {
    StartComparison out{left_name, right_name, align_kernels(*left, *right), {}};
    for (const AlignedPair& row : out.alignment.rows) {
        const bool left_begins = begins_block(*left, row.left), right_begins = begins_block(*right, row.right);
        if (left_begins || right_begins)
            out.rows.push_back({kNone, kNone, Computed::Same, true, left_begins ? heading_of(*left, row.left) : QString(),
                                right_begins ? heading_of(*right, row.right) : QString()});
        out.rows.push_back({row.left, row.right, row.computed, false, text_of(*left, row.left), text_of(*right, row.right)});
    }
    return out;
}

ComparisonModel::ComparisonModel(QObject* parent) : RowsModel(parent) {
    name_sides({}, {});
}

void ComparisonModel::name_sides(const QString& left, const QString& right) {
    const auto mark = [](const ComparedRow& row) {
        if (row.heading) return QString();
        switch (row.computed) {
            case Computed::Same:
                return QStringLiteral("=");
            case Computed::Renamed:
                return QStringLiteral("\u2248");
            case Computed::Moved:
                return QStringLiteral("\u2195");
            case Computed::Alone:
                break;
        }
        return row.left != kNone ? QStringLiteral("\u2212") : QStringLiteral("+");
    };
    set_fields({
        {tr("Offset"), tr("Byte offset in %1").arg(left), Qt::AlignRight,
         [](const ComparedRow& row) { return offset_text(row.left); }},
        {left, {}, Qt::AlignLeft, [](const ComparedRow& row) { return row.left_text; }},
        {QString(), tr("= the same, \u2248 in other registers, \u2195 elsewhere on the other side, \u2212 only left, + only right"),
         Qt::AlignHCenter, mark},
        {tr("Offset"), tr("Byte offset in %1").arg(right), Qt::AlignRight,
         [](const ComparedRow& row) { return offset_text(row.right); }},
        {right, {}, Qt::AlignLeft, [](const ComparedRow& row) { return row.right_text; }},
    });
}

void ComparisonModel::show(const StartComparison& comparison) {
    name_sides(comparison.left, comparison.right);
    set_rows(comparison.rows);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

QVariant ComparisonModel::look(const ComparedRow& row, int column, int role) const {
    const ThemeColors& c = Theme::instance().colors();
    const bool on_left = column <= LeftText, text = column == LeftText || column == RightText;
    if (role == Qt::FontRole) return Theme::instance().mono_font();
    if (row.heading) {
        if (role == Qt::BackgroundRole) return c.raised;
        return role == Qt::ForegroundRole ? QVariant(c.text_dim) : QVariant();
    }
    const bool blank = column != Mark && (on_left ? row.left : row.right) == kNone;
    if (role == Qt::BackgroundRole) {
        if (blank) return c.blank_row;
        if (row.computed == Computed::Moved) return c.moved_soft;
        if (row.computed == Computed::Renamed && column == Mark) return c.control_soft;
        if (row.computed == Computed::Alone) return c.warn_soft;
    }
    if (role == Qt::ForegroundRole && !text) return c.text_dim;
    if (role == Qt::ToolTipRole && text && !blank) return on_left ? row.left_text : row.right_text;
    if (role == Qt::AccessibleTextRole && column == Mark)
        return row.computed == Computed::Same      ? tr("the same")
               : row.computed == Computed::Renamed ? tr("in other registers")
               : row.computed == Computed::Moved   ? tr("elsewhere on the other side")
               : row.left != kNone                 ? tr("only left")
                                                   : tr("only right");
    return {};
}

ComparisonView::ComparisonView(QWidget* parent) : QTableView(parent), model_(new ComparisonModel(this)) {
    setAccessibleName(tr("Two compilations side by side"));
    setModel(model_);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(this, &QTableView::doubleClicked, this, &ComparisonView::go_to_partner);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        fit();
        viewport()->update();
    });
    fit();
}

void ComparisonView::fit() {
    const QFontMetrics mono(Theme::instance().mono_font());
    verticalHeader()->setDefaultSectionSize(mono.height() + 2);
    const int offset = std::max(mono.horizontalAdvance(QStringLiteral("00000")),
                                horizontalHeader()->fontMetrics().horizontalAdvance(tr("Offset"))) +
                       4 * kPadding;
    const int mark = mono.horizontalAdvance(QStringLiteral("\u2195")) + 4 * kPadding;
    const int text = std::max(kLeastText, (viewport()->width() - 2 * offset - mark) / 2);
    for (const int column : {ComparisonModel::LeftOffset, ComparisonModel::RightOffset})
        setColumnWidth(column, offset);
    setColumnWidth(ComparisonModel::Mark, mark);
    for (const int column : {ComparisonModel::LeftText, ComparisonModel::RightText})
        setColumnWidth(column, text);
}

void ComparisonView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit();
}

void ComparisonView::show(std::shared_ptr<const StartComparison> comparison) {
    shown_ = std::move(comparison);
    model_->show(shown_ ? *shown_ : StartComparison{});
    scrollToTop();
}

void ComparisonView::go_to_difference(int direction) {
    const int rows = model_->rowCount();
    const auto differs = [&](int at) {
        const ComparedRow& row = *model_->row(at);
        return !row.heading && row.computed != Computed::Same;
    };
    int at = currentIndex().isValid() ? currentIndex().row() : -1;
    while (at >= 0 && at < rows && differs(at))  // the rest of this difference
        at += direction;
    if (at < 0 && direction > 0) at = 0;
    while (at >= 0 && at < rows && !differs(at))
        at += direction;
    if (at < 0 || at >= rows) return;
    setCurrentIndex(model_->index(at, ComparisonModel::LeftText));
    scrollTo(currentIndex(), QAbstractItemView::PositionAtCenter);
}

void ComparisonView::go_to_partner(const QModelIndex& at) {
    const ComparedRow* row = model_->row(at.row());
    if (row == nullptr || !shown_ || row->heading || row->computed != Computed::Moved) return;
    const bool on_left = row->left != kNone;
    const InstrId partner =
        on_left ? shown_->alignment.right_of_left[row->left] : shown_->alignment.left_of_right[row->right];
    const auto found = std::ranges::find(shown_->rows, partner, on_left ? &ComparedRow::right : &ComparedRow::left);
    if (found == shown_->rows.end()) return;
    setCurrentIndex(model_->index(static_cast<int>(found - shown_->rows.begin()),
                                  on_left ? ComparisonModel::RightText : ComparisonModel::LeftText));
    scrollTo(currentIndex(), QAbstractItemView::PositionAtCenter);
}

void ComparisonView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return go_to_partner(currentIndex());
    if (event->key() == Qt::Key_N || event->key() == Qt::Key_P) return go_to_difference(event->key() == Qt::Key_N ? 1 : -1);
    QTableView::keyPressEvent(event);
}

}  // namespace cubinlab::ui
