// SPDX-License-Identifier: GPL-3.0-or-later
// `log SESSION`: prints the steps of a run with their edits.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/logged_run.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/model/assumed_passes.h"

namespace cubinlab::cli {

struct LogOptions : Common {
    std::string session, outcome;
    std::int64_t run = 0, from = 1;
    std::size_t last = 0;  // 0: all
    bool accepted = false, best = false;
};

namespace {

std::vector<std::string> outcome_names() {
    std::vector<std::string> out;
    for (int kind = 0; kind <= static_cast<int>(OutcomeKind::Error); ++kind)
        out.emplace_back(to_string(static_cast<OutcomeKind>(kind)));
    return out;
}

constexpr std::size_t kAtOnce = 4096;  // rows held in memory

bool wanted(const StepRecord& step, const LogOptions& options) {
    if (options.best && !step.best) return false;
    if (options.accepted && !step.accepted) return false;
    return options.outcome.empty() || options.outcome == to_string(step.outcome.kind);
}

std::string marks(const StepRecord& step) {
    if (step.best) return "best";
    if (step.accepted) return "accepted";
    return step.repeated ? "repeated" : "";
}

Json step_json(const StepRecord& step, const Kernel& kernel) {
    Json edits = Json::array();
    for (const Edit& edit : step.mutation.edits)
        edits.push_back(Mutation{{edit}}.text(kernel));
    return {{"step", step.step},
            {"parent", step.parent},
            {"outcome", to_string(step.outcome.kind)},
            {"log_speedup", step.outcome.speedup.log},
            {"low", step.outcome.speedup.low},
            {"high", step.outcome.speedup.high},
            {"cost", step.outcome.cost},
            {"reward", step.reward},
            {"accepted", step.accepted},
            {"best", step.best},
            {"repeated", step.repeated},
            {"time_us", step.time_us},
            {"hash", step.schedule_hash.hex()},
            {"edits", edits},
            {"detail", step.outcome.detail}};
}

void print_step(const StepRecord& step, const Kernel& kernel) {
    const std::string result =
        step.outcome.ok() ? percent_text(step.outcome.speedup.log) : to_string(step.outcome.kind);
    print_line(fmt::format("{:>8} {:>10}  {:<9} from {:<8} {}", step.step, result, marks(step), step.parent,
                           step.mutation.text(kernel)));
    if (!step.outcome.ok() && !step.outcome.detail.empty()) print_line("         " + step.outcome.detail);
}

}  // namespace

Result<int> run_log(const LogOptions& options) {
    const auto [reader, kernel, run] = TRY(open_logged_run(options.session, options.run));
    StepId after = std::max<StepId>(0, options.from - 1);
    if (options.last > 0)
        after = std::max<StepId>(0, static_cast<StepId>(run.steps) - static_cast<StepId>(options.last));
    if (!options.json)
        print_line(fmt::format("run {} ({}, seed {}): {} steps, logged gains, against {}, {}", run.id,
                               run.agent, run.seed, run.steps,
                               run.start_run == 0 ? "the original" : "the start of the run",
                               gains_of(run.evaluator)));
    std::string damage;
    if (auto whole = reader->whole(run.id); !whole) damage = whole.error().what;
    if (!options.json && !damage.empty()) print_line("  DAMAGED: " + damage);
    Json rows = Json::array();
    std::size_t printed = 0;
    while (!output_lost()) {
        auto steps = TRY(reader->steps(run.id, after, kAtOnce));
        if (steps.empty()) break;
        after = steps.back().step;
        for (const StepRecord& step : steps) {
            if (!wanted(step, options)) continue;
            ++printed;
            if (options.json)
                rows.push_back(step_json(step, *kernel));
            else
                print_step(step, *kernel);
        }
    }
    if (options.json)
        return print_document({{"session", options.session},
                               {"run", run.id},
                               {"agent", run.agent},
                               {"evaluator", to_string(run.evaluator.kind)},
                               {"unit", run.evaluator.unit},
                               {"assumed", assumed_passes(run.evaluator)},
                               {"cache", to_string(cache_of(run.evaluator))},
                               {"damage", damage},
                               {"steps", rows}},
                              damage.empty() ? 0 : 1);
    if (printed == 0) print_line("  no step matches");
    return damage.empty() ? 0 : 1;
}

void add_log(CommandTable& table) {
    auto [sub, options] = table.add("log", "the steps of a run with their edits", run_log);
    add_session_run(sub, options.session, options.run);
    sub->add_flag("--accepted", options.accepted, "only steps that the agent accepted");
    sub->add_flag("--best", options.best, "only steps that became the run's best");
    sub->add_option("--outcome", options.outcome, "only steps with this outcome")
        ->check(one_of(outcome_names()));
    sub->add_option("--from", options.from, "first step")->check(whole(1, kAnyId));
    sub->add_option("--last", options.last, "only the last N steps; default: all")
        ->check(whole(1, kAnyId))
        ->default_str("");
    add_common(sub, options, false);
}

}  // namespace cubinlab::cli
