// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long legality answers take (hidden: `test_hazard_checker [bench]`; meaningful in a Release
// build).
#include <ctime>

#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

template <class Function>
double microseconds(std::size_t times, const Function& function) {
    // Processor time, so that a busy machine does not count.
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < times; ++i)
        function(i);
    return static_cast<double>(std::clock() - start) * 1e6 / CLOCKS_PER_SEC / static_cast<double>(times);
}

}  // namespace

TEST_CASE("cost of legality answers", "[.bench]") {
    for (const NamedKernel& named : sample_kernels()) {
        std::shared_ptr<const HazardChecker> checker;
        const double create =
            microseconds(1, [&](std::size_t) { checker = *HazardChecker::create(named.kernel); });
        const Schedule original(named.kernel);
        std::mt19937 random(7);
        std::vector<Mutation> adjacent;
        std::vector<Mutation> mixed;
        std::vector<Mutation> stalls;
        while (adjacent.size() < 2000) {
            const InstrId id = random() % named.kernel->size();
            const Block& block = named.kernel->flow().blocks[named.kernel->block_of(id)];
            if (id + 1 < block.end()) adjacent.push_back(Mutation::move_to(original, id, id + 1));
            ControlCode code = original.control(id);
            code.stall = static_cast<std::uint8_t>(code.stall == 0 ? 0 : code.stall - 1);
            stalls.push_back(Mutation::control(original, id, code));
            mixed.push_back(random_mutation(original, random));
        }
        std::size_t legal = 0;
        const auto ask = [&](const std::vector<Mutation>& list) {
            return microseconds(list.size(),
                                [&](std::size_t i) { legal += checker->allows(original, list[i]) ? 1 : 0; });
        };
        ask(adjacent);
        const double a = ask(adjacent);
        const double s = ask(stalls);
        const double m = ask(mixed);
        const double full = microseconds(50, [&](std::size_t) { checker->check(original); });
        // A first question about a schedule never seen pays for its base state.
        Schedule moving = original;
        const double fresh = microseconds(50, [&](std::size_t i) {
            ControlCode code = moving.control(0);
            code.stall = static_cast<std::uint8_t>(2 + i % 9);
            moving.set_control(0, code);
            checker->allows(moving, adjacent[i]);
        });
        std::size_t slots = 0;
        const double slot = microseconds(named.kernel->size(), [&](std::size_t i) {
            slots += checker->slots(original, static_cast<InstrId>(i)).count() - 1;
        });
        WARN(named.file << " n=" << named.kernel->size() << ": create " << create << " us, adjacent move "
                        << a << ", stall " << s << ", mixed " << m << ", first on a new schedule " << fresh
                        << ", full check " << full << ", slots of one " << slot << " us (" << slots
                        << " legal moves, " << legal << ")");
    }
}
