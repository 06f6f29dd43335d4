// SPDX-License-Identifier: GPL-3.0-or-later
// What the views show: live registers (against nvdisasm's life ranges), the difference of two schedules, the
// dependency graph.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "core/legality/dependency_graph.h"
#include "core/insight/liveness.h"
#include "core/insight/schedule_diff.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// One line a kernel: "FILE KERNEL: c0 c1 c2 ..." = live GPRs by instruction, from `nvdisasm -plr`; '-' where
// its listing has no line (trailing NOPs).
struct OracleLine {
    std::string file;
    std::string kernel;
    std::vector<int> counts;
};

std::vector<OracleLine> oracle() {
    std::ifstream in(CUBINLAB_TEST_DATA "/analysis/live_gprs.txt");
    REQUIRE(in);
    std::vector<OracleLine> lines;
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text[0] == '#') continue;
        std::istringstream words(text);
        OracleLine line;
        words >> line.file >> line.kernel;
        for (std::string count; words >> count;)
            line.counts.push_back(count == "-" ? -1 : std::stoi(count));
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("live registers agree with nvdisasm's life ranges") {
    std::size_t compared = 0;
    std::size_t different = 0;
    std::map<std::string, std::size_t> by_kernel;
    for (const OracleLine& line : oracle()) {
        const KernelPtr kernel = load_kernel(line.file, line.kernel);
        // Around calls nvdisasm marks every live register of the program; those kernels are left out.
        const auto& code = kernel->instructions();
        if (std::any_of(code.begin(), code.end(), [](const Instruction& i) {
                const std::string_view name = i.mnemonic;
                return name == "CALL" || name == "RET" || name == "BRX";
            }))
            continue;
        const Liveness live = compute_liveness(Schedule(kernel));
        for (Position p = 0; p < kernel->size() && p < line.counts.size(); ++p) {
            if (line.counts[p] < 0) continue;
            ++compared;
            if (live.gpr_count[p] == line.counts[p]) continue;
            ++by_kernel[line.file + " " + line.kernel];
            if (++different < 12 && kernel->name() != "k_cg")
                WARN(line.file << " " << line.kernel << " 0x" << std::hex << p * kWordBytes << std::dec
                               << ": ours " << live.gpr_count[p] << ", nvdisasm " << line.counts[p]);
        }
    }
    CHECK(compared > 5000);
    // In k_cg a guarded move is the first write of R15 on its path (0x05f0): for us the old value stays live
    // before it, for nvdisasm it does not.
    CHECK(by_kernel == std::map<std::string, std::size_t>{{"/cubins/k1.90a.cubin k_cg", 34}});
}

TEST_CASE("a register is live from its write to its last read") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const Liveness live = compute_liveness(Schedule(kernel));
    REQUIRE(live.before.size() == kernel->size());
    for (Position p = 0; p < kernel->size(); ++p)
        for (const Operand& o : kernel->instruction(p).operands)
            if (o.read && o.file == RegFile::Gpr)
                for (unsigned r = 0; r < o.count; ++r)
                    CHECK(live.before[p].gpr[o.first + r]);
    CHECK(live.gpr_count[live.peak_at] == live.peak);
    CHECK(live.peak <= kernel->info().registers);
}

TEST_CASE("occupancy steps: registers that a full and a half full SM allow") {
    // 65,536 registers in four quarters; 128 threads are four warps, one for each quarter.
    const auto steps = occupancy_steps(*Arch::parse("sm_90a"), 128);
    REQUIRE_FALSE(steps.empty());
    CHECK(steps.front().registers == 32);
    CHECK(steps.front().warps == 64);
    CHECK(steps.back().registers == 255);
    CHECK(steps.back().warps == 8);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        CHECK(steps[i].warps < steps[i - 1].warps);
        CHECK(steps[i].registers > steps[i - 1].registers);
    }
}

TEST_CASE("a schedule equals itself, one move marks one instruction") {
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    const Schedule original(kernel);
    ScheduleDiff diff = diff_schedules(original, original);
    CHECK(diff.moved == 0);
    CHECK(diff.control == 0);
    CHECK(diff.rows.size() == kernel->size());
    CHECK(diff.stall_cycles_left == diff.stall_cycles_right);
    const Block& block = kernel->flow().blocks[0];
    Schedule moved = original;
    moved.move(block.first + 3, block.first + 20);
    moved = with_stall(moved, block.first + 5, 9);
    diff = diff_schedules(original, moved);
    CHECK(diff.moved == 1);
    CHECK(diff.change[block.first + 3] == Change::Moved);
    CHECK(diff.control == 1);
    CHECK(diff.change[block.first + 5] == Change::Control);
    CHECK(diff.rows.size() == kernel->size() + 1);
}

TEST_CASE("the rows of a difference list both orders completely") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const Schedule original(kernel);
    Schedule shuffled = original;
    std::mt19937 random(3);
    for (int i = 0; i < 60; ++i) {
        const InstrId id = random() % kernel->size();
        const Block& block = kernel->flow().blocks[kernel->block_of(id)];
        shuffled.move(id, block.first + random() % block.count);
    }
    std::vector<InstrId> left;
    std::vector<InstrId> right;
    for (const AlignedRow& row : diff_schedules(original, shuffled).rows) {
        if (row.left != kNone) left.push_back(row.left);
        if (row.right != kNone) right.push_back(row.right);
        if (row.left != kNone && row.right != kNone) CHECK(row.left == row.right);
    }
    CHECK(left == original.order());
    CHECK(right == shuffled.order());
}

TEST_CASE("the graph of a block: edges forward, a critical path, every consumer reached") {
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    const Schedule original(kernel);
    for (BlockId b = 0; b < kernel->flow().blocks.size(); ++b) {
        const DependencyGraph graph = build_dependency_graph(original, b);
        REQUIRE(graph.nodes.size() == kernel->flow().blocks[b].count);
        for (const Dependence& d : graph.edges) {
            if (d.loop_carried) continue;
            CHECK(original.position_of(d.from) < original.position_of(d.to));
            CHECK(d.latency >= 1);
        }
        for (const int slack : graph.slack)
            CHECK(slack >= 0);
        if (graph.nodes.size() > 1) CHECK_FALSE(graph.critical_path.empty());
    }
}

TEST_CASE("arrows of one instruction: UISETP 0x0dd0 feeds PLOP3 0x0de0 by UP0") {
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    bool found = false;
    for (const Dependence& d : dependences_of(Schedule(kernel), at_offset(0x0dd0))) {
        if (d.from != at_offset(0x0dd0) || d.to != at_offset(0x0de0) || d.kind != DependenceKind::Raw)
            continue;
        found = true;
        CHECK(d.resource() == "UP0");
        CHECK(d.latency == 6);
        CHECK(d.distance == 6);
    }
    CHECK(found);
}

TEST_CASE("a result that the next round of a loop reads is an edge of its graph") {
    // bmm_mma's loop: UIADD3 UR4 at 0x0dc0 counts, and what it wrote a round ago is compared at 0x0d50.
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    const BlockId loop = kernel->block_of(at_offset(0x0dc0));
    bool counter = false;
    for (const Dependence& d : build_dependency_graph(Schedule(kernel), loop).edges)
        counter = counter || (d.loop_carried && d.from == at_offset(0x0dc0) && d.to == at_offset(0x0d50) &&
                              d.kind == DependenceKind::Raw && d.resource() == "UR4");
    CHECK(counter);
    for (const Dependence& d : build_dependency_graph(Schedule(kernel), loop, false).edges)
        CHECK_FALSE(d.loop_carried);
}
