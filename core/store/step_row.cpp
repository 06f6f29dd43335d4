// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/step_row.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace cubinlab {
namespace {

// SQLite keeps no NaN (it becomes NULL); a figure that is none is stored as 0 and the outcome says why.
double finite(double value) {
    return std::isfinite(value) ? value : 0.0;
}

constexpr OutcomeKind kOutcomes[] = {OutcomeKind::Ok,         OutcomeKind::Illegal, OutcomeKind::WrongResult,
                                     OutcomeKind::WildStore,  OutcomeKind::Fault,   OutcomeKind::Hang,
                                     OutcomeKind::WorkerLost, OutcomeKind::Error};
constexpr Verdict kVerdicts[] = {Verdict::Faster, Verdict::Same, Verdict::Slower, Verdict::Unclear};

}  // namespace

const char* const kStepColumns =
    "step, parent, edit, schedule_hash, outcome, verdict, log_speedup, low, high, cost, pairs, samples, "
    "detail, "
    "reward, accepted, best, repeated, time_us, device, set_aside, alpha, energy_mj, reference_energy_mj, "
    "states";

MeasuredColumns measured_columns(const Outcome& outcome) {
    MeasuredColumns out;
    const auto figure = [](double value) {
        return value != 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
    };
    if (outcome.device != 0) out.device = outcome.device;
    if (outcome.set_aside != 0) out.set_aside = outcome.set_aside;
    out.alpha = figure(outcome.alpha);
    out.energy_mj = figure(outcome.energy_mj);
    out.reference_energy_mj = figure(outcome.reference_energy_mj);
    if (!outcome.states.empty()) out.states = encode_samples(outcome.states);
    return out;
}

void read_measured(const sqlite::Statement& row, int first, Outcome& into) {
    into.device = static_cast<std::uint16_t>(row.integer(first));
    into.set_aside = static_cast<std::uint16_t>(row.integer(first + 1));
    into.alpha = row.real(first + 2);
    into.energy_mj = row.real(first + 3);
    into.reference_energy_mj = row.real(first + 4);
    into.states = decode_samples(row.blob(first + 5));
}

std::vector<std::byte> encode_samples(std::span<const float> samples) {
    static_assert(std::endian::native == std::endian::little);
    const auto bytes = std::as_bytes(samples);
    return {bytes.begin(), bytes.end()};
}

std::vector<float> decode_samples(std::span<const std::byte> blob) {
    std::vector<float> samples(blob.size() / sizeof(float));
    if (!samples.empty()) std::memcpy(samples.data(), blob.data(), samples.size() * sizeof(float));
    return samples;
}

std::optional<OutcomeKind> parse_outcome(std::string_view text) {
    for (const OutcomeKind kind : kOutcomes)
        if (text == to_string(kind)) return kind;
    return std::nullopt;
}

std::optional<Verdict> parse_verdict(std::string_view text) {
    for (const Verdict verdict : kVerdicts)
        if (text == to_string(verdict)) return verdict;
    return std::nullopt;
}

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database) {
    return database.prepare(
        "INSERT INTO mutations (run, step, parent, kind, instruction, from_position, to_position, "
        "control_before, "
        "control_after, edit, legal, outcome, verdict, reward, log_speedup, low, high, cost, pairs, "
        "accepted, best, "
        "repeated, schedule_hash, time_us, detail, samples, device, set_aside, alpha, energy_mj, "
        "reference_energy_mj, states) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
}

Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record, const MovedFrom& moved) {
    const Mutation& mutation = record.mutation;
    const Outcome& outcome = record.outcome;
    std::optional<std::uint32_t> instruction;
    std::optional<std::string> before;
    std::optional<std::string> after;
    if (!mutation.empty()) {
        instruction = mutation.instr();
        for (const Edit& edit : mutation.edits) {
            if (edit.kind != EditKind::Control) continue;
            before = edit.before.text();
            after = edit.after.text();
            break;
        }
    }
    std::optional<std::string> detail;
    if (!outcome.detail.empty()) detail = outcome.detail;
    std::optional<std::vector<std::byte>> samples;
    if (!outcome.samples.empty()) samples = encode_samples(outcome.samples);
    const MeasuredColumns measured = measured_columns(outcome);
    const char* kind = mutation.empty() ? "none" : to_string(mutation.kind());
    if (auto bound = insert.bind(run, record.step, record.parent, kind, instruction, moved.from, moved.to,
                                 before, after, mutation.encode(), outcome.kind != OutcomeKind::Illegal,
                                 to_string(outcome.kind), to_string(outcome.verdict), finite(record.reward),
                                 finite(outcome.log_speedup), finite(outcome.low), finite(outcome.high),
                                 finite(outcome.cost), outcome.pairs, record.accepted, record.best,
                                 record.repeated, record.schedule_hash.hex(), record.time_us, detail, samples,
                                 measured.device, measured.set_aside, measured.alpha, measured.energy_mj,
                                 measured.reference_energy_mj, measured.states);
        !bound)
        return bound;
    return insert.run();
}

Result<StepRecord> read_step(const sqlite::Statement& row) {
    StepRecord record;
    record.step = row.integer(0);
    record.parent = row.integer(1);
    const std::string where = "step " + std::to_string(record.step);
    if (const std::string edit = row.text(2); !edit.empty()) {
        auto mutation = Mutation::decode(edit);
        if (!mutation)
            return fail(ErrorCode::Corrupt, "the edit is unreadable: " + mutation.error().what, where);
        record.mutation = std::move(*mutation);
    }
    const auto hash = Hash128::from_hex(row.text(3));
    const auto kind = parse_outcome(row.text(4));
    const auto verdict = parse_verdict(row.text(5));
    if (!hash || !kind || !verdict)
        return fail(ErrorCode::Corrupt, "the row holds an unknown hash, outcome or verdict", where);
    record.schedule_hash = *hash;
    record.outcome.kind = *kind;
    record.outcome.verdict = *verdict;
    record.outcome.log_speedup = row.real(6);
    record.outcome.low = row.real(7);
    record.outcome.high = row.real(8);
    record.outcome.cost = row.real(9);
    record.outcome.pairs = static_cast<std::uint32_t>(row.integer(10));
    record.outcome.samples = decode_samples(row.blob(11));
    record.outcome.detail = row.text(12);
    record.reward = row.real(13);
    record.accepted = row.integer(14) != 0;
    record.best = row.integer(15) != 0;
    record.repeated = row.integer(16) != 0;
    record.time_us = row.integer(17);
    read_measured(row, 18, record.outcome);
    const Outcome& o = record.outcome;
    for (const double figure :
         {o.log_speedup, o.low, o.high, o.cost, record.reward, o.alpha, o.energy_mj, o.reference_energy_mj})
        if (!std::isfinite(figure)) return fail(ErrorCode::Corrupt, "a figure is not a number", where);
    return record;
}

}  // namespace cubinlab
