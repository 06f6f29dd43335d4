// SPDX-License-Identifier: GPL-3.0-or-later
// The target architecture of a cubin.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace cubinlab {

struct Arch {
    int sm = 0;             // 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121
    bool accelerated = false;  // the 'a' of sm_90a, if the file has it (ElfImage: sm_90 and sm_90a may look alike)

    bool family = false;       // the 'f' of sm_100f, if the file has it

    std::string name() const { return "sm_" + std::to_string(sm) + (accelerated ? "a" : family ? "f" : ""); }
    static std::optional<Arch> parse(std::string_view text);  // "sm_90a", "90a", "90", "sm_100f"

    bool decodable() const { return sm >= 75 && sm <= 90; }   // the decoder supports operands
    // Schedules can be edited: control field and hazards are known, and the driver runs .text unchanged. Cubins for
    // sm_100+ have a second copy of the code; which one runs is unknown, so they are view-only.
    bool editable() const { return sm == 75 || sm == 80 || sm == 86 || sm == 87 || sm == 89 || sm == 90; }

    friend bool operator==(const Arch&, const Arch&) = default;
};

}  // namespace cubinlab
