// SPDX-License-Identifier: GPL-3.0-or-later
// Gutter: painting of its columns.
#include <QPainter>
#include <QPainterPath>
#include <QStaticText>
#include <algorithm>
#include <cmath>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_notes.h"
#include "ui/listing/gutter.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kLongStall = 8;   // cycles; from here on a stall is marked strongly
constexpr int kShortStall = 4;  // cycles of an ordinary dependent pair: marked faintly above

void paint_padlock(QPainter& painter, const QRect& box, const QColor& color) {
    painter.setPen(QPen(color, 1.3));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(box.center().x() - 2.2, box.center().y() - 5.5, 5, 7), 0, 180 * 16);
    painter.fillRect(QRect(box.center().x() - 3, box.center().y() - 1, 7, 5), color);
}

void paint_bookmark(QPainter& painter, const QRect& box, const QColor& color) {
    const QPoint c = box.center();
    QPolygon ribbon;
    ribbon << c + QPoint(-3, -5) << c + QPoint(4, -5) << c + QPoint(4, 5) << c + QPoint(0, 2)
           << c + QPoint(-3, 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(ribbon);
    painter.setBrush(Qt::NoBrush);
}

void paint_chevron(QPainter& painter, const QRect& box, bool folded, const QColor& color) {
    const QPointF c = QRectF(box).center();
    QPolygonF line;
    if (folded)
        line << c + QPointF(-2, -4) << c + QPointF(2, 0) << c + QPointF(-2, 4);
    else
        line << c + QPointF(-4, -2) << c + QPointF(0, 2) << c + QPointF(4, -2);
    painter.setPen(QPen(color, 1.4));
    painter.drawPolyline(line);
}

void paint_head(QPainter& painter, const QPointF& tip, const QColor& color) {
    QPolygonF head;
    head << tip << tip + QPointF(-5, -3.5) << tip + QPointF(-5, 3.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(head);
    painter.setBrush(Qt::NoBrush);
}

}  // namespace

void Gutter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(rect(), c.surface);
    if (k_.rows == nullptr || !k_.schedule) return;
    const Layout at = layout_columns();
    const int height = view_->row_height();
    const int first = view_->first_visible_row();
    const int last = std::min(static_cast<int>(k_.rows->size()), first + this->height() / height + 1);
    for (int row = first; row < last; ++row)
        paint_row(painter, at, row, (row - first) * height, height);
    if (columns_.arrows) paint_arrows(painter, at);
    painter.setPen(c.grid);
    painter.drawLine(width() - 1, 0, width() - 1, this->height());
}

// Vertically centred. To shape a text costs more than to draw it, and each picture has the same few hundred texts.
void Gutter::put_text(QPainter& painter, const QRect& box, Qt::Alignment side, const QString& text) const {
    constexpr qsizetype kMost = 4096;
    if (shaped_.size() > kMost) shaped_.clear();
    auto known = shaped_.find(text);
    if (known == shaped_.end()) {
        known = shaped_.insert(text, QStaticText(text));
        known->setTextFormat(Qt::PlainText);
        known->prepare({}, painter.font());
    }
    const QSizeF size = known->size();
    const double x = side & Qt::AlignRight ? box.right() + 1 - size.width() : box.left();
    painter.drawStaticText(QPointF(x, box.top() + std::floor((box.height() - size.height()) / 2)), *known);
}

void Gutter::paint_row(QPainter& painter, const Layout& at, int row, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    const ListingRow& r = k_.rows->rows[static_cast<std::size_t>(row)];
    if (r.is_header()) {
        paint_header(painter, at, r, top, height);
        return;
    }
    const InstrId id = k_.rows->instr(row, side_);
    const QRect box(0, top, width(), height);
    if (id == kNone) {
        painter.fillRect(box, c.blank_row);
        const InstrId any = side_ == Side::Left ? r.right : r.left;
        paint_loop(painter, at, k_.schedule->kernel()->block_of(any), top, height);
        return;
    }
    const Line line{id, k_.schedule->position_of(id), top, height};
    const Change change = k_.diff && id < k_.diff->change.size() ? k_.diff->change[id] : Change::Same;
    const bool moved = change == Change::Moved || change == Change::MovedAndControl;
    if (id == k_.selected || std::find(k_.range.begin(), k_.range.end(), id) != k_.range.end())
        painter.fillRect(box, c.selection);
    else if (moved)
        painter.fillRect(box, c.moved_soft);
    else if (change == Change::Control)
        painter.fillRect(box, c.control_soft);
    paint_marks(painter, at, line);
    paint_loop(painter, at, k_.schedule->kernel()->block_of(id), top, height);
    paint_change(painter, at, line, change);
    paint_numbers(painter, at, line);
    if (columns_.live) paint_live(painter, at, line);
    if (columns_.profile && k_.profile) paint_profile(painter, at, line);
    if (k_.heat_here) paint_heat(painter, at, line);
    if (columns_.control) paint_control(painter, at, line);
}

void Gutter::paint_header(QPainter& painter, const Layout& at, const ListingRow& row, int top,
                          int height) const {
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(QRect(0, top, width(), height), c.surface_alt);
    painter.setPen(c.border);
    painter.drawLine(0, top, width(), top);
    paint_loop(painter, at, row.header, top, height);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_chevron(painter, QRect(at.mark, top, 12, height), row.folded > 0, c.text_dim);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!columns_.offset) return;
    painter.setPen(c.text_dim);
    const int room = width() - at.offset;
    painter.drawText(QRect(at.offset, top, room, height), Qt::AlignVCenter | Qt::AlignLeft,
                     header_text(row, painter.fontMetrics(), room));
}

// With the number, however narrow the columns are.
QString Gutter::header_text(const ListingRow& row, const QFontMetrics& font, int room) {
    const QString name = tr("block %1").arg(row.header);
    QString text = name;
    if (row.folded > 0) text += tr("  \u00b7  %n folded", "", static_cast<int>(row.folded));
    if (row.hidden > 0) text += tr("  \u00b7  %n unchanged", "", static_cast<int>(row.hidden));
    for (const QString& wording : {text, name})
        if (font.horizontalAdvance(wording) <= room) return wording;
    return QStringLiteral("B%1").arg(row.header);
}

void Gutter::paint_loop(QPainter& painter, const Layout& at, BlockId block, int top, int height) const {
    const ThemeColors& c = Theme::instance().colors();
    const std::uint16_t depth = k_.schedule->kernel()->flow().blocks[block].loop_depth;
    if (depth == 0) return;
    painter.fillRect(QRect(at.loop, top, 3, height), c.loop[std::min<std::size_t>(depth, c.loop.size() - 1)]);
}

void Gutter::paint_marks(QPainter& painter, const Layout& at, const Line& line) const {
    if (notes_ == nullptr) return;
    const ThemeColors& c = Theme::instance().colors();
    const QRect box(at.mark, line.top, 12, line.height);
    if (!notes_->in_scope(line.id))  // grey: agents may not edit it
        painter.fillRect(QRect(0, line.top, at.loop - 1, line.height),
                         QBrush(with_alpha(rule_of(c), 120), Qt::BDiagPattern));
    painter.setRenderHint(QPainter::Antialiasing);
    if (notes_->locked(line.id)) paint_padlock(painter, box, c.warn);
    if (notes_->bookmarked(line.id))
        paint_bookmark(painter, notes_->locked(line.id) ? box.translated(-3, 0) : box, c.accent);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void Gutter::paint_change(QPainter& painter, const Layout& at, const Line& line, Change change) const {
    if (change == Change::Same) return;
    const ThemeColors& c = Theme::instance().colors();
    const bool moved = change != Change::Control;
    painter.setPen(moved ? c.moved : c.control_changed);
    // A sign in addition to the colour: an arrow for a move, a dot for a control code.
    QString sign = QStringLiteral("\u2022");
    const int left = k_.rows->row_of(line.id, Side::Left), right = k_.rows->row_of(line.id, Side::Right);
    if (moved && left >= 0 && right >= 0)
        sign = right < left ? QStringLiteral("\u2191") : QStringLiteral("\u2193");
    put_text(painter, QRect(at.change, line.top, at.digit + 4, line.height), Qt::AlignLeft, sign);
}

// Offset, source line and issue cycle.
void Gutter::paint_numbers(QPainter& painter, const Layout& at, const Line& line) const {
    const ThemeColors& c = Theme::instance().colors();
    const auto put = [&](int x, int digits, Qt::Alignment side, const QColor& color, const QString& text) {
        painter.setPen(color);
        put_text(painter, QRect(x, line.top, digits * at.digit + 4, line.height), side, text);
    };
    if (columns_.offset)
        put(at.offset, at.offset_digits, Qt::AlignLeft, line.id == k_.selected ? c.text : c.text_faint,
            QStringLiteral("%1").arg(line.position * kWordBytes, at.offset_digits, 16, QLatin1Char('0')));
    if (columns_.source && k_.source && line.id < k_.source->size() && (*k_.source)[line.id].line > 0)
        put(at.source, 5, Qt::AlignLeft, c.series[(*k_.source)[line.id].line % c.series.size()],
            QString::number((*k_.source)[line.id].line));  // as the source dock has it
    if (!columns_.cycle || !k_.timing || line.position >= k_.timing->issue_cycle.size()) return;
    const std::uint32_t waited = k_.timing->waited[line.position];
    put(at.cycle, 5, Qt::AlignRight,
        waited >= kLongStall ? c.bad
        : waited > 0         ? c.warn
                             : c.text_dim,
        QString::number(k_.timing->issue_cycle[line.position]));
}

void Gutter::paint_live(QPainter& painter, const Layout& at, const Line& line) const {
    if (!k_.liveness || line.position >= k_.liveness->gpr_count.size()) return;
    const ThemeColors& c = Theme::instance().colors();
    const int live = k_.liveness->gpr_count[line.position];
    const bool peak = live == k_.liveness->peak;
    painter.setPen(peak ? c.text : c.text_dim);
    put_text(painter, QRect(at.live_number, line.top, 3 * at.digit, line.height), Qt::AlignRight,
             QString::number(live));
    const QRect bar(at.live_bar, line.top + line.height / 2 - 2, 26, 5);
    painter.fillRect(bar, c.grid);
    const double share = k_.registers > 0 ? std::min(1.0, static_cast<double>(live) / k_.registers) : 0.0;
    const QColor fill = peak ? c.bad : share > 0.85 ? c.warn : c.info;
    painter.fillRect(QRect(bar.left(), bar.top(), static_cast<int>(share * bar.width() + 0.5), bar.height()),
                     fill);
    if (const int step = next_step(); step > 0) {
        const int x = bar.left() + static_cast<int>(static_cast<double>(step) / k_.registers * bar.width());
        painter.fillRect(QRect(x, bar.top() - 2, 1, bar.height() + 4), live > step ? c.text_dim : c.good);
    }
}

void Gutter::paint_profile(QPainter& painter, const Layout& at, const Line& line) const {
    if (line.id >= k_.profile->by_instr.size()) return;
    const ThemeColors& c = Theme::instance().colors();
    const double samples = k_.profile->by_instr[line.id].samples;
    if (samples <= 0) return;
    const double share = k_.profile->most > 0 ? samples / k_.profile->most : 0;
    const int wide = 30 + 5 * at.digit;
    painter.fillRect(QRect(at.profile, line.top + 2, static_cast<int>(share * wide + 0.5), line.height - 4),
                     with_alpha(share > 0.5 ? c.bad : c.warn, 40 + static_cast<int>(share * 110)));
    painter.setPen(share > 0.25 ? c.text : c.text_dim);
    painter.drawText(QRect(at.profile, line.top, wide, line.height), Qt::AlignVCenter | Qt::AlignRight,
                     QStringLiteral("%1 %").arg(samples / k_.profile->total * 100, 0, 'f', 1));
}

// A bar from the middle: right and green is faster, left and red slower, with the figure.
void Gutter::paint_heat(QPainter& painter, const Layout& at, const Line& line) const {
    const ThemeColors& c = Theme::instance().colors();
    const int wide = 26 + 6 * at.digit;
    const QRect box(at.heat, line.top + 1, wide, line.height - 2);
    if (line.id == k_.heat->instr) {
        painter.setPen(c.text);
        painter.drawText(box, Qt::AlignCenter, tr("now"));
        return;
    }
    const Outcome* outcome = k_.heat->at(line.position);
    if (outcome == nullptr) {
        if (!k_.heat->legal_at(line.position)) return;
        painter.setPen(c.text_faint);
        painter.drawText(box, Qt::AlignCenter, QStringLiteral("\u2026"));
        return;
    }
    if (!outcome->ok()) {
        painter.setPen(c.bad);
        painter.drawText(box, Qt::AlignCenter, QLatin1String(to_string(outcome->kind)));
        return;
    }
    const double most = std::max(k_.heat->strongest(), 1e-4);
    const double share = outcome->speedup.log / most;
    const int length = static_cast<int>(std::abs(share) * wide / 2 + 0.5);
    // Within its interval of nothing: no colour of a gain or a loss.
    const bool clear =
        (outcome->speedup.low > 0 || outcome->speedup.high < 0) && !reads_zero(outcome->speedup.log);
    const QColor color = !clear ? rule_of(c) : share > 0 ? c.good : c.bad;
    painter.fillRect(
        QRect(share > 0 ? box.center().x() : box.center().x() - length, box.top(), length, box.height()),
        with_alpha(color, 90));
    painter.setPen(clear ? color : c.text_dim);
    painter.drawText(box, Qt::AlignCenter, percent_number(outcome->speedup.log));
}

void Gutter::paint_control(QPainter& painter, const Layout& at, const Line& line) const {
    const ThemeColors& c = Theme::instance().colors();
    const ControlCode& now = k_.schedule->control(line.id);
    // Compared with the other side if there is one; differences from the file only are underlined faintly.
    const ControlCode original = k_.schedule->kernel()->instruction(line.id).control();
    const ControlCode against = k_.other ? k_.other->control(line.id) : original;
    const QColor faint = line.id == k_.selected ? c.text_dim : c.text_faint;
    int x = at.control;
    const auto put = [&](const QString& text, const QColor& color, auto field) {
        const int wide = static_cast<int>(text.size()) * at.digit;
        painter.setPen(color);
        put_text(painter, QRect(x, line.top, wide + 4, line.height), Qt::AlignLeft, text);
        if (now.*field != against.*field)
            painter.fillRect(QRect(x, line.top + line.height - 2, wide, 2), c.control_changed);
        else if (now.*field != original.*field)
            painter.fillRect(QRect(x, line.top + line.height - 1, wide, 1), rule_of(c));
        x += wide;
    };
    const auto colon = [&] {
        painter.setPen(faint);
        put_text(painter, QRect(x, line.top, at.digit + 4, line.height), Qt::AlignLeft, QStringLiteral(":"));
        x += at.digit;
    };
    QString waits;
    for (int i = 0; i < 6; ++i)
        waits += (now.wait_mask >> i) & 1 ? QChar(QLatin1Char(static_cast<char>('0' + i)))
                                          : QChar(QLatin1Char('-'));
    const auto barrier = [](std::uint8_t b) {
        return b == kNoBarrier ? QStringLiteral("-") : QString::number(b);
    };
    put(QStringLiteral("B") + waits, now.wait_mask == 0 ? faint : c.dependence[5], &ControlCode::wait_mask);
    colon();
    put(QStringLiteral("R") + barrier(now.read_barrier), now.read_barrier == kNoBarrier ? faint : c.predicate,
        &ControlCode::read_barrier);
    colon();
    put(QStringLiteral("W") + barrier(now.write_barrier),
        now.write_barrier == kNoBarrier ? faint : c.memory_op, &ControlCode::write_barrier);
    colon();
    put(now.yield ? QStringLiteral("Y") : QStringLiteral("-"), now.yield ? c.good : faint,
        &ControlCode::yield);
    colon();
    const QColor stall = now.stall >= kLongStall   ? c.bad
                         : now.stall > kShortStall ? c.warn
                         : now.stall > 1           ? c.text
                                                   : faint;
    put(QStringLiteral("S%1").arg(now.stall, 2, 10, QLatin1Char('0')), stall, &ControlCode::stall);
}

// Trunks beside the text: from the producer's row down to the consumer's, an arrow head where it is needed.
// Invisible ends continue past the edge.
void Gutter::paint_arrows(QPainter& painter, const Layout& at) const {
    if (!k_.arrows || k_.arrows->arrows.empty() || k_.arrows->instr != k_.selected) return;
    const ThemeColors& c = Theme::instance().colors();
    const int line = view_->row_height();
    const int first = view_->first_visible_row();
    const int centre_row = k_.rows->row_of(k_.arrows->instr, side_);
    if (centre_row < 0) return;
    const double right = width() - 2;
    const auto y_of = [&](int row) { return (row - first + 0.5) * line; };
    painter.setRenderHint(QPainter::Antialiasing);
    const double centre = y_of(centre_row);
    for (auto arrow = k_.arrows->arrows.rbegin(); arrow != k_.arrows->arrows.rend(); ++arrow) {
        const bool out = arrow->from == k_.arrows->instr;
        const int row = k_.rows->row_of(out ? arrow->to : arrow->from, side_);
        if (row < 0) continue;
        const double other = y_of(row);
        if (std::max(other, centre) < 0 || std::min(other, centre) > height()) continue;
        const QColor color = arrow->reasons.front().guarded
                                 ? c.text_dim
                                 : c.dependence[static_cast<std::size_t>(arrow->kind())];
        const ArrowReason& reason = arrow->reasons.front();
        const bool tight = !reason.guarded && reason.need > 0 && reason.slack() <= 0;
        const double x = std::max(right - 8 - arrow->lane * kLaneWidth, at.arrows + 1.0);
        const double step = other < centre ? 2.0 : -2.0;  // trunks leave the row a little apart from it
        QPainterPath path;
        path.moveTo(right - (out ? 0 : 4), centre + step * -0.5);
        path.lineTo(x, centre + step * -0.5);
        path.lineTo(x, other);
        path.lineTo(right - (out ? 4 : 0), other);
        QPen pen(color, tight ? 2.0 : 1.2);
        if (arrow->carried) pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.drawPath(path);
        if (out)
            paint_head(painter, QPointF(right, other), color);
        else
            paint_head(painter, QPointF(right, centre), color);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace cubinlab::ui
