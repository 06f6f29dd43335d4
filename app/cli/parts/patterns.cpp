// SPDX-License-Identifier: GPL-3.0-or-later
// `replay SESSION --patterns`: groups the accepted steps of a run by their edits, with their gains; --scope
// selects all runs of the kernel, or all runs, in the sessions of the same folder.
#include "core/evidence/patterns.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/parts/logged_run.h"
#include "app/cli/parts/patterns.h"
#include "core/base/number_of.h"

namespace cubinlab::cli {
namespace {

PatternScope scope_of(const std::string& name) {
    if (name == "kernel") return PatternScope::Kernel;
    return name == "all" ? PatternScope::All : PatternScope::Run;
}

Json pattern_json(const Pattern& p, bool one_run) {
    Json out = {{"opcode", p.key.opcode},
                {"direction", p.key.direction},
                {"past", p.key.past},
                {"control", p.key.control},
                {"evaluator", to_string(p.evaluator)},
                {"cache", to_string(p.cache)},
                {"count", p.steps.size()},
                {"total_log_speedup", p.total_gain},
                {"half_width", p.half_width},
                {"best_log_speedup", p.best_gain}};
    if (one_run) {
        out["steps"] = p.steps;
    } else {
        out["runs"] = p.runs;
        out["kernels"] = p.kernels;
    }
    return out;
}

Json report_json(const PatternReport& report) {
    Json patterns = Json::array(), unread = Json::array();
    for (const Pattern& p : report.patterns)
        patterns.push_back(pattern_json(p, report.scope == PatternScope::Run));
    for (const Error& error : report.unread)
        unread.push_back(to_json(error));
    return {{"sessions", report.sessions},
            {"runs", report.runs},
            {"copies", report.copies},
            {"unread", unread},
            {"patterns", patterns}};
}

void print_pattern(const Pattern& p, bool one_run) {
    const bool measured = p.evaluator == EvaluatorKind::Gpu;
    print_line(fmt::format(
        "  {:>9} total{} {:>9} mean {:>6} {:<5}  {}{}", percent_text(p.total_gain),
        measured ? fmt::format(" +-{:.2f} %", 100 * p.half_width) : "", percent_text(p.mean_gain()),
        p.steps.size(), p.steps.size() == 1 ? "step" : "steps",
        one_run ? ""
                : fmt::format("{:<8} {:<10}  ", number_of(p.runs, "run"), number_of(p.kernels, "kernel")),
        p.key.text()));
}

void print_sessions(const PatternReport& report) {
    print_line(fmt::format("{} of {}, gains of accepted steps against their parents",
                           number_of(report.runs, "run"), number_of(report.sessions, "session")));
    if (report.copies > 0)
        print_line(fmt::format("{} of a copied session counted once", number_of(report.copies, "run")));
    for (const Error& error : report.unread)
        print_line("not read: " + error.message());
    const Pattern* before = nullptr;
    for (const Pattern& p : report.patterns) {
        if (before == nullptr || before->evaluator != p.evaluator || before->cache != p.cache)
            print_line(p.evaluator == EvaluatorKind::Gpu ? "measured" + cache_words(p.cache) + ":"
                                                         : "in modelled cycles, unmeasured:");
        print_pattern(p, false);
        before = &p;
    }
}

}  // namespace

Result<int> print_patterns(const ReplayOptions& options) {
    const StopOnSignal stop;
    const auto [reader, kernel, run] = TRY(open_logged_run(options.session, options.run));
    PatternRequest request;
    request.scope = scope_of(options.scope);
    request.session = options.session;
    request.run = run.id;
    request.kernel = kernel->hash();
    request.folder = std::filesystem::absolute(options.session).parent_path();
    const auto report = TRY(count_patterns(request, stop.token()));
    const bool one_run = request.scope == PatternScope::Run;
    if (options.json) {
        Json out = report_json(report);
        out["session"] = options.session;
        out["scope"] = options.scope;
        if (one_run) {
            out["run"] = run.id;
            out["agent"] = run.agent;
            out["evaluator"] = to_string(run.evaluator.kind);
        }
        return print_document(out);
    }
    if (one_run) {
        print_line(fmt::format("run {} ({}), gains of accepted steps against their parents, {}", run.id,
                               run.agent, gains_of(run.evaluator)));
        for (const Pattern& p : report.patterns)
            print_pattern(p, true);
    } else {
        print_sessions(report);
    }
    if (report.patterns.empty()) print_line("  no step was accepted");
    return 0;
}

}  // namespace cubinlab::cli
