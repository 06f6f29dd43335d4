// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of two schedules of a kernel beside each other: which waits shrank or grew, and which edits of the
// difference are at them.
//
//   const ProfileChange change = compare_profiles(a, of_a, b, of_b);
//   change.lines.front().edits        // "edit at 0x0e60, its producer: move HMMA 0x0e60 after LDSM 0x0e40"
//   change.edits[0].lines             // the lines that the first edit touches
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/profile_csv.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Why an edit is named beside a line, nearest first. A place, no proof that the edit alone is the cause.
enum class EditPlace {
    Line,       // of this line
    Producer,   // of what releases a scoreboard that the line waits for
    InFront,    // of the line in front, whose stall count and yield show here
    MovedPast,  // moved past the line or its producer
    Between,    // of a line between the producer and this one
};
const char* to_string(EditPlace place);  // "its producer"

struct PlacedEdit {
    std::size_t edit = 0;  // into ProfileChange::edits
    EditPlace place = EditPlace::Line;
};

struct LineSamples {
    InstrId instr = 0;
    double a = 0, b = 0;
    std::string reason;  // that changed most, of equal ones the one with most samples: "stall_wait"
    double reason_a = 0, reason_b = 0;
    std::vector<PlacedEdit> edits;  // nearest first, four at most
    double change() const { return b - a; }
    bool clear() const;  // the change is more than three square roots of both counts together
};

struct EditSamples {
    InstrId instr = 0;
    std::string text;                // "move HMMA 0x0e60 after LDSM 0x0e40"
    std::vector<std::size_t> lines;  // into ProfileChange::lines: those that it is named beside
};

struct ProfileChange {
    std::vector<LineSamples> lines;  // every line with samples, largest change first
    std::vector<EditSamples> edits;  // all of the difference, in its order
};
ProfileChange compare_profiles(const Schedule& a, const Profile& of_a, const Schedule& b,
                               const Profile& of_b);

// "edit at 0x0e60, its producer: move HMMA 0x0e60 after LDSM 0x0e40"
std::string text_of(const ProfileChange& change, const PlacedEdit& placed);

}  // namespace cubinlab
