// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/rank_agreement.h"

#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

TEST_CASE("only pairs that the GPU told apart count, and a tie of the model agrees with nobody") {
    // Measured fastest to slowest: a, b, c; b and c touch. The model has a before c, and b level with a.
    const RankedSchedule a{0.04, 0.05, 100}, b{0.01, 0.02, 100}, c{0.00, 0.01, 120};
    const RankAgreement found = rank_agreement({a, b, c});
    CHECK(found.schedules == 3);
    CHECK(found.pairs == 2);  // a and b, a and c
    CHECK(found.agree == 1);
    CHECK(found.disagree == 0);
    CHECK(found.tau() == 0.5);
    CHECK(rank_agreement({{0.04, 0.05, 120}, {0.01, 0.02, 100}}).tau() == -1);
    CHECK(rank_agreement({}).tau() == 0);
}

TEST_CASE("a session whose GPU orders schedules as the model does has tau 1, the other way round -1") {
    const KernelPtr kernel = sample_kernel();
    const SmModel model(kernel, {});
    for (const double sign : {1.0, -1.0}) {
        const TempFolder folder;
        const auto path = folder / "s.db";
        {
            auto session = open_or_fail(path, kernel);
            LogMaker log(kernel, 4, 3);
            for (const EvaluatorKind kind : {EvaluatorKind::Gpu, EvaluatorKind::Model}) {
                RunHeader header = header_for_tests();
                header.evaluator.kind = kind;
                RunId run = 0;
                auto sink = session->begin_run(header, log.start(), &run);
                REQUIRE(sink);
                LogMaker steps(kernel, 4, 3);
                const double start = model.cycles(steps.start());
                for (int i = 0; i < 40; ++i) {
                    StepRecord record = steps.next();
                    const double gain = std::log(start / model.cycles(steps.schedule(record.step)));
                    record.repeated = false;
                    record.outcome = {};
                    record.outcome.kind = i == 7 ? OutcomeKind::Fault : OutcomeKind::Ok;
                    record.outcome.log_speedup = sign * gain;
                    record.outcome.low = sign * gain - 1e-6;
                    record.outcome.high = sign * gain + 1e-6;
                    REQUIRE((*sink)->append(record));
                }
                REQUIRE((*sink)->finish({}));
            }
            REQUIRE(session->close());
        }
        auto reader = SessionReader::open(path);
        REQUIRE(reader);
        const auto found = rank_agreement(**reader, kernel, {}, {}, {});
        REQUIRE(found);
        CHECK(found->schedules <= 39);  // of the GPU's run, without the fault
        CHECK(found->schedules > 30);
        CHECK(found->pairs > 100);
        CHECK(found->tau() == sign);
        std::stop_source stop;
        stop.request_stop();
        CHECK_FALSE(rank_agreement(**reader, kernel, {}, {}, stop.get_token()));
    }
}
