// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab mine`: prints what a compiler's schedules keep (app/lab/mine/pair_miner.h), tab-separated
// except the rows of the checker's tables, which app/lab/scripts/mine.sh generates.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/cli/base/output.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/mine/pair_miner.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/tables/observed_distances.h"

namespace cubinlab::cli {
namespace {

struct Figure {
    int minimum = 1 << 20;
    std::size_t at_minimum = 0;
    std::size_t count = 0;
    bool refused = false;  // absolute mode requires more in some place
    std::string example;

    void add(int cycles, const std::string& where) {
        ++count;
        if (cycles < minimum) {
            minimum = cycles;
            at_minimum = 0;
            example = where;
        }
        at_minimum += cycles == minimum;
    }
};

struct Place {
    const Kernel& kernel;
    std::string file;
    std::string text(const MinedPair& p) const {
        return fmt::format("{}:{}:{:x}->{:x}", file, kernel.name(), p.first * 16, p.second * 16);
    }
};

struct Mined {
    std::map<std::pair<int, ObservedKey>, Figure> table;
    std::map<std::string, Figure> lines;
    std::size_t kernels = 0, instructions = 0;
};

constexpr const char* kFiles[] = {"Gpr", "Pred", "UGpr", "UPred", "BReg"};

const char* kind_name(DependenceKind kind) {
    return kind == DependenceKind::Raw ? "Raw" : kind == DependenceKind::War ? "War" : "Waw";
}

int asked(const Arch& arch, const MinedPair& p, const Instruction& a, const Instruction& b, bool waited) {
    const Operand &first = a.operands[p.first_operand], &second = b.operands[p.second_operand];
    const unsigned reg = reg_number(p.reg);
    if (waited) return distance_with_wait(arch, p.kind, a, first, b, second, reg, CheckMode::Absolute);
    return required_distance(arch, p.kind, a, first, b, second, reg, CheckMode::Absolute).value_or(0);
}

void add_row(Mined& mined, const Place& place, const MinedPair& p) {
    if (reg_file(p.reg) == RegFile::BReg) return;
    const Instruction& a = place.kernel.instruction(p.first);
    const Instruction& b = place.kernel.instruction(p.second);
    const bool waited = by_wait(place.kernel.arch(), p, a);
    if (waited && !keeps_distance_with_wait(a)) return;
    const ObservedKey key = observed_key(p.kind, a, a.operands[p.first_operand], b,
                                         b.operands[p.second_operand], reg_number(p.reg), waited);
    Figure& row = mined.table[{table_generation(place.kernel.arch()), key}];
    row.add(p.cycles, place.text(p));
    row.refused = row.refused || p.cycles < asked(place.kernel.arch(), p, a, b, waited);
}

// The waits in between as text: in "LDS.w STG.r" there are waits for the write and read barriers of these.
std::string between(const Kernel& kernel, const MinedPair& p) {
    std::string text = p.between == Between::OwnWait ? "own" : p.between == Between::Nothing ? "nothing" : "";
    std::vector<std::string> names;
    for (const InstrId s : p.setters) {
        const Instruction& i = kernel.instruction(s);
        names.push_back(fmt::format("{}{}", i.mnemonic, i.control().write_barrier < 6 ? ".w" : ".r"));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text + (p.barrier_between && p.between != Between::OwnWait ? " BAR" : "");
}

void add_overwrite(Mined& mined, const Place& place, const MinedPair& p) {
    const Instruction& a = place.kernel.instruction(p.first);
    if (p.kind != DependenceKind::War || !completes_by_scoreboard(place.kernel.arch(), a)) return;
    if (!read_after_issue(a, reg_file(p.reg))) return;
    const Instruction& b = place.kernel.instruction(p.second);
    mined
        .lines[fmt::format("{}\t{}\t{}\t{}\t{}", place.kernel.arch().sm,
                           kFiles[static_cast<int>(reg_file(p.reg))], a.mnemonic,
                           completes_by_scoreboard(place.kernel.arch(), b) ? b.mnemonic : "fixed",
                           between(place.kernel, p))]
        .add(p.cycles, place.text(p));
}

void add_pair(Mined& mined, const Place& place, const MinedPair& p) {
    const Instruction& a = place.kernel.instruction(p.first);
    const Instruction& b = place.kernel.instruction(p.second);
    const ObservedKey key =
        observed_key(p.kind, a, a.operands[p.first_operand], b, b.operands[p.second_operand],
                     reg_number(p.reg), by_wait(place.kernel.arch(), p, a));
    mined
        .lines[fmt::format("{}\t{}\t{}\t{}/{}\t{}/{}\t{}", place.kernel.arch().sm, kind_name(p.kind),
                           kFiles[static_cast<int>(key.file)], to_string(key.first), a.mnemonic,
                           to_string(key.second), b.mnemonic,
                           key.waited ? between(place.kernel, p) : "fixed")]
        .add(p.cycles, place.text(p));
}

void print_table(const Mined& mined, bool only_below) {
    print_line(
        fmt::format("// Generated by app/lab/scripts/mine.sh over {} kernels, {} instructions. Do not edit.",
                    mined.kernels, mined.instructions));
    for (const auto& [at, f] : mined.table) {
        const auto& [generation, key] = at;
        if (f.minimum > kDistanceCap) continue;
        if (only_below && !f.refused) continue;
        print_line(fmt::format("{{{}, {{K::{}, F::{}, C::{}, C::{}, {}, {}}}, {}, {}, {}}},", generation,
                               kind_name(key.kind), kFiles[static_cast<int>(key.file)], to_string(key.first),
                               to_string(key.second), key.guarded, key.waited, f.minimum, f.at_minimum,
                               f.count));
    }
}

}  // namespace

int run_mine(const MineOptions& options) {
    if (options.table + options.below + options.overwrites + options.pairs != 1)
        return print_error(
            {ErrorCode::BadUse, "needs one of --table, --below, --overwrites, --pairs", "mine"}, false);
    const bool rows = options.table || options.below;
    const auto add = rows ? add_row : options.overwrites ? add_overwrite : add_pair;
    Mined mined;
    for (const std::string& file : options.files) {
        const auto cubin = Cubin::open(file);
        if (!cubin || !(*cubin)->arch().editable()) continue;
        for (const KernelInfo& info : (*cubin)->kernels()) {
            const auto kernel = Kernel::load(*cubin, info.name);
            if (!kernel) continue;
            ++mined.kernels;
            mined.instructions += (*kernel)->size();
            const Place place{**kernel, file.substr(file.rfind('/') + 1)};
            mine_pairs(**kernel, [&](const MinedPair& p) { add(mined, place, p); });
        }
    }
    if (rows) print_table(mined, options.below);
    for (const auto& [key, f] : mined.lines)
        fmt::print("{}\t{}\t{}\t{}\t{}\n", key, f.minimum, f.at_minimum, f.count, printable(f.example));
    return 0;
}

}  // namespace cubinlab::cli
