// SPDX-License-Identifier: GPL-3.0-or-later
// What the searchers draw from: every class gives legal edits of its own kind and leaves alone what is
// locked.
#include "core/search/moves/neighbourhood.h"

#include <cmath>
#include <map>
#include <set>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

constexpr EditClass kAll[] = {EditClass::Stall,       EditClass::Yield,        EditClass::Move,
                              EditClass::LoadEarlier, EditClass::MoveAndStall, EditClass::MoveAndPay,
                              EditClass::Reuse,       EditClass::Reassign,     EditClass::WaitElsewhere,
                              EditClass::MoveAlong};
static_assert(std::size(kAll) == kEditClasses);

bool fits(EditClass kind, MutationKind drawn) {
    switch (kind) {
        case EditClass::Stall:
            return drawn == MutationKind::Stall;
        case EditClass::Yield:
            return drawn == MutationKind::Yield;
        case EditClass::Move:
        case EditClass::LoadEarlier:
            return drawn == MutationKind::Move;
        case EditClass::MoveAndStall:
            return drawn == MutationKind::MoveAndPay;
        case EditClass::MoveAndPay:
        case EditClass::MoveAlong:
            return drawn == MutationKind::MoveAndPay || drawn == MutationKind::Move;
        case EditClass::Reuse:
            return drawn == MutationKind::Reuse;
        case EditClass::Reassign:
            return drawn == MutationKind::Reassign || drawn == MutationKind::Barrier;
        case EditClass::WaitElsewhere:
            return drawn == MutationKind::Wait;
    }
    return false;
}

}  // namespace

TEST_CASE("every class of edits draws legal edits of its own kind") {
    const SearchContext context = bmm_context();
    const Neighbourhood around(context);
    Rng rng(5);
    for (const EditClass kind : kAll) {
        Schedule s = context.start;
        int drawn = 0;
        for (int tries = 0; tries < 400 && drawn < 15; ++tries) {
            const auto edited = around.draw(s, kind, rng);
            if (!edited) continue;
            ++drawn;
            INFO(static_cast<int>(kind) << ": " << edited->mutation.text(*context.kernel));
            CHECK(fits(kind, edited->mutation.kind()));
            CHECK(*edited->mutation.applied(s) == edited->result);
            CHECK(context.checker->legal(edited->result));
            s = edited->result;
        }
        INFO(static_cast<int>(kind));
        CHECK(drawn == 15);
    }
}

TEST_CASE("no class of edits touches what is locked") {
    SearchContext context = bmm_context();
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        if (id % 3 != 0) context.locked.push_back(id);
    const Neighbourhood around(context);
    Rng rng(11);
    std::size_t drawn = 0;
    for (int tries = 0; tries < 400; ++tries)
        for (const EditClass kind : kAll) {
            const auto edited = around.draw(context.start, kind, rng);
            if (!edited) continue;
            ++drawn;
            for (const Edit& edit : edited->mutation.edits)
                CHECK(edit.instr % 3 == 0);
        }
    CHECK(drawn > 100);
}

TEST_CASE("all single edits of an instruction are legal, distinct and of many kinds") {
    const SearchContext context = bmm_context();
    const Neighbourhood around(context);
    std::set<MutationKind> kinds;
    for (InstrId id = 3; id < context.kernel->size(); id += 40) {
        std::set<std::string> seen;
        for (const Mutation& m : around.all_of(context.start, id)) {
            INFO(m.text(*context.kernel));
            CHECK(context.checker->allows(context.start, m));
            CHECK(seen.insert(m.encode()).second);
            kinds.insert(m.kind());
        }
    }
    CHECK(kinds.size() >= 4);
}

TEST_CASE("a drawn move may end in every legal slot, in each as often as in another") {
    SearchContext context = bmm_context();
    // An instruction whose slots, illegal ones between them, all lie within a short move, so that each kind of move reaches each of them.
    InstrId only = kNone;
    SlotRange slots;
    for (InstrId id = 0; id < context.kernel->size() && only == kNone; ++id) {
        const Position at = context.start.position_of(id);
        slots = context.checker->slots(context.start, id);
        if (slots.count() >= 4 && !slots.holes.empty() && slots.lowest + 4 >= at && slots.highest <= at + 4)
            only = id;
    }
    REQUIRE(only != kNone);
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        if (id != only) context.locked.push_back(id);
    const Neighbourhood around(context);
    const Position at = context.start.position_of(only);
    Rng rng(3);
    std::map<Position, int> ends;
    int drawn = 0;
    for (int i = 0; i < 6000; ++i)
        if (const auto edited = around.draw(context.start, EditClass::Move, rng)) {
            ++ends[edited->result.position_of(only)];
            ++drawn;
        }
    const double each = static_cast<double>(drawn) / static_cast<double>(slots.count() - 1);
    for (Position p = slots.lowest; p <= slots.highest; ++p) {
        INFO("slot " << p << " of " << slots.lowest << " to " << slots.highest << ", from " << at);
        if (p == at || !slots.contains(p))
            CHECK(ends[p] == 0);
        else
            CHECK(std::abs(ends[p] - each) < 4 * std::sqrt(each));  // four standard deviations
    }
    for (int i = 0; i < 500; ++i)
        if (const auto edited = around.draw(context.start, EditClass::LoadEarlier, rng))
            CHECK(edited->result.position_of(only) < at);
}
