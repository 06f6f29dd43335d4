// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/program_time.h"

#include <time.h>

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
constexpr std::size_t kMostUnread = 1024;      // launches whose events are not read yet
constexpr std::size_t kMostStretches = 2000;
constexpr std::uint32_t kEmptyEvery = 16;  // of these launches one also times two events alone
constexpr double kLeastLaunchUs = 0.032;         // an event's step
constexpr Code kStillRuns = 600;

std::int64_t now_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

namespace {
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

bool ProgramTime::take_events(Ticket& out) {
    const Calls& cuda = calls();
    const auto create = [&](Handle& event) { return cuda.event_create(&event, 0) == kSuccess; };
    std::vector<Ticket>& free = free_[out.context];
    if (!free.empty()) {
        out.empty = free.back().empty;
        out.before = free.back().before;
        out.after = free.back().after;
        free.pop_back();
        return true;
    }
    if (made_ >= kMostUnread) return false;
    ++made_;
    return create(out.empty) && create(out.before) && create(out.after);
}

ProgramTime::Ticket ProgramTime::begin(const Kernel& kernel, const LaunchSize& size, Handle stream,
                                       bool per_thread) {
    Ticket out;
    const Calls& cuda = calls();
    const auto record = per_thread ? cuda.event_record_per_thread : cuda.event_record;
    if (!cuda.context_current || !cuda.event_create || !record) return out;
    if (cuda.context_current(&out.context) != kSuccess) return out;
    harvest(false);
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
        // The first launch loads code.
        if (!std::exchange(ran, true) || !take_events(out)) return out;
        out.times_empty = timed_ % kEmptyEvery == 0;
        ++timed_;
    }
    out.gate = close_gate(stream, per_thread);
    out.timed = (!out.times_empty || record(out.empty, stream) == kSuccess) &&
                record(out.before, stream) == kSuccess;
    if (!out.timed) open_gate(out.gate);
    return out;
}

void ProgramTime::end(const Ticket& ticket, Handle stream, bool per_thread) {
    if (!ticket.timed) return;
    const auto record = per_thread ? calls().event_record_per_thread : calls().event_record;
    const bool good = record(ticket.after, stream) == kSuccess;
    const bool queued = open_gate(ticket.gate);
    const std::lock_guard lock(mutex_);
    if (good) open_.push_back({ticket, queued || !ticket.gate});
}

void ProgramTime::harvest(bool last) {
    const Calls& cuda = calls();
    if (!cuda.event_query || !cuda.event_elapsed) return;
    const std::int64_t start = now_ms();
    const std::lock_guard lock(mutex_);
    std::size_t read = 0;
    for (; read < open_.size(); ++read) {
        const Open& open = open_[read];
        const Ticket& t = open.ticket;
        Code state = cuda.event_query(t.after);
        for (; last && state == kStillRuns && now_ms() - start < 2000; state = cuda.event_query(t.after)) {
            const timespec nap{0, 1'000'000};
            ::nanosleep(&nap, nullptr);
        }
        if (state == kStillRuns) break;
        float ms = 0, empty_ms = 0;
        if (state != kSuccess || cuda.event_elapsed(&ms, t.before, t.after) != kSuccess) continue;
        if (t.times_empty && cuda.event_elapsed(&empty_ms, t.empty, t.before) == kSuccess)
            empty_.push_back(empty_ms * 1000);
        free_[t.context].push_back(t);
        if (!open.valid) continue;
        std::vector<Times>& times = stretches_[t.stretch].by_launch;
        if (times.size() <= t.launch) times.resize(t.launch + 1);
        ++times[t.launch].launches;
        times[t.launch].us += static_cast<double>(ms) * 1000;
    }
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(read));
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
