// SPDX-License-Identifier: GPL-3.0-or-later
// Makes harmful candidates by changing a few bits of a kernel's code: the measurement must survive them and
// never accept them. Each states its effect and the correct outcomes.
//
//   illegal address    a global store or load with RZ as its base register
//   misaligned         one byte added to the offset of a global store or load
//   guard zone         all global stores moved by some KiB: the last ones leave the output buffer
//   far store          ... by up to 7 MiB, either way: other memory of the process, or none
//   endless loop       a branch to itself
//   trap               BPT.TRAP
//   warm only          correct at first, wrong after some launches (kernels that count their launches)
//   control code       waits, barriers or stall counts removed
//   wrong value        another source register in an FFMA, HMMA or IMAD
//   gone astray        outputs written over an input; an invalid instruction; a jump out of the code
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/workload.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct HostileCandidate {
    std::string kind;  // of the list above
    std::string what;  // "STG at 0x1af0: base RZ"
    std::vector<std::byte> image;
    std::vector<OutcomeKind> honest;  // outcomes that tell the truth about it
    bool is_honest(OutcomeKind outcome) const;
};

// Up to `each` of every kind that the kernel has a place for, in the order of the list. Deterministic.
std::vector<HostileCandidate> hostile_candidates(const Kernel& kernel, const Workload& workload,
                                                 std::size_t each = 6);

}  // namespace cubinlab
