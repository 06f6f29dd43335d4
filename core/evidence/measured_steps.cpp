// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/measured_steps.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/gpu/protocol/bench_types.h"

namespace cubinlab {
namespace {

constexpr std::size_t kPage = 4096;
// No run has so many; a file that says so would make each figure a search among them.
constexpr std::size_t kMostBest = 1 << 16;
// Words whose steps are at hand: more than a run remembers (core/search/engine/known_outcomes.h).
constexpr std::size_t kMostWords = 1 << 17;
// Whole readings of a run for words that are not.
constexpr int kMostSearches = 16;

bool confirms(const Outcome& o) {
    return o.ok() && o.alpha > 0 && o.alpha <= kConfirmAlpha;
}

Error no_step(StepId step) {
    return {ErrorCode::NotFound, "the run has no step " + std::to_string(step), {}};
}

class OfRun final : public MeasuredSteps {
  public:
    OfRun(SessionReader& reader, const RunInfo& run) : reader_(reader), run_(run) {}

    Result<std::vector<StepRecord>> best() override {
        std::vector<StepRecord> out;
        for (StepId after = 0;;) {
            auto page = TRY(reader_.best_steps(run_.id, after, kPage));
            for (StepRecord& record : page) {
                after = record.step;
                record.outcome = without_raw(std::move(record.outcome));
                if (record.outcome.ok()) out.push_back(std::move(record));
            }
            if (page.size() < kPage) return out;
            if (out.size() > kMostBest)
                return fail(ErrorCode::Corrupt,
                            "run " + std::to_string(run_.id) + " has more best steps than any run");
        }
    }

    Result<StepRecord> at(StepId step) override {
        auto rows = TRY(reader_.steps(run_.id, step - 1, 1));
        if (rows.empty() || rows.front().step != step) return fail(no_step(step));
        return std::move(rows.front());
    }

    Result<std::uint64_t> confirmations_before(StepId step) override {
        if (step <= counted_to_) counted_ = 0, counted_to_ = 0;
        auto more = reader_.confirmations(run_.id, counted_to_, step - 1, kConfirmAlpha);
        if (!more) return more;
        counted_to_ = step - 1;
        return counted_ += *more;
    }

    Result<bool> resumed_in(StepId after, StepId step) override {
        TRY(read_to(step));
        const auto next = std::upper_bound(resumed_.begin(), resumed_.end(), after);
        return next != resumed_.end() && *next <= step;
    }

    Result<std::vector<StepRecord>> of_words(const Hash128& hash, StepId before) override {
        TRY(read_to(before));
        std::vector<StepId> steps;
        if (const auto known = words_.find(hash); known != words_.end()) steps = known->second;
        std::erase_if(steps, [&](StepId step) { return step >= before; });
        auto found = evaluated(steps);
        if (!found || !found->empty() || !forgot_ || ++searches_ > kMostSearches) return found;
        steps.clear();
        for (StepId after = 0;;) {
            auto page = TRY(reader_.hashes(run_.id, after, before - 1, kPage));
            for (const auto& [step, words] : page) {
                after = step;
                if (words == hash && steps.size() < kMostOfWords) steps.push_back(step);
            }
            if (page.size() < kPage) return evaluated(steps);
        }
    }

  private:
    static constexpr std::size_t kMostOfWords = 64;

    Result<std::vector<StepRecord>> evaluated(const std::vector<StepId>& steps) {
        auto found = reader_.steps_at(run_.id, steps);
        if (found) std::erase_if(*found, [](const StepRecord& r) { return r.repeated; });
        return found;
    }

    // Clocks and words of the steps up to this one.
    Status read_to(StepId step) {
        while (read_ < step) {
            auto page = TRY(reader_.figures(run_.id, read_, kPage));
            for (const StepFigure& figure : page) {
                if (figure.time_us < time_us_) resumed_.push_back(figure.step);
                time_us_ = figure.time_us;
                read_ = figure.step;
                if (!figure.repeated) keep(figure);
            }
            if (page.size() < kPage) read_ = std::max(read_, step);
        }
        return {};
    }

    void keep(const StepFigure& figure) {
        auto [at, fresh] = words_.try_emplace(figure.hash);
        if (at->second.size() < kMostOfWords) at->second.push_back(figure.step);
        if (!fresh) return;
        order_.push_back(figure.hash);
        if (order_.size() - first_ <= kMostWords) return;
        words_.erase(order_[first_++]);
        forgot_ = true;
        if (first_ < kMostWords) return;
        order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }

    SessionReader& reader_;
    const RunInfo& run_;
    StepId counted_to_ = 0;
    std::uint64_t counted_ = 0;
    StepId read_ = 0;
    std::vector<StepId> resumed_;  // the first steps of its later parts, as the clock says
    std::int64_t time_us_ = 0;
    std::unordered_map<Hash128, std::vector<StepId>> words_;
    std::vector<Hash128> order_;
    std::size_t first_ = 0;  // of order_
    bool forgot_ = false;
    int searches_ = 0;
};

class OfList final : public MeasuredSteps {
  public:
    OfList(const std::vector<StepRecord>& steps, bool resumed) : steps_(steps), resumed_(resumed) {}

    Result<std::vector<StepRecord>> best() override {
        std::vector<StepRecord> out;
        for (const StepRecord& r : steps_)
            if (r.best && r.outcome.ok()) out.push_back(r);
        return out;
    }
    Result<StepRecord> at(StepId step) override {
        for (const StepRecord& r : steps_)
            if (r.step == step) return r;
        return fail(no_step(step));
    }
    Result<std::uint64_t> confirmations_before(StepId step) override {
        return static_cast<std::uint64_t>(std::count_if(
            steps_.begin(), steps_.end(),
            [&](const StepRecord& r) { return r.step < step && !r.repeated && confirms(r.outcome); }));
    }
    Result<bool> resumed_in(StepId after, StepId step) override {
        for (std::size_t i = 1; i < steps_.size() && steps_[i].step <= step; ++i)
            if (steps_[i].step > after && steps_[i].time_us < steps_[i - 1].time_us) return true;
        return resumed_;
    }
    Result<std::vector<StepRecord>> of_words(const Hash128& hash, StepId before) override {
        std::vector<StepRecord> out;
        for (const StepRecord& r : steps_)
            if (!r.repeated && r.step < before && r.schedule_hash == hash) out.push_back(r);
        return out;
    }

  private:
    const std::vector<StepRecord>& steps_;
    bool resumed_;
};

}  // namespace

std::unique_ptr<MeasuredSteps> MeasuredSteps::of_run(SessionReader& reader, const RunInfo& run) {
    return std::make_unique<OfRun>(reader, run);
}
std::unique_ptr<MeasuredSteps> MeasuredSteps::of_list(const std::vector<StepRecord>& steps, bool resumed) {
    return std::make_unique<OfList>(steps, resumed);
}

Result<StepRecord> with_samples(SessionReader& reader, const RunInfo& run, StepRecord record) {
    if (!record.repeated || !record.outcome.ok()) return record;
    const auto steps = MeasuredSteps::of_run(reader, run);
    const auto same = [&](const StepRecord& earlier) {
        const Outcome &a = earlier.outcome, &b = record.outcome;
        return a.ok() && a.log_speedup == b.log_speedup && a.low == b.low && a.high == b.high;
    };
    auto earlier = TRY(steps->of_words(record.schedule_hash, record.step));
    const auto source = std::find_if(earlier.begin(), earlier.end(), same);
    if (source == earlier.end()) return record;
    record.outcome = TRY(steps->at(source->step)).outcome;
    return record;
}

}  // namespace cubinlab
