// SPDX-License-Identifier: GPL-3.0-or-later
// The time of all kernels in virtual time: a program of known times, on events that record a clock.
#include "app/inject/program_time.h"

#include <algorithm>
#include <cmath>

#include "app/inject/kernels.h"
#include "app/inject/settings.h"
#include "tests/support/catch.h"

namespace cubinlab::inject {
namespace {

struct VirtualEvent {
    double us = 0;
};
double clock_us = 0;
int null_events = 0;

Code create_event(Handle* event, unsigned) {
    *event = new VirtualEvent;
    return kSuccess;
}
Code record_event(Handle event, Handle) {
    if (!event) return ++null_events, kNotFound;
    static_cast<VirtualEvent*>(event)->us = clock_us += 0.5;
    return kSuccess;
}
Code elapsed_between(float* ms, Handle from, Handle to) {
    *ms = static_cast<float>((static_cast<VirtualEvent*>(to)->us - static_cast<VirtualEvent*>(from)->us) / 1000);
    return kSuccess;
}

}  // namespace

// What the library around it gives.
const Settings& settings() {
    static const Settings on = [] {
        Settings made;
        made.trial = made.all = true;
        return made;
    }();
    return on;
}
const Calls& calls() {
    static const Calls of_events = [] {
        Calls made{};
        made.event_create = create_event;
        made.event_record = made.event_record_per_thread = record_event;
        made.event_query = [](Handle) { return kSuccess; };
        made.event_elapsed = elapsed_between;
        made.context_current = [](Handle* context) {
            *context = &clock_us;
            return kSuccess;
        };
        return made;
    }();
    return of_events;
}
ClosedGate close_gate(Handle, bool) {
    return {};
}
bool open_gate(const ClosedGate&) {
    return false;
}
void fault_point(const char*) {}
double median_of(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : static_cast<double>(values[values.size() / 2]);
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

namespace {

// Steps of `each` tuned kernels (21 us, tuned 20), each with a neighbour of 40 us behind it, which takes `harm` longer
// behind a tuned one, and one more kernel a step. Before them `first` launches of others. Noise of 0.6 % peak to peak.
ProgramTime::Summary run_program_with(double harm, int steps = 900, int each = 7, unsigned first = 0) {
    ProgramTime all;
    Kernel tuned, other;
    tuned.replaced = true;
    std::uint32_t random = 1;
    bool behind_tuned = false;
    const auto launch = [&](const Kernel& kernel, unsigned grid) {
        const ProgramTime::Ticket ticket = all.begin(kernel, {{grid, 1, 1}, {128, 1, 1}, 0}, nullptr, false);
        const bool original = ticket.form == ProgramTime::Form::Original;
        const double us = &kernel == &tuned ? (original ? 21 : 20) : 40 + (behind_tuned ? harm : 0);
        behind_tuned = &kernel == &tuned && !original;
        random = random * 1664525u + 1013904223u;
        clock_us += us * (1 + 0.006 * ((random >> 8) / 16777216.0 - 0.5));
        if (ticket.timed) all.end(ticket, nullptr, false);
    };
    for (unsigned i = 0; i < first; ++i)
        launch(other, 100 + i / 2);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < each; ++i) {
            launch(tuned, 8);
            launch(other, 4);
        }
        launch(other, 1);
    }
    all.harvest(true);
    return all.summary();
}

}  // namespace

TEST_CASE("the time of all kernels shows what a tuned kernel does to its neighbour") {
    for (const double harm : {0.0, 3.0}) {
        const ProgramTime::Summary seen = run_program_with(harm);
        INFO("harm " << harm);
        REQUIRE(seen.original_us.size() >= 10);
        REQUIRE(seen.tuned_us.size() == seen.original_us.size());
        double mean = 0;
        for (std::size_t i = 0; i < seen.original_us.size(); ++i)
            mean += std::log(seen.original_us[i] / seen.tuned_us[i]) / static_cast<double>(seen.original_us.size());
        const double original = 7 * 21 + 7 * 40 + 40, tuned = 7 * 20 + 7 * (40 + harm) + 40;
        CHECK(std::abs(mean - std::log(original / tuned)) < 0.0005);
        // Whole steps of 15 launches, eight of them at least.
        const double launches = static_cast<double>(seen.counted) / 2 / static_cast<double>(seen.original_us.size());
        CHECK(std::abs(launches - 135) < 3);
        CHECK(seen.launches == 900 * 15);
        CHECK(std::abs(seen.empty_us - 0.5) < 0.01);
        CHECK(null_events == 0);
    }
}

TEST_CASE("a few hundred steps are enough, whether they have three launches or a hundred") {
    for (const int each : {1, 4, 50}) {
        INFO("launches of a step " << 2 * each + 1);
        CHECK(run_program_with(0, 300, each).original_us.size() >= 4);
        // Launches of the program's beginning, each twice, do not hide its steps.
        CHECK(run_program_with(0, 300, each, 60).original_us.size() >= 4);
    }
    CHECK(run_program_with(0, 20, 1).original_us.size() < 4);
}
