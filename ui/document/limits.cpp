// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/limits.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "core/base/enum_names.h"
#include "core/model/explanation_change.h"
#include "core/model/hot_loop.h"
#include "core/model/trip_counts.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/explain_settings.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kMostWaits = 10, kMostBounds = 5, kMostReasons = 9, kMostPointers = 6;

QString number(double cycles) {
    return QString::number(cycles, 'f', cycles < 10 ? 1 : 0);
}

QString dim(const QString& text) {
    return QStringLiteral("<span style='color:%1'>%2</span>")
        .arg(Theme::instance().colors().text_dim.name(), text);
}

QString heading(const QString& text, int columns) {
    return QStringLiteral("<tr><td colspan=%1 style='padding-top:8px'><b>%2</b></td></tr>")
        .arg(columns)
        .arg(text.toHtmlEscaped());
}

// An upper bound may exceed the real value, so it is not reported as a fact.
QString percent(double share) {
    return dim(share > 1.0005 ? QStringLiteral("&gt;100&nbsp;%")
                              : QStringLiteral("%1&nbsp;%").arg(100 * share, 0, 'f', 0));
}

// `share` of `most` letters, to an eighth of one.
QString bar(double share, const QColor& color, int most) {
    const int eighths = std::clamp(static_cast<int>(share * most * 8 + 0.5), share > 0.005 ? 1 : 0, most * 8);
    QString letters(eighths / 8, QChar(0x2588));
    if (eighths % 8 != 0) letters += QChar(0x2590 - eighths % 8);
    return QStringLiteral("<span style='color:%1; white-space:nowrap'>%2</span>").arg(color.name(), letters);
}

QString link(const Schedule& schedule, InstrId id) {
    return QStringLiteral("<a href=\"instr:%1\" style=\"text-decoration:none\"><code>%2</code></a>")
        .arg(id)
        .arg(QString::fromStdString(instr_name(schedule, id)).toHtmlEscaped());
}

QString signed_number(double cycles) {
    return (cycles > 0   ? QStringLiteral("+")
            : cycles < 0 ? QStringLiteral("\u2212")
                         : QString()) +
           number(std::abs(cycles));
}

const QColor& tone(double change) {
    const ThemeColors& c = Theme::instance().colors();
    return change < -0.5 ? c.good : change > 0.5 ? c.bad : c.text_dim;
}

class Page {
  public:
    Page(const Limits& limits, bool narrow)
        : l_(limits), e_(*limits.right), pair_(limits.left && limits.left != limits.right), narrow_(narrow) {}

    QString html() {
        QString verdict = QString::fromStdString(e_.verdict);
        verdict.replace(0, 1, verdict.left(1).toUpper());
        out_ =
            QStringLiteral("<p><b>%1</b><br>%2</p>").arg(QObject::tr("Bottleneck"), verdict.toHtmlEscaped());
        out_ += QStringLiteral("<p>%1</p>").arg(place());
        out_ += QStringLiteral("<table cellspacing=0 cellpadding=1>");
        reasons();
        out_ += QStringLiteral("</table><table cellspacing=0 cellpadding=1>");
        waits();
        out_ += QStringLiteral("</table><table cellspacing=0 cellpadding=1>");
        bounds();
        // Sentences span the table, so that they do not widen its columns.
        out_ += QStringLiteral("</table><table cellspacing=0 cellpadding=1>");
        occupancy();
        memory();
        return out_ + QStringLiteral("</table><hr>");
    }

  private:
    QString place() const {
        const QString at =
            e_.loop ? QObject::tr("Hot loop from %1 to %2, %3 instructions")
                          .arg(link(*l_.schedule,
                                    l_.schedule->at(l_.kernel->flow().blocks[e_.where.header].first)),
                               link(*l_.schedule, l_.schedule->at(e_.last)))
                          .arg(e_.instructions)
                    : QObject::tr("No loop with work in it: the whole path, %1 instructions")
                          .arg(e_.instructions);
        const QString cycles = pair_
                                   ? QObject::tr("%1 \u2192 %2 modelled cycles per iteration")
                                         .arg(number(l_.left->cycles()), number(e_.cycles()))
                                   : QObject::tr("%1 modelled cycles per iteration").arg(number(e_.cycles()));
        return at + QStringLiteral("<br>") + passes() + cycles +
               dim(e_.warps == 1 ? QObject::tr(", one warp simulated on a sub-core")
                                 : QObject::tr(", %1 warps simulated on a sub-core").arg(e_.warps)) +
               (e_.warps == 1 ? QString()
                              : dim(QObject::tr("; %1 for one warp alone").arg(number(e_.alone)))) +
               QStringLiteral("<br>") + whole();
    }

    // The score that a run on the model compares: all loops with their iterations, and code outside loops.
    QString whole() const {
        if (!pair_) return QObject::tr("Whole-kernel score: %1 modelled cycles").arg(number(e_.path_cycles));
        const QString text =
            QObject::tr("Whole-kernel score (basis of all gains): %1 \u2192 %2 modelled cycles")
                .arg(number(l_.left->path_cycles), number(e_.path_cycles));
        if (!opposed(*l_.left, e_)) return text;
        return text +
               QStringLiteral("<br><span style='color:%1'>%2</span>")
                   .arg(Theme::instance().colors().warn.name(),
                        QObject::tr(
                            "The iteration and the whole kernel change in opposite directions: the edits "
                            "matter more outside the loop or in other iterations."));
    }

    // The iterations of the hot loop: counted from the launch, or assumed with the reason.
    QString passes() const {
        const TripCount* trips = e_.hot_trips();
        if (!trips) return {};
        if (!trips->known) {
            const QString by =
                trips->branch == kNone ? QObject::tr("its end") : link(*l_.schedule, trips->branch);
            return dim(QObject::tr("Assuming %1 iterations: %2 depends on %3")
                           .arg(e_.assumed_trips)
                           .arg(by, QString::fromStdString(trips->why))) +
                   QStringLiteral("<br>");
        }
        return QObject::tr("%1 iterations each time the loop is entered").arg(trips->passes) +
               QStringLiteral("<br>");
    }

    void reasons() {
        const ThemeColors& c = Theme::instance().colors();
        out_ += heading(pair_ ? QObject::tr("Where the cycles go: %1, %2").arg(l_.left_title, l_.right_title)
                              : QObject::tr("Where the cycles go"),
                        5);
        std::vector<ReasonChange> rows;
        const auto at = [&](const ReasonCycles& r) -> ReasonChange& {
            for (ReasonChange& row : rows)
                if (row.reason == r.reason && row.slot == r.slot) return row;
            rows.push_back({r.reason, r.slot});
            return rows.back();
        };
        for (const ReasonCycles& r : e_.reasons)
            at(r).after = e_.per_pass(r);
        if (pair_)
            for (const ReasonCycles& r : l_.left->reasons)
                at(r).before = l_.left->per_pass(r);
        std::stable_sort(rows.begin(), rows.end(), [](const ReasonChange& x, const ReasonChange& y) {
            return std::max(x.before, x.after) > std::max(y.before, y.after);
        });
        double longest = 1;
        for (const ReasonChange& r : rows)
            longest = std::max(longest, r.after);
        const QString gap = QString::number(narrow_ ? 4 : 8);
        for (std::size_t i = 0; i < rows.size() && i < kMostReasons; ++i) {
            const ReasonChange& r = rows[i];
            const double share = r.after / std::max(1.0, e_.cycles());
            out_ += QStringLiteral("<tr><td style='padding-right:%1px; white-space:nowrap'>%2</td>")
                        .arg(gap, reason_name(r.reason, r.slot));
            const auto cycles = [&](const QString& text, const QString& color = {}) {
                out_ += QStringLiteral(
                            "<td align=right style='padding-right:%1px; white-space:nowrap; %2'>%3</td>")
                            .arg(gap, color, text);
            };
            if (pair_) cycles(number(r.before));
            cycles(number(r.after));
            if (pair_)
                cycles(signed_number(r.after - r.before),
                       QStringLiteral("color:") +
                           tone(r.reason == WaitReason::None ? 0 : r.after - r.before).name());
            const QString part =
                bar_of(r.after / longest, r.reason == WaitReason::None ? c.good : c.series[0]);
            out_ += QStringLiteral("<td style='white-space:nowrap'>%1%2</td></tr>")
                        .arg(part.isEmpty() ? part : part + QStringLiteral("&nbsp;"), percent(share));
        }
    }

    // The number covers all reasons, the sentence the largest.
    static QString others(const InstrWait& wait) {
        const std::string rest = other_causes(wait);
        return rest.empty() ? QString()
                            : dim(QObject::tr(", +%1 cycles other causes").arg(QString::fromStdString(rest)));
    }

    void waits() {
        out_ += heading(QObject::tr("Longest waits"), 2);
        for (std::size_t i = 0; i < e_.waits.size() && i < kMostWaits; ++i) {
            const InstrWait& wait = e_.waits[i];
            QString change;
            if (pair_) {
                double before = 0;
                for (const InstrWait& w : l_.left->waits)
                    if (w.instr == wait.instr) before = w.cycles;
                if (std::abs(wait.cycles - before) >= 0.5)
                    change = QStringLiteral(" <span style='color:%1'>%2</span>")
                                 .arg(tone(wait.cycles - before).name(), signed_number(wait.cycles - before));
            }
            const InstrId by = wait.causes.front().by;
            out_ += QStringLiteral(
                        "<tr><td align=right style='padding-right:8px; white-space:nowrap'>%1%2</td><td>%3 "
                        "%4%5%6</td></tr>")
                        .arg(number(wait.cycles), change, link(*l_.schedule, wait.instr),
                             QString::fromStdString(wait.text).toHtmlEscaped(), others(wait),
                             by == kNone || by == wait.instr
                                 ? QString()
                                 : QStringLiteral(" &nbsp;\u2192 ") + link(*l_.schedule, by));
        }
    }

    void bounds() {
        const ThemeColors& c = Theme::instance().colors();
        out_ += heading(QObject::tr("Lower bound per resource"), 3);
        // Outside the table: a sentence in it would widen its columns.
        if (e_.take_turns())
            out_ += QStringLiteral(
                        "</table><p style='margin-top:0; margin-bottom:0'>%1</p><table cellspacing=0 "
                        "cellpadding=1>")
                        .arg(dim(QObject::tr("of the %1 cycles that all warps together take at least")
                                     .arg(number(e_.all_warps()))));
        std::size_t shown = 0;
        for (const ResourceBound& b : e_.bounds) {
            if (b.certain && shown++ >= kMostBounds) continue;
            const double share = e_.share(b);
            out_ += QStringLiteral(
                        "<tr><td style='padding-right:8px'>%1</td><td align=right "
                        "style='padding-right:8px; white-space:nowrap'>%2%3</td><td "
                        "style='white-space:nowrap'>%4&nbsp;%5</td></tr>")
                        .arg(QString::fromStdString(b.resource).toHtmlEscaped(),
                             b.certain ? QString() : QStringLiteral("\u2264 "), number(b.cycles),
                             bar_of(std::min(share, 1.0), share > 0.8 && b.certain ? c.warn : c.series[0]),
                             percent(share));
        }
        if (e_.chain > 0)
            out_ += QStringLiteral(
                        "<tr><td style='padding-right:8px'>%1</td><td align=right "
                        "style='padding-right:8px; white-space:nowrap'>%2</td><td></td></tr>")
                        .arg(QObject::tr("longest dependence chain"), number(e_.chain));
    }

    void occupancy() {
        const OccupancyLimits& o = e_.occupancy;
        out_ += heading(QObject::tr("Occupancy"), 3);
        out_ += QStringLiteral("<tr><td colspan=3>%1</td></tr>")
                    .arg(QObject::tr("%1 of %2 warps per SM, limited by %3")
                             .arg(o.warps)
                             .arg(o.most_warps)
                             .arg(QLatin1String(o.tightest)) +
                         dim(QObject::tr("; blocks of %1 threads (%2)")
                                 .arg(l_.threads_per_block)
                                 .arg(l_.threads_from)));
        QString limits = QObject::tr("blocks by registers %1, warps %2, blocks %3")
                             .arg(o.by_registers)
                             .arg(o.by_warps)
                             .arg(o.by_blocks);
        if (o.by_shared > 0) limits += QObject::tr(", shared memory %1").arg(o.by_shared);
        if (o.by_grid > 0) limits += QObject::tr(", the grid %1").arg(o.by_grid);
        out_ += QStringLiteral("<tr><td colspan=3>%1</td></tr>").arg(dim(limits));
    }

    void memory() {
        const MemoryTraffic& m = e_.memory;
        if (m.verdict.empty()) return;
        out_ += heading(QObject::tr("Memory"), 3);
        const auto row = [&](const QString& text) {
            out_ += QStringLiteral("<tr><td colspan=3>%1</td></tr>").arg(text);
        };
        row(QString::fromStdString(m.verdict).toHtmlEscaped());
        for (std::size_t i = 0; i < m.pointers.size() && i < kMostPointers; ++i)
            row(dim(QString::fromStdString(text_of(m.pointers[i])).toHtmlEscaped()));
    }

    QString bar_of(double share, const QColor& color) const {
        // Next to two columns of cycles and their difference there is half the room.
        return narrow_ ? QString() : bar(share, color, pair_ ? 5 : 8);
    }

    const Limits& l_;
    const Explanation& e_;
    bool pair_, narrow_;
    QString out_;
};

}  // namespace

InstrId hot_loop_start(const Kernel& kernel, const std::optional<Workload>& workload) {
    const SmModelSettings settings = model_settings(kernel, workload);
    constexpr int kTrips = 16;
    const LoopNest nest = loops_of(kernel, kTrips, trips_by_header(kernel, settings.trips));
    const CodeLoop* hot = nest.hot();
    return hot == nullptr ? kNone : kernel.flow().blocks[hot->header].first;
}

QString reason_name(WaitReason reason, int slot) {
    if (reason == WaitReason::Scoreboard && slot <= 5) return QStringLiteral("SB%1").arg(slot);
    return QLatin1String(
        enum_name<WaitReason::Barrier>({"issued", "stall counts", "a tensor group", "unit busy",
                                        "register port", "memory queue", "warp not selected", "barrier"},
                                       reason, ""));
}

const Explainer& KernelExplainer::of(const KernelPtr& kernel, const std::optional<Workload>& workload) {
    const std::string launch = workload ? workload->json : std::string();
    if (kernel != kernel_ || launch != launch_) {
        const ExplainSettings settings = explain_settings(*kernel, workload);
        explainer_ = std::make_unique<Explainer>(kernel, settings.model);
        launch_ = launch;
        threads_ = settings.model.threads_per_block;
        threads_from_ = QString::fromLatin1(settings.threads_from);
        kernel_ = kernel;
    }
    return *explainer_;
}

LimitsPtr make_limits(KernelExplainer& explainers, const SchedulePtr& left, const SchedulePtr& right,
                      const std::optional<Workload>& workload, std::stop_token stop) {
    auto out = std::make_shared<Limits>();
    out->kernel = right->kernel();
    out->schedule = right;
    const Explainer& explainer = explainers.of(out->kernel, workload);
    out->threads_per_block = explainers.threads_per_block();
    out->threads_from = explainers.threads_from();
    out->right = std::make_shared<const Explanation>(explainer.explain(*right));
    if (stop.stop_requested()) return nullptr;
    out->left =
        !left || *left == *right ? out->right : std::make_shared<const Explanation>(explainer.explain(*left));
    return out;
}

QString limits_html(const Limits& limits, bool narrow) {
    return limits.right ? Page(limits, narrow).html() : QString();
}

}  // namespace cubinlab::ui
