// SPDX-License-Identifier: GPL-3.0-or-later
// cubinlab_mine --table FILE.cubin ...      rows of core/analysis/seen_distances.inc
// cubinlab_mine --below FILE.cubin ...      those shorter than in seen_distances.inc, or not there:
//                                           rows of core/analysis/swept_distances.inc
// cubinlab_mine --overwrites FILE.cubin ... operands of queued instructions that are overwritten, and what
// waits
//                                           stand between: evidence for core/analysis/queue_order.cpp
// cubinlab_mine --pairs FILE.cubin ...      every kind of pair by mnemonics
// Tab-separated but for the rows. See pair_miner.h and mine.sh.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/analysis/latency.h"
#include "core/analysis/latency_classes.h"
#include "core/analysis/seen_distances.h"
#include "tests/sweep/pair_miner.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Figure {
    int minimum = 1 << 20;
    std::size_t at_minimum = 0;
    std::size_t count = 0;
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

std::map<std::pair<int, SeenKey>, Figure> table;
std::map<std::string, Figure> lines;

constexpr const char* kFiles[] = {"Gpr", "Pred", "UGpr", "UPred", "BReg"};

const char* kind_name(DependenceKind kind) {
    return kind == DependenceKind::Raw ? "Raw" : kind == DependenceKind::War ? "War" : "Waw";
}

void add_row(const Place& place, const MinedPair& p) {
    if (reg_file(p.reg) == RegFile::BReg) return;
    const Instruction& a = place.kernel.instruction(p.first);
    const Instruction& b = place.kernel.instruction(p.second);
    const bool waited = by_wait(place.kernel.arch(), p, a);
    if (waited && !keeps_distance_beside_wait(a)) return;
    const SeenKey key = seen_key(p.kind, a, a.operands[p.first_operand], b, b.operands[p.second_operand],
                                 reg_number(p.reg), waited);
    table[{table_generation(place.kernel.arch()), key}].add(p.cycles, place.text(p));
}

// What stands between, in words: "LDS.w STG.r" are instructions whose write or read barrier is waited for.
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

void add_overwrite(const Place& place, const MinedPair& p) {
    const Instruction& a = place.kernel.instruction(p.first);
    if (p.kind != DependenceKind::War || !completes_by_scoreboard(place.kernel.arch(), a)) return;
    if (!read_after_issue(a, reg_file(p.reg))) return;
    const Instruction& b = place.kernel.instruction(p.second);
    lines[fmt::format("{}\t{}\t{}\t{}\t{}", place.kernel.arch().sm, kFiles[static_cast<int>(reg_file(p.reg))],
                      a.mnemonic, completes_by_scoreboard(place.kernel.arch(), b) ? b.mnemonic : "fixed",
                      between(place.kernel, p))]
        .add(p.cycles, place.text(p));
}

void add_pair(const Place& place, const MinedPair& p) {
    const Instruction& a = place.kernel.instruction(p.first);
    const Instruction& b = place.kernel.instruction(p.second);
    const SeenKey key = seen_key(p.kind, a, a.operands[p.first_operand], b, b.operands[p.second_operand],
                                 reg_number(p.reg), by_wait(place.kernel.arch(), p, a));
    lines[fmt::format("{}\t{}\t{}\t{}/{}\t{}/{}\t{}", place.kernel.arch().sm, kind_name(p.kind),
                      kFiles[static_cast<int>(key.file)], to_string(key.first), a.mnemonic,
                      to_string(key.second), b.mnemonic, key.waited ? between(place.kernel, p) : "fixed")]
        .add(p.cycles, place.text(p));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const bool rows = what == "--table" || what == "--below";
    const auto add = rows ? add_row : what == "--overwrites" ? add_overwrite : add_pair;
    std::size_t kernels = 0, instructions = 0;
    for (int n = 2; n < argc; ++n) {
        const auto cubin = Cubin::open(argv[n]);
        if (!cubin || !(*cubin)->arch().editable()) continue;
        const std::string path = argv[n];
        for (const KernelInfo& info : (*cubin)->kernels()) {
            const auto kernel = Kernel::load(*cubin, info.name);
            if (!kernel) continue;
            ++kernels;
            instructions += (*kernel)->size();
            const Place place{**kernel, path.substr(path.rfind('/') + 1)};
            mine_pairs(**kernel, [&](const MinedPair& p) { add(place, p); });
        }
    }
    if (rows)
        fmt::print("// Generated by tests/sweep/mine.sh over {} kernels, {} instructions. Do not edit.\n",
                   kernels, instructions);
    for (const auto& [at, f] : table) {
        const auto& [generation, key] = at;
        if (f.minimum > kDistanceCap) continue;
        const SeenDistance* known = what == "--below" ? seen_distance(generation, key) : nullptr;
        if (known && known->cycles <= f.minimum) continue;
        fmt::print("{{{}, {{K::{}, F::{}, C::{}, C::{}, {}, {}}}, {}, {}, {}}},\n", generation,
                   kind_name(key.kind), kFiles[static_cast<int>(key.file)], to_string(key.first),
                   to_string(key.second), key.guarded, key.waited, f.minimum, f.at_minimum, f.count);
    }
    for (const auto& [key, f] : lines)
        fmt::print("{}\t{}\t{}\t{}\t{}\n", key, f.minimum, f.at_minimum, f.count, f.example);
}
