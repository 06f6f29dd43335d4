// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/rehearsal.h"

#include <algorithm>
#include <atomic>
#include <ctime>

#include "app/lab/study/simulated_gpu.h"

namespace cubinlab {
namespace {

// Of this thread alone: what else runs on the machine does not count.
double core_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Waits {
    double all = 0, batch = 0, longest = 0;
    std::atomic<double> ahead = 0;  // of another thread
};

// The agent, and a stop-watch on what a GPU would wait for.
class TimedSearcher final : public Searcher {
  public:
    TimedSearcher(std::unique_ptr<Searcher> inner, Waits& waits) : inner_(std::move(inner)), waits_(waits) {}

    std::string name() const override { return inner_->name(); }
    std::vector<Proposal> propose(std::size_t n) override {
        const double from = core_seconds();
        std::vector<Proposal> out = inner_->propose(n);
        waited(core_seconds() - from);
        waits_.longest = std::max(waits_.longest, waits_.batch);
        waits_.batch = 0;
        return out;
    }
    ObserveResult observe(const std::vector<Observation>& observations) override {
        const double from = core_seconds();
        ObserveResult out = inner_->observe(observations);
        waited(core_seconds() - from);
        return out;
    }
    void prefetch(std::size_t n) override {
        const double from = core_seconds();
        inner_->prefetch(n);
        waits_.ahead = waits_.ahead + (core_seconds() - from);
    }
    std::vector<Proposal> close(std::size_t n) override { return inner_->close(n); }

  private:
    void waited(double seconds) {
        waits_.all += seconds;
        waits_.batch += seconds;
    }

    std::unique_ptr<Searcher> inner_;
    Waits& waits_;
};

}  // namespace

Result<Rehearsal> rehearse(const SearchContext& context, std::unique_ptr<Searcher> searcher,
                           const RehearsalSettings& settings, const std::stop_token& stop) {
    Waits waits;
    SimulatedGpu gpu(context.kernel, context.seed);
    RunSettings run;
    run.agent = searcher->name();
    run.seed = context.seed;
    run.batch = settings.batch;
    run.budget.time = std::chrono::milliseconds(static_cast<std::int64_t>(settings.seconds * 1000));
    run.clock = [measuring = gpu.clock(), &waits] {
        return measuring() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double>(waits.all));
    };
    TuneRun tune(context, run, std::make_unique<TimedSearcher>(std::move(searcher), waits), gpu, nullptr,
                 nullptr);
    auto summary = tune.run(stop);
    if (!summary) return fail(summary.error());
    return Rehearsal{summary->steps,
                     gpu.truth(tune.best(), context.start),
                     summary->best.log,
                     gpu.seconds(),
                     waits.all,
                     waits.longest,
                     waits.ahead,
                     summary->end_text()};
}

}  // namespace cubinlab
