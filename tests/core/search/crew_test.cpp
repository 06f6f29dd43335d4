// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/search/crew.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("A crew takes every turn once, with threads and without, and one crew inside another's turns") {
    for (const std::size_t threads : {0, 1, 3}) {
        Crew crew(threads);
        for (const std::size_t count : {0, 1, 2, 100}) {
            std::vector<std::atomic<int>> taken(count);
            crew.run(count, [&](std::size_t i) { crew.run(1, [&](std::size_t) { ++taken[i]; }); });
            for (const std::atomic<int>& times : taken)
                CHECK(times == 1);
        }
    }
}

TEST_CASE("Two callers share a crew: neither waits for the other, and each has its turns") {
    Crew crew(3);
    std::vector<std::atomic<int>> first(40), second(40);
    std::atomic<bool> second_done{false};
    crew.run(first.size(), [&](std::size_t i) {
        ++first[i];
        // The first loop is under way until the second, of another thread, is through.
        if (i == 0) {
            std::jthread other([&] {
                crew.run(second.size(), [&](std::size_t k) { ++second[k]; });
                second_done = true;
            });
        }
    });
    CHECK(second_done);
    for (std::size_t i = 0; i < first.size(); ++i)
        CHECK((first[i] == 1 && second[i] == 1));
}

TEST_CASE("What a turn throws comes out of the loop, and the crew goes on") {
    Crew crew(2);
    CHECK_THROWS_AS(crew.run(50,
                             [](std::size_t i) {
                                 if (i % 7 == 3) throw std::runtime_error("turn");
                             }),
                    std::runtime_error);
    std::atomic<int> turns{0};
    crew.run(50, [&](std::size_t) { ++turns; });
    CHECK(turns == 50);
}

TEST_CASE("An aide does one task after the other, and ends with one under way") {
    std::atomic<int> done{0};
    {
        Aide aide;
        aide.wait();
        for (int i = 1; i <= 20; ++i) {
            aide.start([&] { ++done; });
            aide.wait();
            CHECK(done == i);
        }
        aide.start([] { throw std::runtime_error("task"); });
        CHECK_THROWS_AS(aide.wait(), std::runtime_error);
        aide.start([&] { ++done; });
    }
    CHECK(done == 21);
}
