// SPDX-License-Identifier: GPL-3.0-or-later
// Passes of loops in compiled kernels against a count by hand, from the source (tests/data/cubins/trips.cu) and the launch.
#include "core/model/trip_counts.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/model/explanation.h"
#include "core/model/trace.h"
#include "tests/core/model/hand_loops.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

// A value of each parameter that is no pointer, by its place among them.
struct Launch {
    std::map<std::size_t, std::uint64_t> params;
    std::array<std::uint32_t, 3> block{64, 1, 1}, grid{2, 1, 1};
};

LaunchValues values_of(const Kernel& kernel, const Launch& launch) {
    LaunchValues out;
    out.block = launch.block;
    out.grid = launch.grid;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        out.set_word(4 * axis, launch.block[axis]);
        out.set_word(12 + 4 * axis, launch.grid[axis]);
    }
    for (const auto& [index, value] : launch.params) {
        std::array<std::byte, 8> bytes{};
        std::memcpy(bytes.data(), &value, bytes.size());
        const KernelParam& param = kernel.info().params.at(index);
        out.set(kernel.info().param_base + param.offset, std::span(bytes).first(param.size));
    }
    return out;
}

KernelPtr kernel_of(const std::string& arch, const std::string& name) {
    auto cubin = required(Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/trips." + arch + ".cubin"));
    auto kernel = required(Kernel::load(*cubin, name));
    return *kernel;
}

// By header, in address order.
std::vector<TripCount> counts(const std::string& arch, const std::string& name, const Launch& launch) {
    const KernelPtr kernel = kernel_of(arch, name);
    return trip_counts(*kernel, values_of(*kernel, launch));
}

struct Expected {
    const char* kernel;
    Launch launch;
    std::uint64_t passes;
};

}  // namespace

TEST_CASE("the passes of one loop are those of its source, on two architectures") {
    const Expected all[] = {
        {"up", {{{1, 77}}}, 77},
        {"up", {{{1, 1}}}, 1},
        {"down", {{{1, 41}}}, 41},
        {"by_unsigned_step", {{{1, 100}}}, 8},         // 7 20 33 46 59 72 85 98
        {"by_unsigned_step", {{{1, 0x80000005}}}, 0},  // more than are counted
        {"tiles_of_64", {{{1, 1000}}}, 16},
    };
    for (const char* arch : {"80", "90a"})
        for (const Expected& e : all) {
            INFO(arch << " " << e.kernel << " "
                      << (e.launch.params.empty() ? 0 : e.launch.params.begin()->second));
            const auto found = counts(arch, e.kernel, e.launch);
            REQUIRE(found.size() == 1);
            INFO(found[0].why);
            CHECK(found[0].known == (e.passes != 0));
            CHECK(found[0].passes == e.passes);
        }
}

TEST_CASE("a count that is not the same for all threads is said to be none, and why") {
    for (const char* arch : {"80", "90a"}) {
        INFO(arch);
        struct Unknown {
            const char* kernel;
            Launch launch;
            const char* why;
        };
        const Unknown all[] = {{"to_thread", {}, "threadIdx"},
                               {"to_block", {}, "blockIdx"},
                               {"to_memory", {}, "a value from memory"},
                               {"until", {{{1, 50}}}, "a value from memory"},
                               {"up", {}, "a parameter or a dimension that no workload gives"},
                               {"stride_of_grid", {{{1, 1000}}}, "threadIdx"}};
        for (const Unknown& u : all) {
            INFO(u.kernel);
            const auto found = counts(arch, u.kernel, u.launch);
            REQUIRE(found.size() == 1);
            CHECK_FALSE(found[0].known);
            const bool either = found[0].why == u.why || (std::string_view(u.kernel) == "stride_of_grid" &&
                                                          found[0].why == "blockIdx");
            INFO(found[0].why);
            CHECK(either);
            CHECK(found[0].branch != kNone);
            const KernelPtr kernel = kernel_of(arch, u.kernel);
            CHECK(text_of(*kernel, found[0], 16).starts_with("assuming 16 iterations: BRA 0x"));
        }
    }
}

TEST_CASE("loops in loops: each has its own count, one that depends on the outer loop has none") {
    for (const char* arch : {"80", "90a"}) {
        INFO(arch);
        const auto both = counts(arch, "in_each_other", {{{1, 6}, {2, 11}}});
        std::map<std::uint64_t, int> passes;
        for (const TripCount& count : both)
            if (count.known) ++passes[count.passes];
        CHECK(passes[6] >= 1);  // ptxas may write a loop twice
        CHECK(passes[11] >= 1);
        CHECK(passes.size() == 2);
        const auto triangle = counts(arch, "triangle", {{{1, 9}}});
        CHECK(std::count_if(triangle.begin(), triangle.end(), [](const TripCount& c) { return c.known; }) ==
              1);
    }
}

TEST_CASE("a loop without an end is not counted, and looking for its end has one") {
    const auto found = counts("90a", "for_ever", {{{1, 100}}});
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].known);
}

TEST_CASE("the path that the model walks has each loop as often as it is counted") {
    const KernelPtr kernel = kernel_of("90a", "in_each_other");
    const auto all = trip_counts(*kernel, values_of(*kernel, {{{1, 6}, {2, 11}}}));
    std::map<std::uint64_t, BlockId> headers;
    for (const TripCount& count : all)
        if (count.known) headers[count.passes] = count.header;
    REQUIRE(headers.size() == 2);
    std::vector<double> passes(kernel->flow().blocks.size(), 0);
    for (const Pass& pass : make_trace(kernel->flow(), 16, trips_by_header(*kernel, all)))
        passes[pass.block] += pass.weight;
    CHECK(passes[headers[6]] == 6);
    CHECK(passes[headers[11]] == 66);
    // A loop that makes no pass is left out.
    TripCount none;
    none.header = headers[11];
    none.known = true;
    CHECK(trips_by_header(*kernel, std::vector{none})[none.header] == kNeverEntered);
    for (const Pass& pass : make_trace(kernel->flow(), 16, trips_by_header(*kernel, std::vector{none})))
        CHECK(pass.block != none.header);
}

TEST_CASE("the score and the explanation of a schedule weigh a loop by its passes") {
    const KernelPtr kernel = kernel_of("90a", "up");
    SmModelSettings few = test::alone(), many = test::alone();
    few.trips = trip_counts(*kernel, values_of(*kernel, {{{1, 4}}}));
    many.trips = trip_counts(*kernel, values_of(*kernel, {{{1, 400}}}));
    const Explanation less = Explainer(kernel, few).explain(Schedule(kernel));
    const Explanation more = Explainer(kernel, many).explain(Schedule(kernel));
    REQUIRE(more.hot_trips());
    CHECK(more.hot_trips()->passes == 400);
    CHECK(more.path_cycles > 20 * less.path_cycles);
    CHECK(more.path_cycles == SmModel(kernel, many).cycles(Schedule(kernel)));
}

TEST_CASE("every sample and test kernel is counted with nothing known of its launch") {
    for (const char* arch : {"80", "90a"}) {
        auto cubin =
            required(Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/trips." + arch + ".cubin"));
        for (const KernelInfo& info : (*cubin)->kernels()) {
            auto kernel = required(Kernel::load(*cubin, info.name));
            for (const TripCount& count : trip_counts(**kernel, {}))
                CHECK_FALSE(count.known);
        }
    }
}
