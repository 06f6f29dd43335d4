// SPDX-License-Identifier: GPL-3.0-or-later
// The loops that `cubinlab-lab probe --loops` puts on a GPU: the model sees exactly the loop, and the cycles of those
// whose stall counts decide alone are those of a hand count.
#include "app/lab/probe/probe_loops.h"

#include "tests/lab/synthesis_cubin.h"

using namespace cubinlab;
using namespace cubinlab::probe;

TEST_CASE("loops: every one is assembled, found by the model, and measured as a difference of passes",
          "[loops]") {
    const auto cubin = test::synthesis();
    auto book = required(WordBook::create(*cubin));
    // A GPU on which a pass takes 41 cycles, and everything around it 1,000.
    const LoopRun run = [](const LoopCase& of, const Program&, const Shape& shape) -> Result<Count> {
        CHECK(shape.blocks == 1);
        CHECK(shape.threads == 32 * of.warps);
        Count out;
        out.most_clocks = 1000 + 41 * static_cast<int>(shape.iterations);
        return out;
    };
    auto figures = study_loops(*cubin, *book, run, {});
    INFO((figures ? std::string() : figures.error().message()));
    REQUIRE(figures);
    CHECK(figures->size() >= 20);
    for (const LoopFigure& f : *figures) {
        INFO(f.name);
        CHECK(f.failure.empty());
        CHECK(f.measured == 41);
        // The loop's own: 12 and 13 by their stalls, then the branch.
        CHECK(f.modelled >= 12 + 13 + 5 + static_cast<double>(f.instructions - 3));
    }  // The measured column of an earlier run, with the models as they are now.
    auto again = required(
        remodelled_loops(*cubin, *book, R"({"loops": [{"name": "16 NOP", "measured": 51, "failure": ""}]})"));
    REQUIRE(again->size() == 1);
    CHECK(again->front().measured == 51);
    CHECK(again->front().modelled == 46);  // 16 + 12 + 13 + 5
    CHECK_FALSE(remodelled_loops(*cubin, *book, "{}"));
}
