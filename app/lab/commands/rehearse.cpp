// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab rehearse`: agents against a simulated GPU.
#include "app/lab/study/rehearsal.h"

#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/commands/study_kernel.h"
#include "app/lab/study/agent_choice.h"

namespace cubinlab::cli {
namespace {

Json to_json(const Rehearsal& run) {
    return {{"tested", run.tested},
            {"speedup", factor_of(run.truth)},
            {"claimed", factor_of(run.claimed)},
            {"measured_seconds", run.measured_s},
            {"waited_seconds", run.waited_s},
            {"longest_wait_seconds", run.longest_wait_s},
            {"ahead_seconds", run.ahead_s},
            {"ended", run.end}};
}

void print_run(const std::string& what, const Rehearsal& run) {
    const double all = run.measured_s + run.waited_s;
    print_line(
        fmt::format("{}: {} (claims {}), {} tested; a GPU waits {:.1f} % of the time, {:.0f} "
                    "ms at the longest; ended: {}",
                    what, percent_text(run.truth), percent_text(run.claimed), run.tested,
                    all > 0 ? 100 * run.waited_s / all : 0, 1e3 * run.longest_wait_s, run.end));
}

}  // namespace

int run_rehearse(const RehearseOptions& options) {
    StopOnSignal stop;
    Json rows = Json::array();
    for (const std::string& name : options.files) {
        auto of = read_study_kernel(options.folder, name, options.kernel, "model");
        if (!of) return print_error(of.error(), options.json);
        for (const std::string& agent : options.agents) {
            double sum = 0;
            for (const std::uint64_t seed : options.seeds) {
                const AgentChoice choice = agent_choice(agent);
                const SearchContext context{of->kernel, of->checker,         seed, choice.settings_json, {},
                                            {},         Schedule(of->kernel)};
                auto searcher = make_searcher(choice.name, context);
                if (!searcher) return print_error(searcher.error(), options.json);
                auto run = rehearse(context, std::move(*searcher), {options.seconds}, stop.token());
                if (!run) return print_error(run.error(), options.json);
                sum += run->truth;
                if (!options.json) print_run(fmt::format("{} {} seed {}", name, agent, seed), *run);
                Json row = {{"file", name},
                            {"kernel", of->kernel->name()},
                            {"agent", agent},
                            {"seed", seed},
                            {"seconds", options.seconds}};
                row.update(to_json(*run));
                rows.push_back(std::move(row));
                if (stop.token().stop_requested())
                    return print_error({ErrorCode::Cancelled, "stopped", name}, options.json);
            }
            if (!options.json && options.seeds.size() > 1)
                print_line(fmt::format("{} {}: {} in geometric mean", name, agent,
                                       percent_text(sum / static_cast<double>(options.seeds.size()))));
        }
    }
    if (options.json) return print_document({{"rehearsals", std::move(rows)}});
    return 0;
}

}  // namespace cubinlab::cli
