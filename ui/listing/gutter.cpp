// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/gutter.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "core/sass/opcode_help.h"
#include "ui/listing/sass_view.h"
#include "ui/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kControlChars = 19;  // B------:R-:W-:-:S01
constexpr int kLongStall = 8;      // cycles; from here on a stall is marked strongly
constexpr int kShortStall = 4;     // cycles of an ordinary dependent pair: marked faintly above

QString barrier_list(std::uint8_t mask) {
    QStringList names;
    for (int i = 0; i < 6; ++i)
        if ((mask >> i) & 1) names << QStringLiteral("SB%1").arg(i);
    return names.join(QStringLiteral(", "));
}

}  // namespace

QString explain_control(const ControlCode& c) {
    QStringList parts;
    if (c.wait_mask != 0) parts << QStringLiteral("waits for %1").arg(barrier_list(c.wait_mask));
    if (c.write_barrier != kNoBarrier)
        parts << QStringLiteral("its result signals SB%1").arg(c.write_barrier);
    if (c.read_barrier != kNoBarrier)
        parts << QStringLiteral("reading its sources signals SB%1").arg(c.read_barrier);
    if (c.yield) parts << QStringLiteral("yields to another warp");
    parts << QStringLiteral("stalls %1 %2")
                 .arg(c.stall)
                 .arg(c.stall == 1 ? QStringLiteral("cycle") : QStringLiteral("cycles"));
    if (c.reuse != 0) {
        QStringList slots_kept;
        for (int i = 0; i < 3; ++i)
            if ((c.reuse >> i) & 1) slots_kept << QString(QLatin1Char(static_cast<char>('a' + i)));
        parts << QStringLiteral("keeps operand %1 in the reuse cache")
                     .arg(slots_kept.join(QStringLiteral(", ")));
    }
    return parts.join(QStringLiteral("; "));
}

Gutter::Gutter(SassView* view, Side side, QWidget* parent) : QWidget(parent), view_(view), side_(side) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(side == Side::Left ? tr("Control codes of the left listing")
                                         : tr("Control codes of the right listing"));
    connect(&Theme::instance(), &Theme::changed, this, &Gutter::take_theme);
    connect(view, &QsciScintilla::SCN_UPDATEUI, this, qOverload<>(&QWidget::update));
    take_theme();
}

void Gutter::take_theme() {
    setFont(Theme::instance().mono_font());
    setFixedWidth(layout_columns().width);
    update();
}

Gutter::Layout Gutter::layout_columns() const {
    Layout at;
    at.digit = QFontMetrics(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'));
    at.offset_digits = schedule_ && schedule_->size() * kWordBytes > 0xffff ? 5 : 4;
    int x = 4;
    at.loop = x;
    x += 8;
    at.change = x;
    x += at.digit + 5;
    at.offset = x;
    if (columns_.offset) x += at.offset_digits * at.digit + 12;
    at.live_number = x;
    if (columns_.live) x += 3 * at.digit + 4;
    at.live_bar = x;
    if (columns_.live) x += 26 + 12;
    at.control = x;
    if (columns_.control) x += kControlChars * at.digit + 10;
    at.width = x;
    return at;
}

std::vector<std::pair<int, QString>> Gutter::captions() const {
    const Layout at = layout_columns();
    std::vector<std::pair<int, QString>> list;
    if (columns_.offset) list.emplace_back(at.offset, tr("offset"));
    if (columns_.live) list.emplace_back(at.live_number, tr("live regs"));
    if (columns_.control) {  // above B------:R-:W-:-:S01
        list.emplace_back(at.control, tr("wait"));
        list.emplace_back(at.control + 8 * at.digit, tr("rd"));
        list.emplace_back(at.control + 11 * at.digit, tr("wr"));
        list.emplace_back(at.control + 14 * at.digit, tr("y"));
        list.emplace_back(at.control + 16 * at.digit, tr("stall"));
    }
    return list;
}

QSize Gutter::sizeHint() const {
    return {layout_columns().width, 100};
}

void Gutter::set_content(const ListingRows* rows, SchedulePtr schedule, DiffPtr diff) {
    rows_ = rows;
    schedule_ = std::move(schedule);
    diff_ = std::move(diff);
    setFixedWidth(layout_columns().width);
    update();
}

void Gutter::set_liveness(LivenessPtr liveness, int registers) {
    liveness_ = std::move(liveness);
    registers_ = registers;
    update();
}

void Gutter::set_selected(InstrId id) {
    selected_ = id;
    update();
}

void Gutter::set_columns(GutterColumns columns) {
    columns_ = columns;
    setFixedWidth(layout_columns().width);
    update();
}

int Gutter::row_at(int y) const {
    const int row = view_->first_visible_row() + y / view_->row_height();
    return rows_ != nullptr && row >= 0 && static_cast<std::size_t>(row) < rows_->size() ? row : -1;
}

void Gutter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(rect(), c.surface);
    if (rows_ == nullptr || !schedule_) return;
    const Layout at = layout_columns();
    const int height = view_->row_height();
    const int first = view_->first_visible_row();
    const int last = std::min(static_cast<int>(rows_->size()), first + this->height() / height + 1);
    for (int row = first; row < last; ++row)
        paint_row(painter, at, row, (row - first) * height, height);
    painter.setPen(c.grid);
    painter.drawLine(width() - 1, 0, width() - 1, this->height());
}

void Gutter::paint_row(QPainter& painter, const Layout& at, int row, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    const ListingRow& r = rows_->rows[static_cast<std::size_t>(row)];
    if (r.is_header()) {
        paint_header(painter, at, r.header, top, height);
        return;
    }
    const InstrId id = rows_->instr(row, side_);
    const InstrId any = id != kNone ? id : (side_ == Side::Left ? r.right : r.left);
    const QRect line(0, top, width(), height);
    if (id == kNone) {
        painter.fillRect(line, c.blank_row);
        paint_loop(painter, at, schedule_->kernel()->block_of(any), top, height);
        return;
    }
    const Change change = diff_ && id < diff_->change.size() ? diff_->change[id] : Change::Same;
    const bool moved = change == Change::Moved || change == Change::MovedAndControl;
    const bool control = change == Change::Control || change == Change::MovedAndControl;
    if (id == selected_)
        painter.fillRect(line, c.selection);
    else if (moved)
        painter.fillRect(line, c.moved_soft);
    else if (control)
        painter.fillRect(line, c.control_soft);
    paint_loop(painter, at, schedule_->kernel()->block_of(id), top, height);
    if (moved || control) {
        painter.setPen(moved ? c.moved : c.control_changed);
        // A sign beside the colour: up or down arrow for a move, a dot for a control code.
        QString sign = QStringLiteral("\u2022");
        if (moved && rows_->row_of(id, Side::Left) >= 0 && rows_->row_of(id, Side::Right) >= 0)
            sign = rows_->row_of(id, Side::Right) < rows_->row_of(id, Side::Left) ? QStringLiteral("\u2191")
                                                                                  : QStringLiteral("\u2193");
        painter.drawText(QRect(at.change, top, at.digit + 4, height), Qt::AlignVCenter | Qt::AlignLeft, sign);
    }
    const Position position = schedule_->position_of(id);
    if (columns_.offset) {
        painter.setPen(id == selected_ ? c.text : c.text_faint);
        painter.drawText(
            QRect(at.offset, top, at.offset_digits * at.digit + 4, height), Qt::AlignVCenter | Qt::AlignLeft,
            QStringLiteral("%1").arg(position * kWordBytes, at.offset_digits, 16, QLatin1Char('0')));
    }
    if (columns_.live) paint_live(painter, at, position, top, height);
    if (columns_.control)
        paint_control(painter, at, schedule_->control(id), schedule_->kernel()->instruction(id).control(),
                      top, height);
}

void Gutter::paint_header(QPainter& painter, const Layout& at, BlockId block, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(QRect(0, top, width(), height), c.surface_alt);
    painter.setPen(c.border);
    painter.drawLine(0, top, width(), top);
    paint_loop(painter, at, block, top, height);
    if (!columns_.offset) return;
    painter.setPen(c.text_dim);
    painter.drawText(QRect(at.offset, top, width() - at.offset, height), Qt::AlignVCenter | Qt::AlignLeft,
                     QStringLiteral("block %1").arg(block));
}

void Gutter::paint_loop(QPainter& painter, const Layout& at, BlockId block, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    const std::uint16_t depth = schedule_->kernel()->flow().blocks[block].loop_depth;
    if (depth == 0) return;
    painter.fillRect(QRect(at.loop, top, 3, height), c.loop[std::min<std::size_t>(depth, c.loop.size() - 1)]);
}

void Gutter::paint_live(QPainter& painter, const Layout& at, Position position, int top, int height) const {
    if (!liveness_ || position >= liveness_->gpr_count.size()) return;
    const ThemeColors& c = Theme::instance().colors();
    const int live = liveness_->gpr_count[position];
    const bool peak = live == liveness_->peak;
    painter.setPen(peak ? c.text : c.text_dim);
    painter.drawText(QRect(at.live_number, top, 3 * at.digit, height), Qt::AlignVCenter | Qt::AlignRight,
                     QString::number(live));
    const QRect bar(at.live_bar, top + height / 2 - 2, 26, 5);
    painter.fillRect(bar, c.grid);
    const double share = registers_ > 0 ? std::min(1.0, static_cast<double>(live) / registers_) : 0.0;
    const QColor fill = peak ? c.bad : share > 0.85 ? c.warn : c.info;
    painter.fillRect(QRect(bar.left(), bar.top(), static_cast<int>(share * bar.width() + 0.5), bar.height()),
                     fill);
}

void Gutter::paint_control(QPainter& painter, const Layout& at, const ControlCode& now,
                           const ControlCode& original, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    int x = at.control;
    const auto put = [&](const QString& text, const QColor& color, bool changed) {
        const int wide = static_cast<int>(text.size()) * at.digit;
        painter.setPen(color);
        painter.drawText(QRect(x, top, wide + 4, height), Qt::AlignVCenter | Qt::AlignLeft, text);
        if (changed) painter.fillRect(QRect(x, top + height - 2, wide, 2), c.control_changed);
        x += wide;
    };
    QString waits;
    for (int i = 0; i < 6; ++i)
        waits += (now.wait_mask >> i) & 1 ? QChar(QLatin1Char(static_cast<char>('0' + i)))
                                          : QChar(QLatin1Char('-'));
    const auto barrier = [](std::uint8_t b) {
        return b == kNoBarrier ? QStringLiteral("-") : QString::number(b);
    };
    const bool dim = now.wait_mask == 0;
    put(QStringLiteral("B") + waits, dim ? c.text_faint : c.dependence[5],
        now.wait_mask != original.wait_mask);
    put(QStringLiteral(":"), c.text_faint, false);
    put(QStringLiteral("R") + barrier(now.read_barrier),
        now.read_barrier == kNoBarrier ? c.text_faint : c.predicate,
        now.read_barrier != original.read_barrier);
    put(QStringLiteral(":"), c.text_faint, false);
    put(QStringLiteral("W") + barrier(now.write_barrier),
        now.write_barrier == kNoBarrier ? c.text_faint : c.memory_op,
        now.write_barrier != original.write_barrier);
    put(QStringLiteral(":"), c.text_faint, false);
    put(now.yield ? QStringLiteral("Y") : QStringLiteral("-"), now.yield ? c.good : c.text_faint,
        now.yield != original.yield);
    put(QStringLiteral(":"), c.text_faint, false);
    const QColor stall = now.stall >= kLongStall   ? c.bad
                         : now.stall > kShortStall ? c.warn
                         : now.stall > 1           ? c.text
                                                   : c.text_faint;
    put(QStringLiteral("S%1").arg(now.stall, 2, 10, QLatin1Char('0')), stall, now.stall != original.stall);
}

// The field of the control code at `x`, by the name that control_field_help() knows; null: not on one.
const char* Gutter::field_at(int x) const {
    const Layout at = layout_columns();
    if (!columns_.control || x < at.control || x >= at.control + kControlChars * at.digit) return nullptr;
    const int column = (x - at.control) / at.digit;  // B------:R-:W-:-:S01
    return column < 7    ? "wait"
           : column < 10 ? "read"
           : column < 13 ? "write"
           : column < 15 ? "yield"
                         : "stall";
}

QString Gutter::tip_at(InstrId id, int x) const {
    QString tip = tip_for(id).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    const char* field = field_at(x);
    const OpcodeHelp* help = field != nullptr ? control_field_help(field) : nullptr;
    if (help == nullptr) return tip;
    const auto words = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
    };
    return tip + QStringLiteral("<br><br><b>%1</b> &nbsp;%2<br>%3")
                     .arg(words(help->name), words(help->title), words(help->text));
}

QString Gutter::tip_for(InstrId id) const {
    const ControlCode& control = schedule_->control(id);
    QString tip = QStringLiteral("0x%1  %2\n%3")
                      .arg(schedule_->position_of(id) * kWordBytes, 4, 16, QLatin1Char('0'))
                      .arg(QString::fromStdString(control.text()), explain_control(control));
    if (liveness_ && schedule_->position_of(id) < liveness_->gpr_count.size())
        tip += tr("\n%1 of %2 registers live")
                   .arg(liveness_->gpr_count[schedule_->position_of(id)])
                   .arg(registers_);
    if (const ControlCode before = schedule_->kernel()->instruction(id).control(); !(before == control))
        tip += tr("\noriginally %1").arg(QString::fromStdString(before.text()));
    return tip;
}

bool Gutter::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const InstrId id = rows_ != nullptr ? rows_->instr(row_at(help->pos().y()), side_) : kNone;
    if (id == kNone || !schedule_)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip_at(id, help->pos().x()), this);
    return true;
}

void Gutter::mousePressEvent(QMouseEvent* event) {
    if (const int row = row_at(static_cast<int>(event->position().y())); row >= 0) Q_EMIT row_pressed(row);
    view_->setFocus(Qt::MouseFocusReason);
}

void Gutter::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT row_menu(row_at(event->y()), event->globalPos());
}

void Gutter::wheelEvent(QWheelEvent* event) {
    QCoreApplication::sendEvent(view_->viewport(), event);
}

}  // namespace cubinlab::ui
