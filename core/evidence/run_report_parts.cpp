// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/run_report_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/number_of.h"
#include "core/insight/edit_description.h"
#include "core/insight/instruction_text.h"
#include "core/insight/schedule_diff.h"

namespace cubinlab {
namespace {

constexpr int kWidth = 860, kHeight = 260, kLeft = 64, kRight = 12, kTop = 12, kBottom = 34;
constexpr std::size_t kContext = 4;     // unchanged rows around a change
constexpr std::size_t kMostPassed = 6;  // instructions named of those that a move passed

std::string offset(std::size_t position) {
    return fmt::format("0x{:04x}", position * kWordBytes);
}

struct Scale {
    double first = 0, last = 1, low = 0, high = 1;
    double x(double step) const {
        return kLeft + (step - first) / (last - first) * (kWidth - kLeft - kRight);
    }
    double y(double value) const {
        return kHeight - kBottom - (value - low) / (high - low) * (kHeight - kTop - kBottom);
    }
};

// 1, 2 or 5 times a power of ten, so that at most `most` ticks fit.
double tick_of(double range, int most) {
    const double raw = range / most;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0, 10.0})
        if (step * power >= raw) return step * power;
    return 10 * power;
}

void draw_axes(std::string& svg, const Scale& s, const std::string& unit) {
    const double tick = tick_of(s.high - s.low, 6);
    for (double v = std::ceil(s.low / tick) * tick; v <= s.high + tick * 1e-6; v += tick)
        svg += fmt::format(
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text x=\"{}\" "
            "y=\"{:.1f}\" "
            "text-anchor=\"end\">{:.4g}</text>\n",
            kLeft, kWidth - kRight, s.y(v), s.y(v), kLeft - 6, s.y(v) + 4, std::abs(v) < tick * 1e-6 ? 0 : v);
    const double step_tick = std::max(1.0, tick_of(s.last - s.first, 8));
    for (double v = std::ceil(s.first / step_tick) * step_tick; v <= s.last; v += step_tick)
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>\n", s.x(v),
                           kHeight - kBottom + 16, v);
    svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">step</text>\n", kWidth / 2, kHeight - 4);
    svg += fmt::format("<text transform=\"translate(12,{}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                       kHeight / 2 - 10, unit);
}

Scale scale_of(const RunCurve& curve) {
    Scale s;
    s.first = 0;
    s.last = std::max<double>(1, static_cast<double>(curve.last));
    const double low = percent_of(curve.low), high = percent_of(curve.high);
    const double room = std::max(0.05, (high - low) * 0.06);
    s.low = low - room;
    s.high = high + room;
    return s;
}

// Least and greatest figure of each column of steps as one band; the best so far as a line over it.
void draw_curves(std::string& svg, const RunCurve& curve, const Scale& s) {
    for (const RunCurve::Column& column : curve.columns) {
        if (column.least > column.greatest) continue;
        const auto y = [&](double gain) { return s.y(std::clamp(percent_of(gain), s.low, s.high)); };
        svg += fmt::format(
            "<line class=\"band\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n",
            s.x(column.step), y(column.least) + 1, y(column.greatest) - 1);
    }
    std::string path = fmt::format("M{:.1f} {:.1f}", s.x(0), s.y(0));
    std::string dots;
    for (const RunCurve::Best& r : curve.bests) {
        const double x = s.x(static_cast<double>(r.step)), y = s.y(percent_of(r.log_speedup));
        path += fmt::format("H{:.1f}V{:.1f}", x, y);
        dots += fmt::format(
            "<circle class=\"best\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"><title>step {}: {:+.2f} %"
            "</title></circle>\n",
            x, y, r.step, percent_of(r.log_speedup));
    }
    svg += fmt::format("<path class=\"best\" d=\"{}H{}\"/>\n{}", path, kWidth - kRight, dots);
}

std::string passed_text(const ReportData& data, const std::vector<InstrId>& past) {
    std::string text;
    for (std::size_t i = 0; i < std::min(past.size(), kMostPassed); ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", offset(past[i]),
                            html_escaped(data.kernel->instruction(past[i]).mnemonic));
    if (past.size() > kMostPassed) text += fmt::format(" and {} more", past.size() - kMostPassed);
    return text;
}

std::string side(const ReportData& data, const Schedule& schedule, InstrId id, const char* mark) {
    if (id == kNone) return "<td class=\"o\"></td><td class=\"c\"></td><td class=\"t blank\"></td>";
    return fmt::format("<td class=\"o\">{:04x}</td><td class=\"c\">{}</td><td class=\"t {}\">{}</td>",
                       schedule.position_of(id) * kWordBytes, html_escaped(schedule.control(id).text()), mark,
                       html_escaped(instruction_text(schedule, id, data.lines)));
}

}  // namespace

std::string html_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\'')
            out += "&#39;";
        else if (byte >= 0x80 || (byte < 0x20 && c != '\n' && c != '\t'))
            out += fmt::format("&#{};", byte >= 0x80 ? 0xFFFD : 0x2400 + byte);
        else
            out += c;
    }
    return out;
}

std::string report_style() {
    return R"(<style>
:root { --bg:#fff; --fg:#1c2430; --dim:#596475; --line:#d3d8df; --soft:#f3f5f8; --accent:#2563c9; --good:#1a7f4b;
 --goodbg:#def3e6; --warn:#7d5000; --warnbg:#fcefd2; --moved:#e4effd; --ctl:#fdf3dd; }
@media (prefers-color-scheme: dark) { :root { --bg:#15191f; --fg:#e3e8ef; --dim:#9aa6b6; --line:#343c48;
 --soft:#1f252d; --accent:#6ca6ff; --good:#5fcf95; --goodbg:#16332a; --warn:#f0b84c; --warnbg:#3a2f14;
 --moved:#1d3050; --ctl:#3a3016; } }
body { background:var(--bg); color:var(--fg); font:15px/1.5 system-ui,sans-serif; max-width:1180px; margin:32px auto;
 padding:0 20px; }
h1 { margin:0 0 4px; font-size:26px; overflow-wrap:anywhere; } h2 { margin:34px 0 8px; font-size:18px; }
.dim { color:var(--dim); } .badge { display:inline-block; padding:2px 10px; border-radius:5px; font-weight:600; }
.gpu { background:var(--goodbg); color:var(--good); } .model { background:var(--warnbg); color:var(--warn); }
.verdict { font-size:22px; font-weight:600; margin:14px 0 2px; }
table { border-collapse:collapse; width:100%; } th { text-align:left; color:var(--dim); font-weight:600; }
td,th { padding:3px 10px 3px 0; vertical-align:top; border-bottom:1px solid var(--line); }
table.facts { width:auto; } table.facts th { padding-right:26px; }
table.code { font:12px/1.45 ui-monospace,"DejaVu Sans Mono",monospace; } table.code td { border:0; padding:0 10px 0 0;
 white-space:pre; } .code .o,.code .c { color:var(--dim); } .code .moved { background:var(--moved); }
.code .ctl { background:var(--ctl); } .code .blank { background:var(--soft); } .code .head td { padding-top:10px;
 color:var(--dim); } .wide { overflow-x:auto; }
svg { width:100%; height:auto; background:var(--soft); border-radius:6px; } svg text { font:11px system-ui,sans-serif;
 fill:var(--dim); } .grid { stroke:var(--line); } .band { stroke:var(--accent); opacity:.35; stroke-width:2; }
path.best { fill:none; stroke:var(--accent); stroke-width:2; } circle.best { fill:var(--accent); }
code { font-family:ui-monospace,"DejaVu Sans Mono",monospace; font-size:90%; } summary { cursor:pointer; color:var(--accent); }
</style>
)";
}

std::string report_chart(const ReportData& data) {
    if (data.curve.steps == 0) return "<p class=\"dim\">No step was logged.</p>\n";
    const bool gpu = data.run.evaluator.kind == EvaluatorKind::Gpu;
    const Scale scale = scale_of(data.curve);
    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Gain of each step and best so "
        "far\">\n",
        kWidth, kHeight);
    draw_axes(svg, scale, gpu ? "measured gain, %" : "modelled gain, %");
    draw_curves(svg, data.curve, scale);
    return svg +
           "</svg>\n<p class=\"dim\">Band: least and greatest gain of the steps in each column; the worst "
           "fiftieth is cut off. Line: best so far, a dot where it improved.</p>\n";
}

// "; 3 of them carry 95 % of the measured gain and are marked". The minimal set is sought from the original.
static std::string carried_text(const ReportData& data) {
    if (!data.minimised) return {};
    const bool gpu = data.run.evaluator.kind == EvaluatorKind::Gpu;
    return fmt::format(
        "; {} {} {:.0f} % of the {} gain{} and are marked", data.minimised->edits.edits.size(),
        data.run.start_run == 0 ? "of them carry" : "edits of the original carry", 100 * data.minimised_keep,
        gpu ? "measured" : "modelled",
        gpu ? fmt::format(" ({} on its own)", factor_text(data.minimised->outcome.speedup)) : std::string{});
}

std::string report_edits(const ReportData& data) {
    const Mutation net = difference(data.start, data.best);
    if (net.empty()) return "<p class=\"dim\">The result is the start schedule.</p>\n";
    auto described = describe(data.start, net);
    if (!described) return "<p>" + html_escaped(described.error().message()) + "</p>\n";
    std::set<std::pair<InstrId, bool>> carrying;  // moved or rewritten
    if (data.minimised)
        for (const Edit& edit : data.minimised->edits.edits)
            carrying.insert({edit.instr, is_move(edit.kind)});
    std::string html = fmt::format(
        "<p>{} {} down to {} between start and result{}.</p>\n", number_of(data.curve.steps, "logged step"),
        data.curve.steps == 1 ? "comes" : "come", number_of(described->size(), "edit"), carried_text(data));
    if (!data.not_minimised.empty())
        html +=
            "<p class=\"dim\">Essential edits are not determined: " + html_escaped(data.not_minimised) +
            ".</p>\n";
    html += "<table><tr><th></th><th>Instruction</th><th>Edit</th><th>Text</th></tr>\n";
    for (const EditDescription& edit : *described) {
        std::string what;
        if (!is_move(edit.kind)) {
            for (const std::string& change : change_labels(edit.kind, edit.before, edit.after))
                what += (what.empty() ? "" : ", ") + html_escaped(change);
            const FieldKind& kind = field_of(edit.kind);
            what += fmt::format(" <code>{} &rarr; {}</code>", html_escaped(kind.text(edit.before)),
                                html_escaped(kind.text(edit.after)));
        } else {
            what = fmt::format("{} past {}: {}", edit.direction() < 0 ? "up" : "down", edit.past.size(),
                               passed_text(data, edit.past));
        }
        html += fmt::format(
            "<tr><td>{}</td><td><code>{} {}</code></td><td>{}</td><td><code>{}</code></td></tr>\n",
            carrying.count({edit.instr, is_move(edit.kind)}) != 0 ? "&#9733;" : "", offset(edit.instr),
            html_escaped(data.kernel->instruction(edit.instr).mnemonic), what,
            html_escaped(edit.instr < data.lines.size() ? data.lines[edit.instr] : ""));
    }
    return html + "</table>\n<p class=\"dim\">Offsets are those of the original file.</p>\n";
}

std::string report_listing(const ReportData& data) {
    const ScheduleDiff diff = diff_schedules(data.start, data.best);
    std::vector<bool> shown(diff.rows.size());
    const auto changed = [&](const AlignedRow& row) {
        return diff.change[row.left != kNone ? row.left : row.right] != Change::Same;
    };
    for (std::size_t i = 0; i < diff.rows.size(); ++i)
        if (changed(diff.rows[i]))
            for (std::size_t k = i > kContext ? i - kContext : 0;
                 k < std::min(shown.size(), i + kContext + 1); ++k)
                shown[k] = true;
    std::string html =
        "<div class=\"wide\"><table class=\"code\"><tr><th colspan=\"3\">Start</th><th "
        "colspan=\"3\">Result</th></tr>\n";
    std::size_t skipped = 0;
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        if (!shown[i]) {
            ++skipped;
            continue;
        }
        const AlignedRow& row = diff.rows[i];
        const InstrId id = row.left != kNone ? row.left : row.right;
        if (skipped > 0 || i == 0)
            html += fmt::format("<tr class=\"head\"><td colspan=\"6\">{}block {}</td></tr>\n",
                                skipped > 0 ? fmt::format("{} unchanged rows &middot; ", skipped) : "",
                                data.kernel->block_of(id));
        skipped = 0;
        const Change change = diff.change[id];
        const char* mark = change == Change::Moved || change == Change::MovedAndControl ? "moved"
                           : change == Change::Control                                  ? "ctl"
                                                                                        : "";
        html += "<tr>" + side(data, data.start, row.left, mark) + side(data, data.best, row.right, mark) +
                "</tr>\n";
    }
    if (skipped == diff.rows.size()) return "<p class=\"dim\">Nothing differs.</p>\n";
    if (skipped > 0)
        html += fmt::format("<tr class=\"head\"><td colspan=\"6\">{} unchanged rows</td></tr>\n", skipped);
    return html + "</table></div>\n";
}

}  // namespace cubinlab
