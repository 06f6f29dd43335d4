// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/run_curve.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr std::size_t kPage = 4096;
using Pages = Result<std::vector<StepRecord>> (SessionReader::*)(RunId, StepId, std::size_t);

Status each_of(Pages pages, SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
               const std::stop_token& stop) {
    for (StepId after = 0;;) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while reading steps");
        auto page = TRY((reader.*pages)(run, after, kPage));
        for (StepRecord& record : page) {
            after = record.step;
            TRY(each(record));
        }
        if (page.size() < kPage) return {};
    }
}

}  // namespace

Status each_step(SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
                 const std::stop_token& stop) {
    return each_of(&SessionReader::steps, reader, run, each, stop);
}

Status each_best(SessionReader& reader, RunId run, const std::function<Status(StepRecord&)>& each,
                 const std::stop_token& stop) {
    return each_of(&SessionReader::best_steps, reader, run, each, stop);
}

Result<RunCurve> read_curve(SessionReader& reader, const RunInfo& run, StepId wanted,
                            std::optional<StepRecord>* record, const std::stop_token& stop) {
    RunCurve curve;
    const auto last = std::max<std::uint64_t>(run.steps, 1);  // numbers go up to it, hardly any is left out
    curve.columns.resize(static_cast<std::size_t>(std::min<std::uint64_t>(RunCurve::kColumns, last)));
    const std::uint64_t columns = curve.columns.size();
    for (std::uint64_t c = 0; c < columns; ++c)
        curve.columns[c].step = static_cast<double>(((2 * c + 1) * last / columns) / 2 + 1);
    std::vector<float> gains;
    gains.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(last, 1 << 22)));
    for (StepId after = 0;;) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while reading steps");
        auto page = TRY(reader.figures(run.id, after, kPage));
        for (const StepFigure& r : page) {
            after = r.step;
            ++curve.steps;
            curve.last = r.step;
            curve.accepted += r.accepted ? 1 : 0;
            if (r.best) curve.bests.push_back({r.step, r.log_speedup});
            if (r.kind != OutcomeKind::Ok) {
                ++curve.failed;
                continue;
            }
            const double gain = r.log_speedup;
            const auto at = (static_cast<std::uint64_t>(r.step) - 1) * columns / last;
            RunCurve::Column& column = curve.columns[std::min<std::uint64_t>(at, columns - 1)];
            const bool first = column.least > column.greatest;
            if (first || gain < column.least) {
                column.least = gain;
                column.least_step = r.step;
            }
            if (first || gain > column.greatest) {
                column.greatest = gain;
                column.greatest_step = r.step;
            }
            gains.push_back(static_cast<float>(gain));
            curve.high = std::max(curve.high, gain);
        }
        if (page.size() < kPage) break;
    }
    if (record != nullptr && wanted > 0) {
        auto row = TRY(reader.steps(run.id, wanted - 1, 1));
        if (!row.empty() && row.front().step == wanted) *record = std::move(row.front());
    }
    if (!gains.empty()) {
        const auto fiftieth = gains.begin() + static_cast<std::ptrdiff_t>(gains.size() / 50);
        std::nth_element(gains.begin(), fiftieth, gains.end());
        curve.low = std::min(0.0, static_cast<double>(*fiftieth));
    }
    return curve;
}

}  // namespace cubinlab
