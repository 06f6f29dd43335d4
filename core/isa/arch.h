// SPDX-License-Identifier: GPL-3.0-or-later
// The target architecture of a cubin.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace cubinlab {

struct Arch {
    int sm = 0;                // 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121
    bool accelerated = false;  // the 'a' of sm_90a, if the file has it (ElfImage: sm_90 and sm_90a may look alike)

    bool family = false;       // the 'f' of sm_100f, if the file has it

    std::string name() const { return "sm_" + std::to_string(sm) + (accelerated ? "a" : family ? "f" : ""); }
    static std::optional<Arch> parse(std::string_view text);  // "sm_90a", "90a", "90", "sm_100f"

    // The decoder knows reads, writes and memory accesses of the compiled code of this architecture.
    bool decodable() const { return (sm >= 75 && sm <= 90) || sm == 100 || sm == 103 || sm == 120; }
    // The checker has distances for it (core/legality/tables): schedules can be checked and edited.
    bool editable() const {
        return sm == 75 || sm == 80 || sm == 86 || sm == 87 || sm == 89 || sm == 90 || needs_edit_test();
    }
    // Cubins have a second description of the code (core/schedule/capsule.h), and no GPU of this project has
    // shown that the driver runs edited words: core/gpu/client/edit_gate.h asks for a test of the owner's.
    bool needs_edit_test() const { return sm == 100 || sm == 103 || sm == 120; }
    // "that ... is not known" as the end of a sentence; empty if it is editable.
    std::string why_view_only() const;

    friend bool operator==(const Arch&, const Arch&) = default;
};

}  // namespace cubinlab
