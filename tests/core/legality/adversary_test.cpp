// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules made to slip through: each is illegal for a reason that a checker easily misses, and beside it
// stands one that comes close and is legal.
#include <algorithm>
#include <cstring>
#include <map>

#include "core/legality/register_access.h"
#include "core/legality/tables/latency_classes.h"
#include "core/sass/decoder.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Seen {
    std::size_t refused = 0;
    std::string text;
};

// The same file with one word of its kernel replaced.
KernelPtr with_word(const std::string& path, InstrId id, const Word& word) {
    const auto cubin = open_cubin(path);
    const KernelInfo& info = cubin->kernels().front();
    std::vector<std::byte> bytes(cubin->bytes().begin(), cubin->bytes().end());
    const Word old = cubin->code(info)[id];
    std::byte* at = bytes.data() + info.code_offset + id * kWordBytes;
    REQUIRE(std::memcmp(at, &old, sizeof old) == 0);
    std::memcpy(at, &word, sizeof word);
    auto opened = required(Cubin::parse(std::move(bytes), path));
    auto kernel = required(Kernel::load(*opened, info.name));
    return *kernel;
}

Word with_control(const Word& word, const std::function<void(ControlCode&)>& change) {
    ControlCode code = ControlCode::decode(word);
    change(code);
    return code.encode_into(word);
}

}  // namespace

TEST_CASE("every distance rule: one cycle less is refused with its figures, one more is legal") {
    std::map<Rule, Seen> seen;
    for (const NamedKernel& named : all_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        for (InstrId id = 0; id < named.kernel->size(); ++id) {
            const int stall = original.control(id).stall;
            if (stall < 2 || stall > 10) continue;
            const Legality found = checker->check(with_stall(original, id, stall - 1));
            for (const Hazard& h : found) {
                Seen& s = seen[h.rule];
                if (s.refused++ > 2) continue;
                s.text = h.explanation;
                INFO(named.file << ": " << h.explanation);
                if (h.need == 0 || h.rule == Rule::StallYield) continue;  // held pairs, yield
                CHECK(h.have == h.need - 1);
                if (h.later != kNone && h.earlier != kNone)
                    CHECK(h.explanation.find(named.kernel->instruction(h.earlier).mnemonic) !=
                          std::string::npos);
                CHECK(h.explanation.find("raise") != std::string::npos);
                CHECK(checker->check(with_stall(original, id, stall + 1)).empty());
            }
        }
        if (seen.size() > 6 && seen[Rule::WawDistance].refused > 2) break;
    }
    for (const Rule rule :
         {Rule::RawDistance, Rule::WarDistance, Rule::WawDistance, Rule::SetToWait, Rule::IssueFloor}) {
        INFO(to_string(rule));
        CHECK(seen[rule].refused > 0);
    }
}

TEST_CASE("distances over block edges, loops among them") {
    std::size_t edges = 0, rounds = 0;
    for (const NamedKernel& named : all_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        for (InstrId id = 0; id < named.kernel->size() && rounds < 3; ++id) {
            // Everything from here to the end of the block as fast as it goes.
            const Block& block = named.kernel->flow().blocks[named.kernel->block_of(id)];
            if (id + 6 < block.end()) continue;
            Schedule fast = original;
            for (InstrId other = id; other < block.end(); ++other) {
                ControlCode code = original.control(other);
                code.stall = std::min<std::uint8_t>(code.stall, 1);
                code.yield = false;
                fast.set_control(other, code);
            }
            for (const Hazard& h : checker->check(fast)) {
                const bool distance =
                    h.rule == Rule::RawDistance || h.rule == Rule::WarDistance || h.rule == Rule::WawDistance;
                if (!distance || h.earlier == kNone || h.later == kNone) continue;
                if (named.kernel->block_of(h.earlier) == named.kernel->block_of(h.later) &&
                    h.later > h.earlier)
                    continue;
                ++(h.later <= h.earlier ? rounds : edges);
                CHECK(h.have < h.need);
            }
        }
    }
    CHECK(edges > 0);
    CHECK(rounds > 0);
}

TEST_CASE("a wait moved one instruction past the consumer, and one before it") {
    const Bench b("bmm_mma.cubin");
    std::size_t late = 0, early = 0;
    for (InstrId id = 1; id + 1 < b.kernel->size(); ++id) {
        const std::uint8_t mask = b.control(id).wait_mask;
        if (mask == 0 || !b.same_block(id - 1, id + 1) || b.kernel->instruction(id).unit == Unit::Depbar)
            continue;
        const auto waits_at = [&](InstrId other) {
            Schedule s = b.original;
            ControlCode from = b.control(id), to = b.control(other);
            from.wait_mask = 0;
            to.wait_mask = static_cast<std::uint8_t>(to.wait_mask | mask);
            s.set_control(id, from);
            s.set_control(other, to);
            return b.checker->check(s);
        };
        const Legality past = waits_at(id + 1);
        if (has_rule(past, Rule::RawScoreboard) || has_rule(past, Rule::WarScoreboard) ||
            has_rule(past, Rule::WawScoreboard))
            ++late;
        if (waits_at(id - 1).empty()) ++early;
    }
    CHECK(late > 10);
    CHECK(early > 3);
}

TEST_CASE("an operand's read barrier: the wait before it is overwritten may not go") {
    std::size_t found = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Bench b(named.file);
        for (InstrId id = 0; id < b.kernel->size() && found < 5; ++id) {
            if (b.control(id).wait_mask == 0) continue;
            const Legality gone = b.edit(id, [](ControlCode& c) { c.wait_mask = 0; });
            if (!has_rule(gone, Rule::WarScoreboard)) continue;
            ++found;
            const Hazard& h = only(gone, Rule::WarScoreboard);
            CHECK(h.explanation.find("may not have read") != std::string::npos);
            CHECK_FALSE(has_rule(b.edit(id, [](ControlCode& c) { c.wait_mask = 63; }), Rule::WarScoreboard));
        }
    }
    CHECK(found > 0);
}

TEST_CASE("a barrier given to another slot without its waits, and with them") {
    const Bench b("softmax.cubin");
    const InstrId load = b.find([&](InstrId id) { return b.name(id) == "LDG"; });
    const std::uint8_t own = b.control(load).write_barrier;
    const std::uint8_t other = own == 0 ? 1 : 0;
    CHECK(has_rule(b.edit(load, [&](ControlCode& c) { c.write_barrier = other; }), Rule::RawScoreboard));
    Schedule both = b.original;
    ControlCode code = b.control(load);
    code.write_barrier = other;
    both.set_control(load, code);
    for (InstrId id = load + 1; id < b.kernel->size(); ++id) {
        code = b.control(id);
        code.wait_mask = static_cast<std::uint8_t>(code.wait_mask | 1u << other);
        if ((b.control(id).wait_mask >> own & 1) != 0) both.set_control(id, code);
    }
    CHECK(b.checker->check(both).empty());
}

TEST_CASE("stalls in front of and behind a word that is not decoded keep the original's distance") {
    const Bench b(with_unknown_fetches(load_kernel("/cubins/sweep.tex3d.sm_75.cubin")));
    std::size_t held = 0;
    for (InstrId id = 0; id + 1 < b.kernel->size(); ++id) {
        const bool beside = b.kernel->instruction(id + 1).has(Trait::UnknownOpcode);
        const int stall = b.control(id).stall;
        if (!beside || b.kernel->instruction(id).has(Trait::UnknownOpcode) || stall < 2 || stall > 10)
            continue;
        const Legality lower = b.stall(id, stall - 1);
        if (has_rule(lower, Rule::RawDistance) || has_rule(lower, Rule::WarDistance) ||
            has_rule(lower, Rule::WawDistance))
            ++held;
        CHECK(b.stall(id, stall + 1).empty());
    }
    CHECK(held > 0);
    // Its results: the wait for its barrier stays.
    const InstrId tex = b.find([&](InstrId id) {
        return b.kernel->instruction(id).has(Trait::UnknownOpcode) && b.control(id).write_barrier < 6;
    });
    const int slot = b.control(tex).write_barrier;
    const InstrId waiter =
        b.find([&](InstrId id) { return id > tex && (b.control(id).wait_mask >> slot & 1) != 0; });
    CHECK_FALSE(b.edit(waiter, [&](ControlCode& c) {
                     c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << slot));
                 }).empty());
}

TEST_CASE("behind BRA.DIV nothing is unreachable: a result is not read without its wait there") {
    for (const char* file :
         {"/cubins/divergent.75.cubin", "/cubins/divergent.86.cubin", "/cubins/divergent.90.cubin"}) {
        const Bench b(file);
        // LDS R0 ; BRA.DIV ; SHFL R5, R0
        const InstrId shuffle = b.find([&](InstrId id) {
            return id > 0 && b.name(id) == "SHFL" && b.name(id - 1) == "BRA" && b.control(id).wait_mask != 0;
        });
        INFO(file << " " << shuffle);
        CHECK(has_rule(b.edit(shuffle, [](ControlCode& c) { c.wait_mask = 0; }), Rule::RawScoreboard));
    }
}

// divergent.86: SHFL.BFLY PT, R7, R0, R7, R8 at 0x04e0 with SB1, RET R4 at 0x04f0; the place of one of its calls, 0x0380, waits
// for SB1 and moves R7 to R5.
TEST_CASE("a result that is pending at RET keeps the barrier that the place of the call waits for") {
    for (const char* file : {"/cubins/divergent.75.cubin", "/cubins/divergent.86.cubin"}) {
        const Bench b(file);
        const InstrId shuffle =
            b.find([&](InstrId id) { return b.name(id) == "SHFL" && b.name(id + 1) == "RET"; });
        const InstrId ret = shuffle + 1;
        INFO(file << " " << shuffle);
        const std::uint8_t own = b.control(shuffle).write_barrier;
        REQUIRE(own < 6);
        REQUIRE((b.control(ret).wait_mask >> own & 1) == 0);
        for (std::uint8_t slot = 0; slot < 8; ++slot) {
            if (slot == own || slot == 6) continue;
            INFO("slot " << int(slot));
            const Legality found = b.edit(shuffle, [&](ControlCode& c) { c.write_barrier = slot; });
            CHECK(has_rule(found, Rule::RawScoreboard, shuffle, ret));
        }
        // Whoever waits for it before it leaves may give it any barrier.
        ControlCode other = b.control(shuffle), leaving = b.control(ret);
        other.write_barrier = static_cast<std::uint8_t>(own == 5 ? 4 : 5);
        other.read_barrier = kNoBarrier;
        other.stall = 2;
        leaving.wait_mask = static_cast<std::uint8_t>(leaving.wait_mask | 1u << other.write_barrier);
        Mutation both = Mutation::control(b.original, shuffle, other);
        both.edits.push_back(Mutation::control(b.original, ret, leaving).edits.front());
        INFO(describe(b.checker->explain(b.original, both)));
        CHECK(b.checker->allows(b.original, both));
    }
}

TEST_CASE("DEPBAR.LE SB0, 0, {2,1} waits for three scoreboards, MOV with a lane mask keeps the other lanes") {
    const Arch arch{75, false};
    const Instruction depbar = decode(arch, {0x000080060000791aull, 0x000fcc0000000000ull}, 0);
    CHECK(latency::waits_by_name(depbar) == 0b111);
    const Instruction one = decode(arch, {0x000080400000791aull, 0x000fcc0000000000ull}, 0);  // SB0, 0x1
    CHECK(one.named_count == 1);
    CHECK(latency::waits_by_name(one) == 0);
    const Instruction masked = decode(arch, {0x0000000a00097202ull, 0x000fe40000000200ull}, 0);
    CHECK_FALSE(always_writes(masked));
    const Instruction whole = decode(arch, {0x0000000a00097202ull, 0x000fe40000000f00ull}, 0);
    CHECK(always_writes(whole));
}

TEST_CASE("sm_90: BRA.U on a uniform predicate is a branch with two ways on") {
    const KernelPtr kernel = load_kernel("/cubins/sweep.remote.sm_90.cubin");
    std::size_t found = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        const Instruction& i = kernel->instruction(id);
        if (i.opcode != 0x547) continue;
        ++found;
        CHECK(i.has(Trait::Terminator));
        CHECK(i.branch_target == (id + 2) * kWordBytes);  // skips one MEMBAR
        CHECK(kernel->flow().blocks[kernel->block_of(id)].successors.size() == 2);
    }
    CHECK(found > 0);
}

TEST_CASE("a bulk copy reads its uniform registers late: overwriting them waits for its read barrier") {
    const std::string file = "/cubins/k3.90a.cubin";
    const auto cubin = open_cubin(file);
    const KernelPtr kernel = load_kernel(file, "k_tma");
    const InstrId branch = at_offset(0x0280);  // waits for SB2, which UTMALDG 0x0250 sets for its operands
    REQUIRE(std::string_view(kernel->instruction(at_offset(0x0250)).mnemonic) == "UTMALDG");
    const auto absolute = *HazardChecker::create(kernel, CheckMode::Absolute);
    Schedule schedule(kernel);
    CHECK(absolute->check(schedule).empty());
    ControlCode code = schedule.control(branch);
    REQUIRE(code.wait_mask == 4);
    code.wait_mask = 0;
    schedule.set_control(branch, code);
    const Legality found = absolute->check(schedule);
    INFO(describe(found));
    CHECK(has_rule(found, Rule::WarScoreboard, at_offset(0x0250), at_offset(0x02a0)));
}

TEST_CASE("wgmma: a register is untouchable until the wait that retires its group") {
    const std::string file = "/cubins/sweep.wgmma.sm_90a.cubin";
    const KernelPtr kernel = load_kernel(file);
    const auto legal = required(check_kernel(kernel));
    CHECK(legal->hazards.empty());
    std::size_t refused = 0, accepted = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        const Instruction& i = kernel->instruction(id);
        if (std::string_view(i.mnemonic) != "WARPGROUP" || !i.word.bit(80) || i.named_count > 1) continue;
        Word more = i.word, none = i.word;
        more.hi = (more.hi & ~0x700ull) | static_cast<std::uint64_t>(i.named_count + 1) << 8;
        none.hi &= ~0x700ull;
        const auto weaker = required(check_kernel(with_word(file, id, more)));
        if (has_rule(weaker->hazards, Rule::AsyncGroup)) {
            ++refused;
            CHECK(only(weaker->hazards, Rule::AsyncGroup).explanation.find("WARPGROUP.DEPBAR") !=
                  std::string::npos);
        }
        const auto stronger = required(check_kernel(with_word(file, id, none)));
        accepted += stronger->hazards.empty() ? 1 : 0;
    }
    CHECK(refused > 0);
    CHECK(accepted > 0);
}

TEST_CASE("reuse: a register rewritten between the flag and its reader, and a reader of another pipe") {
    std::size_t written = 0, legal = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Bench b(named.file);
        for (InstrId id = 0; id + 2 < b.kernel->size() && (written < 4 || legal == 0); ++id) {
            if (b.kernel->instruction(id).unit != Unit::Fma || b.control(id).reuse != 0) continue;
            for (int slot = 0; slot < 3; ++slot) {
                const Legality found =
                    b.edit(id, [&](ControlCode& c) { c.reuse = static_cast<std::uint8_t>(1u << slot); });
                if (found.empty()) ++legal;
                for (const Hazard& h : found)
                    if (h.rule == Rule::Reuse &&
                        h.explanation.find("writes it before") != std::string::npos) {
                        ++written;
                        CHECK(h.later != kNone);
                    }
            }
        }
    }
    CHECK(written > 0);
    CHECK(legal > 0);
}

TEST_CASE("dependence: a producer may not pass its consumer, however many cycles there are") {
    const Bench b("ff_swiglu.cubin");
    const InstrId writer = b.find([&](InstrId id) {
        return b.same_block(id, id + 1) && reads_written(*b.kernel, id, id + 1) && !b.kernel->pinned(id) &&
               !b.kernel->pinned(id + 1);
    });
    const Legality swapped = b.move(writer, writer + 1);
    INFO(describe(swapped));
    CHECK(has_rule(swapped, Rule::Dependence, writer, writer + 1));
    CHECK(only(swapped, Rule::Dependence).explanation ==
          "RAW on UP0: UIADD3 0x12c0 must stay before UIADD3 0x12d0");
}

TEST_CASE("absolute mode refuses a patched file for the same reasons") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const InstrId load = [&] {
        InstrId id = 0;
        while (std::string_view(kernel->instruction(id).mnemonic) != "LDG")
            ++id;
        return id;
    }();
    const auto gone = check_kernel(with_word(
        "softmax.cubin", load,
        with_control(kernel->instruction(load).word, [](ControlCode& c) { c.write_barrier = kNoBarrier; })));
    REQUIRE(gone);
    CHECK(has_rule(gone->hazards, Rule::RawScoreboard));
}

// long_way.ptx: past the HMMA one way on goes through a block of 63 cycles at the least, in one hop, to where the others come
// in two. FADD behind it reads R8 and R9 of the HMMA, 24 cycles later at the nearest.
TEST_CASE("a distance over a short way counts where a longer one of fewer blocks leads there first") {
    struct Place {
        const char* file;
        std::uint32_t multiply, branch, taken, join, reader;
    };
    for (const Place& at : {Place{"/cubins/long_way.80.cubin", 0x150, 0x170, 0x180, 0x600, 0x610},
                            Place{"/cubins/long_way.90.cubin", 0x170, 0x190, 0x1a0, 0x620, 0x630}}) {
        INFO(at.file);
        const Bench b(at.file);
        const InstrId first = at_offset(at.multiply), branch = at_offset(at.branch),
                      taken = at_offset(at.taken), join = at_offset(at.join), reader = at_offset(at.reader);
        REQUIRE(b.name(first) == "HMMA");
        REQUIRE(b.name(reader) == "FADD");
        REQUIRE(b.name(join) == "BSYNC");
        const int others = b.cycles_between(first, branch) + b.control(taken).stall + b.control(join).stall;
        const int least = 24 - others;
        REQUIRE(least > 2);
        REQUIRE(b.control(branch).stall >= least);
        CHECK_FALSE(has_rule(b.stall(branch, least), Rule::RawDistance, first, reader));
        CHECK(has_rule(b.stall(branch, least - 1), Rule::RawDistance, first, reader));
        const auto absolute = *HazardChecker::create(b.kernel, CheckMode::Absolute);
        for (const int stall : {least - 1, least})
            CHECK(has_rule(absolute->check(with_stall(b.original, branch, stall)), Rule::RawDistance, first,
                           reader) == (stall < least));
    }
}

// @P0 FFMA R9, R0, R7, R9 at 0x00d0; P0 is written at 0x00e0; @P0 FFMA R11, R0, R6, R11; FADD R0; FFMA R13, R0, R0, R6.
TEST_CASE("a reader under the flag's own guard is none where that guard was written in between") {
    const Bench b("/cubins/guard_rewritten.90.cubin");
    const InstrId flagged = at_offset(0xd0);
    const auto keep = [](ControlCode& c) { c.reuse = 1; };
    const Legality refused = b.edit(flagged, keep);
    CHECK(only(refused, Rule::Reuse).later == at_offset(0x110));

    // With the predicate left alone it is one: FSETP writes P1 instead.
    const auto cubin = open_cubin("/cubins/guard_rewritten.90.cubin");
    Word word = b.kernel->instruction(at_offset(0xe0)).word;
    REQUIRE(word.bits(81, 3) == 0);
    word.hi |= std::uint64_t{1} << (81 - 64);
    const Bench kept(with_word("/cubins/guard_rewritten.90.cubin", at_offset(0xe0), word));
    CHECK(kept.edit(flagged, keep).empty());
}

// LDG R9 with SB2; LDGDEPBAR with SB0; @P0 DEPBAR.LE SB0, 0x0; STG of R9 waits for SB2.
TEST_CASE("a DEPBAR under a guard waits for nothing that can be relied on") {
    const Bench b("/cubins/guarded_depbar.80.cubin");
    const InstrId load = at_offset(0x60), store = at_offset(0xf0);
    REQUIRE(b.kernel->instruction(at_offset(0xb0)).guarded());
    REQUIRE(b.control(store).wait_mask == 4);
    Schedule changed = b.original;
    ControlCode code = changed.control(load);
    code.write_barrier = 0;
    changed.set_control(load, code);
    code = changed.control(store);
    code.wait_mask = 0;
    changed.set_control(store, code);
    for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute}) {
        const auto checker = *HazardChecker::create(b.kernel, mode);
        CHECK(checker->check(b.original).empty());
        CHECK(has_rule(checker->check(changed), Rule::RawScoreboard, load, store));
    }
}

// ptxas 12.4 waits for setmaxnreg.inc and not for setmaxnreg.dec, whose remaining registers stay as they are (FlashMLA,
// CUTLASS 4.7). DEPBAR, which waits for either here, becomes a NOP.
TEST_CASE("registers given back need no wait on their own, registers taken do") {
    const std::string file = "/cubins/give_back.v12.90a.cubin";
    const Word none{0x0000000000007918ull, 0x000fd00000000000ull};
    const KernelPtr kernel = load_kernel(file);
    for (const auto& [change, legal] : {std::pair(at_offset(0x80), true), std::pair(at_offset(0x120), false)}) {
        REQUIRE(std::string_view(kernel->instruction(change).mnemonic) == "USETMAXREG");
        REQUIRE(std::string_view(kernel->instruction(change + 1).mnemonic) == "DEPBAR");
        const auto report = required(check_kernel(with_word(file, change + 1, none)));
        INFO(describe(report->hazards));
        const bool named = std::ranges::any_of(report->hazards, [&](const Hazard& h) {
            return h.rule == Rule::FenceOrder && h.explanation.find("USETMAXREG") != std::string::npos;
        });
        CHECK(named == !legal);
    }
    // ptxas 13.0 waits for both.
    CHECK(required(check_kernel(load_kernel("/cubins/give_back.90a.cubin")))->hazards.empty());
}
