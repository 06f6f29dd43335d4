// SPDX-License-Identifier: GPL-3.0-or-later
// Tests whether the checker is sound: makes random walks of 1 to 50 legal mutations of every kind, runs each
// end point and compares its outputs with the original's. Known-bad edits (refused by a distance or
// scoreboard rule) are mixed in to show which errors such a run can detect.
//
// A failing walk is cut to its shortest failing prefix, whose last mutation is the culprit. Then the edits
// that do not matter are removed from the net difference.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"

namespace cubinlab {

struct FuzzSettings {
    std::uint64_t candidates = 1000;  // legal ones
    std::uint64_t first = 0;          // number of the first walk: resume a run with the same seed
    std::uint64_t seed = 1;
    std::optional<std::chrono::milliseconds> time;  // ends there, whatever is left
    unsigned bad_every = 20;  // one known-bad candidate after this many legal ones; 0 = none
    std::size_t batch = 64;
    int longest_walk = 50;  // mutations
    int shrink = 3;         // failures that are reduced to the culprit
    // Every edit around an asynchronous or fence instruction instead of random walks (see directed_walk.h),
    // from the original (0) or from the end of random walk number `directed_base` - 1.
    std::optional<std::uint64_t> directed_base;
    bool self_check = false;  // runs the original itself instead of walks
    bool hints = false;       // random cache hints on all accesses instead of walks
};

struct FuzzFailure {
    std::uint64_t walk = 0;  // its number: `first` = walk, `candidates` = 1 repeats it
    std::string outcome;     // "wrong-result", "fault", "disagreement" ...
    std::string detail;
    std::string culprit;       // encoded: the mutation after which the walk fails first
    std::string culprit_text;  // the same for people
    std::string mutation;      // encoded: the fewest edits of the original that still fail
    std::string text;
    std::vector<std::string> steps;  // encoded: the whole walk
    bool reproduced = false;         // it failed again when run again
};

struct FuzzReport {
    std::uint64_t legal = 0;         // legal candidates evaluated
    std::uint64_t legal_failed = 0;  // of these: wrong results, faults, hangs. Each is a hole in the checker.
    // Legal candidates that missed the watchdog's limit once and passed three further runs. On a GPU that is
    // shared, a hang in another process (its known-bad candidates) holds everybody up until it is killed, so
    // these are no failures; they are counted, and listed with `reproduced` false. Wrong results and faults
    // count as failures whether or not they come again.
    std::uint64_t hangs_once = 0;
    std::uint64_t disagreements = 0;  // the full check refused a walk that the incremental one allowed
    std::uint64_t mutations = 0;      // applied in all walks
    std::uint64_t next_walk = 0;      // where to resume
    std::uint64_t directed = 0;       // edits that there are; 0: random walks
    std::map<std::string, std::uint64_t>
        by_concern;                                // directed: mnemonic -> edits that pass, move or edit it
    std::map<std::string, std::uint64_t> by_kind;  // mutations, "move" -> number
    std::uint64_t bad = 0;                         // known-bad candidates evaluated
    std::uint64_t bad_seen = 0;                    // of these: outputs differed or the GPU faulted
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> bad_by_rule;  // rule -> (seen, all)
    std::vector<FuzzFailure> failures;                                           // the first 100
    double seconds = 0;
    std::string end;  // empty: all candidates were run; else why it ended early
};

// `evaluator` null: walks are only held against the full check.
Result<FuzzReport> fuzz_kernel(const CheckerPtr& checker, Evaluator* evaluator, const FuzzSettings& settings,
                               std::stop_token stop, const std::function<void(const FuzzReport&)>& progress);

}  // namespace cubinlab
