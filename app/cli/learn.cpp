// SPDX-License-Identifier: GPL-3.0-or-later
// `learn SESSION...`: what edits were worth, over the runs of many sessions.
#include <fmt/format.h>

#include <cmath>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/claims/tried_edits.h"
#include "core/measure/gpu_evaluator.h"

namespace cubinlab::cli {
namespace {

double percent(double log_speedup) {
    return 100 * std::expm1(log_speedup);
}

Json to_json(const TriedPattern& p) {
    const double half = p.half_width();
    Json low = nullptr, high = nullptr;
    if (half >= 0) {
        low = p.mean() - half;
        high = p.mean() + half;
    }
    return {{"pattern", p.key.text()},
            {"opcode", p.key.opcode},
            {"direction", p.key.direction},
            {"past", p.key.past},
            {"control", p.key.control},
            {"evaluator", to_string(p.evaluator)},
            {"cache", p.cache},
            {"tried", p.tried},
            {"gained", p.gained},
            {"runs", p.runs.size()},
            {"kernels", p.kernels.size()},
            {"mean_log_speedup", p.mean()},
            {"low", low},
            {"high", high},
            {"best_log_speedup", p.best},
            {"stands_out", p.stands_out}};
}

void print_pattern(const TriedPattern& p) {
    const double half = p.half_width();
    const std::string interval =
        half < 0 ? "(too few)"
                 : fmt::format("[{:+.3f}, {:+.3f}]", percent(p.mean() - half), percent(p.mean() + half));
    print_line(
        fmt::format("  {:+8.3f} % {:<18}{} {:>6} tried {:>5} gained  best {:+7.2f} %  {:>2} kernel{}  {}",
                    percent(p.mean()), interval, p.stands_out ? "*" : " ", p.tried, p.gained, percent(p.best),
                    p.kernels.size(), p.kernels.size() == 1 ? " " : "s", p.key.text()));
}

}  // namespace

void print_taken(const RunsTaken& taken, bool measured) {
    if (measured && taken.unchecked > 0)
        print_line(
            fmt::format("{} measured figure{} believed: not checked, for want of samples or calibration",
                        taken.unchecked, taken.unchecked == 1 ? " is" : "s are"));
    if (taken.again > 0)
        print_line(fmt::format("{} there more than once (in a copy of its session) and counted once",
                               taken.again == 1 ? "1 run is" : fmt::format("{} runs are", taken.again)));
}

Result<int> run_learn(const LearnOptions& options) {
    StopOnSignal stop;
    TriedEdits tried;
    for (const std::string& session : options.sessions)
        TRY(tried.add_session(session, stop.token()));
    const std::vector<TriedPattern> patterns = tried.patterns(options.least);
    if (options.json) {
        Json rows = Json::array();
        for (const TriedPattern& p : patterns)
            rows.push_back(to_json(p));
        return print_document({{"sessions", options.sessions},
                               {"runs", tried.runs()},
                               {"steps", tried.steps()},
                               {"left_out", tried.left_out()},
                               {"unchecked", tried.taken().unchecked},
                               {"again", tried.taken().again},
                               {"patterns", rows}});
    }
    print_line(fmt::format("{} {}, {} steps that changed one thing, {} others left out", tried.runs(),
                           tried.runs() == 1 ? "run" : "runs", tried.steps(), tried.left_out()));
    print_taken(tried.taken(), true);
    const TriedPattern* before = nullptr;
    for (const TriedPattern& p : patterns) {
        if (before == nullptr || before->evaluator != p.evaluator || before->cache != p.cache)
            print_line(
                p.evaluator == EvaluatorKind::Gpu
                    ? fmt::format(
                          "measured{}, mean gain against the schedule it was made from, 95 % interval:",
                          cache_words(p.cache))
                    : "modelled cycles, unmeasured:");
        print_pattern(p);
        before = &p;
    }
    if (patterns.empty()) print_line(fmt::format("  nothing was tried {} times", options.least));
    if (!patterns.empty())
        print_line("* stands out: chance alone takes none of all these kinds so far from nothing (95 %)");
    return 0;
}

}  // namespace cubinlab::cli
