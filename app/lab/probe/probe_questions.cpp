// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_questions.h"

#include <fmt/format.h>

#include "app/lab/probe/probe_asker.h"
#include "core/base/enum_names.h"

namespace cubinlab::probe {
namespace {

// A producer with a need of its own (cycles by the table) and a reader of its result.
struct Chain {
    const char* name;
    const char* first;
    const char* second;
    int need;
};
constexpr Chain kChains[] = {
    {"IADD3 -> LOP3", "IADD3 R16, R8, R9, RZ", "LOP3.LUT R20, R16, R9, R10, 0x96, !PT", 4},
    {"FFMA -> FADD", "FFMA R16, R8, R9, R10", "FADD R20, R16, R9", 4},
    {"FFMA -> IADD3", "FFMA R16, R8, R9, R10", "IADD3 R20, R16, R9, R10", 5},
    {"IADD3 -> FFMA c", "IADD3 R16, R8, R9, RZ", "FFMA R20, R9, R10, R16", 5},
    {"ISETP -> guard", "ISETP.GE.U32.AND P1, PT, R8, R9, PT", "@P1 IADD3 R20, R9, R10, RZ", 13},
    {"HFMA2.MMA -> FADD", "HFMA2.MMA R16, R8, R9, R10", "FADD R20, R16, R9", 10},
    {"DADD -> IADD3", "DADD R16, R8, R10", "IADD3 R20, R16, R9, RZ", 10},
    {"HMMA.16816 -> FADD", "HMMA.16816.F32 R16, R8, R12, R24", "FADD R20, R16, R9", 24},
};

// Yield at stall 1 in a chain that is exactly `distance` long: the stall counts of all lines are 1.
void yield_questions(Asker& asker) {
    for (const Chain& c : kChains) {
        for (int distance = 1; distance <= c.need + 1 && c.need <= 13; ++distance)
            for (const bool yield : {false, true}) {
                std::vector<Line> core{line(c.first, 1, yield)};
                for (int i = 1; i < distance; ++i)
                    core.push_back(line("NOP", 1, yield));
                core.push_back(line(c.second, 4));
                asker.ask(
                    "yield at stall 1",
                    fmt::format("{}, {} x stall 1, yield {}", c.name, distance, yield ? "on all" : "off"),
                    distance == 1       ? Expect::Breaks
                    : distance > c.need ? Expect::Holds
                                        : Expect::Open,
                    core, {}, {"ISETP.GE.U32.AND P1, PT, R10, R9, PT"}, {}, true);
            }
        // The same with arithmetic that writes elsewhere between the two, as compiled code has it.
        if (c.need == 4 || c.need == 5)
            for (const bool yield : {false, true})
                for (int distance = c.need - 1; distance <= c.need; ++distance) {
                    std::vector<Line> core{line(c.first, 1, yield)};
                    const char* fillers[] = {"FMUL R21, R11, R12", "LOP3.LUT R22, R11, R12, RZ, 0x3c, !PT",
                                             "FADD R23, R11, R12", "LOP3.LUT R24, R11, R12, R13, 0x96, !PT"};
                    for (int i = 1; i < distance; ++i)
                        core.push_back(line(fillers[i - 1], 1, yield));
                    core.push_back(line(c.second, 4));
                    asker.ask("yield at stall 1",
                              fmt::format("{}, {} arithmetic lines between, yield {}", c.name, distance - 1,
                                          yield ? "on all" : "off"),
                              Expect::Open, core, {}, {}, {}, true);
                }
    }
    // Between setting a scoreboard and waiting for it.
    for (const bool yield : {false, true}) {
        std::vector<Line> core{{"MUFU.RCP R16, R8", code(1, yield, 0)},
                               {"NOP", code(1, yield)},
                               {"FADD R20, R16, R9", code(4, false, -1, -1, 1)}};
        asker.ask("yield at stall 1",
                  fmt::format("MUFU sets SB0, NOP, wait; yield {}", yield ? "on all" : "off"), Expect::Open,
                  core);
    }
}

// What every pair of stall count and yield does to the time until the next instruction, and to a distance.
void stall_questions(Asker& asker) {
    for (const char* text : {"IADD3 R16, R8, R9, RZ", "FFMA R16, R8, R9, R10", "NOP"})
        for (int stall = 0; stall < 16; ++stall)
            for (const bool yield : {false, true}) {
                asker.ask("stall in clocks",
                          fmt::format("{} stall {} yield {}",
                                      std::string(text).substr(0, std::string(text).find(' ')), stall,
                                      yield ? "on" : "off"),
                          Expect::Open, {line(text, stall, yield)}, {"IMAD.MOV.U32 R28, RZ, RZ, RZ"}, {}, {},
                          true);
                asker.ask("stall in clocks",
                          fmt::format("4 x {} stall {} yield {}",
                                      std::string(text).substr(0, std::string(text).find(' ')), stall,
                                      yield ? "on" : "off"),
                          Expect::Open,
                          {line(text, stall, yield), line(text, stall, yield), line(text, stall, yield),
                           line(text, stall, yield)},
                          {"IMAD.MOV.U32 R28, RZ, RZ, RZ"}, {}, {}, true);
            }
    for (const Chain& c : kChains)
        for (const int stall : {0, 1, 2, 11, 12, 13, 14, 15})
            for (const bool yield : {false, true})
                asker.ask("stall as distance",
                          fmt::format("{} (needs {}), stall {} yield {}", c.name, c.need, stall,
                                      yield ? "on" : "off"),
                          Expect::Open, {line(c.first, stall, yield), line(c.second, 4)}, {},
                          {"ISETP.GE.U32.AND P1, PT, R10, R9, PT"});
}

void scoreboard_questions(Asker& asker) {
    struct Setter {
        const char* name;
        const char* text;
        const char* reader;
    };
    const Setter setters[] = {
        {"MUFU", "MUFU.RCP R16, R8", "FADD R24, R16, R9"},
        {"POPC", "POPC R16, R8", "IADD3 R24, R16, R9, RZ"},
        {"F2I", "F2I.TRUNC.NTZ R16, R8", "IADD3 R24, R16, R9, RZ"},
        {"LDS", "LDS R16, [R4]", "IADD3 R24, R16, R9, RZ"},
        {"SHFL", "SHFL.BFLY PT, R16, R8, 0x1, 0x1f", "IADD3 R24, R16, R9, RZ"},
        {"LDG", "LDG.E R16, desc[UR4][R6.64]", "IADD3 R24, R16, R9, RZ"},
        {"LDC", "LDC R16, c[0x0][0x218]", "IADD3 R24, R16, R9, RZ"},
        {"S2R", "S2R R16, SR_TID.X", "IADD3 R24, R16, R9, RZ"},
        {"ATOMS", "ATOMS.ADD R16, [R4+UR6], R9", "IADD3 R24, R16, R9, RZ"},
        {"DMMA", "DMMA.8x8x4 R16, R8, R10, R12", "FADD R24, R16, R9"},
    };
    for (const Setter& s : setters)
        for (const int stall : {1, 2, 3}) {
            asker.ask("set to wait", fmt::format("{}: waited for {} cycles after it was set", s.name, stall),
                      stall > 2 ? Expect::Holds : Expect::Open,
                      {{s.text, code(stall, false, 0)}, {s.reader, code(4, false, -1, -1, 1)}}, {}, {},
                      {"UMOV UR6, 0x0", "STS [R4], R14"});
            asker.ask("set to wait",
                      fmt::format("{}: as above behind a NOP, {} and 1 cycles", s.name, stall - 1),
                      Expect::Open,
                      {{s.text, code(std::max(1, stall - 1), false, 0)},
                       {"NOP", code(1)},
                       {s.reader, code(4, false, -1, -1, 1)}},
                      {}, {}, {"UMOV UR6, 0x0", "STS [R4], R14"});
        }
    // Read barrier, then the overwriting instruction.
    for (const int stall : {1, 2, 3}) {
        asker.ask("set to wait",
                  fmt::format("STS data: read barrier waited for {} cycles later, then overwritten", stall),
                  stall > 2 ? Expect::Holds : Expect::Open,
                  {{"STS [R4], R16", code(stall, false, -1, 0)}, {"MOV R16, R9", code(4, false, -1, -1, 1)}},
                  {"LDS R28, [R4]"});
        asker.ask("set to wait",
                  fmt::format("STG data: read barrier waited for {} cycles later, then overwritten", stall),
                  stall > 2 ? Expect::Holds : Expect::Open,
                  {{"STG.E desc[UR4][R6.64], R16", code(stall, false, -1, 0)},
                   {"MOV R16, R9", code(4, false, -1, -1, 1)}},
                  {"LDG.E R28, desc[UR4][R6.64]"});
    }
    // DEPBAR by name, its own stall, and the distance from the setter.
    for (const int set : {1, 2, 3})
        for (const int stall : {1, 2, 3, 4, 5})
            asker.ask("DEPBAR", fmt::format("LDS, {} cycles, DEPBAR.LE SB0, stall {}, reader", set, stall),
                      Expect::Open,
                      {{"LDS R16, [R4]", code(set, false, 0)},
                       {"DEPBAR.LE SB0, 0x0", code(stall)},
                       {"IADD3 R24, R16, R9, RZ", code(4)}},
                      {}, {}, {"STS [R4], R14"});
}

// Independent instructions of one unit, one cycle apart: right results, and how long it takes.
void spacing_questions(Asker& asker) {
    struct Kind {
        const char* name;
        const char* text;
        int width;
        bool variable;
    };
    const Kind kinds[] = {{"IADD3", "IADD3 %D, R8, R9, RZ", 1, false},
                          {"LOP3", "LOP3.LUT %D, R8, R9, R10, 0x96, !PT", 1, false},
                          {"FADD", "FADD %D, R8, R9", 1, false},
                          {"FFMA", "FFMA %D, R8, R9, R10", 1, false},
                          {"IMAD", "IMAD %D, R8, R9, R10", 1, false},
                          {"VIADD", "VIADD %D, R8, 0x10", 1, false},
                          {"IMAD.WIDE", "IMAD.WIDE.U32 %D, R8, R9, R10", 2, false},
                          {"HMUL2", "HMUL2 %D, R8, R9", 1, false},
                          {"HFMA2", "HFMA2 %D, R8, R9, R10", 1, false},
                          {"HFMA2.MMA", "HFMA2.MMA %D, R8, R9, R10", 1, false},
                          {"DADD", "DADD %D, R8, R10", 2, false},
                          {"DFMA", "DFMA %D, R8, R10, R12", 2, false},
                          {"HMMA.16816", "HMMA.16816.F32 %D, R8, R12, R12", 4, false},
                          {"HMMA.1688", "HMMA.1688.F32 %D, R8, R12, R12", 4, false},
                          {"IMMA.16832", "IMMA.16832.S8.S8 %D, R8.ROW, R12.COL, R12", 4, false},
                          {"MUFU", "MUFU.RCP %D, R8", 1, true},
                          {"POPC", "POPC %D, R8", 1, true},
                          {"LDS", "LDS %D, [R4]", 1, true},
                          {"SHFL", "SHFL.BFLY PT, %D, R8, 0x1, 0x1f", 1, true},
                          {"LDC", "LDC %D, c[0x0][0x218]", 1, true},
                          {"R2UR", "R2UR %D, R8", 0, false},
                          {"UIADD3", "UIADD3 %D, UR7, UR8, URZ", 0, false},
                          {"UMOV", "UMOV %D, UR7", 0, false},
                          {"NOP", "NOP", 0, false}};
    for (const Kind& k : kinds)
        for (const int stall : {1, 2}) {
            std::vector<Line> core;
            Texts collect;
            const int count = k.width == 4 ? 3 : k.width == 2 ? 4 : 8;
            for (int i = 0; i < count; ++i) {
                std::string text = k.text;
                const std::string reg =
                    k.width == 0 ? fmt::format("UR{}", 10 + i) : fmt::format("R{}", 16 + i * k.width);
                if (const std::size_t at = text.find("%D"); at != std::string::npos) text.replace(at, 2, reg);
                core.push_back({text, code(stall, false, k.variable ? 0 : -1)});
                if (text == "NOP") {
                    collect = {"IMAD.MOV.U32 R28, RZ, RZ, RZ"};
                } else if (k.width == 0) {
                    if (i == 0) collect.push_back("IMAD.MOV.U32 R28, RZ, RZ, RZ");
                    collect.push_back(fmt::format("IMAD.U32 R5, RZ, RZ, {}", reg));
                    collect.push_back("IMAD R28, R28, R3, R5");
                } else {
                    collect.push_back(i == 0 ? fmt::format("IMAD.MOV.U32 R28, RZ, RZ, {}", reg)
                                             : fmt::format("IMAD R28, R28, R3, {}", reg));
                }
            }
            asker.ask("same-unit spacing", fmt::format("{} x {} at stall {}", count, k.name, stall),
                      Expect::Open, core, collect, k.width == 4 ? Texts{} : Texts{},
                      {"R2UR UR7, R8", "R2UR UR8, R9", "STS [R4], R14"}, k.width != 4);
        }
}

void barrier_questions(Asker& asker) {
    // Another warp's word of shared memory, behind a BAR.
    const Texts init{"VIADD R10, R4, 0xfffffc00", "LOP3.LUT R10, R10, 0x400, RZ, 0x3c, !PT",
                     "VIADD R10, R10, 0x400"};
    for (const int stall : {1, 2, 3, 4, 5, 6, 7}) {
        asker.ask("BAR to memory", fmt::format("STS, BAR stall {}, LDS of another warp's word", stall),
                  stall >= 7 ? Expect::Holds : Expect::Open,
                  {{"STS [R4], R16", code(2)},
                   {"BAR.SYNC.DEFER_BLOCKING 0x0", code(stall)},
                   {"LDS R24, [R10]", code(2, false, 0)}},
                  {"IMAD.MOV.U32 R28, RZ, RZ, R24"}, init,
                  {"BAR.SYNC.DEFER_BLOCKING 0x0", "STS [R4], R17", "BAR.SYNC.DEFER_BLOCKING 0x0"});
    }
}

void attribute_questions(Asker& asker) {
    asker.ask("attributes", "SHFL and VOTE with no entry in COOP_GROUP_INSTR_OFFSETS, BAR likewise",
              Expect::Holds,
              {{"SHFL.BFLY PT, R16, R8, 0x1, 0x1f", code(2, false, 0)},
               {"IADD3 R20, R16, R9, RZ", code(4, false, -1, -1, 1)}});
    for (const std::uint32_t wrong : {0x10u, 0x4000u, 0x7ffffff0u}) {
        asker.ask("attributes", fmt::format("EXIT_INSTR_OFFSETS names 0x{:x} in place of the EXIT", wrong),
                  Expect::Open,
                  {{"IADD3 R16, R8, R9, RZ", code(4)}, {"LOP3.LUT R20, R16, R9, R10, 0x96, !PT", code(4)}});
        if (!asker.out().empty()) asker.out().back().exit_attribute = wrong;
    }
}

}  // namespace

const char* to_string(Expect expect) {
    return enum_name<Expect::Open>({"must break", "must hold", "open"}, expect, "open");
}

Result<std::vector<Question>> all_questions(const WordBook& book) {
    Asker asker(book);
    yield_questions(asker);
    stall_questions(asker);
    reuse_questions(asker);
    order_questions(asker);
    scoreboard_questions(asker);
    spacing_questions(asker);
    barrier_questions(asker);
    attribute_questions(asker);
    if (auto error = asker.error()) return fail(*error);
    return std::move(asker.out());
}

}  // namespace cubinlab::probe
