// SPDX-License-Identifier: GPL-3.0-or-later
// A StepRecord as a row of `mutations` and back.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/tune_run.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// Where a step's first edit took its instruction; empty for control edits.
struct MovedFrom {
    std::optional<std::uint32_t> from;  // position in the parent
    std::optional<std::uint32_t> to;    // position in the result
};

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database);
Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record, const MovedFrom& moved);

// Columns that read_step expects, to be put between SELECT and FROM mutations.
extern const char* const kStepColumns;
Result<StepRecord> read_step(const sqlite::Statement& row);

// The columns that say how a figure was measured; absent ones are NULL.
struct MeasuredColumns {
    std::optional<std::uint32_t> device, set_aside;
    std::optional<double> alpha, energy_mj, reference_energy_mj;
    std::optional<std::vector<std::byte>> states;
};
MeasuredColumns measured_columns(const Outcome& outcome);
// Reads them from six columns of a row, from column `first` on, in the order above.
void read_measured(const sqlite::Statement& row, int first, Outcome& into);

std::vector<std::byte> encode_samples(std::span<const float> samples);  // little-endian float32
std::vector<float> decode_samples(std::span<const std::byte> blob);
std::optional<OutcomeKind> parse_outcome(std::string_view text);
std::optional<Verdict> parse_verdict(std::string_view text);

}  // namespace cubinlab
