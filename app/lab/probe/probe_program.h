// SPDX-License-Identifier: GPL-3.0-or-later
// Builds one experiment as a kernel: a loop that runs a short instruction sequence (the core) twice on the
// same operands, first with every instruction waiting for the previous one, then with the control codes under
// test, and counts the iterations in which any lane of the warp got a different result. One iteration of one
// warp is one trial.
//
// Registers that an experiment may use: R8 to R27, P1 to P4, UR6 to UR19, UP0. Used by the frame: R0 random
// state, R1 wrong trials, R2 fewest clocks, R3 multiplier, R4 this thread's 32 bytes of shared memory, R5
// scratch, R6-R7 this thread's 32 bytes of global input, R28 result, R29 expected result, P0, P5 (true), P6
// (false), UR4-UR5 (memory descriptor), UR20 iterations left. R29 is the last that a kernel of 32 registers
// may name: the register count includes two that the hardware reserves.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/lab/probe/probe_assembler.h"
#include "core/isa/control_code.h"

namespace cubinlab::probe {

struct Line {
    std::string text;
    ControlCode control;
};

// "B0-----:R-:W1:-:S02" applied to a text; asserts that it parses.
Line line(std::string text, int stall, bool yield = false);

struct Experiment {
    std::vector<std::string> once;     // before the loop, settled
    std::vector<std::string> init;     // before either run of the core; arithmetic with short fixed latency
    std::vector<std::string> prepare;  // after init, each waited for: stores, tensor or uniform instructions
    std::vector<Line> core;            // the control codes under test
    std::vector<Line> reference;  // runs waited for in place of the core; empty: the core's own instructions
    std::vector<std::string> collect;  // leaves what is compared in R28
    int phase = 0;                     // NOPs in front of the core: another place in the instruction buffer
    bool timed = false;                // fewest clocks from in front of the core to behind it; uses R26, R27
};

// Words in a fresh random register: as 32-bit float, two halves, bfloat, high half of a double they are
// normal numbers. `salt` tells values apart.
std::vector<std::string> random_value(int reg, std::uint32_t salt);

struct Shape {
    int blocks = 1, threads = 128;
    std::uint32_t iterations = 1;
};

struct Program {
    std::vector<Word> words;                     // from the first word of the frame
    std::size_t core_first = 0, core_count = 0;  // the words under test
};

// `exit_offset`: byte offset of the frame's own EXIT, which the program jumps to.
// Errors: NotFound (an instruction that the book has not), Unsupported (longer than the frame).
Result<Program> build_program(const WordBook& book, const Experiment& experiment, const Shape& shape,
                              std::uint32_t exit_offset);

// A loop of one warp that is timed as a whole: the lines of the body, then three of the loop's own, which
// count UR20 down and branch. R28 and P0 are the body's where it names them before those three; the frame's
// other registers are kept as above. Its clocks, from in front of the first pass to behind the last, are
// where an experiment leaves its fewest.
struct TimedLoop {
    std::vector<std::string> once;  // before it, each waited for
    std::vector<Line> body;
};
Result<Program> build_loop(const WordBook& book, const TimedLoop& loop, const Shape& shape,
                           std::uint32_t exit_offset);

// The frame's cubin with the program in it. Errors: NotFound.
Result<std::vector<std::byte>> build_image(const Cubin& cubin, const Program& program);
Result<std::uint32_t> frame_exit(const Cubin& cubin);
inline constexpr char kFrameName[] = "probe_frame";

}  // namespace cubinlab::probe
