// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/edit_history.h"

#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("undo and redo walk the same schedules, over a thousand edits") {
    const KernelPtr kernel = load_kernel(sample("flash_attn"));
    std::mt19937_64 random(5);
    EditHistory history{Schedule(kernel)};
    std::vector<Schedule> states{history.current()};
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(history.push(random_mutation(history.current(), random, 1 + random() % 3), "edit"));
        states.push_back(history.current());
    }
    for (std::size_t i = 1000; i > 0; --i) {
        const auto done = history.undo();
        REQUIRE(done);
        CHECK(*done == history.entries()[i - 1].backward);
        REQUIRE(history.current() == states[i - 1]);
    }
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.undo());
    for (std::size_t i = 1; i <= 1000; ++i) {
        REQUIRE(history.redo());
        REQUIRE(history.current() == states[i]);
    }
    CHECK_FALSE(history.can_redo());
    REQUIRE(history.go_to(317));
    CHECK(history.current() == states[317]);
    REQUIRE(history.go_to(900));
    CHECK(history.current() == states[900]);
    CHECK_FALSE(history.go_to(1001));
    CHECK(history.current() == states[900]);
}

TEST_CASE("a new edit after undo drops what was undone") {
    EditHistory history{Schedule(load_kernel(sample("softmax")))};
    REQUIRE(history.push(Mutation::move_before(4, 1), "a"));
    REQUIRE(history.push(Mutation::move_before(5, 1), "b"));
    REQUIRE(history.undo());
    REQUIRE(history.push(Mutation::move_after(6, 1), "c"));
    CHECK_FALSE(history.can_redo());
    REQUIRE(history.entries().size() == 2);
    CHECK(history.entries()[1].label == "c");
}

TEST_CASE("a refused edit leaves the history as it was") {
    EditHistory history{Schedule(load_kernel(sample("softmax")))};
    REQUIRE(history.push(Mutation::move_before(4, 1), "a"));
    REQUIRE(history.push(Mutation::move_before(5, 1), "b"));
    REQUIRE(history.undo());
    const Schedule before = history.current();
    CHECK_FALSE(history.push(Mutation::move_before(4, 4), "bad"));
    CHECK(history.current() == before);
    CHECK(history.can_redo());
    CHECK(history.cursor() == 1);
}
