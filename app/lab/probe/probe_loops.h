// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of a few instructions, run by one warp (some by four or eight) alone on the GPU and timed by its
// clock register, compared with the SM model's cycles of one iteration. Each loop tests one pipe, latency or
// register port of the model in isolation.
//
//   auto cases = loop_cases();
//   auto kernel = loop_kernel(*cubin, *program);       // input of the model
//   modelled_pass(kernel)                              // cycles
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lab/probe/probe_bench.h"
#include "core/schedule/kernel.h"

namespace cubinlab::probe {

struct LoopCase {
    std::string name;
    TimedLoop loop;
    bool conflicts = false;  // eight lanes of each eight address one bank
    int warps = 1;           // of one block, which has the SM for itself
};
// For the words of resources/probe/synthesis.sm_90a.cubin. The last three instructions are the loop's.
std::vector<LoopCase> loop_cases();

// The frame with a loop in it, as the model reads a file.
Result<KernelPtr> loop_kernel(const Cubin& cubin, const Program& program);
// Cycles of a pass of its hot loop with so many warps on the whole SM. Errors: Unsupported (no loop).
Result<double> modelled_pass(const KernelPtr& kernel, int warps = 1);

struct LoopFigure {
    std::string name, failure;
    std::size_t instructions = 0;  // of a pass, with the loop's own
    double measured = 0;           // cycles of a pass
    double modelled = 0;           // the same by the SM model
    bool conflicts = false;        // lanes address one bank of shared memory, which the model does not know
    double ratio() const { return measured > 0 ? modelled / measured : 0; }
};

// Clocks of the slowest warp for so many passes.
using LoopRun = std::function<Result<Count>(const LoopCase&, const Program&, const Shape&)>;

// Each loop with few and with many passes; the difference, fewest clocks of five runs each, is passes alone.
Result<std::vector<LoopFigure>> study_loops(const Cubin& cubin, const WordBook& book, const LoopRun& run,
                                            const std::stop_token& stop);
// Measured before: the document of `probe --loops --json`, modelled anew. Errors: BadInput.
Result<std::vector<LoopFigure>> remodelled_loops(const Cubin& cubin, const WordBook& book,
                                                 std::string_view document);
std::string loops_markdown(const std::vector<LoopFigure>& figures);

}  // namespace cubinlab::probe
