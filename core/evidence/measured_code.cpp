// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/measured_code.h"

#include <fmt/format.h>

namespace cubinlab {
namespace {

Result<Hash128> words_at(SessionReader& reader, const RunInfo& run, StepId step) {
    if (step == 0) return run.start_hash;
    const auto found = TRY(reader.hashes(run.id, step - 1, step, 1));
    if (found.empty())
        return fail(ErrorCode::Corrupt,
                    fmt::format("run {} has a measurement of step {}, but no such step", run.id, step));
    return found.front().second;
}

}  // namespace

Status check_measured_code(const Outcome& outcome, const Hash128& words, const std::string& which) {
    if (!names_its_code(outcome) || outcome.code_hash == words) return {};
    return fail(
        ErrorCode::Corrupt,
        fmt::format("the stored outcome belongs to other code than its schedule: {} holds what was seen of "
                    "code {}, the schedule's is {}",
                    which, outcome.code_hash.hex(), words.hex()));
}

Status check_measured_code(const RunInfo& run, const StepRecord& record) {
    return check_measured_code(record.outcome, record.schedule_hash, at_step(run.id, record.step));
}

Status check_measured_code(SessionReader& reader, const RunInfo& run,
                           const std::vector<MeasurementRecord>& records, StepId step) {
    for (const MeasurementRecord& record : records) {
        if ((step != 0 && record.step != step) || !names_its_code(record.outcome)) continue;
        const Hash128 words = TRY(words_at(reader, run, record.step));
        TRY(check_measured_code(
            record.outcome, words,
            fmt::format("the measurement of {}, made {},", at_step(run.id, record.step), record.made)));
    }
    return {};
}

}  // namespace cubinlab
