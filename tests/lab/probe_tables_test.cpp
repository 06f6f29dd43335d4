// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the distances page say what the log says.
#include "app/lab/probe/probe_tables.h"

#include <cstdlib>
#include <filesystem>

#include "tests/lab/synthesis_cubin.h"

using namespace cubinlab;
using namespace cubinlab::probe;
using cubinlab::test::synthesis;

namespace {

Row row(const std::string& name, int breaks_at) {
    return {{"pair", name}, {"breaks_at", breaks_at}};
}

// The smallest distance of a class in a kernel that holds the named pair `distance` cycles apart.
int mined(const std::string& name, int distance, const ClassKey& key) {
    auto book = required(WordBook::create(*synthesis()));
    for (const Pair& pair : pair_catalogue()) {
        if (pair.name != name) continue;
        auto experiment = required(experiment_of(*book, pair, distance));
        auto program = required(build_program(*book, *experiment, {132, 128, 10}, *frame_exit(*synthesis())));
        auto image = required(build_image(*synthesis(), *program));
        auto cubin = required(Cubin::parse(std::move(*image), "experiment"));
        auto kernel = required(Kernel::load(*cubin, kFrameName));
        MinedClasses classes;
        mine_distances(**kernel, classes);
        REQUIRE(classes.contains(key));
        return classes.at(key).least;
    }
    FAIL("no pair " << name);
    return 0;
}

}  // namespace

TEST_CASE("the smallest distance in a kernel is the one that was put there", "[probe]") {
    // The frame's own instructions stand 5 cycles apart or more.
    CHECK(mined("raw R IADD3 -> FADD a", 5, {"raw", "R", "ALU", "FMA a"}) == 5);
    CHECK(mined("raw R IADD3 -> FADD a", 3, {"raw", "R", "ALU", "FMA a"}) == 3);
    CHECK(mined("raw P ISETP -> guard IADD3", 13, {"raw", "P", "ALU", "guard of ALU"}) == 13);
    CHECK(mined("raw R @P FFMA -> IADD3 a", 5, {"raw", "R", "@P FMA", "ALU a"}) == 5);
}

TEST_CASE("predicated writers are held against the same pair without", "[probe]") {
    const auto compared = compare_guarded(
        {row("raw R FFMA -> IADD3 a", 4), row("raw R @P FFMA -> IADD3 a", 4), row("raw R FADD -> IADD3 a", 4),
         row("raw R @P FADD -> IADD3 a", 5), row("raw R IMAD -> IADD3 a", 4),
         row("raw R @P IMAD -> IADD3 a", 3), row("raw R @P DADD -> IADD3 a", 7)});
    CHECK(compared.pairs == 3);  // DADD was not measured without a predicate
    CHECK(compared.same == 1);
    CHECK(compared.less == 1);
    REQUIRE(compared.more.size() == 1);
    CHECK(compared.more[0] == "raw R @P FADD -> IADD3 a: 6 against 5");
}

TEST_CASE("a cell of the matrix is measured, table and compiler", "[probe]") {
    ClassSummary a;
    a.kind = "raw", a.file = "R", a.first = "ALU", a.second = "FMA a";
    a.pairs = 2, a.table_low = a.table_high = 5, a.need = a.need_low = 4;
    a.wrong_below = 7, a.trials_below = 100, a.trials_at = 200;
    ClassSummary b = a, other = a, guarded = a;
    b.second = "FMA b";
    other.second = "XU", other.need = 1, other.table_low = other.table_high = 0;
    guarded.first = "@P ALU", guarded.need = 9;
    MinedClasses compiler{{{"raw", "R", "ALU", "FMA a"}, {6, 11}}, {{"raw", "R", "ALU", "FMA b"}, {6, 1}}};
    const std::string matrix = matrix_markdown({a, b, other, guarded}, compiler);
    CHECK(matrix.find("| FMA a b | 4 / 5 / 6 |") != std::string::npos);
    CHECK(matrix.find("| XU | 1? / - / - |") != std::string::npos);
    CHECK(matrix.find("9") == std::string::npos);
    const std::string lines = classes_markdown({a, b}, compiler);
    CHECK(lines.find("| raw | ALU | FMA a,b | R | 4 | 5 | 6 (12) | 4 | 14/200 | 0/400 |") !=
          std::string::npos);
    b.need = 6, b.above_table = true;
    CHECK(classes_markdown({a, b}, compiler).find("**more than the table**") != std::string::npos);
}

TEST_CASE("no pair measured on an H200 needs more than the checker asks today", "[probe]") {
    const auto path = std::filesystem::temp_directory_path() / "cubinlab-measured-test.jsonl";
    const std::string command = "gzip -dc '" CUBINLAB_SAMPLES
                                "/../resources/probe/measured-sm_90a.jsonl.gz' > '" +
                                path.string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    const auto rows = read_log(path);
    std::filesystem::remove(path);
    REQUIRE(rows);
    auto book = required(WordBook::create(*synthesis()));
    int pairs = 0;
    for (const ClassSummary& c : summarise(*book, *rows)) {
        INFO(c.kind << " " << c.file << " " << c.first << " -> " << c.second << ": " << c.hardest);
        CHECK_FALSE(c.above_table);
        pairs += c.pairs;
    }
    CHECK(pairs > 9000);
}
