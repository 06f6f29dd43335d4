// SPDX-License-Identifier: GPL-3.0-or-later
// A search in a listing. A register name finds its reads and writes, wide operands included ("R10" finds
// LDG.E.128 R8); an opcode finds only that opcode; everything else is text.
//
//   R12, UR4, P0, UP1      reads and writes of that register
//   LDG, op:hmma           instructions of that opcode
//   .reuse, text:R12       any text, case ignored
#pragma once
#include <string_view>
#include <vector>

#include "core/sass/instruction.h"

namespace cubinlab::ui {

enum class QueryKind { Empty, Text, Register, Opcode };

struct SassQuery {
    QueryKind kind = QueryKind::Empty;
    std::string text;  // lower case; opcodes upper case
    RegFile file = RegFile::Gpr;
    unsigned reg = 0;

    static SassQuery parse(std::string_view text);
};

struct QueryHit {
    bool hit = false;
    bool reads = false, writes = false;  // of a register
};
QueryHit match(const SassQuery& query, const Instruction& instruction, std::string_view line);

struct QueryMark {
    std::size_t start = 0, length = 0;  // bytes of the line
    bool write = false;
};
// The parts of the line to mark for a hit.
std::vector<QueryMark> marks_in(const SassQuery& query, const Instruction& instruction,
                                std::string_view line);

}  // namespace cubinlab::ui
