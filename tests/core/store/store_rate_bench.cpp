// SPDX-License-Identifier: GPL-3.0-or-later
// Figures, not assertions: test_store "[.bench]". Budget: 50 us a mutation, amortised.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "core/store/session_file.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

double resident_mib() {
    std::ifstream in("/proc/self/statm");
    double total = 0;
    double resident = 0;
    in >> total >> resident;
    return resident * 4096 / (1 << 20);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("rate of 200,000 logged mutations", "[.bench]") {
    OpenRun open(1, 20);
    constexpr int kSteps = 200000;
    constexpr int kChunk = 1000;
    double appending = 0;
    const double before = resident_mib();
    const auto start = std::chrono::steady_clock::now();
    std::vector<StepRecord> chunk;
    for (int i = 0; i < kSteps; i += kChunk) {
        chunk.clear();
        for (int k = 0; k < kChunk; ++k)
            chunk.push_back(open.log.next());
        open.log.forget_before(open.log.last() - 100);
        const auto t = std::chrono::steady_clock::now();
        for (const StepRecord& record : chunk)
            REQUIRE(open.sink->append(record));
        REQUIRE(open.sink->flush());
        appending += seconds_since(t);
    }
    std::cout << "append until durable: " << appending / kSteps * 1e6 << " us a mutation ("
              << open.kernel->size() << " instructions), all " << seconds_since(start) << " s, memory +"
              << resident_mib() - before << " MiB\n";
    auto reader = required(SessionReader::open(open.file));
    auto t = std::chrono::steady_clock::now();
    REQUIRE((*reader)->schedule_at(open.kernel, open.run, kSteps - 1));
    std::cout << "schedule_at: " << seconds_since(t) * 1e3 << " ms\n";
    t = std::chrono::steady_clock::now();
    REQUIRE((*reader)->verify(open.kernel, open.run).value() == kSteps);
    std::cout << "verify: " << seconds_since(t) << " s\n";
    // The run has neither an end nor a best step, as one that was killed early: nothing may look for them
    // from step to step.
    t = std::chrono::steady_clock::now();
    for (StepId step = 1; step <= kSteps; ++step)
        REQUIRE((*reader)->schedule_at(open.kernel, open.run, step));
    std::cout << "schedule_at, all in turn: " << seconds_since(t) / kSteps * 1e6 << " us each\n";
    REQUIRE(open.session->close());
    std::cout << "file: " << static_cast<double>(size_of_file(open.file)) / kSteps << " bytes a mutation\n";
}

// A long session to measure readers with: CUBINLAB_STEPS=4300000 CUBINLAB_SESSION=long.db test_store
// "[.make]". Its run has no best step, so that no figure of it claims anything.
TEST_CASE("a session of as many steps as wanted", "[.make]") {
    const char* wanted = std::getenv("CUBINLAB_STEPS");
    const char* file = std::getenv("CUBINLAB_SESSION");
    REQUIRE((wanted != nullptr && file != nullptr));
    const long steps = std::atol(wanted);
    LogMaker log(sample_kernel(), 1, 20);
    auto session = open_or_fail(file, sample_kernel());
    RunId run = 0;
    auto sink = required(session->begin_run(header_for_tests(), log.start(), &run));
    const double before = resident_mib();
    for (long i = 0; i < steps; ++i) {
        REQUIRE((*sink)->append(log.next()));
        if (i % 1000 == 0) log.forget_before(log.last() - 100);
    }
    REQUIRE((*sink)->finish({}));
    sink->reset();
    REQUIRE(session->close());
    std::cout << steps << " steps, memory +" << resident_mib() - before << " MiB, file "
              << size_of_file(file) / (1 << 20) << " MiB\n";
}
