// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/store/instruction_ranges.h"

namespace cubinlab {

const char* const kMachineColumns =
    "m.evaluator, m.device, m.unit, m.original_cost, m.timer_step_us, m.aa_spread, m.detectable, "
    "m.deterministic, m.json";

std::string run_rows(const std::string& which) {
    return fmt::format(
        "SELECT r.id, r.agent, r.settings, r.seed, r.budget, r.start_run, r.start_step, r.start_hash, "
        "r.started, r.version, r.end, {}, r.locked, k.instructions, r.batch "
        "FROM runs r JOIN machines m ON m.id = r.machine JOIN kernels k ON k.id = r.kernel {}",
        kMachineColumns, which);
}

EvaluatorInfo read_machine(const sqlite::Statement& row, int at) {
    EvaluatorInfo out;
    out.kind = row.text(at) == to_string(EvaluatorKind::Gpu) ? EvaluatorKind::Gpu : EvaluatorKind::Model;
    out.device = row.text(at + 1);
    out.unit = row.text(at + 2);
    // Whatever the file calls it: what the model made is shown as nothing else.
    if (out.kind == EvaluatorKind::Model) {
        if (!out.device.starts_with("SM model")) out.device = kNotItsDevice;
        out.unit = "modelled cycles";
    }
    out.original_cost = row.real(at + 3);
    out.timer_step_us = row.real(at + 4);
    out.aa_spread = row.real(at + 5);
    out.detectable = row.real(at + 6);
    out.deterministic = row.integer(at + 7) != 0;
    out.json = row.text(at + 8);
    return out;
}

Result<RunInfo> read_run(const sqlite::Statement& row) {
    RunInfo info;
    info.id = row.integer(0);
    info.agent = row.text(1);
    info.agent_settings = row.text(2);
    info.seed = static_cast<std::uint64_t>(row.integer(3));
    info.budget = row.text(4);
    info.start_run = row.integer(5);
    info.start_parent = row.integer(6);
    const auto hash = Hash128::from_hex(row.text(7));
    if (!hash) return fail(ErrorCode::Corrupt, "run " + std::to_string(info.id) + " has no start hash");
    info.start_hash = *hash;
    info.started = row.text(8);
    info.version = row.text(9);
    info.end = row.text(10);
    info.evaluator = read_machine(row, 11);
    const std::int64_t size = std::clamp<std::int64_t>(row.integer(21), 0, kMostLocked);
    const auto locked = ranges_from(row.text(20), static_cast<std::size_t>(size));
    if (!locked)
        return fail(ErrorCode::Corrupt,
                    "run " + std::to_string(info.id) +
                        " has unreadable locks: its column `locked` is not of the form \"3 7 12-15\", or "
                        "names instructions that the kernel does not have");
    info.locked = *locked;
    info.batch = static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.integer(22), 0, kMostBatch));
    return info;
}

}  // namespace cubinlab
