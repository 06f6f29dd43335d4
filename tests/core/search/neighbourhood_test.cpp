// SPDX-License-Identifier: GPL-3.0-or-later
// What the searchers draw from: every class gives legal edits of its own kind and leaves alone what is
// locked.
#include "core/search/neighbourhood.h"

#include <set>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

constexpr EditClass kAll[] = {EditClass::Stall,       EditClass::Yield,        EditClass::Move,
                              EditClass::LoadEarlier, EditClass::MoveAndStall, EditClass::MoveAndPay,
                              EditClass::Reuse,       EditClass::Reassign,     EditClass::WaitElsewhere};
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
