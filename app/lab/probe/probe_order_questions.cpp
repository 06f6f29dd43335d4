// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/lab/probe/probe_asker.h"

namespace cubinlab::probe {

// The first member has no scoreboard; the reader of its result waits for the second's.
void order_questions(Asker& asker) {
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

}  // namespace cubinlab::probe
