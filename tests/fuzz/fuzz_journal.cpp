// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of hand edits that a killed window leaves behind, read as the window reads it: the JSON, then each edit
// on the schedule that the ones before it gave, for as long as the checker allows them. What is read is written and
// read again: nothing may be lost on the way.
#include <string>

#include "core/legality/hazard_checker.h"
#include "core/schedule/kernel.h"
#include "tests/fuzz/fuzz_target.h"
#include "ui/shell/recovery_journal.h"

using namespace cubinlab;

namespace {

const KernelPtr& kernel() {
    static const KernelPtr loaded = [] {
        auto cubin = Cubin::open(CUBINLAB_SAMPLES "/softmax.cubin");
        return *Kernel::load(*cubin);
    }();
    return loaded;
}

const CheckerPtr& checker() {
    static const CheckerPtr made = *HazardChecker::create(kernel());
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ui::WindowMemory memory;
    const QByteArray text(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    if (!ui::WindowMemory::from_json(text, &memory)) return 0;
    Schedule now(kernel());
    constexpr std::size_t kMostEdits = 64;  // of an input; each is proven
    for (std::size_t i = 0; i < memory.edits.size() && i < kMostEdits; ++i) {
        const auto mutation = Mutation::decode(memory.edits[i].mutation.toStdString());
        if (!mutation) break;
        auto next = mutation->applied(now);
        if (!next || !checker()->check(*next).empty()) break;
        now = std::move(*next);
    }
    ui::WindowMemory again;
    if (!ui::WindowMemory::from_json(memory.to_json(), &again)) __builtin_trap();
    if (again.edits.size() != memory.edits.size() || again.cursor != memory.cursor ||
        again.file != memory.file)
        __builtin_trap();
    return 0;
}
