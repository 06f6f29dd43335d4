// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/assumed_passes.h"

#include "core/model/sm_model.h"
#include "tests/core/model/hand_loops.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

TripCount makes(BlockId header, double passes) {
    TripCount out;
    out.header = header;
    out.known = true;
    out.trips = passes;
    return out;
}

EvaluatorInfo stored(std::string json) {
    EvaluatorInfo out;
    out.json = std::move(json);
    return out;
}

}  // namespace

TEST_CASE("a figure of the model says the passes that it assumes, and those that the launch makes instead") {
    const KernelPtr kernel = loop_of({word_of("FADD", 4), word_of("FADD", 4)});
    const BlockId header = kernel->flow().back_edges.front().second;
    CHECK(assumed_passes(make_model_evaluator(kernel, {})->info()) == "16 passes of each loop assumed");
    const std::vector<TripCount> none{makes(header, 0)}, same{makes(header, 16)}, half{makes(header, 12.5)};
    CHECK(assumed_passes(make_model_evaluator(kernel, {}, none)->info()) ==
          "16 passes of each loop assumed; by its code and launch 0 at 0x0000");
    CHECK(assumed_passes(*kernel, 16, half) ==
          "16 passes of each loop assumed; by its code and launch 12.5 at 0x0000");
    CHECK(assumed_passes(*kernel, 16, same) == "16 passes of each loop assumed");
    // The score is what it was.
    CHECK(make_model_evaluator(kernel, {}, none)->info().original_cost ==
          make_model_evaluator(kernel, {})->info().original_cost);
}

TEST_CASE("no passes are told of a kernel without a loop, of a GPU, and of what an older version stored") {
    const auto straight = kernel_with_words(*donor(), {word_of("FADD", 4), word_of("EXIT", 5)});
    REQUIRE(straight);
    CHECK(assumed_passes(make_model_evaluator(*straight, {})->info()).empty());
    CHECK(assumed_passes(stored(R"({"loop_trips": 16})")).empty());
    EvaluatorInfo gpu = stored(R"({"loop_trips": 16, "loops": 2})");
    CHECK(assumed_passes(gpu) == "16 passes of each loop assumed");
    gpu.kind = EvaluatorKind::Gpu;
    CHECK(assumed_passes(gpu).empty());
}

TEST_CASE("what anybody wrote into a session as passes is told as numbers or not at all") {
    for (const char* json :
         {"", "[]", "7", R"({"loops": "<b>", "loop_trips": 16})", R"({"loops": 1, "loop_trips": -3})"})
        CHECK(assumed_passes(stored(json)).empty());
    CHECK(assumed_passes(stored(R"({"loops": 1, "loop_trips": 16, "other_passes": [1, {"header": "x"},
        {"header": 16, "passes": 1e300}, {"header": -1, "passes": 2}, {"header": 32, "passes": 3}]})")) ==
          "16 passes of each loop assumed; by its code and launch 3 at 0x0020");
    CHECK(assumed_passes(stored(R"({"loops": 9, "loop_trips": 16, "other_passes": [{"header": 0, "passes": 1},
        {"header": 16, "passes": 2}, {"header": 32, "passes": 3}, {"header": 48, "passes": 4}]})")) ==
          "16 passes of each loop assumed; by its code and launch 1 at 0x0000, 2 at 0x0010, 3 at 0x0020 and "
          "others at 1 more");
}
