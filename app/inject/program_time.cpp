// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/program_time.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "app/inject/kernels.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {
namespace {

constexpr std::uint32_t kObserved =
    1024;                            // launches before the first mark is chosen, unless steps are seen before
constexpr std::uint32_t kLook = 64;  // launches between two looks for steps
constexpr std::uint32_t kSteps = 8;  // that show a step, and that a stretch has
constexpr std::uint32_t kLeastLaunches = 32, kEnoughLaunches = 256;  // of a stretch
constexpr std::uint32_t kMostLaunches = 2048;  // the mark does not come again: another is chosen
constexpr std::size_t kMostStretches = 2000;
constexpr std::uint32_t kEmptyEvery = 16;  // of these launches one also times two events alone
constexpr double kLeastLaunchUs = 0.032;         // an event's step

std::atomic<bool> g_forgotten{false};
}

ProgramTime* program_time() {
    static ProgramTime* const only = settings().all ? new ProgramTime : nullptr;
    return g_forgotten.load(std::memory_order_relaxed) ? nullptr : only;
}

void forget_program_time() {
    g_forgotten.store(true);
}

// What was launched in the second half of the observation was launched several times: the program is in its steps.
bool ProgramTime::repeats() const {
    if (since_ < 2 * kLook || since_ % kLook != 0) return false;
    for (const Seen& one : seen_)
        if (one.last > placed_ - since_ / 2 && one.recently < kSteps) return false;
    return true;
}

// Not one that the program has left behind.
void ProgramTime::choose_mark() {
    mark_ = kNone;
    for (std::uint32_t i = 0; i < seen_.size(); ++i)
        if (seen_[i].recently > 1 && seen_[i].last > placed_ - since_ / 2 &&
            (mark_ == kNone || seen_[i].recently < seen_[mark_].recently))
            mark_ = i;
    if (mark_ != kNone)
        least_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
            kSteps * (placed_ - chosen_at_) / seen_[mark_].recently, kLeastLaunches, kEnoughLaunches));
    chosen_at_ = placed_;
    for (Seen& one : seen_)
        one.recently = 0;
}

void ProgramTime::next_stretch() {
    since_ = 0;
    if (part_ == kSecond) stretches_.back().complete = stretches_[stretches_.size() - 2].complete = true;
    part_ = (part_ + 1) % 3;
    if (part_ == kFirst) original_first_ = (random_() >> 8 & 1) != 0;
    if (part_ == kFirst && stretches_.size() + 2 > kMostStretches) part_ = kCompare;
    form_ = part_ == kCompare                         ? Form::Pairs
            : (part_ == kFirst) == original_first_ ? Form::Original
                                                      : Form::Tuned;
    if (form_ != Form::Pairs) stretches_.push_back({form_ == Form::Original, false, false, {}});
}

// Counts the launch, ends a stretch before its mark, and says in which form the launch runs.
ProgramTime::Form ProgramTime::place(std::uint32_t launch) {
    ++since_;
    ++placed_;
    ++seen_[launch].recently;
    seen_[launch].last = placed_;
    if (since_ > (mark_ == kNone ? kObserved : kMostLaunches) || (mark_ == kNone && repeats())) {
        choose_mark();
        part_ = kCompare;  // a pair that was begun stays incomplete
        form_ = Form::Pairs;
        since_ = 0;
    } else if (launch == mark_ && since_ > least_) {
        next_stretch();
    }
    return form_;
}

ProgramTime::Ticket ProgramTime::begin(const Kernel& kernel, const LaunchSize& size, Handle stream,
                                       bool per_thread) {
    Ticket out;
    if (!Launches::can_time(out, per_thread)) return out;
    harvest(false);
    bool times_empty = false;
    {
        const std::lock_guard lock(mutex_);
        const auto [at, fresh] =
            numbers_.try_emplace({&kernel, size}, static_cast<std::uint32_t>(seen_.size()));
        if (fresh) seen_.emplace_back();
        out.launch = at->second;
        out.form = place(out.launch);
        if (out.form == Form::Pairs) return out;
        Seen& seen = seen_[out.launch];
        bool& ran = out.form == Form::Original ? seen.ran_original : seen.ran_tuned;
        stretches_.back().replaced = stretches_.back().replaced || kernel.replaced;
        out.stretch = static_cast<std::uint32_t>(stretches_.size() - 1);
        if (!std::exchange(ran, true)) return out;  // it loads code
        times_empty = timed_ % kEmptyEvery == 0;
    }
    launches_.begin(out, stream, per_thread, true, times_empty);
    if (out.timed) ++timed_;
    return out;
}

void ProgramTime::harvest(bool last) {
    launches_.harvest(last, [&](const Ticket& launch, const Launches::Time& time) { take(launch, time); });
}

void ProgramTime::take(const Ticket& launch, const Launches::Time& time) {
    const std::lock_guard lock(mutex_);
    if (launch.times_empty) empty_.push_back(static_cast<float>(time.empty_us));
    if (time.held && !time.queued) return;  // it holds calls of the program
    std::vector<Times>& times = stretches_[launch.stretch].by_launch;
    if (times.size() <= launch.launch) times.resize(launch.launch + 1);
    ++times[launch.launch].launches;
    times[launch.launch].us += time.us;
}

ProgramTime::Summary ProgramTime::summary() {
    const std::lock_guard lock(mutex_);
    Summary out;
    out.timed = timed_;
    out.launches = placed_;
    out.empty_us = median_of(empty_);
    for (std::size_t i = 0; i + 1 < stretches_.size(); ++i) {
        if (!stretches_[i].complete) continue;
        const Stretch &a = stretches_[i], &b = stretches_[++i];
        if (!a.replaced || !b.replaced) continue;
        const Stretch &original = a.original ? a : b, &tuned = a.original ? b : a;
        double with_original = 0, with_tuned = 0;
        for (std::size_t k = 0; k < std::min(original.by_launch.size(), tuned.by_launch.size()); ++k) {
            const Times &o = original.by_launch[k], &t = tuned.by_launch[k];
            const std::uint32_t both = std::min(o.launches, t.launches);
            if (both == 0) continue;
            with_original += both * std::max(o.us / o.launches - out.empty_us, kLeastLaunchUs);
            with_tuned += both * std::max(t.us / t.launches - out.empty_us, kLeastLaunchUs);
            out.counted += 2ull * both;
        }
        if (with_original <= 0) continue;
        out.original_us.push_back(static_cast<float>(with_original));
        out.tuned_us.push_back(static_cast<float>(with_tuned));
    }
    return out;
}

}  // namespace cubinlab::inject
