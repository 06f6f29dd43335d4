// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cubin/cubin.h"

namespace cubinlab {

std::vector<SourceLine> Cubin::source_lines(const KernelInfo&) const {
    return {};
}

}  // namespace cubinlab
