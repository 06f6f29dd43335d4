// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the whole catalogue on a GPU. The log has one JSON object per line, and a later run continues it;
// a summary groups it by class.
//
//   {"machine":{"device":"NVIDIA H200","driver":"580.159.04","sm":90,"multiprocessors":132},"date":"..."}
//   {"pair":"raw R IADD3 -> FADD a","kind":"raw","first":"IADD3 ...","second":"FADD ...",
//    "resource":"R16","table":5,
//    "breaks_at":4,"counts":[["one",4,20064,20064],["full",5,0,202752]]}
//       counts: warps, distance, wrong trials, trials, what failed (only if a kernel faulted or hung);
//       "breaks_at":null if kernels failed at every distance: the pair itself is at fault
//   {"question":"...","topic":"...","expect":"must break","core":["B------:R-:W-:-:S04 IADD3 ..."],
//    "one":[wrong,trials],
//    "full":[wrong,trials],"clocks":[one,full]}
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lab/probe/probe_bench.h"
#include "app/lab/probe/probe_catalog.h"
#include "app/lab/probe/probe_questions.h"

namespace cubinlab::probe {

using Row = nlohmann::ordered_json;

struct StudySettings {
    std::uint64_t screen_trials = 20000;  // of each distance on the way down
    std::uint64_t trials = 60000;         // at the largest breaking distance, one above it, and the table's
    std::uint64_t question_trials = 1000000;
    double seconds = 600;  // ends there, whatever is left
    std::string only;      // pairs and topics whose name contains this; empty: all
    bool pairs = true, questions = true;
    // Every `parts`-th pair from `part` on: several processes, each with a log of its own, share the work.
    std::size_t part = 0, parts = 1;
    std::filesystem::path log;  // rows are appended; those in it are not measured again
};

struct StudyResult {
    std::vector<Row> rows;  // of the log and of this run
    std::uint64_t measured = 0, left = 0;
    std::uint64_t absent = 0;  // pairs with an instruction that the architecture has not
    std::string end;  // empty: everything was measured
};

// Reads a log; a last line cut short by a kill is dropped. Errors: BadInput with the line.
Result<std::vector<Row>> read_log(const std::filesystem::path& path);

Result<StudyResult> run_study(Bench& bench, const StudySettings& settings, std::stop_token stop);

// One class: what reads or writes what, by execution unit.
struct ClassSummary {
    std::string kind, file, first, second;  // "raw", "R", "@P ALU", "MMA 2x c"
    int pairs = 0;                          // instruction pairs of the class
    int table_low = 0, table_high = 0;      // what the checker asks for; 0: no entry
    int need = 0;                           // one more than the largest distance that broke; 1: nothing broke
    int need_low = 0;                       // the smallest need of a pair of the class
    std::string hardest;                    // the pair with the largest need
    std::uint64_t wrong_below = 0, trials_below = 0;  // of the hardest pairs, at need - 1
    std::uint64_t wrong_at = 0, trials_at = 0;        // of all pairs, at need and above
    bool above_table = false;                         // some pair needs more than the table asks for it
};
std::vector<ClassSummary> summarise(const WordBook& book, const std::vector<Row>& rows);

}  // namespace cubinlab::probe
