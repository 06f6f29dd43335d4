// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a GPU runs edited machine code: `cubinlab doctor --edit-test`. Small cubins that ptxas made
// (resources/edit_test) are edited here and run by a worker, each with a number that nobody knows before:
//
//   immediate   a constant of the code changed, nothing else: the results must have the new one
//   stores      two independent stores exchanged, by the same writer that writes schedules: the same results
//   stalls      every stall count of a dependent chain raised by 8: the same results, as many more clocks
//   capsule     two instructions exchanged that the capsule describes differently, the capsule as it was (sm_100 on)
//   no-capsule  the capsule removed (sm_100 on); the result says whether it loads; the test does not require it
//
//   auto test = run_edit_test(settings, stop);      // Error Refused: an answer that no code of these gives
//   store_edit_test(test->record());                // core/gpu/client/edit_gate.h
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/client/edit_gate.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/kernel_trial.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct EditTestPart {
    std::string name;        // "immediate"
    bool as_edited = false;  // the GPU did what the edited code says
    bool required = true;
    std::string found;  // "the results have the new constant"
};

struct EditTest {
    GpuProbe gpu;
    Arch arch;  // of the cubins
    std::vector<EditTestPart> parts;

    bool passed() const;
    std::string sentence() const;
    EditTestRecord record() const;
};

using TrialRunner = std::function<Result<TrialAnswer>(const KernelTrial&)>;

// Errors: NoGpu, Unsupported (no cubin for this GPU), Worker, Refused, Cancelled.
Result<EditTest> run_edit_test(const GpuSettings& settings, const std::stop_token& stop);
// The same by any runner, on the GPU that `gpu` describes.
Result<EditTest> run_edit_test(const GpuProbe& gpu, const TrialRunner& run);

// The embedded cubin for GPUs of this compute capability. Unsupported: there is none.
Result<std::shared_ptr<const Cubin>> edit_test_cubin(int sm);

// The edits, for tests.
struct TestEdit {
    std::vector<std::byte> cubin;
    std::uint32_t immediate = 0;    // of "immediate"
    std::uint32_t more_clocks = 0;  // of "stalls"
};
Result<TestEdit> changed_immediate(const Cubin& cubin, std::uint32_t value);
Result<TestEdit> exchanged_stores(const std::shared_ptr<const Cubin>& cubin);
Result<TestEdit> raised_stalls(const std::shared_ptr<const Cubin>& cubin);
Result<TestEdit> left_capsule(const std::shared_ptr<const Cubin>& cubin);
// Its section headers become null sections.
std::vector<std::byte> without_capsule(const Cubin& cubin);

}  // namespace cubinlab
