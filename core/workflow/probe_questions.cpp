// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/probe_questions.h"

#include <fmt/format.h>

#include <optional>

#include "core/workflow/probe_catalog.h"

namespace cubinlab::probe {
namespace {

using Texts = std::vector<std::string>;

ControlCode code(int stall, bool yield = false, int write = -1, int read = -1, unsigned wait = 0,
                 unsigned reuse = 0) {
    ControlCode c;
    c.stall = static_cast<std::uint8_t>(stall);
    c.yield = yield;
    if (write >= 0) c.write_barrier = static_cast<std::uint8_t>(write);
    if (read >= 0) c.read_barrier = static_cast<std::uint8_t>(read);
    c.wait_mask = static_cast<std::uint8_t>(wait);
    c.reuse = static_cast<std::uint8_t>(reuse);
    return c;
}

class Asker {
  public:
    explicit Asker(const WordBook& book) : book_(book) {}

    // `core` with random operands; compares `collect`, or what the last line writes.
    void ask(const std::string& topic, const std::string& name, Expect expect, std::vector<Line> core,
             Texts collect = {}, const Texts& init = {}, const Texts& prepare = {}, bool timed = false,
             std::vector<Line> reference = {}) {
        if (error_) return;
        Question q{topic, name, expect, {}, 0};
        Texts texts, also = init;
        also.insert(also.end(), prepare.begin(), prepare.end());
        for (const Line& l : core)
            texts.push_back(l.text);
        texts.insert(texts.end(), collect.begin(), collect.end());
        auto random = random_operands(book_, texts, also);
        if (!random) return set(random.error());
        q.experiment.init = std::move(*random);
        q.experiment.init.insert(q.experiment.init.end(), init.begin(), init.end());
        q.experiment.prepare = prepare;
        if (collect.empty()) {
            auto fold = fold_of(book_, core.back().text);
            if (!fold) return set(fold.error());
            collect = std::move(*fold);
        }
        q.experiment.core = std::move(core);
        q.experiment.reference = std::move(reference);
        q.experiment.collect = std::move(collect);
        q.experiment.timed = timed;
        out_.push_back(std::move(q));
    }
    std::vector<Question>& out() { return out_; }
    std::optional<Error> error() const { return error_; }

  private:
    void set(const Error& error) { error_ = error; }
    const WordBook& book_;
    std::vector<Question> out_;
    std::optional<Error> error_;
};

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

// The first member has no scoreboard; the reader of its result waits for the second's.
void group_questions(Asker& asker) {
    struct Member {
        const char* name;
        const char* text;  // %D destination
    };
    const Member members[] = {
        {"MUFU.RCP", "MUFU.RCP %D, R8"},
        {"MUFU.EX2", "MUFU.EX2 %D, R8"},
        {"POPC", "POPC %D, R8"},
        {"BREV", "BREV %D, R8"},
        {"FLO", "FLO.U32 %D, R8"},
        {"F2I", "F2I.TRUNC.NTZ %D, R8"},
        {"I2F", "I2F.U16 %D, R8"},
        {"F2F.64", "F2F.F32.F64 %D, R8"},
        {"LDS", "LDS %D, [R4]"},
        {"LDS.128 conflicts", "LDS.128 %D, [R4+UR6]"},
        {"LDSM", "LDSM.16.M88.4 %D, [R4+UR6]"},
        {"SHFL", "SHFL.BFLY PT, %D, R8, 0x1, 0x1f"},
        {"ATOMS", "ATOMS.ADD %D, [R4+UR6], R9"},
        {"LDG", "LDG.E %D, desc[UR4][R6.64]"},
        {"LDG.128", "LDG.E.128 %D, desc[UR4][R6.64]"},
        {"LDC", "LDC %D, c[0x0][0x218]"},
        {"S2R", "S2R %D, SR_TID.X"},
    };
    auto named = [](const char* text, const char* reg) {
        std::string out = text;
        out.replace(out.find("%D"), 2, reg);
        return out;
    };
    const Texts init;
    const Texts prepare{"UMOV UR6, 0x0", "STS [R4], R14"};
    const Texts collect{"IMAD.MOV.U32 R28, RZ, RZ, R24"};
    for (const Member& first : members) {
        // Whether anybody would notice: nothing is waited for.
        asker.ask("in-order groups", fmt::format("{}, no wait at all", first.name), Expect::Breaks,
                  {{named(first.text, "R16"), code(4, false, 5)}, {"MOV R24, R16", code(4)}}, collect, init,
                  prepare);
        for (const Member& second : members)
            for (const int between : {1, 4})
                asker.ask("in-order groups",
                          fmt::format("{} without, {} with the barrier, {} cycles apart", first.name,
                                      second.name, between),
                          Expect::Open,
                          {{named(first.text, "R16"), code(between, false, 5)},
                           {named(second.text, "R20"), code(2, false, 0)},
                           {"MOV R24, R16", code(4, false, -1, -1, 1)}},
                          collect, init, prepare);
    }
    // A load that misses the L1 cache, then one that hits: 8 MiB of addresses at random against this thread's
    // own.
    const Texts far{"LDC.64 R12, c[0x0][0x218]", "LOP3.LUT R14, R14, 0x3ffff, RZ, 0xc0, !PT",
                    "IMAD.WIDE.U32 R12, R14, 0x20, R12", "LDG.E R20, desc[UR4][R6.64]"};
    for (const int between : {1, 4})
        asker.ask(
            "in-order groups",
            fmt::format("LDG that misses without, LDG that hits with the barrier, {} cycles apart", between),
            Expect::Open,
            {{"LDG.E R16, desc[UR4][R12.64]", code(between, false, 5)},
             {"LDG.E R20, desc[UR4][R6.64]", code(2, false, 0)},
             {"MOV R24, R16", code(4, false, -1, -1, 1)}},
            collect, {"IMAD.HI.U32 R14, R5, R0, RZ"}, far);
    // Operand reads: the first store's data register is overwritten after the second's read barrier.
    struct Store {
        const char* name;
        const char* first;
        const char* second;
        Texts collect;
    };
    const Store stores[] = {
        {"STS, STS", "STS [R4], R16", "STS [R11], R17", {"LDS R28, [R4]"}},
        {"STS, LDS", "STS [R4], R16", "LDS R20, [R11]", {"LDS R28, [R4]"}},
        {"STG, STG",
         "STG.E desc[UR4][R6.64], R16",
         "STG.E desc[UR4][R12.64], R17",
         {"LDG.E R28, desc[UR4][R6.64]"}},
        {"STG, LDG",
         "STG.E desc[UR4][R6.64], R16",
         "LDG.E R20, desc[UR4][R12.64]",
         {"LDG.E R28, desc[UR4][R6.64]"}},
        {"STG, STS", "STG.E desc[UR4][R6.64], R16", "STS [R11], R17", {"LDG.E R28, desc[UR4][R6.64]"}},
        {"STS, STG", "STS [R4], R16", "STG.E desc[UR4][R12.64], R17", {"LDS R28, [R4]"}},
        {"SHFL, SHFL",
         "SHFL.BFLY PT, R24, R16, 0x1, 0x1f",
         "SHFL.BFLY PT, R25, R17, 0x1, 0x1f",
         {"IMAD.MOV.U32 R28, RZ, RZ, R24"}},
        {"SHFL, STS",
         "SHFL.BFLY PT, R24, R16, 0x1, 0x1f",
         "STS [R11], R17",
         {"IMAD.MOV.U32 R28, RZ, RZ, R24"}},
        {"MUFU, MUFU", "MUFU.RCP R24, R16", "MUFU.RCP R25, R17", {"IMAD.MOV.U32 R28, RZ, RZ, R24"}},
    };
    const Texts addresses{"VIADD R11, R4, 0x10", "VIADD R12, R6, 0x10", "IMAD.MOV.U32 R13, RZ, RZ, R7"};
    for (const Store& s : stores) {
        for (const bool writes : {false, true}) {
            const char* over = writes ? "MOV R16, R15" : "NOP";
            asker.ask("in-order operand reads",
                      fmt::format("{}: {} at once, nothing waited for", s.name,
                                  writes ? "overwritten" : "left alone"),
                      writes ? Expect::Open : Expect::Holds,
                      {{s.first, code(1, false, std::string(s.first).starts_with("ST") ? -1 : 4, 5)},
                       {over, code(4)}},
                      s.collect, addresses);
        }
        const bool load = std::string(s.second).starts_with("LD") ||
                          std::string(s.second).starts_with("SH") || std::string(s.second).starts_with("MU");
        asker.ask(
            "in-order operand reads",
            fmt::format("{}: the second's {} barrier waited for", s.name, load ? "read or write" : "read"),
            Expect::Open,
            {{s.first, code(1, false, std::string(s.first).starts_with("ST") ? -1 : 4, 5)},
             {s.second, code(2, false, load ? 3 : -1, 0)},
             {"MOV R16, R15", code(4, false, -1, -1, 1)}},
            s.collect, addresses);
    }
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
    switch (expect) {
        case Expect::Breaks:
            return "must break";
        case Expect::Holds:
            return "must hold";
        case Expect::Open:
            break;
    }
    return "open";
}

Result<std::vector<Question>> all_questions(const WordBook& book) {
    Asker asker(book);
    yield_questions(asker);
    stall_questions(asker);
    reuse_questions(asker);
    group_questions(asker);
    scoreboard_questions(asker);
    spacing_questions(asker);
    barrier_questions(asker);
    attribute_questions(asker);
    if (auto error = asker.error()) return fail(*error);
    return std::move(asker.out());
}

}  // namespace cubinlab::probe
