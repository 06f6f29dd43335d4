// SPDX-License-Identifier: GPL-3.0-or-later
// What a new run writes into its session, whichever front end starts it.
#include "core/tuning/new_run.h"

#include "core/base/version.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

TEST_CASE("a new run's header says its settings, its start, its locks and this version") {
    const Schedule start(sample_kernel("softmax"));
    RunSettings settings;
    settings.agent = "group";
    settings.agent_settings = R"({"walk":3})";
    settings.seed = 9;
    settings.budget.steps = 40;
    settings.batch = 5;
    EvaluatorInfo evaluator;
    evaluator.device = "a device";
    const RunHeader header = header_of(settings, evaluator, start, {3, 4});
    CHECK(header.agent == "group");
    CHECK(header.agent_settings == R"({"walk":3})");
    CHECK(header.seed == 9);
    CHECK(header.budget == "40steps");
    CHECK(header.evaluator.device == "a device");
    CHECK(header.start_hash == start.hash());
    CHECK(header.batch == 5);
    CHECK(header.locked == std::vector<InstrId>{3, 4});
    CHECK(header.version == version_text());
    CHECK(header.started.size() >= 20);
    CHECK(header.start_run == 0);
}
