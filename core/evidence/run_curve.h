// SPDX-License-Identifier: GPL-3.0-or-later
// A run's log, however long, as what a picture of it shows: counts, the least and greatest gain of each
// column, and the steps that became the best. Read page by page, so that millions of steps take no more
// memory than thousands.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/store/session.h"

namespace cubinlab {

struct RunCurve {
    static constexpr std::size_t kColumns = 400;
    struct Column {
        double step = 0;                  // number of the step in its middle
        double least = 1, greatest = -1;  // log speed-up of the steps that ran well; crossed: there are none
        StepId least_step = 0, greatest_step = 0;
    };
    struct Best {
        StepId step = 0;
        double log_speedup = 0;
    };
    std::uint64_t steps = 0, accepted = 0, failed = 0;
    StepId last = 0;
    std::vector<Column> columns;  // at most kColumns
    std::vector<Best> bests;      // each better than the one before
    double low = 0;               // all but the worst fiftieth are above it
    double high = 0;
};

// Calls `each` with every step of a run in order, a page of them in memory at a time; each_best with those that became the
// run's best, the others passed over. Errors: as SessionReader::steps, Cancelled, what `each` returns.
Status each_step(SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
                 const std::stop_token& stop = {});
Status each_best(SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
                 const std::stop_token& stop = {});

// `wanted`: a step whose record is kept in `*record`.
Result<RunCurve> read_curve(SessionReader& reader, const RunInfo& run, StepId wanted,
                            std::optional<StepRecord>* record, const std::stop_token& stop = {});

}  // namespace cubinlab
