// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/features.h"

#include "core/search/moves/environment.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

InstrId first_of(const KernelPtr& kernel, std::string_view mnemonic) {
    for (InstrId id = 0; id < kernel->size(); ++id)
        if (mnemonic == kernel->instruction(id).mnemonic) return id;
    return kNone;
}

}  // namespace

TEST_CASE("a row holds the control code, the opcode class and the operands, scaled as in the paper's code") {
    const SearchContext context = bmm_context();
    const PaperFeatures features(context.kernel);
    Schedule schedule = context.start;
    const InstrId id = first_of(context.kernel, "LDGSTS");
    REQUIRE(id != kNone);
    ControlCode control;
    control.wait_mask = 0b100010;
    control.read_barrier = 3;
    control.write_barrier = kNoBarrier;
    control.yield = true;
    control.stall = 4;
    schedule.set_control(id, control);

    const auto matrix = features.matrix(schedule);
    REQUIRE(matrix.size() == context.kernel->size() * features.columns());
    const float* row = matrix.data() + schedule.position_of(id) * features.columns();
    const float expected[] = {-1, 1.0f / 6, -1, -1, -1, 5.0f / 6, 0.5f, -1, 1, 0.25f};
    for (int i = 0; i < 10; ++i) {
        INFO(i);
        CHECK(row[i] == Approx(expected[i]));
    }
    CHECK(row[10] == (context.kernel->instruction(id).guarded() ? 1.0f : 0.0f));
    CHECK(row[11] == 0.0f);  // LDGSTS is the first of the list
    for (std::size_t i = 12; i < features.columns(); ++i)
        CHECK((row[i] == -1.0f || (row[i] >= 0 && row[i] < 1)));

    const InstrId other = first_of(context.kernel, "HMMA");
    REQUIRE(other != kNone);
    const float* hmma = matrix.data() + other * features.columns();
    CHECK(hmma[11] == -1.0f);  // every opcode that does not move looks alike
    CHECK(hmma[12] >= 0.0f);
    CHECK(hmma[15] >= 0.0f);  // three sources
}

TEST_CASE("rows follow the order of the schedule") {
    const SearchContext context = bmm_context();
    const PaperFeatures features(context.kernel);
    MoveGame game(context);
    std::size_t action = 0;
    while (action < game.actions() && game.mask()[action] == 0)
        ++action;
    REQUIRE(action < game.actions());
    const auto before = features.matrix(game.schedule());
    const Position from = game.schedule().position_of(game.movable()[action / 2]);
    game.step(action);
    const Position to = game.schedule().position_of(game.movable()[action / 2]);
    const auto after = features.matrix(game.schedule());
    const auto row = [&](const std::vector<float>& matrix, Position p) {
        const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(p * features.columns());
        return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(features.columns()));
    };
    CHECK(row(before, from) == row(after, to));
    CHECK(row(before, to) == row(after, from));
}

TEST_CASE("the game offers exactly the legal swaps of memory operations") {
    const SearchContext context = bmm_context();
    MoveGame game(context);
    REQUIRE(game.any_legal());
    for (const InstrId id : game.movable()) {
        CHECK(movable_kind(context.kernel->instruction(id)) >= 0);
        CHECK_FALSE(context.kernel->pinned(id));
    }
    for (int step = 0; step < 20 && game.any_legal(); ++step) {
        std::size_t chosen = 0;
        for (std::size_t action = 0; action < game.actions(); ++action) {
            if (game.mask()[action] == 0) continue;
            const auto next = required(game.mutation(action).applied(game.schedule()));
            CHECK(context.checker->check(*next).empty());
            chosen = action;
        }
        const auto expected = game.mutation(chosen).applied(game.schedule());
        game.step(chosen);
        CHECK(game.schedule() == *expected);
    }
    game.reset(context.start);
    CHECK(game.schedule() == context.start);
}
