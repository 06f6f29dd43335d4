// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/assumed_passes.h"

#include "core/base/bounded_json.h"
#include "core/model/sm_model.h"
#include "core/result/measurement_json.h"
#include "tests/core/model/hand_loops.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

SmModelSettings with(BlockId header, std::uint64_t passes) {
    TripCount count;
    count.header = header;
    count.known = true;
    count.passes = passes;
    SmModelSettings out;
    out.trips = {count};
    return out;
}

EvaluatorInfo stored(const std::string& json) {
    EvaluatorInfo out;
    read_facts(parse_json_or_discard(json), out);
    return out;
}

}  // namespace

TEST_CASE("a figure of the model says the passes that follow from the launch, and those that it assumes") {
    const KernelPtr kernel = loop_of({word_of("FADD", 4), word_of("FADD", 4)});
    const BlockId header = kernel->flow().back_edges.front().second;
    const auto plain = make_model_evaluator(kernel, {});
    CHECK(assumed_passes(plain->info()) == "assuming 16 iterations of each loop");
    const SmModelSettings settings = with(header, 40);
    const auto counted = make_model_evaluator(kernel, settings);
    CHECK(assumed_passes(counted->info()) == "loop iterations by code and launch: 40 at 0x0000");
    CHECK(assumed_passes(*kernel, settings) == assumed_passes(counted->info()));
    CHECK(counted->info().original_cost > 2 * plain->info().original_cost);
    // The stored facts give the same figure again.
    SmModelSettings again;
    again.trips = stored_passes(stored(facts_json(counted->info()).dump()).model, *kernel);
    CHECK(SmModel(kernel, again).cycles(Schedule(kernel)) ==
          SmModel(kernel, settings).cycles(Schedule(kernel)));
}

TEST_CASE("no passes are told of a kernel without a loop, of a GPU, and of what an older version stored") {
    const auto straight = required(kernel_with_words(*donor(), {word_of("FADD", 4), word_of("EXIT", 5)}));
    CHECK(assumed_passes(make_model_evaluator(*straight, {})->info()).empty());
    CHECK(assumed_passes(stored(R"({"loop_trips": 16})")).empty());
    EvaluatorInfo gpu = stored(R"({"loop_trips": 16, "loops": 2})");
    CHECK(assumed_passes(gpu) == "assuming 16 iterations of each loop");
    gpu.kind = EvaluatorKind::Gpu;
    CHECK(assumed_passes(gpu).empty());
}

TEST_CASE("what anybody wrote into a session as passes is told as numbers or not at all") {
    for (const char* json :
         {"", "[]", "7", R"({"loops": "<b>", "loop_trips": 16})", R"({"loops": 1, "loop_trips": -3})"})
        CHECK(assumed_passes(stored(json)).empty());
    CHECK(assumed_passes(stored(R"({"loops": 2, "loop_trips": 16, "known_passes": [1, {"header": "x"},
        {"header": 16, "passes": 1e300}, {"header": -1, "passes": 2}, {"header": 32, "passes": 3}]})")) ==
          "loop iterations by code and launch: 3 at 0x0020; 16 assumed of each other loop");
    CHECK(assumed_passes(stored(R"({"loops": 9, "loop_trips": 16, "known_passes": [{"header": 0, "passes": 1},
        {"header": 16, "passes": 2}, {"header": 32, "passes": 3}, {"header": 48, "passes": 4}]})")) ==
          "loop iterations by code and launch: 1 at 0x0000, 2 at 0x0010, 3 at 0x0020 and others at 1 more; "
          "16 assumed of each other loop");
    const KernelPtr kernel = loop_of({word_of("FADD", 4)});
    CHECK(stored_passes(stored(R"({"known_passes": [7, {"header": 4096000, "passes": 2},
        {"header": 0, "passes": 99999999999}]})")
                            .model,
                        *kernel)
              .empty());
}
