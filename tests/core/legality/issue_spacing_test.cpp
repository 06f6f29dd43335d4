// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that no register asks for. The figures are those of compiled code: in 1,228 cubins of public projects no UMOV,
// ULDC, S2R, LDC, BAR or MEMBAR stands closer than 6 behind a BAR (5 on sm_75), arithmetic does at 1; NOP to USETMAXREG
// 8 in 162 of 162 places; the mask of a collective WARPSYNC 7 in 1,612 of 1,612.
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

bool is_bar(const Instruction& i) {
    return i.mnemonic == std::string_view("BAR");
}

bool goes_to_a_queue(std::string_view mnemonic) {
    for (const std::string_view name :
         {"UMOV", "ULDC", "S2R", "S2UR", "LDC", "MUFU", "BAR", "MEMBAR", "LDS", "LDG", "STS", "BRA", "EXIT"})
        if (mnemonic == name) return true;
    return false;
}

}  // namespace

TEST_CASE("nothing but arithmetic comes close behind a barrier: every stall that would let it is refused") {
    std::size_t shortened = 0, others = 0;
    for (const NamedKernel& named : all_kernels()) {
        const Kernel& kernel = *named.kernel;
        const CheckerPtr checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        const int floor = kernel.arch().sm < 80 ? 5 : 6;
        for (const Block& block : kernel.flow().blocks)
            for (InstrId bar = block.first; bar < block.end(); ++bar) {
                if (!is_bar(kernel.instruction(bar)) || original.control(bar).stall < floor) continue;
                const bool last = bar + 1 == block.end();
                if (!last && !goes_to_a_queue(kernel.instruction(bar + 1).mnemonic)) {
                    ++others;
                    continue;
                }
                ++shortened;
                for (int stall = 1; stall < floor; ++stall) {
                    INFO(named.file << " " << kernel.name() << " BAR " << bar * kWordBytes << " stall "
                                    << stall);
                    const Schedule changed = with_stall(original, bar, stall);
                    CHECK(has_rule(checker->check(changed), Rule::IssueFloor));
                    CHECK_FALSE(
                        checker->allows(original, Mutation::control(original, bar, changed.control(bar))));
                }
            }
    }
    CHECK(shortened > 50);
    CHECK(others > 10);
}

TEST_CASE("what goes to a queue is not moved close behind a barrier either") {
    std::size_t tried = 0, refused = 0;
    for (const NamedKernel& named : all_kernels()) {
        const CheckerPtr checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        const int floor = named.kernel->arch().sm < 80 ? 5 : 6;
        for (InstrId bar = 0; bar < named.kernel->size(); ++bar) {
            if (!is_bar(named.kernel->instruction(bar))) continue;
            const Block& block = named.kernel->flow().blocks[named.kernel->block_of(bar)];
            for (InstrId id = block.first; id < block.end(); ++id) {
                const std::string_view name = named.kernel->instruction(id).mnemonic;
                if (id == bar || named.kernel->pinned(id) ||
                    (name != "UMOV" && name != "S2R" && name != "LDC"))
                    continue;
                for (Position to = block.first; to < block.end(); ++to) {
                    if (to == id) continue;
                    const auto moved = Mutation::move_to(original, id, to).applied(original);
                    if (!moved || moved->position_of(id) <= moved->position_of(bar)) continue;
                    int have = 0, before = 0;
                    for (Position p = moved->position_of(bar); p < moved->position_of(id); ++p)
                        have += moved->control(moved->at(p)).stall;
                    for (InstrId i = bar; i < id; ++i)
                        before += original.control(i).stall;
                    if (have >= floor || (bar < id && before <= have)) continue;
                    ++tried;
                    INFO(named.file << " " << named.kernel->name() << " " << name << " " << id * kWordBytes
                                    << " to " << to);
                    CHECK_FALSE(checker->allows(original, Mutation::move_to(original, id, to)));
                    refused += has_rule(checker->check(*moved), Rule::IssueFloor) ? 1 : 0;
                }
            }
        }
    }
    CHECK(tried > 5);
    CHECK(refused > 0);
}

TEST_CASE("what stands in front of a change of the register count keeps its eight cycles") {
    // ptxas 13 ends a block with WARPSYNC there, 9 cycles ...
    const Bench b("/cubins/order.90a.cubin", "register_counts");
    std::vector<Word> words;
    for (const Instruction& i : b.kernel->instructions())
        words.push_back(i.word);
    std::size_t tried = 0;
    for (InstrId id = 1; id < b.kernel->size(); ++id) {
        if (b.name(id) != "USETMAXREG") continue;
        ++tried;
        REQUIRE(b.name(id - 1) == "WARPSYNC");
        REQUIRE(b.control(id - 1).stall == 9);
        CHECK(b.stall(id - 1, 8).empty());
        for (int stall = 1; stall < 8; ++stall)
            CHECK(has_rule(b.stall(id - 1, stall), Rule::IssueFloor));
        // ... and ptxas 12 puts a NOP in front of it, inside the block.
        ControlCode code = b.control(id - 1);
        words[id - 1] = code.encode_into({0x0000000000007918, 0});
    }
    CHECK(tried == 2);
    const auto with_nops = required(kernel_with_words(*b.kernel, words));
    const auto checker = *HazardChecker::create(*with_nops);
    const Schedule original(*with_nops);
    REQUIRE(checker->check(original).empty());
    std::size_t inside = 0;
    for (InstrId id = 1; id < (*with_nops)->size(); ++id) {
        if ((*with_nops)->instruction(id).mnemonic != std::string_view("USETMAXREG")) continue;
        if ((*with_nops)->block_of(id) != (*with_nops)->block_of(id - 1)) continue;
        ++inside;
        for (int stall = 1; stall < 8; ++stall) {
            const Schedule changed = with_stall(original, id - 1, stall);
            CHECK(has_rule(checker->check(changed), Rule::IssueFloor, id - 1, id));
            CHECK_FALSE(
                checker->allows(original, Mutation::control(original, id - 1, changed.control(id - 1))));
        }
        CHECK(checker->check(with_stall(original, id - 1, 8)).empty());
    }
    CHECK(inside > 0);
}

TEST_CASE("the mask of a collective WARPSYNC is there seven cycles after its MOV") {
    const Bench b("/gpu/tma_tensor.cubin");
    std::size_t tried = 0;
    for (InstrId id = 1; id < b.kernel->size(); ++id) {
        const Instruction& sync = b.kernel->instruction(id);
        if (b.name(id) != "WARPSYNC" || !sync.has(Trait::Branch) || !b.same_block(id - 1, id)) continue;
        if (!reads_written(*b.kernel, id - 1, id)) continue;
        REQUIRE(b.control(id - 1).stall == 7);
        ++tried;
        const Hazard h = only(b.stall(id - 1, 6), Rule::RawDistance);
        CHECK(h.need == 7);
        CHECK(h.have == 6);
        CHECK(b.stall(id - 1, 8).empty());
    }
    CHECK(tried > 0);
}
