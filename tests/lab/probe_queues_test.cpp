// SPDX-License-Identifier: GPL-3.0-or-later
// What `cubinlab-lab probe --queues` puts on a GPU: the pair stands as it says behind its burst, nothing else
// touches the operand, and the counts are added up by pair with their control beside them.
#include "app/lab/probe/probe_queues.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/sass/decoder.h"
#include "tests/lab/synthesis_cubin.h"

using namespace cubinlab;
using namespace cubinlab::probe;

namespace {

const std::shared_ptr<const Cubin>& queues() {
    static const auto cubin = Cubin::open(CUBINLAB_SAMPLES "/../resources/probe/queues.sm_90a.cubin");
    REQUIRE(cubin);
    return *cubin;
}
const WordBook& book() {
    static const auto made = WordBook::create(*queues());
    REQUIRE(made);
    return *made;
}
const std::vector<QueueCase>& cases() {
    static const auto made = queue_cases(book());
    INFO((made ? std::string() : made.error().message()));
    REQUIRE(made);
    return *made;
}
bool touches_r16(const Instruction& instruction, bool write) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const Operand& o) {
        return o.file == RegFile::Gpr && o.first <= 16 && 16 < o.first + o.count &&
               (write ? o.write : o.read);
    });
}

}  // namespace

TEST_CASE("the pair stands behind its burst, as far apart as said, with no wait between", "[queues]") {
    for (const QueueCase& c : cases()) {
        INFO(c.first << " -> " << c.second << ", burst " << to_string(c.burst) << ", stall " << c.stall);
        std::vector<Instruction> core;
        for (const Line& l : c.experiment.core)
            core.push_back(decode(book().arch(), *book().assemble(l.text), 0));
        const auto reader = std::find_if(core.begin(), core.end(),
                                         [](const Instruction& i) { return touches_r16(i, false); });
        REQUIRE(reader != core.end());
        const auto at = static_cast<std::size_t>(reader - core.begin());
        CHECK(at == (c.burst == Burst::None ? 0u : 32u));
        CHECK(c.experiment.core[at].control.stall == c.stall);
        const bool covered = c.second.starts_with("MOV behind");
        const std::size_t writer = at + (covered ? 2 : 1);
        REQUIRE(writer < core.size());
        CHECK(touches_r16(core[writer], true) == (c.second != kQuiet));
        CHECK(c.experiment.core[at + 1].control.wait_mask == 0);
        if (covered) CHECK(c.experiment.core[writer].control.wait_mask == 1);
        // Nothing else reads or writes it, and what completes later has a barrier of its own.
        for (std::size_t i = 0; i < core.size(); ++i) {
            if (i != writer) CHECK_FALSE(touches_r16(core[i], true));
            const ControlCode& control = c.experiment.core[i].control;
            if (core[i].unit == Unit::Lsu || core[i].unit == Unit::Mio || core[i].unit == Unit::Xu)
                CHECK((control.write_barrier != kNoBarrier || control.read_barrier != kNoBarrier));
        }
    }
}

TEST_CASE("every case fits into its frame and names only its registers", "[queues]") {
    const auto exit = required(frame_exit(*queues()));
    const auto info = required(queues()->kernel(kFrameName));
    std::set<std::string> seen;
    for (const QueueCase& c : cases()) {
        INFO(c.first << " -> " << c.second << ", burst " << to_string(c.burst));
        if (c.stall != 1) continue;
        auto program = build_program(book(), c.experiment, Shape{132, 1024, 10}, *exit);
        INFO((program ? std::string() : program.error().message()));
        REQUIRE(program);
        for (const Word& word : program->words)
            for (const Operand& o : decode(book().arch(), word, 0).operands)
                if (o.file == RegFile::Gpr) CHECK(o.first + o.count <= (*info)->registers - 2);
        CHECK(seen.insert(c.first + ">" + c.second + to_string(c.burst)).second);
    }
}

TEST_CASE("every first instruction has its control in every burst", "[queues]") {
    std::map<std::string, int> pairs, controls, quiet;
    for (const QueueCase& c : cases())
        (c.second == kControl ? controls : c.second == kQuiet ? quiet : pairs)[c.first] += 1;
    for (const auto& [first, count] : pairs) {
        CHECK(controls[first] == 5 * 4);
        CHECK(quiet[first] == 5);
    }
    for (const char* first : {"STS", "STG", "ST", "STL", "LDS", "LDSM", "LDG", "LDL", "SHFL", "ATOMS",
                              "ATOMG", "RED", "LDGSTS", "MUFU"})
        CHECK(pairs[first] > 0);
}

TEST_CASE("counts are added up by pair, a pair without a breaking control shows nothing", "[queues]") {
    // A machine on which only LDS may not overwrite what LDG reads, and MUFU's operand is read at once.
    const QueueRun machine = [](const QueueCase& c, Occupancy occupancy,
                                std::uint64_t trials) -> Result<Count> {
        Count out;
        out.trials = trials;
        if (c.second == kControl && c.first != "MUFU") out.wrong = trials / 2;
        if (c.first == "RED") out.wrong = 1;
        if (c.first == "LDG" && c.second == "LDS" && occupancy == Occupancy::Full && c.burst == Burst::Global)
            out.wrong = 3;
        return out;
    };
    QueueSettings settings;
    settings.trials = 100;
    const auto study = required(run_queue_study(cases(), machine, settings, {}));
    CHECK(study->left == 0);
    CHECK(study->launches == 2 * cases().size());
    for (const QueuePair& p : study->pairs) {
        INFO(p.first << " -> " << p.second);
        CHECK(p.needs_barrier() == (p.first == "LDG" && p.second == "LDS"));
        CHECK(p.shown() == (p.first != "MUFU" && p.first != "RED"));
        const bool covered = p.second.starts_with("MOV behind") && p.first != "MUFU";
        CHECK(p.pair.trials == 5 * (covered ? 2 : 4) * 2 * 100);
        if (p.needs_barrier()) {
            CHECK(p.pair.wrong == 3 * 4);
            CHECK(p.worst.find("burst global") != std::string::npos);
        }
    }
    const std::string table = queues_markdown(*study);
    CHECK(table.find("| LDG | LDS | 12 | 4000 |") != std::string::npos);
    CHECK(table.find("measured: 0 of 4000") != std::string::npos);
    CHECK(table.find("no verdict: wrong or not run when nothing overwrites") != std::string::npos);
    CHECK(table.find("| MUFU | MUFU | 0 | 4000 | 0 | 4000 | not shown") != std::string::npos);
}

TEST_CASE("a run that is out of time says what is left", "[queues]") {
    QueueSettings settings;
    settings.seconds = 0;
    const auto study = run_queue_study(
        cases(), [](const QueueCase&, Occupancy, std::uint64_t) -> Result<Count> { return Count{}; },
        settings, {});
    REQUIRE(study);
    CHECK(study->left > 0);
    CHECK(study->end == "time is up");
}
