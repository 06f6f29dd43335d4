// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/tournament.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "app/lab/study/agent_choice.h"
#include "app/lab/study/timed_evaluator.h"
#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/gpu/protocol/protocol.h"
#include "core/result/waits_json.h"
#include "core/schedule/cubin_writer.h"
#include "core/search/engine/tune_run.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab {
namespace {

using Json = nlohmann::ordered_json;

struct Match {
    const TournamentKernel* kernel;
    std::string agent;
    std::uint64_t seed;
    double seconds;
    std::string stem() const { return fmt::format("{}.{}.{}", kernel->name, agent, seed); }
};

// The best against time: what was claimed, and what the agent believes of its best. With the best of its first `early`
// seconds, and a row a step where they are asked for.
class Curve final : public RunListener {
  public:
    Curve(double early_seconds, bool steps) : early_(early_seconds), steps_(steps) {}

    void on_best(const StepRecord& record, const Schedule& schedule) override {
        const double seconds = static_cast<double>(record.time_us) / 1e6;
        points.push_back({seconds, record.step, record.outcome.speedup.log});
        if (seconds <= early_) early = {schedule, record.outcome.speedup.log};
    }
    void on_step(const StepRecord& record, const Schedule&) override {
        seconds_ = static_cast<double>(record.time_us) / 1e6;
        const Outcome& o = record.outcome;
        if (o.kind == OutcomeKind::WrongResult) ++wrong;
        if (steps_)
            rows += fmt::format("{:.4f},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:d}\n", seconds_, record.step,
                                record.parent, record.mutation.edits.size(), to_string(o.kind), o.pairs,
                                o.speedup.log, o.speedup.low, o.speedup.high, record.best);
    }
    void on_metric(StepId, const std::string& name, double value) override {
        if (name == "estimate") believed.push_back({seconds_, value});
        if (name == "method") methods.push_back({seconds_, value});
    }
    struct Early {
        Schedule schedule;
        double log_speedup = 0;
    };
    Json points = Json::array(), believed = Json::array(), methods = Json::array();
    std::optional<Early> early;
    std::string rows = "seconds,step,parent,edits,outcome,pairs,log_speedup,low,high,best\n";
    std::uint64_t wrong = 0;

  private:
    double early_;
    bool steps_;
    double seconds_ = 0;
};

Json figure(const Result<Comparison>& comparison) {
    if (!comparison) return {{"error", comparison.error().message()}};
    const Outcome& o = comparison->outcome;
    return {{"outcome", to_string(o.kind)},
            {"verdict", to_string(o.verdict)},
            {"log_speedup", o.speedup.log},
            {"low", o.speedup.low},
            {"high", o.speedup.high},
            {"original_us", comparison->details.cost_original_us},
            {"best_us", o.cost},
            {"loads", comparison->details.loads},
            {"device", comparison->machine.device},
            {"outputs_equal", comparison->details.outputs_equal}};
}

class Tournament {
  public:
    Tournament(const std::vector<TournamentKernel>& kernels, const TournamentSettings& settings,
               const std::function<void(const std::string&)>& progress, std::stop_token stop)
        : settings_(settings), progress_(progress), stop_(std::move(stop)) {
        const auto match = [&](const TournamentKernel& kernel, const std::string& agent, std::uint64_t seed) {
            const auto own = settings.seconds_of.find(agent);
            matches_.push_back(
                {&kernel, agent, seed, own == settings.seconds_of.end() ? settings.seconds : own->second});
        };
        for (const std::uint64_t seed : settings.seeds)
            if (settings.agents_first) {
                for (const std::string& agent : settings.agents)
                    for (const TournamentKernel& kernel : kernels)
                        match(kernel, agent, seed);
            } else {
                for (const TournamentKernel& kernel : kernels)
                    for (const std::string& agent : settings.agents)
                        match(kernel, agent, seed);
            }
    }

    Result<std::vector<Json>> run() {
        std::error_code ignored;
        std::filesystem::create_directories(settings_.folder, ignored);
        if (auto same = check_folder(); !same) return fail(same.error());
        find_open();
        {
            std::vector<std::jthread> threads;
            for (const int device : settings_.devices)
                threads.emplace_back([this, device] { work(device); });
        }
        if (failed_) return fail(*failed_);
        std::vector<Json> out;
        for (const Match& match : matches_)
            if (Json document = document_of(match); document.is_object()) out.push_back(std::move(document));
        return out;
    }

  private:
    // Runs of other settings in one table would be compared with these.
    Status check_folder() const {
        for (const Match& match : matches_) {
            if (!std::filesystem::exists(path_of(match))) continue;
            const Json found = document_of(match);
            const bool same = found.is_object() && found.value("seconds", 0.0) == match.seconds &&
                              found.value("cache", std::string()) == to_string(settings_.gpu.cache);
            if (!same)
                return fail(ErrorCode::BadUse,
                            fmt::format("is a run of another length or cache than {:g} s, {}; give another "
                                        "folder with --out",
                                        match.seconds, to_string(settings_.gpu.cache)),
                            path_of(match).string());
        }
        return {};
    }

    // What is left to do: winners that wait for their measurement, then matches that were not run, or failed.
    void find_open() {
        std::vector<const Match*> to_run;
        for (const Match& match : matches_) {
            const Json found = document_of(match);
            if (found.is_object() && found.value("unmeasured", false))
                open_.push_back(&match);
            else if (!found.is_object() || found.contains("error"))
                to_run.push_back(&match);
        }
        open_.insert(open_.end(), to_run.begin(), to_run.end());
    }

    // About what calibration takes, and measuring again: a process for each load.
    static constexpr double kStartSeconds = 4;
    double seconds_of_measuring() const {
        const int of_winner = std::min(settings_.loads, 20) * (settings_.cold ? 2 : 1);
        const int of_early = settings_.early > 0 ? std::min(early_loads(), 20) : 0;
        return 1.3 * (of_winner + of_early);
    }
    int early_loads() const { return settings_.early_loads > 0 ? settings_.early_loads : settings_.loads; }
    bool time_for(double seconds) const {
        return !settings_.until ||
               std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds) <= *settings_.until;
    }

    std::filesystem::path path_of(const Match& match) const {
        return settings_.folder / (match.stem() + ".json");
    }
    // `suffix`: "", or ".early".
    std::filesystem::path winner_of(const Match& match, const char* suffix = "") const {
        return settings_.folder / (match.stem() + suffix + ".cubin");
    }
    Json document_of(const Match& match) const {
        auto text = read_text(path_of(match));
        return text ? Json::parse(*text, nullptr, false) : Json();
    }

    void work(int device) {
        while (!stop_.stop_requested()) {
            const std::size_t i = next_++;
            if (i >= open_.size()) return;
            const Match& match = *open_[i];
            Json document = document_of(match);
            if (!document.is_object() || !document.value("unmeasured", false)) {
                if (!time_for(match.seconds + kStartSeconds)) continue;
                document = play(match, device);
                if (stop_.stop_requested()) return;  // cut short: to be run again
                keep(match, document);
            }
            if (document.value("unmeasured", false) && settings_.loads > 0 &&
                time_for(seconds_of_measuring())) {
                measure_again(document, match, device);
                if (stop_.stop_requested()) return;  // to be measured again
                keep(match, document);
            }
            tell(match, document, device);
        }
    }

    void keep(const Match& match, const Json& document) {
        const auto written = write_text(path_of(match), document.dump(1) + "\n");
        const std::lock_guard lock(mutex_);
        if (!written) failed_ = written.error();
    }

    void tell(const Match& match, const Json& document, int device) {
        const Json hot = document.value("hot", Json::object());
        const std::string says =
            document.contains("error")        ? document["error"].get<std::string>()
            : document.contains("unmeasured") ? fmt::format("{} in the run, to be measured again",
                                                            factor_text(document["claimed"].get<double>()))
            : hot.contains("log_speedup")
                ? fmt::format("{} in the run, {} again", factor_text(document["claimed"].get<double>()),
                              factor_text(hot["log_speedup"].get<double>()))
                : "nothing faster";
        const std::lock_guard lock(mutex_);
        progress_(fmt::format("{} on GPU {}: {}", match.stem(), device, says));
    }

    Json play(const Match& match, int device) {
        const KernelPtr& kernel = match.kernel->kernel;
        Json out = {
            {"kernel", match.kernel->name}, {"agent", match.agent}, {"seed", match.seed},
            {"seconds", match.seconds},     {"gpu", device},        {"cache", to_string(settings_.gpu.cache)},
            {"version", version_text()}};
        GpuSettings gpu = settings_.gpu;
        gpu.device = device;
        gpu.seed = match.seed;
        auto checker = HazardChecker::create(kernel);
        if (!checker) return with_error(out, checker.error());
        auto evaluator = make_gpu_evaluator(kernel, match.kernel->workload, gpu, stop_);
        if (!evaluator) return with_error(out, evaluator.error());
        const EvaluatorInfo info = (*evaluator)->info();
        const AgentChoice agent = agent_choice(match.agent);
        const SearchContext context{kernel, *checker, match.seed,      agent.settings_json,
                                    {},     {},       Schedule(kernel)};
        auto searcher = make_searcher(agent.name, context);
        if (!searcher) return with_error(out, searcher.error());
        RunSettings run;
        run.agent = agent.name;
        run.agent_settings = agent.settings_json;
        run.seed = match.seed;
        run.budget.time = std::chrono::milliseconds(static_cast<std::int64_t>(match.seconds * 1000));
        run.batch = batch_for(info);
        Curve curve(settings_.early, settings_.steps);
        TimedEvaluator timed(**evaluator);
        TuneRun tune(context, run, std::move(*searcher), timed, nullptr, &curve);
        auto summary = tune.run(stop_);
        if (!summary) return with_error(out, summary.error());
        evaluator->reset();
        out["device"] = info.device;
        out["pair_deviation"] = info.aa_spread;
        if (info.gpu.calibration) out["calibration"] = to_message(*info.gpu.calibration);
        out["end"] = summary->end_text();
        out["steps"] = summary->steps;
        out["failed"] = summary->failed;
        out["wrong"] = curve.wrong;
        out["took"] = summary->seconds;
        out["waited"] = waits_json(summary->waited);
        for (std::size_t way = 0; way < TimedEvaluator::kWays; ++way)
            if (const auto& spent = timed.spent()[way]; spent.calls > 0)
                out["spent"][TimedEvaluator::kNames[way]] = {
                    {"calls", spent.calls}, {"candidates", spent.candidates}, {"seconds", spent.seconds}};
        out["claimed"] = summary->best.log;
        out["claimed_low"] = summary->best.low;
        out["claimed_high"] = summary->best.high;
        out["legal"] = (*checker)->legal(tune.best());
        out["curve"] = std::move(curve.points);
        out["believed"] = std::move(curve.believed);
        out["methods"] = std::move(curve.methods);
        if (settings_.steps)
            if (auto kept = write_text(settings_.folder / (match.stem() + ".steps.csv"), curve.rows); !kept)
                out["steps_not_kept"] = kept.error().message();
        keep_winner(out, match, tune.best());
        if (settings_.early > 0 && out.contains("winner")) {
            Json& early = out["early"] = {{"seconds", settings_.early}};
            if (curve.early) {
                early["claimed"] = curve.early->log_speedup;
                keep_winner(early, match, curve.early->schedule, ".early");
            }
        }
        return out;
    }

    static Json with_error(Json out, const Error& error) {
        out["error"] = error.message();
        return out;
    }

    void keep_winner(Json& out, const Match& match, const Schedule& best, const char* suffix = "") const {
        if (best == Schedule(match.kernel->kernel)) return;
        auto writer = CubinWriter::create(match.kernel->kernel);
        if (!writer) return;
        const std::vector<std::byte> image = writer->image(best);
        if (auto kept = write_file(winner_of(match, suffix), image); !kept)
            out["not_kept"] = kept.error().message();
        out["winner"] = hash_bytes(image).hex();
        out["unmeasured"] = true;
    }

    void measure_again(Json& out, const Match& match, int device) const {
        measure_winner(out, match, device, "", settings_.loads, settings_.cold);
        if (out.contains("early") && out["early"].contains("winner"))
            measure_winner(out["early"], match, device, ".early", early_loads(), false);
    }

    void measure_winner(Json& out, const Match& match, int device, const char* suffix, int loads,
                        bool also_cold) const {
        out.erase("unmeasured");
        auto image = read_file(winner_of(match, suffix));
        if (!image || hash_bytes(*image).hex() != out.value("winner", std::string())) {
            out["error"] =
                "the winner in " + winner_of(match, suffix).string() + " is not the one of the run";
            return;
        }
        GpuSettings gpu = settings_.gpu;
        gpu.device = device;
        gpu.seed = match.seed;
        CompareOptions options;
        options.energy_ms = 0;
        for (const Cache cache : {Cache::Hot, Cache::Cold}) {
            if (cache == Cache::Cold && !also_cold) continue;
            gpu.cache = cache;
            out[to_string(cache)] =
                figure(compare_cubins(match.kernel->kernel->cubin().bytes(), *image, match.kernel->workload,
                                      gpu, loads, stop_, options));
        }
    }

    const TournamentSettings& settings_;
    const std::function<void(const std::string&)>& progress_;
    std::stop_token stop_;
    std::vector<Match> matches_;
    std::vector<const Match*> open_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::optional<Error> failed_;
};

}  // namespace

Result<std::vector<Json>> hold_tournament(const std::vector<TournamentKernel>& kernels,
                                          const TournamentSettings& settings,
                                          const std::function<void(const std::string&)>& progress,
                                          const std::stop_token& stop) {
    return Tournament(kernels, settings, progress, stop).run();
}

}  // namespace cubinlab
