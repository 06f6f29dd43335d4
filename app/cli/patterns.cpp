// SPDX-License-Identifier: GPL-3.0-or-later
// `replay SESSION --patterns`: what the accepted steps of a run did, grouped, with their gains.
#include "core/claims/patterns.h"

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/logged_run.h"
#include "app/cli/output.h"
#include "core/store/session.h"

namespace cubinlab::cli {

Result<int> print_patterns(const ReplayOptions& options) {
    const auto [reader, kernel, run] = TRY(open_logged_run(options.session, options.run));
    auto patterns = TRY(learn_patterns(*reader, kernel, run.id));
    const bool measured = run.evaluator.kind == EvaluatorKind::Gpu;
    if (options.json) {
        Json rows = Json::array();
        for (const Pattern& p : patterns)
            rows.push_back({{"opcode", p.key.opcode},
                            {"direction", p.key.direction},
                            {"past", p.key.past},
                            {"control", p.key.control},
                            {"steps", p.steps},
                            {"total_log_speedup", p.total_gain},
                            {"half_width", p.half_width},
                            {"best_log_speedup", p.best_gain}});
        return print_document({{"session", options.session},
                               {"run", run.id},
                               {"agent", run.agent},
                               {"evaluator", to_string(run.evaluator.kind)},
                               {"patterns", rows}});
    }
    print_line(fmt::format("run {} ({}), gains of accepted steps against their parents, {}", run.id,
                           run.agent, gains_of(run.evaluator)));
    if (patterns.empty()) print_line("  no step was accepted");
    for (const Pattern& p : patterns)
        print_line(fmt::format("  {:>9} together{} {:>9} each {:>6} {:<5}  {}", speedup_text(p.total_gain),
                               measured ? fmt::format(" +-{:.2f} %", 100 * p.half_width) : "",
                               speedup_text(p.mean_gain()), p.steps.size(),
                               p.steps.size() == 1 ? "step" : "steps", p.key.text()));
    return 0;
}

}  // namespace cubinlab::cli
