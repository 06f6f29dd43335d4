// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/keyframe.h"

#include <algorithm>
#include <set>

#include "core/store/session.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// Feeds a tree to the planner and finds, by walking up, how far each step is from a keyframe at the moment it
// is added. Returns the largest distance; `keyframes` counts them.
int worst_distance(const std::vector<StepId>& parents, std::size_t& keyframes) {
    KeyframePlanner planner;
    std::set<StepId> have = {0};
    int worst = 0;
    for (StepId step = 1; step < static_cast<StepId>(parents.size()); ++step) {
        const StepId parent = parents[static_cast<std::size_t>(step)];
        if (const auto keyframe = planner.add(step, parent)) have.insert(*keyframe);
        int hops = 0;
        for (StepId at = step; have.count(at) == 0; at = parents[static_cast<std::size_t>(at)])
            ++hops;
        worst = std::max(worst, hops);
    }
    keyframes = have.size() - 1;
    return worst;
}

}  // namespace

TEST_CASE("any step is fewer than 256 mutations from a keyframe, at a bounded number of keyframes") {
    constexpr StepId kSteps = 20000;
    std::vector<StepId> parents(kSteps, 0);
    std::mt19937_64 random(5);
    SECTION("a chain") {
        for (StepId s = 1; s < kSteps; ++s)
            parents[static_cast<std::size_t>(s)] = s - 1;
    }
    SECTION("a star") {}
    SECTION("random, near") {
        for (StepId s = 1; s < kSteps; ++s)
            parents[static_cast<std::size_t>(s)] =
                s - 1 - static_cast<StepId>(random() % static_cast<std::uint64_t>(std::min<StepId>(s, 8)));
    }
    SECTION("random, anywhere") {
        for (StepId s = 1; s < kSteps; ++s)
            parents[static_cast<std::size_t>(s)] =
                static_cast<StepId>(random() % static_cast<std::uint64_t>(s));
    }
    SECTION("a stem as deep as an anchor with thousands of short branches on it") {
        for (StepId s = 1; s < kSteps; ++s)
            parents[static_cast<std::size_t>(s)] = s <= 127 ? s - 1 : (s % 2 == 0 ? 127 : s - 1);
    }
    SECTION("many chains side by side") {
        for (StepId s = 1; s < kSteps; ++s)
            parents[static_cast<std::size_t>(s)] = std::max<StepId>(s - 50, 0);
    }
    std::size_t keyframes = 0;
    CHECK(worst_distance(parents, keyframes) < kKeyframeEvery);
    CHECK(keyframes <= static_cast<std::size_t>(kSteps) / KeyframePlanner::kAnchorDepth);
}

TEST_CASE("a schedule survives its blob") {
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 11, 1);
    for (int i = 0; i < 60; ++i)
        log.next();
    for (const StepId step : {0, 1, 60}) {
        const auto back = required(decode_schedule(kernel, encode_schedule(log.schedule(step))));
        CHECK(*back == log.schedule(step));
        CHECK(back->hash() == log.schedule(step).hash());
    }
}

TEST_CASE("a damaged keyframe is an error, never another schedule outside the kernel's blocks") {
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 11, 1);
    for (int i = 0; i < 60; ++i)
        log.next();
    const std::vector<std::byte> good = encode_schedule(log.schedule(60));
    std::mt19937_64 random(3);
    for (int i = 0; i < 3000; ++i) {
        std::vector<std::byte> bad = good;
        const auto flips = 1 + random() % 4;
        for (std::uint64_t f = 0; f < flips; ++f)
            bad[random() % bad.size()] = static_cast<std::byte>(random());
        if (random() % 8 == 0) bad.resize(random() % bad.size());
        if (const auto schedule = decode_schedule(kernel, bad)) {
            CHECK(Schedule::match(kernel, schedule->words()));
        }
    }
}

TEST_CASE("cache hints survive the blob") {
    const KernelPtr kernel = sample_kernel();
    std::mt19937_64 random(29);
    Schedule hinted(kernel);
    for (InstrId id = 0; id < kernel->size(); ++id)
        if (kHintField.has(kernel->instruction(id).word))
            hinted.set_field(kHintField, id, random() & kHintField.mask);
    REQUIRE(hinted.changes_code());
    const std::vector<std::byte> blob = encode_schedule(hinted);
    const auto back = required(decode_schedule(kernel, blob));
    CHECK(*back == hinted);
    const std::vector<std::byte> without = encode_schedule(Schedule(kernel));
    const auto plain = required(decode_schedule(kernel, without));
    CHECK(*plain == Schedule(kernel));
}
