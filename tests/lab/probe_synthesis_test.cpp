// SPDX-License-Identifier: GPL-3.0-or-later
// What `cubinlab-lab probe` puts on a GPU is what it says: words that decode to the wanted instruction, pairs
// exactly as far apart as asked, everything around them legal, and the checker's verdict on both sides of
// each limit.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "app/lab/probe/probe_study.h"
#include "core/legality/hazard_checker.h"
#include "core/sass/decoder.h"
#include "tests/lab/synthesis_cubin.h"

using namespace cubinlab;
using namespace cubinlab::probe;
using cubinlab::test::synthesis;

namespace {

const WordBook& book() {
    static const auto made = WordBook::create(*synthesis());
    REQUIRE(made);
    return *made;
}
const Shape kShape{132, 128, 10};

Program program_of(const Experiment& experiment) {
    const auto exit = required(frame_exit(*synthesis()));
    auto program = build_program(book(), experiment, kShape, *exit);
    INFO((program ? std::string() : program.error().message()));
    REQUIRE(program);
    return std::move(*program);
}
Pair pair_named(const std::string& name) {
    for (const Pair& pair : pair_catalogue())
        if (pair.name == name) return pair;
    FAIL("no pair " << name);
    return {};
}
Experiment experiment_at(const Pair& pair, int distance) {
    auto experiment = experiment_of(book(), pair, distance);
    INFO(pair.name);
    REQUIRE(experiment);
    return std::move(*experiment);
}
Legality absolute_findings(const Experiment& experiment) {
    auto image = required(build_image(*synthesis(), program_of(experiment)));
    auto cubin = required(Cubin::parse(std::move(*image), "experiment"));
    auto kernel = required(Kernel::load(*cubin, kFrameName));
    auto report = required(check_kernel(*kernel));
    return report->hazards;
}
// The whole catalogue in a random sample, the same one every time.
std::vector<Pair> sample_of_pairs(std::size_t every) {
    std::vector<Pair> out;
    const std::vector<Pair> all = pair_catalogue();
    for (std::size_t i = 0; i < all.size(); i += every)
        out.push_back(all[i]);
    return out;
}

}  // namespace

TEST_CASE("an assembled word renders as the text it was asked for", "[probe]") {
    for (const char* text :
         {"FFMA R20, R16, R9, R10", "IADD3 R2, R3, R4, RZ", "ISETP.GE.U32.AND P3, PT, R8, R9, !P1",
          "LDG.E R20, desc[UR4][R16.64]", "HMMA.16816.F32 R16, R8, R12, R24",
          "SHFL.BFLY PT, R20, R16, 0x1, 0x1f", "LDC R20, c[0x0][R16]", "UIADD3 UR6, UR7, UR8, URZ",
          "IMAD.MOV.U32 R9, RZ, RZ, -0x80000000"}) {
        auto word = book().assemble(text);
        INFO(text);
        REQUIRE(word);
        CHECK(render(book().arch(), *word, 0) == text);
        CHECK(ControlCode::decode(*word) == ControlCode{});
    }
}

TEST_CASE("the fields of an assembled word stand where the encoding has them", "[probe]") {
    // Bits 16-23 destination, 24-31 a, 32-39 b, 64-71 c; 12-15 guard with its negation.
    const auto word = required(book().assemble("@!P2 FFMA R20, R16, R9, R10"));
    CHECK(word->bits(0, 12) == 0x223);
    CHECK(word->bits(12, 4) == (8 | 2));
    CHECK(word->bits(16, 8) == 20);
    CHECK(word->bits(24, 8) == 16);
    CHECK(word->bits(32, 8) == 9);
    CHECK(word->bits(64, 8) == 10);
}

TEST_CASE("compiled words come back from their own text", "[probe]") {
    std::size_t compared = 0;
    for (const KernelInfo& kernel : synthesis()->kernels()) {
        if (!kernel.name.starts_with("book_")) continue;
        for (Word word : synthesis()->code(kernel)) {
            word = with_bits(ControlCode{}.encode_into(word), 12, 4, 7);
            const Instruction known = decode(book().arch(), word, 0);
            if (known.has(Trait::UnknownOpcode) || known.branch_target >= 0) continue;
            const std::string text = render(book().arch(), word, 0);
            auto again = book().assemble(text);
            INFO(kernel.name << ": " << text);
            REQUIRE(again);
            CHECK(render(book().arch(), *again, 0) == text);
            ++compared;
        }
    }
    CHECK(compared > 400);
}

TEST_CASE("what no compiled word leads to is refused by name", "[probe]") {
    for (const char* text : {"FROB R1, R2", "FFMA.SAT R1, R2, R3, R4", "IADD3 R300, R1, R2, R3", "", "@P1"}) {
        auto word = book().assemble(text);
        INFO(text);
        REQUIRE_FALSE(word);
        CHECK(word.error().code == ErrorCode::NotFound);
    }
    auto none = WordBook::create(**Cubin::open(CUBINLAB_SAMPLES "/bmm.cubin"));
    REQUIRE_FALSE(none);
    CHECK(none.error().what.find("book_") != std::string::npos);
}

TEST_CASE("branches reach their targets, forward and back", "[probe]") {
    for (const auto& [at, target] :
         {std::pair{0x400u, 0x40u}, {0x40u, 0x4000u}, {0x1000u, 0x1010u}, {0x10u, 0x0u}}) {
        auto word = required(book().branch("@!P0", at, target));
        const Instruction known = decode(book().arch(), *word, at);
        CHECK(known.branch_target == static_cast<std::int64_t>(target));
        CHECK(known.guard == 0);
        CHECK(known.guard_negated);
    }
}

TEST_CASE("a pair stands exactly as far apart as asked", "[probe]") {
    for (const Pair& pair : sample_of_pairs(97))
        for (const int distance : {1, 2, 9, 10, 11, 20, 21, 26, 40}) {
            const Experiment experiment = experiment_at(pair, distance);
            int sum = 0;
            std::size_t i = 0;
            for (; i < experiment.core.size() && experiment.core[i].text != pair.second; ++i) {
                // Nothing in between depends on how yield or a long stall works.
                CHECK(experiment.core[i].control.stall <= 10);
                CHECK_FALSE(experiment.core[i].control.yield);
                CHECK(experiment.core[i].control.wait_mask == 0);
                sum += experiment.core[i].control.stall;
            }
            INFO(pair.name << " at " << distance);
            REQUIRE(i < experiment.core.size());
            CHECK(sum == distance);
        }
}

TEST_CASE("no experiment names a register that its kernel has not, or a barrier that nothing lowers",
          "[probe]") {
    std::vector<std::pair<std::string, Program>> programs;
    for (const Pair& pair : sample_of_pairs(31))
        programs.emplace_back(pair.name, program_of(experiment_at(pair, 13)));
    auto questions = required(all_questions(book()));
    for (const Question& q : *questions)
        programs.emplace_back(q.topic + ": " + q.name, program_of(q.experiment));
    CHECK(programs.size() > 1000);
    // The file's count of registers includes two that the hardware keeps.
    const auto info = required(synthesis()->kernel(kFrameName));
    const int registers = (*info)->registers - 2;
    for (const auto& [name, program] : programs) {
        bool sound = true;
        for (const Word& word : program.words) {
            const Instruction known = decode(book().arch(), word, 0);
            const ControlCode control = known.control();
            bool writes = false;
            for (const Operand& operand : known.operands) {
                writes = writes || operand.write;
                if (operand.file == RegFile::Gpr && operand.first + operand.count > registers) sound = false;
                // Tuples are aligned to their width.
                if (operand.file == RegFile::Gpr && operand.count > 1 && operand.first % operand.count != 0)
                    sound = false;
            }
            const bool variable = known.has(Trait::VariableLatency);
            if (control.write_barrier != kNoBarrier && !(writes && variable)) sound = false;
            if (control.read_barrier != kNoBarrier && !variable) sound = false;
            if (known.has(Trait::UnknownOpcode)) sound = false;
        }
        INFO(name);
        CHECK(sound);
    }
}

TEST_CASE("the checker calls a pair below its table illegal and finds nothing else in the program",
          "[probe]") {
    int tried = 0;
    for (const Pair& pair : sample_of_pairs(211)) {
        auto table = required(table_distance(book(), pair, CheckMode::Absolute));
        if (!*table || **table < 2) continue;
        // Where a DMMA carries a barrier the wait is the proof, not the distance.
        if (pair.first.find("DMMA") != std::string::npos) continue;
        ++tried;
        INFO(pair.name << ", table " << **table);
        const Legality below = absolute_findings(experiment_at(pair, **table - 1));
        REQUIRE(below.size() == 1);
        CHECK((below[0].rule == Rule::RawDistance || below[0].rule == Rule::WarDistance ||
               below[0].rule == Rule::WawDistance));
        CHECK(below[0].need == **table);
        CHECK(below[0].have == **table - 1);
        CHECK(absolute_findings(experiment_at(pair, **table)).empty());
    }
    CHECK(tried > 20);
}

TEST_CASE("limits that broke on an H200 are in the tables", "[probe]") {
    // Each with its smallest distance that gave right results in every trial
    // (resources/docs/latencies-sm_90a.md).
    for (const auto& [name, need] : std::map<std::string, int>{{"raw R IADD3 -> IADD3 a", 4},
                                                               {"raw R FFMA -> IADD3 a", 5},
                                                               {"raw R IADD3 -> FFMA c", 5},
                                                               {"raw R IMAD.WIDE hi -> IADD3 a", 5},
                                                               {"raw R IADD3 -> HFMA2.MMA a", 6},
                                                               {"raw R IADD3 -> HMMA.1688.F32 a", 7},
                                                               {"raw R DADD -> DADD a", 8},
                                                               {"raw R FADD -> R2UR", 5},
                                                               {"raw R HFMA2.MMA -> HFMA2.MMA b", 8},
                                                               {"raw R HFMA2.MMA -> DFMA c", 8},
                                                               {"raw R DMUL -> HFMA2.MMA a", 8},
                                                               {"raw R DADD -> R2UR", 8},
                                                               {"raw R HFMA2.MMA -> R2UR", 8},
                                                               {"raw R HFMA2 -> HADD2.F32", 5},
                                                               {"raw R HADD2.F32 -> HMUL2 b", 5},
                                                               {"raw P ISETP -> guard IADD3", 13}}) {
        auto table = table_distance(book(), pair_named(name));
        INFO(name);
        REQUIRE(table);
        REQUIRE(*table);
        CHECK(**table >= need);
    }
}

TEST_CASE("what an H200 read wrong is not legal in code that stands alone either", "[probe]") {
    // One cycle more than the longest distance that broke (resources/probe/measured-sm_90a.jsonl.gz). Pairs of which compiled
    // code, or a guess about what goes to a queue, was taken to show less.
    for (const auto& [name, need] :
         std::map<std::string, int>{{"raw P ISETP -> guard IADD3", 13},
                                    {"raw P FSETP -> guard LDC", 13},
                                    {"raw R FFMA -> R2UR", 5},
                                    {"raw R HMUL2 -> R2UR", 5},
                                    {"raw R IMAD.WIDE hi -> R2UR", 5},
                                    {"raw R DFMA -> R2UR", 8},
                                    {"raw R HFMA2.MMA -> R2UR", 8},
                                    {"raw R HFMA2.MMA -> I2F", 6},
                                    {"raw R DADD -> LDS address", 7},
                                    {"raw R HMMA.16816.F32 -> HMMA.1688.TF32 a", 16},
                                    {"raw R HMMA.16816.F32 -> HMMA.16816.F32 b", 13},
                                    {"raw R HMMA.16816.F32 -> HMMA.16816.F32 c", 11},
                                    {"raw UR R2UR -> IADD3 b", 10},
                                    {"raw UR R2UR -> UMOV", 10},
                                    {"waw UR R2UR -> ULOP3", 4},
                                    {"waw UR R2UR -> ULDC", 10}}) {
        auto table = table_distance(book(), pair_named(name), CheckMode::Absolute);
        INFO(name);
        REQUIRE(table);
        REQUIRE(*table);
        CHECK(**table >= need);
    }
}

TEST_CASE("every group of questions has a control that must break or hold", "[probe]") {
    auto questions = required(all_questions(book()));
    std::map<std::string, std::set<Expect>> by_topic;
    std::set<std::string> names;
    for (const Question& q : *questions) {
        by_topic[q.topic].insert(q.expect);
        CHECK(names.insert(q.topic + "/" + q.name).second);
    }
    for (const char* topic : {"yield at stall 1", "in-order groups"})
        CHECK(by_topic[topic].contains(Expect::Breaks));
    for (const char* topic :
         {"yield at stall 1", "stale reuse value", "set to wait", "in-order operand reads", "BAR to memory"})
        CHECK(by_topic[topic].contains(Expect::Holds));
}

TEST_CASE("a log survives a kill and refuses what is none", "[probe]") {
    const auto path = std::filesystem::temp_directory_path() / "cubinlab-probe-test.jsonl";
    const char* whole =
        R"({"pair":"raw R IADD3 -> FADD a","kind":"raw","first":"IADD3 R16, R8, R9, RZ","second":"FADD R20, R16, R9","resource":"R16","table":5,"breaks_at":4,"counts":[["one",4,20000,20000],["full",4,300,60000],["one",5,0,60000]]})";
    std::ofstream(path) << whole << "\n" << std::string(whole).substr(0, 40);
    auto rows = required(read_log(path));
    REQUIRE(rows->size() == 1);
    const auto classes = summarise(book(), *rows);
    REQUIRE(classes.size() == 1);
    CHECK(classes[0].first == "ALU");
    CHECK(classes[0].second == "FMA a");
    CHECK(classes[0].need == 5);
    CHECK(classes[0].wrong_below == 20300);
    CHECK(classes[0].trials_below == 80000);
    CHECK(classes[0].wrong_at == 0);
    CHECK(classes[0].trials_at == 60000);
    CHECK_FALSE(classes[0].above_table);
    std::ofstream(path) << "no json\n" << whole << "\n";
    auto refused = read_log(path);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where.find("line 1") != std::string::npos);
    for (const char* foreign :
         {R"({"pair":1,"kind":"raw","first":"NOP","second":"NOP","resource":"R1","counts":[]})",
          R"({"pair":"p","kind":"raw","first":"NOP","second":"NOP","counts":[]})",
          R"({"pair":"p","kind":"raw","first":"NOP","second":"NOP","resource":"R1","counts":[["one",1]]})",
          R"({"question":"q","topic":"t","expect":"open","one":"1/2","full":[0,1]})"}) {
        std::ofstream(path) << foreign << "\n" << whole << "\n";
        INFO(foreign);
        CHECK_FALSE(read_log(path));
    }
    // A register that is none does not reach the tables.
    std::ofstream(path)
        << R"({"pair":"p","kind":"raw","first":"NOP","second":"NOP","resource":"?","breaks_at":1,"counts":[]})"
        << "\n";
    auto odd = required(read_log(path));
    REQUIRE(summarise(book(), *odd).size() == 1);
    CHECK(summarise(book(), *odd)[0].table_high == 0);
    std::filesystem::remove(path);
}

TEST_CASE("a worker that cannot measure is an error that says so", "[probe]") {
    auto bench = Bench::create(synthesis(), {"/bin/false"});
    REQUIRE_FALSE(bench);
    CHECK(bench.error().code == ErrorCode::NoGpu);
}
