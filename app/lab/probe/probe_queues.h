// SPDX-License-Identifier: GPL-3.0-or-later
// Tests whether a memory instruction reads its operand before a younger one of the same queue overwrites it
// without a barrier between them. Older instructions fill the queue first.
//
// One trial: a burst of older memory instructions, the first instruction of the pair, then the second, which
// writes a register that the first reads. The new value is another valid address or other data, so the effect
// of the first shows which value it read. Every first instruction also has a control: a MOV instead of the
// second, which overwrites the register at once. If the control does not break, the first reads its operand
// so early that the pair proves nothing.
//
// A second kind of case, "MOV behind LDS": a later instruction with a barrier, and a MOV that waits for it
// and then overwrites the operand of the first, which has none. Does the barrier also cover the first?
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lab/probe/probe_bench.h"

namespace cubinlab::probe {

enum class Burst {
    None,
    Shared,  // LDS with 32 lanes in one bank
    Global,  // LDG of 32 far sectors
    Stores,  // STG to 32 sectors
    Both,    // Shared and Global in turn
};
const char* to_string(Burst burst);

inline constexpr char kControl[] = "MOV";
inline constexpr char kQuiet[] =
    "nothing";  // nobody overwrites: must never break, else the first has no verdict

struct QueueCase {
    std::string first, second;  // "LDG", "LDS"; "MOV behind LDS"; kControl
    Burst burst = Burst::None;
    int stall = 1;  // cycles from the first to the second
    Experiment experiment;
};

// Every first by every second, every burst and stall 1, 2, 4, 8: stalls outermost, so that a run cut short
// has all pairs. The book is that of resources/probe/queues.sm_90a.cubin. Errors: NotFound (an instruction
// that it has not).
Result<std::vector<QueueCase>> queue_cases(const WordBook& book);

struct QueueCount {
    std::uint64_t wrong = 0, trials = 0;
    std::uint64_t faults = 0;  // launches that ended in one
};
struct QueuePair {
    std::string first, second;
    QueueCount pair;     // over all bursts, stalls and occupancies
    QueueCount control;  // of its first instruction, in the same bursts
    QueueCount quiet;    // of its first instruction left alone
    std::string worst;   // where the pair broke most: "Shared burst, stall 1, full"
    bool sound() const { return quiet.trials > 0 && quiet.wrong == 0 && quiet.faults == 0; }
    bool needs_barrier() const { return sound() && (pair.wrong > 0 || pair.faults > 0); }
    bool shown() const { return sound() && pair.trials > 0 && (control.wrong > 0 || control.faults > 0); }
};

struct QueueSettings {
    std::uint64_t trials = 200000;  // of each case at each occupancy
    double seconds = 60;            // ends there, whatever is left
    std::string only;  // pairs whose name "LDG -> LDS" contains this; controls always; empty: all
};
struct QueueStudy {
    std::vector<QueuePair> pairs;  // in the order of the cases
    std::uint64_t launches = 0, left = 0;
    std::string end;  // empty: every case was run
};

// What answers a case; a Bench's run, or a test's own.
using QueueRun = std::function<Result<Count>(const QueueCase&, Occupancy, std::uint64_t trials)>;

Result<QueueStudy> run_queue_study(const std::vector<QueueCase>& cases, const QueueRun& run,
                                   const QueueSettings& settings, std::stop_token stop);
std::string queues_markdown(const QueueStudy& study);

}  // namespace cubinlab::probe
