// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/workaround_loads.h"

#include "core/sass/dummy_load.h"

namespace cubinlab {

WorkaroundLoads::WorkaroundLoads(const Kernel& kernel) : tied_(kernel.size(), false) {
    for (const Block& block : kernel.flow().blocks)
        for (InstrId id = block.first; id + 1 < block.end(); ++id)
            if (is_dummy_load(kernel.instruction(id))) any_ = tied_[id] = true;
}

}  // namespace cubinlab
