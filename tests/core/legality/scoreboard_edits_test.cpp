// SPDX-License-Identifier: GPL-3.0-or-later
// Reassigned scoreboards, moved waits and reuse flags, held against the full check.
#include "core/schedule/scoreboard_edits.h"

#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("a barrier goes to a free slot and its waits follow, on every sample") {
    std::size_t tried = 0, legal = 0, disagreements = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const auto checker = required(HazardChecker::create(named.kernel));
        const Schedule s(named.kernel);
        for (InstrId id = 0; id < s.size(); ++id)
            for (const BarrierSide side : {BarrierSide::Write, BarrierSide::Read})
                for (const std::uint8_t slot : free_scoreboards(s, id, side)) {
                    const auto m = reassign_scoreboard(s, id, side, slot);
                    if (!m) continue;
                    ++tried;
                    INFO(named.file << ": " << m->text(*named.kernel) << " [" << m->encode() << "]");
                    CHECK((m->kind() == MutationKind::Reassign || m->kind() == MutationKind::Barrier));
                    expect_a_mutation_like_any_other(s, *m);
                    const auto after = m->applied(s);
                    CHECK(barrier_of(after->control(id), side) == slot);
                    // Whoever waited for the producer now waits for the new slot.
                    for (const InstrId waiter : barrier_use(s, id, side).waiters)
                        CHECK((after->control(waiter).wait_mask >> slot & 1) == 1);
                    const bool full = (*checker)->legal(*after);
                    legal += full;
                    disagreements += full != (*checker)->allows(s, *m);
                }
    }
    WARN("reassigned: " << tried << ", legal: " << legal);
    CHECK(disagreements == 0);
    CHECK(tried > 200);
    CHECK(legal * 2 > tried);
}

TEST_CASE("a reassigned scoreboard, by hand") {
    // bmm_mma: S2R 0x0010 sets a write barrier that a later instruction waits for.
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    const Schedule s(kernel);
    InstrId producer = 0;
    while (s.control(producer).write_barrier == kNoBarrier)
        ++producer;
    const std::uint8_t from = s.control(producer).write_barrier;
    const BarrierUse use = barrier_use(s, producer, BarrierSide::Write);
    REQUIRE(use.waiters.size() == 1);
    // Brute force in the straight code of the first block: the first wait behind it.
    InstrId first = producer + 1;
    while ((s.control(first).wait_mask >> from & 1) == 0)
        ++first;
    CHECK(use.waiters.front() == first);
    const auto free = free_scoreboards(s, producer, BarrierSide::Write);
    REQUIRE_FALSE(free.empty());
    const auto m = required(reassign_scoreboard(s, producer, BarrierSide::Write, free.front()));
    CHECK(m->text(*kernel).find("; its waits follow: ") != std::string::npos);
    CHECK(m->kind() == MutationKind::Reassign);
    CHECK_FALSE(reassign_scoreboard(s, producer, BarrierSide::Write, from));
    CHECK_FALSE(reassign_scoreboard(s, producer, BarrierSide::Write, 6));
    CHECK_FALSE(reassign_scoreboard(s, 100000, BarrierSide::Write, 1));
}

TEST_CASE("a barrier that a DEPBAR names stays") {
    std::size_t named_ones = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Schedule s(named.kernel);
        for (InstrId id = 0; id < s.size(); ++id) {
            const BarrierUse use = barrier_use(s, id, BarrierSide::Write);
            if (!use.by_name) continue;
            ++named_ones;
            for (std::uint8_t slot = 0; slot < kScoreboardSlots; ++slot)
                CHECK_FALSE(reassign_scoreboard(s, id, BarrierSide::Write, slot));
        }
    }
    CHECK(named_ones > 0);
}

TEST_CASE("a wait moves up to its consumer and no further") {
    std::size_t later = 0, earlier = 0, refused = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const auto checker = required(HazardChecker::create(named.kernel));
        const Schedule s(named.kernel);
        for (InstrId id = 0; id < s.size(); ++id) {
            const Block& block = named.kernel->flow().blocks[named.kernel->block_of(id)];
            for (int slot = 0; slot < kScoreboardSlots; ++slot)
                for (int step = -3; step <= 3; ++step) {
                    const int to = static_cast<int>(id) + step;
                    if (to < static_cast<int>(block.first) || to >= static_cast<int>(block.end())) continue;
                    const auto m = move_wait(s, id, slot, static_cast<InstrId>(to));
                    if (!m) continue;
                    INFO(named.file << ": " << m->text(*named.kernel));
                    CHECK(m->kind() == MutationKind::Wait);
                    CHECK(m->text(*named.kernel).find("the wait for SB") == 0);
                    expect_a_mutation_like_any_other(s, *m);
                    const bool full = (*checker)->legal(*m->applied(s));
                    CHECK(full == (*checker)->allows(s, *m));
                    refused += !full;
                    later += full && step > 0;
                    earlier += full && step < 0;
                }
        }
    }
    WARN("waits moved later: " << later << ", earlier: " << earlier << ", refused: " << refused);
    CHECK(later > 0);
    CHECK(earlier > 0);
    CHECK(refused > 0);
}

TEST_CASE("reuse flags toggle there and back") {
    const KernelPtr kernel = load_kernel("flash_attn.cubin");
    const Schedule s(kernel);
    for (InstrId id = 0; id < s.size(); id += 17)
        for (int slot = 0; slot < 3; ++slot) {
            const auto m = required(toggle_reuse(s, id, slot));
            CHECK(m->kind() == MutationKind::Reuse);
            expect_a_mutation_like_any_other(s, *m);
            CHECK(*toggle_reuse(*m->applied(s), id, slot)->applied(*m->applied(s)) == s);
        }
    CHECK_FALSE(toggle_reuse(s, 0, 3));
    CHECK_FALSE(toggle_reuse(s, 0, -1));
}
