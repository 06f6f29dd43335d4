// SPDX-License-Identifier: GPL-3.0-or-later
// `log SESSION`: prints the steps of a run with their edits.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/tuning/logged_run.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/model/assumed_passes.h"

namespace cubinlab::cli {
namespace {

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
        print_line(fmt::format("run {} ({}, seed {}): {} steps, gains as logged, against {}, {}", run.id,
                               run.agent, run.seed, run.steps,
                               run.start_run == 0 ? "the original" : "the start of the run",
                               gains_of(run.evaluator)));
    std::string damage;
    if (auto whole = reader->whole(run.id); !whole) damage = whole.error().what;
    if (!options.json && !damage.empty()) print_line("  DAMAGED: " + damage);
    Json rows = Json::array();
    std::size_t told = 0;
    while (!output_lost()) {
        auto steps = TRY(reader->steps(run.id, after, kAtOnce));
        if (steps.empty()) break;
        after = steps.back().step;
        for (const StepRecord& step : steps) {
            if (!wanted(step, options)) continue;
            ++told;
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
    if (told == 0) print_line("  no step matches");
    return damage.empty() ? 0 : 1;
}

}  // namespace cubinlab::cli
