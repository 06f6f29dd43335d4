// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/self_check_note.h"

#include "app/cli/base/output.h"
#include "core/legality/self_check.h"

namespace cubinlab::cli {

std::size_t note_self_check(const KernelPtr& original) {
    const auto own = self_check(original);
    if (!own || own->count == 0) return 0;
    print_progress(printable("note: " + original->name() + ": " + own->text()));
    return own->count;
}

}  // namespace cubinlab::cli
