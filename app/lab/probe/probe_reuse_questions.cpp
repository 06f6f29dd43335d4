// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/lab/probe/probe_asker.h"

namespace cubinlab::probe {

// A register is kept in the reuse cache, rewritten, then read in the same slot.
void reuse_questions(Asker& asker) {
    struct Reader {
        const char* name;
        const char* first;
        const char* again;
        const char* other;  // same slot and bank, another register
        unsigned bit;
    };
    const Reader readers[] = {
        {"FFMA a", "FFMA R20, R16, R9, R10", "FFMA R21, R16, R11, R12", "FFMA R23, R18, R11, R12", 1},
        {"FFMA b", "FFMA R20, R9, R16, R10", "FFMA R21, R11, R16, R12", "FFMA R23, R11, R18, R12", 2},
        {"FFMA c", "FFMA R20, R9, R10, R16", "FFMA R21, R11, R12, R16", "FFMA R23, R11, R12, R18", 4},
        {"IADD3 a", "IADD3 R20, R16, R9, R10", "IADD3 R21, R16, R11, R12", "IADD3 R23, R18, R11, R12", 1},
        {"LOP3 c", "LOP3.LUT R20, R9, R10, R16, 0x96, !PT", "LOP3.LUT R21, R11, R12, R16, 0x96, !PT",
         "LOP3.LUT R23, R11, R12, R18, 0x96, !PT", 4},
        {"IMAD a", "IMAD R20, R16, R9, R10", "IMAD R21, R16, R11, R12", "IMAD R23, R18, R11, R12", 1},
        {"HMUL2 a", "HMUL2 R20, R16, R9", "HMUL2 R21, R16, R11", "HMUL2 R23, R18, R11", 1},
    };
    for (const Reader& r : readers) {
        const Texts collect{"LOP3.LUT R28, R20, R21, RZ, 0x3c, !PT", "IMAD R28, R28, R3, R21"};
        for (const int gap : {5, 6, 7, 8, 11, 15}) {
            asker.ask("stale reuse value",
                      fmt::format("{}: reuse, written by IADD3, read {} cycles later", r.name, gap),
                      Expect::Open,
                      {{r.first, code(1, false, -1, -1, 0, r.bit)},
                       {"IADD3 R16, R13, R14, RZ", code(gap, gap >= 12)},
                       {r.again, code(4)}},
                      collect);
            asker.ask(
                "stale reuse value", fmt::format("{}: same without the flag, {} cycles", r.name, gap),
                Expect::Holds,
                {{r.first, code(1)}, {"IADD3 R16, R13, R14, RZ", code(gap, gap >= 12)}, {r.again, code(4)}},
                collect);
        }
        asker.ask("stale reuse value", fmt::format("{}: reuse, written by FADD", r.name), Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {"FADD R16, R13, R14", code(6)},
                   {r.again, code(4)}},
                  collect);
        asker.ask("stale reuse value", fmt::format("{}: reuse, written by LDS", r.name), Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {"LDS R16, [R4]", code(2, false, 0)},
                   {r.again, code(4, false, -1, -1, 1)}},
                  collect, {}, {"STS [R4], R13"});
        asker.ask("stale reuse value", fmt::format("{}: reuse, written by MUFU", r.name), Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {"MUFU.RCP R16, R13", code(2, false, 0)},
                   {r.again, code(4, false, -1, -1, 1)}},
                  collect);
        asker.ask("stale reuse value",
                  fmt::format("{}: reuse, written, long wait with yields (other warps run)", r.name),
                  Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {"IADD3 R16, R13, R14, RZ", code(15, true)},
                   {"NOP", code(15, true)},
                   {"NOP", code(15, true)},
                   {r.again, code(4)}},
                  collect);
        asker.ask(
            "stale reuse value",
            fmt::format("{}: reuse, another register in that slot, then this one (not rewritten)", r.name),
            Expect::Open,
            {{r.first, code(1, false, -1, -1, 0, r.bit)}, {r.other, code(1)}, {r.again, code(4)}}, collect);
        asker.ask("stale reuse value",
                  fmt::format("{}: reuse, other register in slot with reuse too, rewritten, read", r.name),
                  Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {r.other, code(1, false, -1, -1, 0, r.bit)},
                   {"IADD3 R16, R13, R14, RZ", code(6)},
                   {r.again, code(4)}},
                  collect);
        asker.ask("stale reuse value", fmt::format("{}: reuse and yield, then this one", r.name),
                  Expect::Open, {{r.first, code(2, true, -1, -1, 0, r.bit)}, {r.again, code(4)}}, collect);
        asker.ask("stale reuse value",
                  fmt::format("{}: reuse, 30 cycles of other work, then this one (not rewritten)", r.name),
                  Expect::Open,
                  {{r.first, code(1, false, -1, -1, 0, r.bit)},
                   {"NOP", code(15, true)},
                   {"NOP", code(15, true)},
                   {r.again, code(4)}},
                  collect);
        asker.ask("stale reuse value",
                  fmt::format("{}: flag on a register that the instruction itself rewrites", r.name),
                  Expect::Open,
                  [&] {
                      std::string self = r.first;
                      self.replace(self.find("R20"), 3, "R16");
                      return std::vector<Line>{{self, code(6, false, -1, -1, 0, r.bit)}, {r.again, code(4)}};
                  }(),
                  {"IMAD.MOV.U32 R28, RZ, RZ, R21"});
    }
    // What ends an entry, and who reads through the cache: FFMA keeps R16 in slot a, R16 is rewritten, then
    // read.
    const Texts both{"LOP3.LUT R28, R20, R21, RZ, 0x3c, !PT", "IMAD R28, R28, R3, R21"};
    const Line keep{"FFMA R20, R16, R9, R10", code(1, false, -1, -1, 0, 1)};
    const Line again{"FFMA R21, R16, R11, R12", code(4)};
    struct Between {
        const char* name;
        std::vector<Line> lines;
    };
    const std::vector<Between> betweens = {
        {"written (6 cycles)", {line("IADD3 R16, R13, R14, RZ", 6)}},
        {"written, yield on the writer (6 cycles)", {line("IADD3 R16, R13, R14, RZ", 6, true)}},
        {"written, NOP without yield", {line("IADD3 R16, R13, R14, RZ", 6), line("NOP", 6)}},
        {"written, NOP with yield", {line("IADD3 R16, R13, R14, RZ", 6), line("NOP", 6, true)}},
        {"written, ten NOPs without yield",
         {line("IADD3 R16, R13, R14, RZ", 6), line("NOP", 10), line("NOP", 10), line("NOP", 10),
          line("NOP", 10), line("NOP", 10)}},
        {"written, slot a of the other bank read by FFMA",
         {line("IADD3 R16, R13, R14, RZ", 6), line("FFMA R22, R17, R11, R12", 6)}},
        {"written, slot a of the same bank read by FFMA",
         {line("IADD3 R16, R13, R14, RZ", 6), line("FFMA R22, R18, R11, R12", 6)}},
        {"written, slot b of the same bank read by FFMA",
         {line("IADD3 R16, R13, R14, RZ", 6), line("FFMA R22, R11, R18, R12", 6)}},
        {"written, slot a read by IADD3",
         {line("IADD3 R16, R13, R14, RZ", 6), line("IADD3 R22, R18, R11, R12", 6)}},
        {"written, slot a read by HFMA2.MMA",
         {line("IADD3 R16, R13, R14, RZ", 6), line("HFMA2.MMA R22, R18, R11, R12", 6)}},
        {"written, slot a read by DADD", {line("IADD3 R16, R13, R14, RZ", 6), line("DADD R22, R18, R12", 6)}},
        {"written, slot a read by HMUL2",
         {line("IADD3 R16, R13, R14, RZ", 6), line("HMUL2 R22, R18, R11", 6)}},
        {"written, slot a read by HMMA.1688",
         {line("IADD3 R16, R13, R14, RZ", 6), line("HMMA.1688.F32 R24, R18, R12, RZ", 6)}},
        {"written, MUFU between",
         {line("IADD3 R16, R13, R14, RZ", 6), {"MUFU.RCP R22, R18", code(6, false, 3)}}},
        {"written, LDS between", {line("IADD3 R16, R13, R14, RZ", 6), {"LDS R22, [R4]", code(6, false, 3)}}},
        {"read again without the flag, then written",
         {line("FFMA R22, R16, R11, R13", 2), line("IADD3 R16, R13, R14, RZ", 6)}},
        {"read again in slot b, then written",
         {line("FFMA R22, R11, R16, R13", 2), line("IADD3 R16, R13, R14, RZ", 6)}},
        {"read again under a false guard, then written",
         {line("@P6 FFMA R22, R16, R11, R13", 2), line("IADD3 R16, R13, R14, RZ", 6)}},
    };
    for (const Between& b : betweens) {
        std::vector<Line> core{keep};
        core.insert(core.end(), b.lines.begin(), b.lines.end());
        core.push_back(again);
        asker.ask("life of a reuse entry", "FFMA a keeps; " + std::string(b.name) + "; FFMA a reads",
                  Expect::Open, core, both, {}, {}, false);
    }
    for (const auto& [name, text] :
         {std::pair{"IADD3 a", "IADD3 R21, R16, R11, R12"}, std::pair{"HMUL2 a", "HMUL2 R21, R16, R11"},
          std::pair{"HFMA2.MMA a", "HFMA2.MMA R21, R16, R11, R12"}, std::pair{"MOV (slot b)", "MOV R21, R16"},
          std::pair{"FMNMX a", "FMNMX R21, R16, R11, !PT"},
          std::pair{"I2FP (slot b)", "I2FP.F32.S32 R21, R16"}})
        asker.ask("life of a reuse entry", fmt::format("FFMA a keeps; written; {} reads", name), Expect::Open,
                  {keep, line("IADD3 R16, R13, R14, RZ", 6), line(text, 4)}, both);
    for (const auto& [name, text] :
         {std::pair{"MUFU", "MUFU.RCP R21, R16"}, std::pair{"SHFL", "SHFL.BFLY PT, R21, R16, 0x1, 0x1f"},
          std::pair{"POPC", "POPC R21, R16"}})
        asker.ask("life of a reuse entry", fmt::format("FFMA a keeps; written; {} reads", name), Expect::Open,
                  {keep, line("IADD3 R16, R13, R14, RZ", 6), {text, code(4, false, 0)}}, both);
    // That the flag does something at all: three operands of one bank cost extra clocks, a hit saves them.
    for (const unsigned reuse : {0u, 1u, 3u, 7u}) {
        std::vector<Line> core;
        for (int i = 0; i < 8; ++i)
            core.push_back({fmt::format("FFMA R{}, R8, R10, R12", 16 + i),
                            code(1, false, -1, -1, 0, i < 7 ? reuse : 0)});
        asker.ask("reuse in clocks",
                  fmt::format("8 x FFMA with three operands of one bank, reuse mask {}", reuse), Expect::Open,
                  core, {"LOP3.LUT R28, R16, R17, R18, 0x96, !PT", "IMAD R28, R28, R3, R23"}, {}, {}, true);
    }
    std::vector<Line> spread;
    for (int i = 0; i < 8; ++i)
        spread.push_back({fmt::format("FFMA R{}, R8, R11, R12", 16 + i), code(1)});
    asker.ask("reuse in clocks", "8 x FFMA with operands of both banks", Expect::Open, spread,
              {"LOP3.LUT R28, R16, R17, R18, 0x96, !PT"}, {}, {}, true);
}

}  // namespace cubinlab::probe
