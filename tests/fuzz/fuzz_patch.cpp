// SPDX-License-Identifier: GPL-3.0-or-later
// Schedule patches: what is read is written again as it was understood, and applies to a kernel or is told not to.
#include "core/base/file.h"
#include "core/evidence/schedule_patch.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

namespace {

CheckerPtr checker() {
    auto cubin = Cubin::open(CUBINLAB_SAMPLES "/softmax.cubin");
    if (!cubin) __builtin_trap();
    auto kernel = Kernel::load(*cubin);
    if (!kernel) __builtin_trap();
    auto made = HazardChecker::create(*kernel);
    if (!made) __builtin_trap();
    return *made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const CheckerPtr kernel = checker();
    const auto patch = read_patch(fuzz::text_of(data, size));
    if (!patch) return 0;
    const std::string text = patch_text(*patch);
    const auto again = read_patch(text);
    if (!again || patch_text(*again) != text) __builtin_trap();
    const auto applied = apply_patch(*patch, *kernel);
    if (applied && !kernel->legal(applied->schedule)) __builtin_trap();
    return 0;
}
