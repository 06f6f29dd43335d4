// SPDX-License-Identifier: GPL-3.0-or-later
// Flow graphs of hand-made code, worked out by hand, and of real kernels against their listings.
#include "core/schedule/flow_graph.h"

#include "core/base/file.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// A program by hand: each call adds one instruction.
class Program {
  public:
    Program& op(int count = 1) {
        for (int i = 0; i < count; ++i)
            add("IADD3", 0);
        return *this;
    }
    Program& nop() { return add("NOP", 0); }
    Program& bra(std::int64_t index) { return add("BRA", kEnd, index); }
    Program& bra_if(std::int64_t index) { return add("BRA", kEnd, index).guard(); }
    Program& exit() { return add("EXIT", kEnd); }
    Program& exit_if() { return add("EXIT", kEnd).guard(); }
    Program& call(std::int64_t index) { return add("CALL", kEnd, index); }
    Program& ret() { return add("RET", kEnd); }
    Program& brx() { return add("BRX", kEnd); }
    Program& warpsync() { return add("WARPSYNC", kEnd); }
    Program& bssy(unsigned reg, std::int64_t index) { return add("BSSY", 0, index).barrier(reg); }
    Program& bsync(unsigned reg) { return add("BSYNC", kEnd).barrier(reg); }

    FlowGraph graph(const FlowHints& hints = {}) const { return build_flow_graph(code_, hints); }

  private:
    static constexpr auto kEnd = static_cast<std::uint32_t>(Trait::Terminator);
    Program& add(const char* mnemonic, std::uint32_t traits, std::int64_t target = -1) {
        Instruction i;
        i.mnemonic = mnemonic;
        i.traits = traits;
        i.branch_target = target < 0 ? -1 : target * 16;
        code_.push_back(i);
        return *this;
    }
    Program& guard() {
        code_.back().guard = 0;
        return *this;
    }
    Program& barrier(unsigned reg) {
        code_.back().word.lo = std::uint64_t{reg} << 16;
        return *this;
    }
    std::vector<Instruction> code_;
};

std::vector<Position> starts(const FlowGraph& g) {
    std::vector<Position> out;
    for (const Block& b : g.blocks)
        out.push_back(b.first);
    return out;
}

using Starts = std::vector<Position>;
using Blocks = std::vector<BlockId>;

std::vector<BlockId> sorted(std::vector<BlockId> blocks) {
    std::sort(blocks.begin(), blocks.end());
    return blocks;
}

}  // namespace

TEST_CASE("straight code with a self-branch and padding") {
    const FlowGraph g = Program().op(3).exit().bra(4).nop().nop().graph();
    CHECK(starts(g) == Starts{0, 4, 5});
    CHECK(g.blocks[0].successors.empty());
    CHECK(g.blocks[0].unknown_predecessors);
    CHECK(g.blocks[1].successors == Blocks{1});
    CHECK(g.blocks[2].predecessors.empty());
    CHECK(g.block_of == Blocks{0, 0, 0, 0, 1, 2, 2});
    CHECK(g.blocks[1].loop_depth == 0);  // never reached, so no loop of the kernel
}

TEST_CASE("an if, a guarded exit and the label after them") {
    // 0 op, 1 @P bra 4, 2 op, 3 @P exit, 4 op, 5 exit
    const FlowGraph g = Program().op().bra_if(4).op().exit_if().op().exit().graph();
    CHECK(starts(g) == Starts{0, 2, 4});
    CHECK(sorted(g.blocks[0].successors) == Blocks{1, 2});
    CHECK(g.blocks[1].successors == Blocks{2});
    CHECK(sorted(g.blocks[2].predecessors) == Blocks{0, 1});
    CHECK(g.blocks[2].successors.empty());
}

TEST_CASE("nested loops: depth and innermost header") {
    // 0 op | 1 op | 2 op 3 @P bra 2 | 4 op 5 @P bra 1 | 6 exit
    const FlowGraph g = Program().op().op().op().bra_if(2).op().bra_if(1).exit().graph();
    CHECK(starts(g) == Starts{0, 1, 2, 4, 6});
    CHECK(g.blocks[0].loop_depth == 0);
    CHECK(g.blocks[1].loop_depth == 1);
    CHECK(g.blocks[1].loop_header == 1);
    CHECK(g.blocks[2].loop_depth == 2);
    CHECK(g.blocks[2].loop_header == 2);
    CHECK(g.blocks[3].loop_depth == 1);
    CHECK(g.blocks[3].loop_header == 1);
    CHECK(g.blocks[4].loop_depth == 0);
    CHECK(g.blocks[4].loop_header == kNone);
    CHECK(g.back_edges == std::vector<std::pair<BlockId, BlockId>>{{2, 2}, {3, 1}});
}

TEST_CASE("BSYNC goes to the target of the BSSY that reaches it, not to another of the same register") {
    // 0 bssy B0,4 | 1 @P bra 3 | 2 op | 3 bsync B0 | 4 bssy B0,8 | 5 @P bra 7 | 6 op | 7 bsync B0 | 8 exit
    const FlowGraph g =
        Program().bssy(0, 4).bra_if(3).op().bsync(0).bssy(0, 8).bra_if(7).op().bsync(0).exit().graph();
    CHECK(starts(g) == Starts{0, 2, 3, 4, 6, 7, 8});
    CHECK(g.blocks[2].successors == Blocks{3});
    CHECK(g.blocks[5].successors == Blocks{6});
    CHECK_FALSE(g.blocks[2].unknown_successors);
}

TEST_CASE("a BSYNC away from its target goes there, or falls through") {
    // 0 bssy B1,5 | 1 @P bra 4 | 2 bsync B1 | 3 exit | 4 bsync B1 | 5 exit
    const FlowGraph g = Program().bssy(1, 5).bra_if(4).bsync(1).exit().bsync(1).exit().graph();
    CHECK(starts(g) == Starts{0, 2, 3, 4, 5});
    CHECK(sorted(g.blocks[1].successors) == Blocks{2, 4});
    CHECK(g.blocks[3].successors == Blocks{4});
}

TEST_CASE("a call leaves to the callee, and the word after it is reached from a return") {
    // 0 op 1 call 4 | 2 op 3 exit | 4 op 5 ret
    const FlowGraph g = Program().op().call(4).op().exit().op().ret().graph();
    CHECK(starts(g) == Starts{0, 2, 4});
    CHECK(g.blocks[0].successors == Blocks{2});
    CHECK_FALSE(g.blocks[0].unknown_successors);
    CHECK(g.blocks[1].unknown_predecessors);
    CHECK(g.blocks[2].unknown_successors);
    CHECK_FALSE(g.blocks[2].unknown_predecessors);
}

TEST_CASE("a loop round a call is a loop") {
    // 0 op | 1 call 4 | 2 @P bra 1 | 3 exit | 4 ret
    const FlowGraph g = Program().op().call(4).bra_if(1).exit().ret().graph();
    REQUIRE(starts(g) == Starts{0, 1, 2, 3, 4});
    CHECK(g.blocks[1].loop_depth == 1);
    CHECK(g.blocks[2].loop_depth == 1);
    CHECK(g.blocks[3].loop_depth == 0);
}

TEST_CASE("an indirect branch with and without its list") {
    // 0 op 1 brx | 2 exit | 3 op 4 exit
    const Program program = Program().op().brx().exit().op().exit();
    const FlowGraph listed = program.graph({{2 * 16, 3 * 16}, {{1 * 16, {2 * 16, 3 * 16}}}, {}});
    CHECK(listed.blocks[0].successors == Blocks{1, 2});
    CHECK_FALSE(listed.blocks[0].unknown_successors);
    CHECK_FALSE(listed.blocks[1].unknown_predecessors);
    const FlowGraph unlisted = program.graph({{3 * 16}, {}, {}});
    CHECK(unlisted.blocks[0].unknown_successors);
    CHECK(unlisted.blocks[0].successors == Blocks{2});
    CHECK(unlisted.blocks[2].unknown_predecessors);
}

TEST_CASE("branches out of the code are unknown, hostile targets do no harm") {
    const FlowGraph g = Program().bra(1000).op().bra_if(1).op().graph();
    CHECK(g.blocks[0].unknown_successors);
    CHECK(g.blocks[0].successors.empty());
    CHECK(g.blocks.back().unknown_successors);  // runs off the end
    CHECK(build_flow_graph({}, FlowHints{}).blocks.empty());
}

TEST_CASE("in every kernel the blocks cover the code, edges agree both ways, ends are where they must be") {
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        const FlowGraph& g = kernel->flow();
        Position next = 0;
        for (BlockId b = 0; b < g.blocks.size(); ++b) {
            REQUIRE(g.blocks[b].first == next);
            REQUIRE(g.blocks[b].count > 0);
            next = g.blocks[b].end();
            for (const BlockId to : g.blocks[b].successors) {
                const Blocks& back = g.blocks[to].predecessors;
                CHECK(std::count(back.begin(), back.end(), b) == 1);
            }
            for (Position p = g.blocks[b].first; p < g.blocks[b].end(); ++p) {
                CHECK(g.block_of[p] == b);
                if (p + 1 < g.blocks[b].end()) CHECK_FALSE(kernel->instruction(p).has(Trait::Terminator));
            }
        }
        REQUIRE(next == kernel->size());
    }
}

TEST_CASE(
    "every label of a sample's listing starts a block, and every other block starts behind a block end") {
    // The listings come from nvdisasm, whose labels are the targets of branches.
    int labels_seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().extension() != ".listing") continue;
        INFO(entry.path().string());
        auto path = entry.path();
        const KernelPtr kernel = load_kernel(path.replace_extension(".cubin"));
        const auto text = required(read_text(entry.path()));
        std::vector<bool> label(kernel->size() + 1, false);
        for (std::size_t at = text->find(".L_x_"); at != std::string::npos;
             at = text->find(".L_x_", at + 1)) {
            const std::size_t offset = std::stoul(text->substr(at + 5, 8), nullptr, 16);
            REQUIRE(offset / kWordBytes < kernel->size());
            label[offset / kWordBytes] = true;
            ++labels_seen;
        }
        for (const Block& block : kernel->flow().blocks) {
            if (block.first == 0) continue;
            CHECK((label[block.first] || kernel->instruction(block.first - 1).has(Trait::Terminator)));
        }
        for (Position p = 0; p < kernel->size(); ++p)
            if (label[p]) CHECK(kernel->flow().blocks[kernel->block_of(p)].first == p);
    }
    CHECK(labels_seen >= 26);
}

TEST_CASE("the main loop of bmm_mma") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const FlowGraph& g = kernel->flow();
    REQUIRE(g.back_edges.size() == 1);
    CHECK(g.blocks[g.back_edges[0].first].first == 0xd10 / 16);  // one block that branches to itself
    CHECK(g.back_edges[0].first == g.back_edges[0].second);
    CHECK(g.blocks[g.back_edges[0].first].end() == 0x13e0 / 16);
    CHECK(g.blocks[g.back_edges[0].first].loop_depth == 1);
}

TEST_CASE("BRA.DIV and BRA.CONV go on behind them although nothing but the lanes decides") {
    for (const char* name : {"divergent.75", "divergent.86", "divergent.90"}) {
        const KernelPtr kernel = load_kernel(test::data(name));
        std::size_t asked = 0;
        for (InstrId id = 0; id + 1 < kernel->size(); ++id) {
            const Instruction& i = kernel->instruction(id);
            if (i.opcode != 0x947 || i.word.bits(32, 2) < 2) continue;
            INFO(name << " " << id);
            ++asked;
            CHECK_FALSE(i.guarded());
            const auto& next = kernel->flow().blocks[kernel->block_of(id)].successors;
            CHECK(next.size() == 2);
            CHECK(std::find(next.begin(), next.end(), kernel->block_of(id + 1)) != next.end());
        }
        CHECK(asked > 0);
    }
}

TEST_CASE("a table of 60,000 jumps: each target once, too many guesses are code that is not known") {
    Program program;
    FlowHints listed, unlisted;
    IndirectBranch branch{16, {}};
    program.op().brx();
    for (std::uint32_t n = 0; n < 60'000; ++n) {
        program.exit();
        branch.targets.push_back((2 + n) * 16);
        branch.targets.push_back((2 + n / 2) * 16);
    }
    listed.indirect_branches.push_back(branch);
    const FlowGraph g = program.graph(listed);
    CHECK(g.blocks[0].successors.size() == 60'000);
    CHECK(!g.blocks[0].unknown_successors);
    // 2,000 branches to any of 2,000 places.
    Program many;
    for (std::uint32_t n = 0; n < 2'000; ++n) {
        many.brx();
        unlisted.indirect_targets.push_back(n * 16);
    }
    const FlowGraph guessed = many.graph(unlisted);
    std::size_t edges = 0;
    for (const Block& block : guessed.blocks) {
        edges += block.successors.size();
        CHECK((block.unknown_successors && block.unknown_predecessors));
    }
    CHECK(edges <= 1'000'000);
}

TEST_CASE("padding behind the last branch is not reachable, nor the branch to itself before it") {
    // 0 1 EXIT | BRA 3 | NOP NOP
    const FlowGraph g = Program().op(2).exit().bra(3).nop().nop().graph();
    CHECK(starts(g) == std::vector<Position>{0, 3, 4});
    CHECK(reachable_blocks(g) == std::vector<bool>{true, false, false});
}

TEST_CASE("both sides of a branch, a callee and the word behind its call are reachable") {
    // 0 @P BRA 3 | 2 EXIT | 3 CALL 6 | 4 EXIT | 5 NOP | 6 RET
    const FlowGraph g = Program().op().bra_if(3).exit().call(6).exit().nop().ret().graph();
    const std::vector<bool> reachable = reachable_blocks(g);
    for (BlockId b = 0; b < g.blocks.size(); ++b)
        CHECK(reachable[b] == (g.blocks[b].first != 5));
}

TEST_CASE("behind a jump to somewhere, every place that may be a target is reachable") {
    // 0 BRX | 2 EXIT (a target) | 3 EXIT
    FlowHints hints;
    hints.indirect_targets = {2 * 16};
    const FlowGraph g = Program().op().brx().exit().exit().graph(hints);
    CHECK(reachable_blocks(g) == std::vector<bool>{true, true, false});
}
