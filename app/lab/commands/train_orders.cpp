// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab train-orders` and `compare-orders`: the policy that builds orders of PTX, over many kernels.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/commands/study_kernel.h"
#include "app/lab/study/order_training.h"
#include "app/lab/study/stopwatch.h"
#include "core/base/file.h"

namespace cubinlab::cli {
namespace {

constexpr std::size_t kBatch = 32;
constexpr const char* kArch = "sm_90a";  // of PTX, the one that the SM model and its tables are of

std::string file_named(const std::string& folder, const std::string& name) {
    return std::filesystem::path(name).has_extension() ? name : cubin_named(folder, name);
}

EvaluatorPolicy policy_named(const std::string& evaluator) {
    return evaluator == "gpu" ? EvaluatorPolicy::Gpu : EvaluatorPolicy::Model;
}

Result<OrderWeights> weights_in(const std::string& file) {
    if (file.empty()) return untrained_weights();
    const auto text = TRY(read_text(file));
    auto settings = construct_settings(text);
    if (!settings) return fail(settings.error().code, settings.error().message(), file);
    return settings->weights;
}

bool left_out(const std::string& file, const std::vector<std::string>& names) {
    const std::string stem = std::filesystem::path(file).stem().string();
    return std::ranges::any_of(names, [&](const std::string& name) { return stem.find(name) != std::string::npos; });
}

struct Player {
    std::string name;
    std::optional<ConstructSettings> settings;  // empty: evolution over keys
};
Result<std::vector<Player>> players_of(const CompareOrdersOptions& options) {
    std::vector<Player> out;
    const OrderWeights trained = TRY(weights_in(options.weights));
    for (const std::string& name : options.players) {
        ConstructSettings settings;
        settings.on = true;
        settings.rate = name == "fixed" || name == "trained-fixed" ? 0 : options.rate;
        settings.evolution = name == "evolution";
        if (name.starts_with("trained")) {
            if (options.weights.empty()) return fail(ErrorCode::BadUse, "the trained policy needs --weights", name);
            settings.weights = trained;
        }
        out.push_back({name, name == "keys" ? std::nullopt : std::optional(std::move(settings))});
    }
    return out;
}

struct Compared {
    std::vector<double> best;  // log speed-up after a tenth, three tenths and all of the codes
    std::optional<double> again;  // of the best in fresh processes
    std::size_t codes = 0;
    double seconds = 0;
};
Result<Compared> compare_one(const OrderKernel& on, const Player& player, std::uint64_t seed,
                             const CompareOrdersOptions& options, const std::stop_token& stop) {
    std::shared_ptr<OrderLearner> learner;
    if (player.settings) learner = std::make_shared<OrderLearner>(on.starts->space().facts, *player.settings, seed);
    StartsPlay play(on, seed, learner);
    const auto began = std::chrono::steady_clock::now();
    Compared out;
    const auto codes = static_cast<double>(options.codes);
    for (const double share : {0.1, 0.3, 1.0}) {
        while (static_cast<double>(play.measured()) < share * codes && !stop.stop_requested() &&
               (options.seconds <= 0 || seconds_since(began) < options.seconds * share))
            if (!TRY(play.play(kBatch, stop))) break;
        out.best.push_back(play.best());
    }
    out.codes = play.measured();
    out.seconds = seconds_since(began);
    out.again = TRY(play.measured_again(stop));
    return out;
}

}  // namespace

Result<int> run_train_orders(const TrainOrdersOptions& options) {
    StopOnSignal stop;
    OrderTraining training;
    training.episodes = options.episodes;
    training.seconds = options.seconds;
    training.seed = options.seed;
    training.settings.on = true;
    training.settings.rate = options.rate;
    training.settings.evolution = options.evolution;
    training.settings.share = 0.8;
    training.settings.weights = TRY(weights_in(options.weights));
    std::vector<OrderKernel> kernels;
    for (const std::string& name : options.files) {
        if (left_out(name, options.leave_out)) continue;
        auto opened = open_order_kernel(file_named(options.folder, name), policy_named(options.evaluator),
                                        options.gpu.settings(), kArch, stop.token());
        if (opened)
            kernels.push_back(std::move(*opened));
        else
            print_progress(printable(name + " is left out: " + opened.error().message()));
    }
    const std::size_t count = kernels.size();
    const auto trained = TRY(train_orders(
        std::move(kernels), training, [](const std::string& line) { print_progress(printable(line)); }, stop.token()));
    TRY(write_text(options.out, settings_with(trained.weights) + "\n"));
    if (options.json)
        return print_document({{"out", options.out}, {"kernels", count}, {"episodes", trained.episodes}, {"updates", trained.updates}});
    print_line(fmt::format("{}: {} weights, {} updates by {} episodes on {} kernels", options.out, trained.weights.size(),
                           trained.updates, trained.episodes, count));
    return 0;
}

Result<int> run_compare_orders(const CompareOrdersOptions& options) {
    StopOnSignal stop;
    const auto players = TRY(players_of(options));
    Json rows = Json::array();
    std::map<std::string, std::pair<double, int>> sums;  // log speed-up measured again
    for (const std::string& name : options.files) {
        auto on = TRY(open_order_kernel(file_named(options.folder, name), policy_named(options.evaluator),
                                        options.gpu.settings(), kArch, stop.token()));
        for (const std::uint64_t seed : options.seeds)
            for (const Player& player : players) {
                const auto one = TRY(compare_one(on, player, seed, options, stop.token()));
                if (stop.token().stop_requested()) return fail(ErrorCode::Cancelled, "was stopped", name);
                auto& [sum, number] = sums[player.name];
                sum += one.again.value_or(0);
                ++number;
                rows.push_back({{"file", name},
                                {"player", player.name},
                                {"seed", seed},
                                {"codes", one.codes},
                                {"seconds", one.seconds},
                                {"log_speedup", one.best},
                                {"log_speedup_again", one.again ? Json(*one.again) : Json(nullptr)}});
                if (options.json) continue;
                print_line(fmt::format("{:28} {:14} seed {}: {:+6.2f} {:+6.2f} {:+6.2f} % after a tenth, three tenths and all "
                                       "of {} codes, {:+6.2f} % measured again, {:.0f} s",
                                       on.name, player.name, seed, 100 * std::expm1(one.best[0]),
                                       100 * std::expm1(one.best[1]), 100 * std::expm1(one.best[2]), one.codes,
                                       100 * std::expm1(one.again.value_or(0)), one.seconds));
            }
    }
    if (options.json) return print_document({{"searches", std::move(rows)}});
    for (const auto& [name, sum] : sums)
        print_line(fmt::format("{:14} {:+.2f} % in geometric mean of {} searches", name,
                               100 * std::expm1(sum.first / sum.second), sum.second));
    return 0;
}

}  // namespace cubinlab::cli
