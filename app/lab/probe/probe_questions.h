// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments on questions beyond the tables: how yield, stall 0 and long stalls change a distance, whether a
// stale reuse value can be read, which groups of instructions complete in order, how soon a wait for a
// scoreboard works, whether the hardware keeps spacings of one unit, and which attributes matter.
#pragma once
#include <string>
#include <vector>

#include "app/lab/probe/probe_program.h"

namespace cubinlab::probe {

enum class Expect {
    Breaks,  // positive control: if it does not break, the experiments next to it prove nothing
    Holds,   // negative control: if it breaks, the experiment itself is wrong
    Open,    // the question
};
const char* to_string(Expect expect);

struct Question {
    std::string topic, name;
    Expect expect = Expect::Open;
    Experiment experiment;
    // Attribute 0x1c (EXIT_INSTR_OFFSETS) of the frame is overwritten with this value before the launch; 0:
    // left.
    std::uint32_t exit_attribute = 0;
};

// Errors: NotFound (an instruction that the book has not).
Result<std::vector<Question>> all_questions(const WordBook& book);

}  // namespace cubinlab::probe
