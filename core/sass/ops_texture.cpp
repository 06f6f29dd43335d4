// SPDX-License-Identifier: GPL-3.0-or-later
// Opcodes that are known by name alone: how many registers a texture instruction reads depends on its
// dimension, level-of-detail mode and offsets in ways that no recorded evidence covers. They are pinned and
// fence everything, as an unknown opcode does; only their name is shown.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

void pinned(Layout& l) {
    l.unverified();
}

constexpr std::uint8_t kForms = forms(1, 5, 6, 7);

const OpcodeRow kRows[] = {
    {0x160, kForms, "TEX", Unit::Unknown, 0, pinned},  {0x161, kForms, "TEX", Unit::Unknown, 0, pinned},
    {0x163, kForms, "TLD4", Unit::Unknown, 0, pinned}, {0x164, kForms, "TLD4", Unit::Unknown, 0, pinned},
    {0x166, kForms, "TLD", Unit::Unknown, 0, pinned},  {0x167, kForms, "TLD", Unit::Unknown, 0, pinned},
    {0x169, kForms, "TMML", Unit::Unknown, 0, pinned}, {0x16a, kForms, "TMML", Unit::Unknown, 0, pinned},
    {0x16c, kForms, "TXD", Unit::Unknown, 0, pinned},  {0x16d, kForms, "TXD", Unit::Unknown, 0, pinned},
    {0x16f, kForms, "TXQ", Unit::Unknown, 0, pinned},  {0x170, kForms, "TXQ", Unit::Unknown, 0, pinned},
    {0x199, kForms, "SULD", Unit::Unknown, 0, pinned}, {0x19d, kForms, "SUST", Unit::Unknown, 0, pinned},
};

}  // namespace

std::span<const OpcodeRow> named_only_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
