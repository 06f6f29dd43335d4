// SPDX-License-Identifier: GPL-3.0-or-later
// `learn SESSION... --prior FILE`: what measured runs teach of any kernel's edits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/file.h"
#include "core/base/number_of.h"
#include "core/base/output_file.h"
#include "core/claims/prior_fit.h"

namespace cubinlab::cli {
namespace {

std::string own_prior(const std::filesystem::path& path) {
    auto text = read_text(path);
    return text && EditPrior::parse(*text) ? "prior of edits" : std::string();
}

Json held_out_json(const HeldOutKernel& k) {
    return {{"kernel", k.kernel},
            {"edits", k.edits},
            {"correlation", k.correlation},
            {"mean_percent", k.mean},
            {"mean_of_best_quarter_percent", k.mean_of_best},
            {"mean_of_worst_quarter_percent", k.mean_of_worst},
            {"share_that_loses", k.losses},
            {"share_that_loses_of_best_quarter", k.losses_of_best}};
}

void print_held_out(const std::vector<HeldOutKernel>& kernels) {
    if (kernels.empty()) {
        print_line("one kernel: how far it carries over to others cannot be told");
        return;
    }
    print_line("each kernel's edits by what the others taught (percent; a loss: more than 0.5 %):");
    print_line(
        "  kernel                     edits  correlation    all   best quarter  worst quarter  losses, all  "
        "best quarter");
    for (const HeldOutKernel& k : kernels)
        print_line(fmt::format(
            "  {:<24} {:>7}  {:>11.2f} {:>+6.2f}  {:>+12.2f}  {:>+13.2f}  {:>10.0f} %  {:>10.0f} %",
            printable(k.kernel), k.edits, k.correlation, k.mean, k.mean_of_best, k.mean_of_worst,
            100 * k.losses, 100 * k.losses_of_best));
}

// A name that is mistyped would leave nothing out.
Status check_without(const PriorFit& fit, const std::string& without) {
    const std::vector<std::string> names = fit.names();
    if (without.empty() || names.empty()) return {};
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (std::find(names.begin(), names.end(), without) == names.end())
        return fail(ErrorCode::BadUse, "no kernel there is called so; there are: " + all,
                    "--without " + without);
    if (names.size() == 1)
        return fail(ErrorCode::BadUse, "that is the only kernel there: nothing is left to learn from",
                    "--without " + without);
    return {};
}

}  // namespace

Result<int> learn_prior(const LearnOptions& options) {
    StopOnSignal stop;
    const OutputFile out{
        options.prior, {options.sessions.begin(), options.sessions.end()}, own_prior, options.force, 1 << 16};
    TRY(check_output(out));
    PriorFit fit(options.evaluator == "model");
    for (const std::string& session : options.sessions)
        TRY(fit.add_session(session, stop.token()));
    if (stop.token().stop_requested()) return fail(ErrorCode::Cancelled, "stopped", options.prior);
    TRY(check_without(fit, options.without));
    const EditPrior prior = fit.prior(options.without);
    if (prior.learned_from.empty())
        return fail(ErrorCode::NotFound,
                    options.evaluator == "model"
                        ? "no run of the model there tried six single edits of one schedule"
                        : "no run there that a GPU measured tried six single edits of one "
                          "schedule (--evaluator model: "
                          "learn from the model's)",
                    options.sessions.front());
    const std::vector<HeldOutKernel> held_out = fit.held_out();
    TRY(check_output(out));
    TRY(write_text(options.prior, prior.text()));
    if (options.json) {
        Json rows = Json::array();
        for (const HeldOutKernel& k : held_out)
            rows.push_back(held_out_json(k));
        return print_document({{"sessions", options.sessions},
                               {"prior", options.prior},
                               {"evaluator", options.evaluator},
                               {"edits", fit.edits()},
                               {"unchecked", options.evaluator == "model" ? 0 : fit.taken().unchecked},
                               {"again", fit.taken().again},
                               {"held_out", rows}});
    }
    print_line(fmt::format("{} single edits of {}, {}", fit.edits(), number_of(fit.kernels(), "kernel"),
                           options.evaluator == "model" ? "modelled, unmeasured" : "measured"));
    print_taken(fit.taken(), options.evaluator != "model");
    print_held_out(held_out);
    print_line("prior: " + options.prior);
    return 0;
}

}  // namespace cubinlab::cli
