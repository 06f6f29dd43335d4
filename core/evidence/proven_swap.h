// SPDX-License-Identifier: GPL-3.0-or-later
// From a tuned cubin to what may be put in the place of its original in a running program: proven before any program
// starts, against the original itself.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/binary/code_swap.h"
#include "core/result/claim_level.h"

namespace cubinlab {

struct ProvenSwap {
    CodeSwap swap;
    std::string stamp;  // what the tuned cubin's provenance says of its speed; empty: no stamp
    std::string from;   // where the original came from
    // What the provenance says of it that no one wants: "SLOWER", "SLOWER in short (1 of 3 shapes)"; empty: nothing.
    std::string slower;
};

// One entry for each kernel of `tuned` that differs from its original. `tuned`: a cubin, or a bundle's folder.
// `originals`: files that hold the original (any that Container opens); empty: the session that the cubin's stamp
// names, beside it or in the working folder. Recompiled code (recompiled_kernel.h) is more than `most` = Hinted allows. Errors:
// Refused (not proven), NotFound (no original), and the readers'.
Result<std::vector<ProvenSwap>> proven_swaps(const std::filesystem::path& tuned,
                                             const std::vector<std::filesystem::path>& originals,
                                             CodeKind most = CodeKind::Recompiled);

// A folder that libcubinlab-inject.so reads (CUBINLAB_SCHEDULES): KERNEL.HASH.schedule for each, and KERNEL.HASH.cubin next to
// that of a recompiled kernel. The folder is made.
Status write_schedules(const std::vector<ProvenSwap>& swaps, const std::filesystem::path& folder);

}  // namespace cubinlab
