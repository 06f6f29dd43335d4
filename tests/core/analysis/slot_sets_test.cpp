// SPDX-License-Identifier: GPL-3.0-or-later
// Slot sets that are kept up to date equal those made afresh, and agree with the full check.
#include "core/analysis/slot_sets.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/analysis/move_room.h"
#include "core/analysis/payment.h"
#include "core/schedule/scoreboard_edits.h"
#include "tests/core/analysis/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Any kind of mutation, legal or not: what pays, reassigned scoreboards and moved waits beside the simple
// ones.
Mutation any_mutation(const HazardChecker& checker, const Schedule& s, std::mt19937& random) {
    const auto id = static_cast<InstrId>(random() % s.size());
    std::optional<Mutation> m;
    switch (random() % 6) {
        case 0: {
            const auto [low, high] = checker.order_range(s, id);
            const Position to = low + static_cast<Position>(random() % (high - low + 1));
            if (to != s.position_of(id)) m = add_required_stalls(checker, s, Mutation::move_to(s, id, to));
            if (m && random() % 2 == 0) m = remove_excess_stalls(checker, s, *m);
            break;
        }
        case 1:
            m = reassign_scoreboard(s, id, random() % 2 ? BarrierSide::Write : BarrierSide::Read,
                                    static_cast<std::uint8_t>(random() % kScoreboardSlots));
            break;
        case 2: {
            const Block& block = s.kernel()->flow().blocks[s.kernel()->block_of(id)];
            m = move_wait(s, id, static_cast<int>(random() % kScoreboardSlots),
                          s.at(block.first + static_cast<Position>(random() % block.count)));
            break;
        }
        case 3:
            m = toggle_reuse(s, id, static_cast<int>(random() % 3));
            break;
        default:
            break;
    }
    return m ? *m : random_mutation(s, random);
}

bool same(const SlotRange& a, const SlotRange& b) {
    return a.lowest == b.lowest && a.highest == b.highest && a.holes == b.holes;
}

// Walks, comparing `samples` instructions (0: all) after every edit.
void expect_fresh(const NamedKernel& named, int edits, std::size_t samples, std::uint32_t seed,
                  std::size_t& compared) {
    const auto checker = HazardChecker::create(named.kernel);
    REQUIRE(checker);
    std::mt19937 random(seed);
    SlotSets sets(*checker, Schedule(named.kernel));
    for (InstrId id = 0; id < named.kernel->size(); id += samples == 0 ? 1 : 3) {
        sets.slots(id);
        sets.control_edits(id);
    }
    for (int done = 0, tries = 0; done < edits && tries < 40 * edits; ++tries) {
        const Mutation m = any_mutation(**checker, sets.schedule(), random);
        const Schedule before = sets.schedule();
        const bool legal = (*checker)->allows(before, m);
        REQUIRE(sets.apply(m) == legal);
        if (!legal) continue;
        ++done;
        const std::size_t count = samples == 0 ? named.kernel->size() : samples;
        for (std::size_t i = 0; i < count; ++i) {
            const auto id = samples == 0 ? static_cast<InstrId>(i)
                                         : static_cast<InstrId>(random() % named.kernel->size());
            INFO(named.file << " edit " << done << ": " << m.text(*named.kernel) << " [" << m.encode()
                            << "], instruction " << id);
            CHECK(same(sets.slots(id), (*checker)->slots(sets.schedule(), id)));
            CHECK(sets.control_edits(id) == (*checker)->control_edits(sets.schedule(), id));
            ++compared;
        }
    }
}

struct Agreement {
    std::size_t legal = 0, refused = 0, disagreements = 0;
    std::string first;
};

// HazardChecker::control_edits lists changes of one field: stall 1..15, yield, one bit of reuse or of the
// wait mask, one barrier.
bool listed(const Edit& edit) {
    const ControlCode& a = edit.before;
    const ControlCode& b = edit.after;
    const auto barrier = [](std::uint8_t slot) { return slot < kScoreboardSlots || slot == kNoBarrier; };
    const int reuse = std::popcount(static_cast<unsigned>((a.reuse ^ b.reuse) & 15));
    const int waits = std::popcount(static_cast<unsigned>(a.wait_mask ^ b.wait_mask));
    const int fields = (a.stall != b.stall) + (a.yield != b.yield) + reuse + waits +
                       (a.write_barrier != b.write_barrier) + (a.read_barrier != b.read_barrier);
    return fields == 1 && b.stall >= 1 && barrier(b.write_barrier) && barrier(b.read_barrier) &&
           ((a.reuse ^ b.reuse) & 8) == 0;
}

// What the slot sets say of a mutation: membership where it is a single move or a single control field.
bool by_sets(SlotSets& sets, const HazardChecker& checker, const Mutation& m) {
    if (m.edits.size() == 1 && m.edits[0].kind != EditKind::Control) {
        const auto moved = m.applied(sets.schedule());
        return moved && sets.may_move(m.instr(), moved->position_of(m.instr()));
    }
    if (m.edits.size() == 1 && listed(m.edits[0])) {
        const std::vector<ControlCode>& codes = sets.control_edits(m.instr());
        return std::find(codes.begin(), codes.end(), m.edits[0].after) != codes.end();
    }
    return checker.allows(sets.schedule(), m);
}

void agree(const NamedKernel& named, std::size_t proposals, std::uint32_t seed, Agreement& all) {
    const auto checker = HazardChecker::create(named.kernel);
    REQUIRE(checker);
    std::mt19937 random(seed);
    SlotSets sets(*checker, Schedule(named.kernel));
    for (std::size_t i = 0; i < proposals; ++i) {
        const Mutation m = any_mutation(**checker, sets.schedule(), random);
        const auto mutated = m.applied(sets.schedule());
        const bool full = mutated && (*checker)->legal(*mutated);
        const bool quick = by_sets(sets, **checker, m);
        (full ? all.legal : all.refused) += 1;
        if (quick != full) {
            ++all.disagreements;
            if (all.first.empty())
                all.first = named.file + " step " + std::to_string(i) + ": " + m.text(*named.kernel) + " [" +
                            m.encode() + "] slot sets " + (quick ? "allow" : "refuse") +
                            ", full: " + describe(mutated ? (*checker)->check(*mutated) : Legality{});
        }
        // Several proposals on one schedule, then on to the next one.
        if (full && random() % 8 == 0) sets.reset(*mutated);
    }
}

Agreement agree_on_samples(std::size_t mutations, std::uint32_t seed) {
    Agreement all;
    const std::vector<NamedKernel> kernels = sample_kernels();
    for (std::size_t k = 0; k < kernels.size(); ++k)
        agree(kernels[k], mutations / kernels.size() + (k < mutations % kernels.size()),
              seed + static_cast<std::uint32_t>(k), all);
    WARN("agreement of slot sets and full check: " << all.legal + all.refused << " mutations, " << all.legal
                                                   << " legal, " << all.disagreements << " disagreements");
    INFO(all.first);
    CHECK(all.disagreements == 0);
    return all;
}

std::size_t number_from(const char* variable, std::size_t fallback) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : fallback;
}

}  // namespace

TEST_CASE("slot sets equal those made afresh after every edit") {
    std::size_t compared = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const bool small = named.kernel->size() < 330;
        expect_fresh(named, small ? 4 : 6, small ? 0 : 8, 3, compared);
    }
    WARN("compared: " << compared);
    CHECK(compared > 500);
}

TEST_CASE("slot sets equal those made afresh after every edit, in full", "[.long]") {
    std::size_t compared = 0;
    for (const NamedKernel& named : all_kernels())
        expect_fresh(named, 12, 0, 17, compared);
    WARN("compared: " << compared);
}

TEST_CASE("an edit reaches part of a kernel only") {
    const KernelPtr kernel = load_kernel("flash_attn_mma.cubin");
    const auto checker = HazardChecker::create(kernel);
    REQUIRE(checker);
    SlotSets sets(*checker, Schedule(kernel));
    ControlCode more = sets.schedule().control(5);
    ++more.stall;
    REQUIRE(sets.apply(Mutation::control(sets.schedule(), 5, more)));
    CHECK(sets.reached() > 0);
    CHECK(sets.reached() < kernel->size());
    const std::uint64_t before = sets.computed();
    const InstrId last = static_cast<InstrId>(kernel->size() - 1);
    sets.slots(last);
    sets.slots(last);
    CHECK(sets.computed() == before + 1);
}

TEST_CASE("slot sets refuse an illegal mutation and stay as they are") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const auto checker = HazardChecker::create(kernel);
    REQUIRE(checker);
    SlotSets sets(*checker, Schedule(kernel));
    ControlCode zero = sets.schedule().control(3);
    zero.stall = 0;
    CHECK_FALSE(sets.apply(Mutation::control(sets.schedule(), 3, zero)));
    CHECK(sets.schedule() == Schedule(kernel));
}

TEST_CASE("slot sets and full check agree on random mutations of all kinds") {
    const Agreement all = agree_on_samples(1300, 1);
    CHECK(all.legal > 0);
    CHECK(all.refused > 0);
}

// CUBINLAB_MUTATIONS and CUBINLAB_SEED split a million over several processes.
TEST_CASE("slot sets and full check agree on a million random mutations of all kinds", "[.million]") {
    agree_on_samples(number_from("CUBINLAB_MUTATIONS", 1'000'000),
                     static_cast<std::uint32_t>(number_from("CUBINLAB_SEED", 20261121)));
}

TEST_CASE("how far up an instruction may go is what its slots say, as far as is asked") {
    std::size_t far = 0, stays = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const auto checker = HazardChecker::create(named.kernel);
        REQUIRE(checker);
        const Schedule schedule(named.kernel);
        for (InstrId id = 0; id < named.kernel->size(); id += 7) {
            const Position room = schedule.position_of(id) - (*checker)->slots(schedule, id).lowest;
            INFO(named.file << " instruction " << id);
            CHECK(room_above(**checker, schedule, id, static_cast<Position>(schedule.size())) == room);
            for (const Position enough : {1u, 6u, 30u})
                CHECK(std::min(room_above(**checker, schedule, id, enough), enough) ==
                      std::min(room, enough));
            ++(room > 6 ? far : stays);
        }
    }
    CHECK(far > 10);
    CHECK(stays > 10);
}
