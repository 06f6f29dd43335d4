// SPDX-License-Identifier: GPL-3.0-or-later
// Code that stands alone (absolute mode), one word of a compiled kernel changed by hand: hazards that have to be seen with no
// original to hold the file against.
#include "app/lab/synthetic_kernel.h"
#include "core/legality/hazard_checker.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Alone {
    KernelPtr kernel;

    KernelPtr changed(InstrId id, const std::function<void(ControlCode&)>& change) const {
        std::vector<Word> words;
        for (const Instruction& i : kernel->instructions())
            words.push_back(i.word);
        ControlCode code = kernel->instruction(id).control();
        change(code);
        words[id] = code.encode_into(words[id]);
        const auto made = required(kernel_with_words(*kernel, words));
        return *made;
    }
    Legality with(InstrId id, const std::function<void(ControlCode&)>& change) const {
        return check_kernel(changed(id, change))->hazards;
    }
    const Instruction& at(InstrId id) const { return kernel->instruction(id); }
    bool is(InstrId id, const char* name) const { return latency::is_named(at(id), name); }
};

void no_read_barrier(ControlCode& code) {
    code.read_barrier = kNoBarrier;
}

// Slot a of a three-operand instruction: which register, -1 for none.
int slot_a(const Instruction& i) {
    for (const Operand& o : i.operands)
        if (o.file == RegFile::Gpr && o.read && o.role == Role::A) return o.count == 1 ? o.first : -2;
    return -1;
}

bool writes(const Instruction& i, int reg) {
    for (const Operand& o : i.operands)
        if (o.file == RegFile::Gpr && o.write && o.first <= reg && reg < o.first + o.count) return true;
    return false;
}

bool has_cache(const Instruction& i) {
    return i.unit == Unit::Alu || i.unit == Unit::Fma || i.unit == Unit::FmaWide || i.unit == Unit::Fp16;
}

}  // namespace

// STS.128 [R7+UR12], R24 at 0x1590; BAR at 0x15e0; SHF R24 at 0x15f0, which waits for the store's barrier.
TEST_CASE("on sm_90 a block barrier does not stand for the wait that an STS has behind it") {
    const Alone bmm{load_kernel("bmm.cubin")};
    const InstrId store = at_offset(0x1590), writer = at_offset(0x15f0);
    REQUIRE((bmm.is(store, "STS") && bmm.is(at_offset(0x15e0), "BAR") && bmm.is(writer, "SHF")));
    CHECK(has_rule(bmm.with(store, no_read_barrier), Rule::WarScoreboard, store, writer));
    const std::uint8_t waited = bmm.at(store).control().read_barrier;
    const Legality unwaited = bmm.with(writer, [&](ControlCode& c) {
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << waited));
    });
    CHECK(has_rule(unwaited, Rule::WarScoreboard, store, writer));
}

// SHFL.BFLY PT, R7, R0, R7, R8 at 0x04e0, RET at 0x04f0: R7 is read where the call was.
TEST_CASE("the end of a group of copies has scoreboard 0, which the wait for it names") {
    for (const char* file : {"bmm_mma.cubin", "/cubins/bmm_mma.sm_80.cubin"}) {
        const Alone alone{load_kernel(file)};
        CHECK(check_kernel(alone.kernel)->hazards.empty());
        int ends = 0;
        for (InstrId id = 0; id < alone.kernel->size(); ++id) {
            if (!alone.is(id, "LDGDEPBAR")) continue;
            ++ends;
            for (const std::uint8_t slot : {std::uint8_t{1}, kNoBarrier})
                CHECK(has_rule(alone.with(id, [=](ControlCode& c) { c.write_barrier = slot; }),
                               Rule::AsyncGroup, id, kNone));
        }
        CHECK(ends > 0);
    }
}

TEST_CASE("a result that is pending at RET with no barrier can be waited for by nobody") {
    const Alone divergent{load_kernel("/cubins/divergent.86.cubin")};
    const InstrId shuffle = at_offset(0x04e0), ret = at_offset(0x04f0);
    REQUIRE((divergent.is(shuffle, "SHFL") && divergent.is(ret, "RET")));
    const Legality found = divergent.with(shuffle, [](ControlCode& c) { c.write_barrier = kNoBarrier; });
    CHECK(has_rule(found, Rule::RawScoreboard, shuffle, ret));
}

TEST_CASE("the self-check reports findings of the original that a comparison with it does not report") {
    const Alone bmm{load_kernel("bmm.cubin")};
    const auto none = required(self_check(bmm.kernel));
    CHECK(none->count == 0);
    CHECK(none->text().empty());

    const KernelPtr broken = bmm.changed(at_offset(0x1590), no_read_barrier);
    const auto own = required(self_check(broken));
    CHECK(own->count == 1);
    CHECK(own->text() == "the original itself has 1 finding (`check` on its own lists all), which stay: " +
                             check_kernel(broken)->hazards.front().explanation);
    CHECK(HazardChecker::create(broken).value()->legal(Schedule(broken)));
}

TEST_CASE("an explanation names its instructions by their places in the original, or as it is asked to") {
    const Alone bmm{load_kernel("bmm.cubin")};
    const Hazard hazard = bmm.with(at_offset(0x1590), no_read_barrier).front();
    INFO(hazard.explanation);
    REQUIRE(
        hazard.explanation.starts_with("WAR on R24: STS 0x1590 may not have read it when SHF 0x15f0 issues"));
    const std::string renamed = explanation_by(hazard, [](InstrId id) {
        return id == at_offset(0x1590) ? std::string("first") : std::string("second");
    });
    CHECK(renamed.starts_with("WAR on R24: first may not have read it when second issues"));
    CHECK(renamed.find("0x15") == std::string::npos);
    // An offset that begins with the same digits is another instruction.
    Hazard longer = hazard;
    longer.explanation = "STS 0x15900 and STS 0x1590";
    CHECK(explanation_by(longer, [](InstrId) { return std::string("it"); }) == "STS 0x15900 and it");
}

// LDSM R12, [R20+0x1000] at 0xf40; BAR at 0xf50; IADD3 R20 at 0xf80.
TEST_CASE("on sm_80 a block barrier stands for the operands of STS alone: an LDSM's address needs its wait") {
    const Alone bmm{load_kernel("/cubins/bmm_mma.sm_80.cubin")};
    const InstrId load = at_offset(0xf40), writer = at_offset(0xf80);
    REQUIRE((bmm.is(load, "LDSM") && bmm.is(at_offset(0xf50), "BAR") && bmm.is(writer, "IADD3")));
    CHECK(has_rule(bmm.with(load, no_read_barrier), Rule::WarScoreboard, load, writer));
}

// plain_barrier.cu: STG and RED, BAR.SYNC, their registers overwritten with no wait; __syncthreads() in its place is another instruction.
TEST_CASE(
    "on sm_80 to sm_89 a block barrier that does not defer blocking stands for what is in front of it") {
    constexpr unsigned kDeferBlocking = 80;
    const KernelPtr kernel = load_kernel("/cubins/plain_barrier.86.cubin", "plain");
    CHECK(check_kernel(kernel)->hazards.empty());
    std::vector<Word> words;
    for (const Instruction& i : kernel->instructions()) {
        words.push_back(i.word);
        if (latency::is_named(i, "BAR")) words.back().hi |= 1ull << (kDeferBlocking - 64);
    }
    const auto deferring = required(kernel_with_words(*kernel, words));
    const Legality findings = check_kernel(*deferring)->hazards;
    const InstrId store = at_offset(0x110), reduction = at_offset(0x170);
    CHECK(has_rule(findings, Rule::WarScoreboard, store, at_offset(0x180)));
    CHECK(has_rule(findings, Rule::WarScoreboard, reduction, at_offset(0x250)));
    CHECK(check_kernel(load_kernel("/cubins/plain_barrier.86.cubin", "deferred"))->hazards.empty());
}

// Measured on an H200 (latencies-sm_90a.md): 13 cycles are right, at 12 the old predicate is read. NAK has 13 for sm_80 to
// sm_89 too.
TEST_CASE("a guard needs 13 cycles behind the ALU in code that stands alone, whatever was seen once") {
    for (const char* file :
         {"/cubins/k1.80.cubin", "/cubins/k1.86.cubin", "/cubins/k1.89.cubin", "/cubins/k1.90a.cubin"}) {
        INFO(file);
        std::size_t tried = 0;
        const auto cubin = open_cubin(file);
        for (const KernelInfo& info : cubin->kernels()) {
            const Alone alone{load_kernel(file, info.name)};
            for (const Block& block : alone.kernel->flow().blocks)
                for (InstrId id = block.first; id + 1 < block.end(); ++id) {
                    const Instruction &first = alone.at(id), &second = alone.at(id + 1);
                    const bool compares = latency::is_named(first, "ISETP") && !first.guarded();
                    if (!compares || !second.guarded() || second.uniform_guard) continue;
                    const bool reads =
                        std::any_of(first.operands.begin(), first.operands.end(), [&](const Operand& o) {
                            return o.write && o.file == RegFile::Pred && o.first == (second.guard & 7u);
                        });
                    if (!reads || first.control().stall != 13) continue;
                    ++tried;
                    for (const int stall : {12, 5}) {
                        const Legality findings = alone.with(
                            id, [&](ControlCode& c) { c.stall = static_cast<std::uint8_t>(stall); });
                        CHECK(has_rule(findings, Rule::RawDistance, id, id + 1));
                    }
                }
        }
        CHECK(tried > 0);
    }
}

// On an H200 a register that is rewritten between a flag and the next read in its slot was read stale in 1,000,032 of
// 1,000,032 trials; another read of slot and bank in between ends the entry (latencies-sm_90a.md).
TEST_CASE(
    "a reuse flag that hands out the old value is refused in code that stands alone, a useless one is not") {
    std::size_t stale = 0, ended = 0;
    for (const char* file : {"bmm.cubin", "softmax.cubin", "/cubins/bmm_mma.sm_80.cubin"}) {
        const Alone alone{load_kernel(file)};
        for (const Block& block : alone.kernel->flow().blocks)
            for (InstrId id = block.first; id < block.end(); ++id) {
                const int reg = slot_a(alone.at(id));
                if (!has_cache(alone.at(id)) || reg < 0 || alone.at(id).control().reuse != 0) continue;
                InstrId writer = writes(alone.at(id), reg) ? id : kNone;
                for (InstrId next = id + 1; next < block.end(); ++next) {
                    const int read = has_cache(alone.at(next)) ? slot_a(alone.at(next)) : -1;
                    if (read == -2 || (read == reg && writer == kNone)) break;
                    const bool takes_old = read == reg, ends = read >= 0 && read % 2 == reg % 2;
                    if ((takes_old && stale < 40) || (!takes_old && ends && writer != kNone && ended < 40)) {
                        const Legality findings = alone.with(id, [](ControlCode& c) { c.reuse |= 1; });
                        INFO(file << " " << id << " " << next << "\n" << describe(findings));
                        CHECK(has_rule(findings, Rule::Reuse) == takes_old);
                        ++(takes_old ? stale : ended);
                    }
                    if (takes_old || ends) break;
                    if (writes(alone.at(next), reg)) writer = next;
                }
            }
    }
    CHECK(stale >= 10);
    CHECK(ended >= 10);
}

// Neighbours of compiled code with as many cycles between as such pairs never fall short of, exactly that in 10 places and more.
TEST_CASE("what compiled code keeps between such neighbours is asked of code that stands alone") {
    struct Place {
        const char* file;
        const char* kernel;
        std::uint32_t first;
        const char* names[2];
        int cycles;
    };
    for (const Place& place : {
             Place{"/cubins/sweep.remote.sm_90.cubin", "remote_shared", 0xaf0, {"IADD3", "STAS"}, 5},
             Place{"/cubins/sweep.remote.sm_90.cubin", "remote_shared", 0x780, {"IMAD", "REDAS"}, 5},
             Place{"flash_attn_d64.cubin", "", 0xce0, {"UISETP", "USEL"}, 4},
             Place{"/cubins/k1.80.cubin", "k_cg", 0x520, {"UISETP", "USEL"}, 4},
             Place{"/cubins/random_ptx.75.cubin", "random_53_14", 0x300, {"UISETP", "UISETP"}, 4},
             Place{"flash_attn_mma.cubin", "", 0x18a0, {"ULEA", "ULEA"}, 4},
             Place{"/cubins/sweep.wgmma.sm_90a.cubin", "wgmma_two_groups", 0x960, {"UIADD3", "ULEA"}, 4},
             Place{"/cubins/half_predicate.80.cubin", "half_predicate", 0x90, {"HSET2", "STG"}, 5},
             Place{"/cubins/half_predicate.90.cubin", "half_predicate", 0xa0, {"HSET2", "STG"}, 5},
         }) {
        INFO(place.file << " " << place.names[0] << " " << place.names[1]);
        const Alone alone{load_kernel(place.file, place.kernel)};
        const InstrId first = at_offset(place.first);
        REQUIRE((alone.is(first, place.names[0]) && alone.is(first + 1, place.names[1])));
        REQUIRE(alone.at(first).control().stall == place.cycles);
        CHECK(check_kernel(alone.kernel)->hazards.empty());
        const Legality findings = alone.with(first, [](ControlCode& code) { --code.stall; });
        CHECK(has_rule(findings, Rule::RawDistance, first, first + 1));
    }
}
