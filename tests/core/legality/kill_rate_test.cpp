// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp the rules are, and that they are not sharp by refusing: kill rates, legal moves, reasons of
// refusal. `test_hazard_checker "[.figures]"` prints the figures of resources/docs/evidence/legality-attacks.md.
#include <algorithm>
#include <map>

#include "app/lab/fuzz/control_edits.h"
#include "core/legality/dependency_graph.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Kills {
    std::size_t tried = 0;
    std::size_t refused = 0;
    std::map<Rule, std::size_t> by_rule;
    std::map<std::string, std::size_t> survivors;  // by unit

    void note(const Legality& legality, const std::string& what) {
        ++tried;
        if (legality.empty()) {
            ++survivors[what];
            return;
        }
        ++refused;
        ++by_rule[legality.front().rule];
    }
    std::string text() const {
        std::string out = std::to_string(refused) + " of " + std::to_string(tried) + " refused";
        for (const auto& [rule, n] : by_rule)
            out += std::string("\n    ") + to_string(rule) + " " + std::to_string(n);
        if (!survivors.empty()) out += "\n  survivors:";
        for (const auto& [what, n] : survivors)
            out += " " + what + " " + std::to_string(n) + ",";
        return out;
    }
};

// Every stall count one lower, one at a time.
void lower_stalls(const NamedKernel& named, CheckMode mode, Kills& kills) {
    const auto checker = *HazardChecker::create(named.kernel, mode);
    const Schedule original(named.kernel);
    for (InstrId id = 0; id < named.kernel->size(); ++id) {
        ControlCode code = original.control(id);
        if (code.stall < 2) continue;
        --code.stall;
        kills.note(checker->explain(original, Mutation::control(original, id, code)),
                   to_string(named.kernel->instruction(id).unit));
    }
}

// Every pair of neighbours of which the second reads what the first writes.
void swap_dependent(const NamedKernel& named, Kills& kills) {
    const auto checker = *HazardChecker::create(named.kernel, CheckMode::Absolute);
    const Schedule original(named.kernel);
    for (const Block& block : named.kernel->flow().blocks)
        for (InstrId id = block.first; id + 1 < block.end(); ++id) {
            bool dependent = false;
            for (const Operand& w : named.kernel->instruction(id).operands)
                for (const Operand& r : named.kernel->instruction(id + 1).operands)
                    dependent = dependent || (w.overlaps(r) && (w.write || r.write));
            if (dependent)
                kills.note(checker->explain(original, Mutation::move_to(original, id, id + 1)),
                           to_string(named.kernel->instruction(id).unit));
        }
}

}  // namespace

TEST_CASE("every swap of dependent neighbours is refused") {
    Kills kills;
    for (const NamedKernel& named : all_kernels())
        swap_dependent(named, kills);
    CHECK(kills.tried > 500);
    CHECK(kills.refused == kills.tried);
}

TEST_CASE("kill rates", "[.long][.figures]") {
    Kills absolute;
    Kills against;
    Kills swaps;
    for (const NamedKernel& named : all_kernels()) {
        lower_stalls(named, CheckMode::Absolute, absolute);
        lower_stalls(named, CheckMode::AgainstOriginal, against);
        swap_dependent(named, swaps);
    }
    WARN("each stall lowered by one, tables only: " << absolute.text());
    WARN("each stall lowered by one, against the original: " << against.text());
    WARN("each dependent pair of neighbours swapped: " << swaps.text());
}

TEST_CASE("legal single moves and control edits, and why the others are refused", "[.long][.figures]") {
    std::map<Rule, std::size_t> reasons;
    for (const NamedKernel& named : sample_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        std::size_t moves = 0;
        std::size_t edits = 0;
        std::size_t movable = 0;
        for (InstrId id = 0; id < named.kernel->size(); ++id) {
            const std::size_t places = checker->slots(original, id).count() - 1;
            moves += places;
            movable += places > 0 ? 1 : 0;
            edits += control_edits(*checker, original, id).size();
            const Block& block = named.kernel->flow().blocks[named.kernel->block_of(id)];
            if (id + 1 >= block.end()) continue;
            const Legality legality = checker->explain(original, Mutation::move_to(original, id, id + 1));
            if (!legality.empty()) ++reasons[legality.front().rule];
        }
        WARN(named.file << ": " << named.kernel->size() << " instructions, " << movable
                        << " of them movable, " << moves << " legal single moves, " << edits
                        << " legal control edits");
    }
    std::vector<std::pair<std::size_t, Rule>> ranked;
    for (const auto& [rule, n] : reasons)
        ranked.emplace_back(n, rule);
    std::sort(ranked.rbegin(), ranked.rend());
    std::string text = "adjacent moves refused, by rule:";
    for (const auto& [n, rule] : ranked)
        text += std::string("\n    ") + to_string(rule) + " " + std::to_string(n);
    WARN(text);
}
