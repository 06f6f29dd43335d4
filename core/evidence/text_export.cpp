// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/text_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/number_of.h"
#include "core/insight/instruction_text.h"
#include "core/insight/schedule_diff.h"

namespace cubinlab {
namespace {

constexpr std::size_t kContext = 3;  // unchanged lines around a change

std::string row(const Schedule& schedule, InstrId id, std::span<const std::string> lines) {
    return fmt::format("{:04x}  {}  {}", schedule.position_of(id) * kWordBytes, schedule.control(id).text(),
                       instruction_text(schedule, id, lines));
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

struct DiffLine {
    char mark = ' ';
    BlockId block = 0;
    std::string text;
};

// The left side's fields that differ; empty: none.
std::string fields_before(const Schedule& left, const Schedule& right, InstrId id) {
    std::string out;
    for (const FieldKind* kind : kFieldKinds) {
        const FieldBits before = left.field(*kind, id);
        if (before == right.field(*kind, id)) continue;
        out += (out.empty() ? "" : ", ") +
               (kind == &kControlField ? left.control(id).text() : kind->text(before));
    }
    return out;
}

std::vector<DiffLine> diff_lines(const Schedule& left, const Schedule& right,
                                 std::span<const std::string> lines) {
    const ScheduleDiff diff = diff_schedules(left, right);
    std::vector<DiffLine> out;
    for (const AlignedRow& aligned : diff.rows) {
        const InstrId id = aligned.left != kNone ? aligned.left : aligned.right;
        const BlockId block = left.kernel()->block_of(id);
        if (aligned.left != kNone && aligned.right != kNone) {
            const std::string was = fields_before(left, right, id);
            out.push_back({was.empty() ? ' ' : '~', block, row(right, id, lines)});
            if (!was.empty()) out.back().text += "   (was " + was + ")";
        } else if (aligned.left != kNone) {
            out.push_back({'-', block, row(left, id, lines)});
        } else {
            out.push_back({'+', block, row(right, id, lines)});
        }
    }
    return out;
}

}  // namespace

std::string block_line(const Kernel& kernel, BlockId id) {
    const Block& block = kernel.flow().blocks[id];
    std::string to;
    for (const BlockId successor : block.successors)
        to += fmt::format(" B{}", successor);
    if (block.unknown_successors) to += " ?";
    return fmt::format("B{}:{}{}", id,
                       block.loop_depth != 0 ? fmt::format("  loop depth {}", block.loop_depth) : "",
                       to.empty() ? "" : "  ->" + to);
}

std::string listing_text(const Schedule& schedule, std::span<const std::string> lines) {
    const Kernel& kernel = *schedule.kernel();
    std::string text = fmt::format("{} ({}), {}\n", kernel.name(), kernel.arch().name(),
                                   number_of(kernel.size(), "instruction"));
    for (Position p = 0; p < schedule.size(); ++p) {
        const InstrId id = schedule.at(p);
        const BlockId block = kernel.block_of(id);
        if (kernel.flow().blocks[block].first == p) text += block_line(kernel, block) + "\n";
        text += "  " + row(schedule, id, lines) + "\n";
    }
    return text;
}

std::string diff_text(const Schedule& left, const Schedule& right, std::span<const std::string> lines,
                      const std::string& left_name, const std::string& right_name) {
    const std::vector<DiffLine> all = diff_lines(left, right, lines);
    const ScheduleDiff diff = diff_schedules(left, right);
    std::string text =
        fmt::format("--- {}\n+++ {}\n# {}: {} moved, {} control codes changed; stall cycles {} -> {}\n",
                    left_name, right_name, left.kernel()->name(), diff.moved, diff.control,
                    diff.stall_cycles_left, diff.stall_cycles_right);
    std::vector<bool> shown(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].mark != ' ')
            for (std::size_t k = i > kContext ? i - kContext : 0; k < std::min(all.size(), i + kContext + 1);
                 ++k)
                shown[k] = true;
    bool gap = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!shown[i]) {
            gap = true;
            continue;
        }
        if (gap) text += "@@ " + block_line(*left.kernel(), all[i].block) + " @@\n";
        gap = false;
        text += fmt::format("{} {}\n", all[i].mark, all[i].text);
    }
    return text;
}

std::string mutation_csv_header() {
    return "step,parent,time_us,kind,offset,edit,encoded,outcome,verdict,log_speedup,low,high,cost,unit,"
           "evaluator,pairs,"
           "reward,accepted,best,repeated,schedule_hash,detail\r\n";
}

std::string mutation_csv_row(const Kernel& kernel, const StepRecord& r, const EvaluatorInfo& evaluator) {
    const InstrId id = r.mutation.instr();
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{},{},{},{:.9g},{},{},{},{},{}\r\n", r.step,
        r.parent, r.time_us, to_string(r.mutation.kind()),
        id == kNone ? std::string{} : fmt::format("0x{:04x}", id * kWordBytes),
        csv_field(r.mutation.text(kernel)), csv_field(r.mutation.encode()), to_string(r.outcome.kind),
        verdict_text(evaluator.kind, r.outcome), r.outcome.speedup.log, r.outcome.speedup.low,
        r.outcome.speedup.high, r.outcome.cost, csv_field(evaluator.unit), to_string(evaluator.kind),
        r.outcome.pairs, r.reward, r.accepted ? 1 : 0, r.best ? 1 : 0, r.repeated ? 1 : 0,
        r.schedule_hash.hex(), csv_field(r.outcome.detail));
}

}  // namespace cubinlab
