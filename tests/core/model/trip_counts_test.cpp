// SPDX-License-Identifier: GPL-3.0-or-later
// Passes of loops in compiled kernels against a count by hand, from the source (tests/data/cubins/trips.cu) and the launch.
#include "core/model/trip_counts.h"

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
    auto cubin = Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/trips." + arch + ".cubin");
    REQUIRE(cubin);
    auto kernel = Kernel::load(*cubin, name);
    REQUIRE(kernel);
    return *kernel;
}

// By header, in address order.
std::vector<TripCount> counts(const std::string& arch, const std::string& name, const Launch& launch) {
    const KernelPtr kernel = kernel_of(arch, name);
    return trip_counts(*kernel, values_of(*kernel, launch));
}

// Those that are entered; ptxas writes some loops twice, one of which is not.
std::vector<TripCount> entered(std::vector<TripCount> all) {
    std::erase_if(all, [](const TripCount& c) { return c.known && c.most == 0; });
    return all;
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
        {"by_unsigned_step", {{{1, 0x80000005}}}, 0},  // more passes than are looked at
        {"halves", {}, 7},
        {"of_64_bits", {{{1, 300}}}, 300},
        {"tiles_of_64", {{{1, 1000}}}, 16},
        {"with_a_division", {{{1, 9}}}, 9},
        {"powers", {{{1, 82}}}, 5},  // 1 3 9 27 81
        {"stride_of_grid", {{{1, 1024}}}, 8},
    };
    for (const char* arch : {"80", "90a"})
        for (const Expected& e : all) {
            INFO(arch << " " << e.kernel << " "
                      << (e.launch.params.empty() ? 0 : e.launch.params.begin()->second));
            const auto found = counts(arch, e.kernel, e.launch);
            REQUIRE(found.size() == 1);
            INFO(found[0].why);
            CHECK(found[0].known == (e.passes != 0));
            CHECK(found[0].least == e.passes);
            CHECK(found[0].most == e.passes);
            CHECK(found[0].of_ends == (std::string_view(e.kernel) == "stride_of_grid"));
        }
}

TEST_CASE("an unrolled loop and its rest are two loops, and the rest is none where nothing is left") {
    for (const char* arch : {"80", "90a"})
        for (const auto& [n, fours, rest] :
             {std::array<std::uint64_t, 3>{23, 5, 3}, {24, 6, 0}, {3, 0, 3}, {0, 0, 0}}) {
            INFO(arch << " " << n);
            const auto found = counts(arch, "by_four", {{{1, n}}});
            // ptxas may unroll by more in front: by 16, then by 4, then one by one.
            REQUIRE(found.size() >= 2);
            std::uint64_t sum = 0;
            const std::uint64_t by[] = {16, 8, 4, 1};
            for (std::size_t i = 0; i < found.size(); ++i) {
                CHECK(found[i].known);
                sum += found[i].most * (i + 1 == found.size() ? 1 : by[4 - found.size() + i]);
            }
            (void)fours;
            if (found.size() == 2) CHECK(sum == n);
            CHECK(found.back().most == rest);
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
            CHECK(text_of(*kernel, found[0], 16).starts_with("16 passes assumed: BRA 0x"));
        }
    }
}

TEST_CASE("loops in loops: each has its own count, one that hangs on the outer one its mean") {
    for (const char* arch : {"80", "90a"}) {
        INFO(arch);
        const auto both = entered(counts(arch, "in_each_other", {{{1, 6}, {2, 11}}}));
        REQUIRE(both.size() == 2);
        CHECK(both[0].most == 6);
        CHECK(both[1].least == 11);
        CHECK(both[1].most == 11);
        const auto triangle = entered(counts(arch, "triangle", {{{1, 9}}}));
        REQUIRE(triangle.size() == 2);
        CHECK(triangle[0].most == 9);
        CHECK(triangle[1].least == 1);
        CHECK(triangle[1].most == 9);
        CHECK(triangle[1].trips == 5);
        // Behind a branch that nobody can tell the way of.
        const auto middle = entered(counts(arch, "some_in_the_middle", {{{1, 12}, {2, 4}}}));
        REQUIRE(middle.size() == 2);
        CHECK(middle[0].most == 12);
        CHECK(middle[1].least == 4);
        CHECK(middle[1].most == 4);
    }
}

TEST_CASE("of two loops on either side of a known branch only one is entered") {
    for (const char* arch : {"80", "90a"})
        for (const std::uint64_t choice : {5, 15}) {
            INFO(arch << " " << choice);
            const auto found = counts(arch, "only_if", {{{1, 33}, {2, choice}}});
            REQUIRE(found.size() == 2);
            CHECK(found[0].known);
            CHECK(found[1].known);
            CHECK(found[0].most + found[1].most == 33);
            CHECK((found[0].most == 0 || found[1].most == 0));
        }
}

TEST_CASE("a loop without an end is not counted, and looking for its end has one") {
    const auto found = counts("90a", "for_ever", {{{1, 100}}});
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].known);
    CHECK(found[0].why == "more passes than are looked at");
}

TEST_CASE("the path that the model walks has each loop as often as it is counted") {
    const KernelPtr kernel = kernel_of("90a", "in_each_other");
    const auto all = trip_counts(*kernel, values_of(*kernel, {{{1, 6}, {2, 11}}}));
    const std::vector<int> trips = trips_by_header(*kernel, all);
    const auto found = entered(all);
    REQUIRE(found.size() == 2);
    std::vector<double> passes(kernel->flow().blocks.size(), 0);
    for (const Pass& pass : make_trace(kernel->flow(), TraceShape{16, 1, 2, trips}))
        passes[pass.block] += pass.weight;
    CHECK(passes[found[0].header] == 6);
    CHECK(passes[found[1].header] == 66);
    // A loop that makes no pass is left out, and the model of an outer loop of none of an inner one.
    const auto none = trip_counts(*kernel, values_of(*kernel, {{{1, 6}, {2, 0}}}));
    CHECK(entered(none).size() == 1);
    for (const TripCount& count : none) {
        if (count.most != 0) continue;
        CHECK(trips_by_header(*kernel, none)[count.header] == kNeverEntered);
        for (const Pass& pass :
             make_trace(kernel->flow(), TraceShape{16, 1, 2, trips_by_header(*kernel, none)}))
            CHECK(pass.block != count.header);
    }
}

TEST_CASE("an explanation looks at the loop that makes the passes, and weighs the path by them") {
    const KernelPtr kernel = kernel_of("90a", "only_if");
    for (const std::uint64_t choice : {5, 15}) {
        const auto found = trip_counts(*kernel, values_of(*kernel, {{{1, 33}, {2, choice}}}));
        const Explanation e = Explainer(kernel, test::alone(), found).explain(Schedule(kernel));
        REQUIRE(e.hot_trips());
        CHECK(e.hot_trips()->most == 33);
        CHECK(e.where.header == (found[0].most == 33 ? found[0].header : found[1].header));
    }
    const auto few = trip_counts(*kernel, values_of(*kernel, {{{1, 4}, {2, 5}}}));
    const auto many = trip_counts(*kernel, values_of(*kernel, {{{1, 400}, {2, 5}}}));
    const double less = Explainer(kernel, test::alone(), few).explain(Schedule(kernel)).path_cycles;
    const double more = Explainer(kernel, test::alone(), many).explain(Schedule(kernel)).path_cycles;
    CHECK(more > 20 * less);
    // Nobody said anything: the path of the first model, to the last bit.
    CHECK(Explainer(kernel, test::alone()).explain(Schedule(kernel)).path_cycles ==
          SmModel(kernel, test::alone()).cycles(Schedule(kernel)));
}

TEST_CASE("every sample and test kernel is counted with nothing known of its launch") {
    for (const char* arch : {"80", "90a"}) {
        auto cubin = Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/trips." + arch + ".cubin");
        REQUIRE(cubin);
        for (const KernelInfo& info : (*cubin)->kernels()) {
            auto kernel = Kernel::load(*cubin, info.name);
            REQUIRE(kernel);
            for (const TripCount& count : trip_counts(**kernel, {}))
                CHECK_FALSE(count.known);
        }
    }
}
