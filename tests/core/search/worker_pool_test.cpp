// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/search/engine/worker_pool.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("A pool runs every iteration once, with threads and without, also from inside an iteration") {
    for (const std::size_t threads : {0, 1, 3}) {
        WorkerPool pool(threads);
        for (const std::size_t count : {0, 1, 2, 100}) {
            std::vector<std::atomic<int>> ran(count);
            pool.run(count, [&](std::size_t i) { pool.run(1, [&](std::size_t) { ++ran[i]; }); });
            for (const std::atomic<int>& times : ran)
                CHECK(times == 1);
        }
    }
}

TEST_CASE("Two callers share a pool: neither waits for the other, and each gets its iterations") {
    WorkerPool pool(3);
    std::vector<std::atomic<int>> first(40), second(40);
    std::atomic<bool> second_done{false};
    pool.run(first.size(), [&](std::size_t i) {
        ++first[i];
        // The first loop cannot end before the second one, of another thread, has ended.
        if (i == 0) {
            std::jthread other([&] {
                pool.run(second.size(), [&](std::size_t k) { ++second[k]; });
                second_done = true;
            });
        }
    });
    CHECK(second_done);
    for (std::size_t i = 0; i < first.size(); ++i)
        CHECK((first[i] == 1 && second[i] == 1));
}

TEST_CASE("run() throws what an iteration threw, and the pool can be used again") {
    WorkerPool pool(2);
    CHECK_THROWS_AS(pool.run(50,
                             [](std::size_t i) {
                                 if (i % 7 == 3) throw std::runtime_error("iteration");
                             }),
                    std::runtime_error);
    std::atomic<int> iterations{0};
    pool.run(50, [&](std::size_t) { ++iterations; });
    CHECK(iterations == 50);
}

TEST_CASE("A worker thread runs one task after the other, and finishes a started one before it ends") {
    std::atomic<int> done{0};
    {
        WorkerThread thread;
        thread.wait();
        for (int i = 1; i <= 20; ++i) {
            thread.start([&] { ++done; });
            thread.wait();
            CHECK(done == i);
        }
        thread.start([] { throw std::runtime_error("task"); });
        CHECK_THROWS_AS(thread.wait(), std::runtime_error);
        thread.start([&] { ++done; });
    }
    CHECK(done == 21);
}
