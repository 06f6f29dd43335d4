// SPDX-License-Identifier: GPL-3.0-or-later
// The capsule of a kernel of sm_100 and later (.nv.capmerc.text.KERNEL): a description of its instructions next to
// the words, which ptxas 13 writes. NVIDIA documents neither its layout nor its use. What compiled code shows
// (resources/docs/evidence/blackwell.md): the number of instructions that are not NOP, one bit for each, and behind
// them a record for each clear bit, in the order of the words, except for the last. It holds no immediates.
//
//   const Capsule capsule = Capsule::of(*kernel);
//   capsule.follows()        // moved instructions take bit and record along
//   capsule.why_kept()       // "its layout is not known": it stays as compiled
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/byte_view.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// The section of a kernel inside the bytes of its cubin; empty: there is none.
Bytes capsule_section(Bytes file, std::string_view kernel);

class Capsule {
  public:
    static Capsule of(const Kernel& kernel);

    bool present() const { return !section_.empty(); }
    bool follows() const { return present() && why_kept_.empty(); }
    const std::string& why_kept() const { return why_kept_; }
    std::size_t offset() const { return offset_; }  // file offset of the section
    // The section for a schedule of this kernel; only if follows(). The header and the length never change.
    std::vector<std::byte> bytes(const Schedule& schedule) const;

  private:
    struct Slot {  // of an instruction, in the order of the words
        InstrId id = 0;
        std::size_t record = 0, record_size = 0;  // offset in the section; 0: no record
        bool bit = false;
    };
    std::string read(const Kernel& kernel);

    std::vector<std::byte> section_;
    std::size_t offset_ = 0;
    std::vector<Slot> slots_;
    std::string why_kept_;
};

}  // namespace cubinlab
