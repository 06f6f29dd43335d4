// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/gutter.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/sass/opcode_help.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_notes.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kControlChars = 19;  // B------:R-:W-:-:S01

QString barrier_list(std::uint8_t mask) {
    QStringList names;
    for (int i = 0; i < 6; ++i)
        if ((mask >> i) & 1) names << QStringLiteral("SB%1").arg(i);
    return names.join(QStringLiteral(", "));
}

}  // namespace

QString explain_control(const ControlCode& c) {
    QStringList parts;
    if (c.wait_mask != 0) parts << Gutter::tr("waits for %1").arg(barrier_list(c.wait_mask));
    if (c.write_barrier != kNoBarrier)
        parts << Gutter::tr("signals SB%1 when its result is written").arg(c.write_barrier);
    if (c.read_barrier != kNoBarrier)
        parts << Gutter::tr("signals SB%1 when its sources are read").arg(c.read_barrier);
    if (c.yield) parts << Gutter::tr("yields to another warp");
    parts << Gutter::tr("stalls %n cycle(s)", "", c.stall);
    if (c.reuse != 0) {
        QStringList slots_kept;
        for (int i = 0; i < 3; ++i)
            if ((c.reuse >> i) & 1) slots_kept << QString(QLatin1Char(static_cast<char>('a' + i)));
        parts << Gutter::tr("keeps operand %1 in the reuse cache").arg(slots_kept.join(QStringLiteral(", ")));
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
    shaped_.clear();
    relayout();
}

void Gutter::relayout() {
    setFixedWidth(layout_columns().width);
    update();
}

Gutter::Layout Gutter::layout_columns() const {
    Layout at;
    at.digit = QFontMetrics(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'));
    at.offset_digits = k_.schedule && k_.schedule->size() * kWordBytes > 0xffff ? 5 : 4;
    int x = 2;
    const auto column = [&x](int& left, bool shown, int width) {
        left = x;
        if (shown) x += width;
    };
    column(at.mark, true, 13);
    column(at.loop, true, 7);
    column(at.change, true, at.digit + 5);
    column(at.offset, columns_.offset, at.offset_digits * at.digit + 12);
    column(at.source, columns_.source, 5 * at.digit + 8);
    column(at.live_number, columns_.live, 3 * at.digit + 4);
    column(at.live_bar, columns_.live, 26 + 12);
    column(at.cycle, columns_.cycle, 5 * at.digit + 10);
    column(at.profile, columns_.profile && k_.profile, 34 + 5 * at.digit);
    column(at.heat, k_.heat != nullptr, 30 + 6 * at.digit);
    column(at.control, columns_.control, kControlChars * at.digit + 8);
    column(at.arrows, columns_.arrows, kMostLanes * kLaneWidth + 9);
    at.width = x + 2;
    return at;
}

std::vector<std::pair<int, QString>> Gutter::captions() const {
    const Layout at = layout_columns();
    std::vector<std::pair<int, QString>> list;
    if (columns_.offset) list.emplace_back(at.offset, tr("offset"));
    if (columns_.source) list.emplace_back(at.source, tr("line"));
    if (columns_.live) list.emplace_back(at.live_number, tr("live regs"));
    if (columns_.cycle) list.emplace_back(at.cycle, tr("cycle"));
    if (columns_.profile && k_.profile) list.emplace_back(at.profile, tr("samples"));
    if (k_.heat)
        list.emplace_back(
            at.heat, k_.heat->evaluator.kind == EvaluatorKind::Gpu ? tr("GPU: here") : tr("model: here"));
    if (columns_.control) {  // above B------:R-:W-:-:S01
        list.emplace_back(at.control, tr("wait"));
        list.emplace_back(at.control + 8 * at.digit, tr("rd"));
        list.emplace_back(at.control + 11 * at.digit, tr("wr"));
        list.emplace_back(at.control + 14 * at.digit, tr("y"));
        list.emplace_back(at.control + 16 * at.digit, tr("stall"));
    }
    if (columns_.arrows) list.emplace_back(at.arrows, QString());
    return list;
}

QSize Gutter::sizeHint() const {
    return {layout_columns().width, 100};
}

// ---- content ----

void Gutter::forget() {
    k_ = {};
    relayout();
}

void Gutter::set_content(const ListingRows* rows, SchedulePtr schedule, DiffPtr diff, SchedulePtr other) {
    k_.rows = rows;
    k_.schedule = std::move(schedule);
    k_.diff = std::move(diff);
    k_.other = std::move(other);
    place_heat();
    relayout();
}

void Gutter::set_liveness(LivenessPtr liveness, int registers) {
    k_.liveness = std::move(liveness);
    k_.registers = registers;
    update();
}

void Gutter::set_occupancy(std::vector<OccupancyStep> steps) {
    k_.steps = std::move(steps);
    update();
}

void Gutter::set_timing(TimingPtr timing) {
    k_.timing = std::move(timing);
    update();
}

void Gutter::set_arrows(ArrowsPtr arrows) {
    k_.arrows = std::move(arrows);
    update();
}

void Gutter::set_heat(HeatPtr heat) {
    const bool had = k_.heat != nullptr;
    k_.heat = std::move(heat);
    place_heat();
    if (had != (k_.heat != nullptr)) relayout();
    update();
}

void Gutter::place_heat() {
    k_.heat_here = k_.heat && k_.schedule && *k_.heat->schedule == *k_.schedule;
}

void Gutter::set_profile(ProfilePtr profile) {
    k_.profile = std::move(profile);
    relayout();
}

void Gutter::set_source(SourcePlaces places) {
    k_.source = std::move(places);
    update();
}

void Gutter::set_notes(const KernelNotes* notes) {
    notes_ = notes;
    update();
}

void Gutter::set_selected(InstrId id) {
    k_.selected = id;
    update();
}

void Gutter::set_range(std::vector<InstrId> ids) {
    k_.range = std::move(ids);
    update();
}

void Gutter::set_columns(GutterColumns columns) {
    columns_ = columns;
    relayout();
}

int Gutter::row_at(int y) const {
    const int row = view_->first_visible_row() + y / view_->row_height();
    return k_.rows != nullptr && row >= 0 && static_cast<std::size_t>(row) < k_.rows->size() ? row : -1;
}

QRect Gutter::arrows_rect(int row) const {
    const Layout at = layout_columns();
    return {at.arrows, (row - view_->first_visible_row()) * view_->row_height(), width() - at.arrows,
            view_->row_height()};
}

int Gutter::next_step() const {
    int next = 0;
    for (const OccupancyStep& step : k_.steps)
        if (step.registers < k_.registers) next = std::max(next, step.registers);
    return next;
}

// ---- tooltips ----

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

QString Gutter::arrow_tip(InstrId id) const {
    if (!k_.arrows) return {};
    const auto name = [&](InstrId of) {
        return QStringLiteral("0x%1 %2")
            .arg(k_.schedule->position_of(of) * kWordBytes, 4, 16, QLatin1Char('0'))
            .arg(QLatin1String(k_.schedule->kernel()->instruction(of).mnemonic));
    };
    QStringList tips;
    for (const DependencyArrow& arrow : k_.arrows->arrows) {
        if (id != k_.arrows->instr && arrow.from != id && arrow.to != id) continue;
        if (tips.size() == 10) {
            tips << tr("... and more");
            break;
        }
        tips << QStringLiteral("<b>%1 \u2192 %2</b><br>%3")
                    .arg(name(arrow.from), name(arrow.to),
                         QString::fromStdString(arrow.sentence())
                             .toHtmlEscaped()
                             .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    }
    if (k_.arrows->left_out > 0 && id == k_.arrows->instr)
        tips << tr("%n looser dependence(s) not drawn", "", static_cast<int>(k_.arrows->left_out));
    return tips.join(QStringLiteral("<br>"));
}

QString Gutter::tip_at(int row, int x) const {
    if (k_.rows == nullptr || !k_.schedule || row < 0) return {};
    const InstrId id = k_.rows->instr(row, side_);
    if (id == kNone) {
        const ListingRow& header = k_.rows->rows[static_cast<std::size_t>(row)];
        if (!header.is_header()) return {};
        return header.folded > 0 ? tr("Click to unfold block %1").arg(header.header)
                                 : tr("Click to fold block %1").arg(header.header);
    }
    const Layout at = layout_columns();
    if (columns_.arrows && x >= at.arrows)
        if (const QString tip = arrow_tip(id); !tip.isEmpty()) return tip;
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
    const ControlCode& control = k_.schedule->control(id);
    const Position position = k_.schedule->position_of(id);
    QString tip = QStringLiteral("0x%1  %2\n%3")
                      .arg(position * kWordBytes, 4, 16, QLatin1Char('0'))
                      .arg(QString::fromStdString(control.text()), explain_control(control));
    if (k_.liveness && position < k_.liveness->gpr_count.size()) {
        tip += tr("\n%1 of %2 registers live").arg(k_.liveness->gpr_count[position]).arg(k_.registers);
        if (const int step = next_step(); step > 0 && columns_.live)
            tip += tr("; with %1 or fewer registers, more warps fit an SM (mark in the bar)").arg(step);
    }
    if (columns_.cycle && k_.timing && position < k_.timing->issue_cycle.size()) {
        tip += tr("\nmodel: issues in cycle %1 of its block").arg(k_.timing->issue_cycle[position]);
        if (k_.timing->waited[position] > 0)
            tip += tr(", %n cycle(s) late: %1", "", static_cast<int>(k_.timing->waited[position]))
                       .arg(QLatin1String(to_string(k_.timing->reason[position])));
    }
    if (k_.source && id < k_.source->size() && (*k_.source)[id].line > 0)
        tip += QStringLiteral("\n%1:%2").arg((*k_.source)[id].file, QString::number((*k_.source)[id].line));
    if (k_.profile && columns_.profile && id < k_.profile->by_instr.size()) {
        const ProfileLine& line = k_.profile->by_instr[id];
        tip += tr("\nprofile: %1 samples, %2 % of the kernel's")
                   .arg(grouped(std::llround(line.samples)))
                   .arg(k_.profile->total > 0 ? line.samples / k_.profile->total * 100 : 0, 0, 'f', 1);
        for (std::size_t i = 0; i < line.reasons.size() && i < 4; ++i)
            tip += QStringLiteral("\n   %1 %2")
                       .arg(QString::fromStdString(line.reasons[i].first),
                            QString::number(line.reasons[i].second, 'f', 0));
    }
    if (k_.heat_here)
        if (const Outcome* outcome = k_.heat->at(position)) {
            const QString who =
                k_.heat->evaluator.kind == EvaluatorKind::Gpu ? tr("measured") : tr("modelled");
            tip += outcome->ok()
                       ? tr("\nmoved here: %1, %2").arg(percent_interval_text(outcome->speedup), who)
                       : tr("\nmoved here: %1").arg(QLatin1String(to_string(outcome->kind)));
        }
    if (notes_ != nullptr && notes_->locked(id)) tip += tr("\nlocked: agents do not edit it");
    if (notes_ != nullptr && !notes_->in_scope(id)) tip += tr("\noutside the agents' scope");
    if (const ControlCode before = k_.schedule->kernel()->instruction(id).control(); !(before == control))
        tip += tr("\noriginally %1").arg(QString::fromStdString(before.text()));
    for (const FieldKind* kind : kFieldKinds)
        if (const FieldBits now = k_.schedule->field(*kind, id),
            file = kind->read(k_.schedule->kernel()->instruction(id).word);
            kind != &kControlField && now != file)
            tip += tr("\n%1 %2, originally %3")
                       .arg(QLatin1String(kind->name), QString::fromStdString(kind->text(now)),
                            QString::fromStdString(kind->text(file)));
    return tip;
}

// ---- events ----

bool Gutter::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tip_at(row_at(help->pos().y()), help->pos().x());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

void Gutter::mousePressEvent(QMouseEvent* event) {
    view_->setFocus(Qt::MouseFocusReason);
    const int row = row_at(static_cast<int>(event->position().y()));
    if (row < 0) return;
    const ListingRow& r = k_.rows->rows[static_cast<std::size_t>(row)];
    if (r.is_header() && event->button() == Qt::LeftButton)
        Q_EMIT fold_toggled(r.header);
    else if ((event->modifiers() & Qt::ShiftModifier) != 0)
        Q_EMIT range_asked(row);
    else
        Q_EMIT row_pressed(row);
}

void Gutter::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = row_at(static_cast<int>(event->position().y()));
    const bool instruction =
        row >= 0 && k_.rows->instr(row, side_) != kNone && event->button() == Qt::LeftButton;
    if (instruction)
        Q_EMIT row_activated(row, field_at(static_cast<int>(event->position().x())));
    else
        mousePressEvent(event);
}

void Gutter::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT row_menu(row_at(event->y()), event->globalPos());
}

void Gutter::wheelEvent(QWheelEvent* event) {
    QCoreApplication::sendEvent(view_->viewport(), event);
}

}  // namespace cubinlab::ui
