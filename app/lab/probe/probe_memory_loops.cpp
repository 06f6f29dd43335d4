// SPDX-License-Identifier: GPL-3.0-or-later
// Loops on shared memory. R24 is a lane's own address: consecutive words, or 8 or 16 bytes, so that an access
// takes one wavefront per 128 bytes, without bank conflicts.
#include "app/lab/probe/probe_loop_lines.h"

namespace cubinlab::probe {
namespace {

// The addresses of 256 threads end below the 32 KiB of the frame.
Texts own_address(int bytes_of_a_lane) {
    return {"S2R R24, SR_TID.X", fmt::format("IMAD.SHL.U32 R24, R24, 0x{:x}, RZ", bytes_of_a_lane),
            "VIADD R24, R24, 0x400", "UMOV UR6, 0x0", "STS [R24], R24"};
}

Texts operator+(Texts a, const char* text) {
    a.emplace_back(text);
    return a;
}

Line loads(const char* text) {
    return {text, code(2, false, 0, -1, 1)};
}

Lines loaded(const char* text, int count, int step, int kinds) {
    return repeated(text, count, 8, step, kinds, code(1, false, 0)) + Lines{waits_for(1)};
}

Lines stored(const char* text, int count) {
    return same(text, count, code(1, false, -1, 0)) + Lines{waits_for(1)};
}

constexpr char kCopy[] = "LDGSTS.E.BYPASS.128 [R24], desc[UR4][R6.64]";

void latencies(std::vector<LoopCase>& out) {
    const Lines end{waits_for(1)};
    out.push_back(
        {"3 LDS, own banks, each needs the one before",
         {own_address(4) + "IMAD.MOV.U32 R16, RZ, RZ, R24", Lines(3, loads("LDS R16, [R16]")) + end}});
    out.push_back({"3 LDS.64, own banks, each waits for the one before",
                   {own_address(8), Lines(3, loads("LDS.64 R8, [R24+UR6]")) + end}});
    out.push_back({"3 LDS.128, own banks, each waits for the one before",
                   {own_address(16), Lines(3, loads("LDS.128 R8, [R24+UR6]")) + end}});
    out.push_back({"3 LDSM, own banks, each waits for the one before",
                   {own_address(16), Lines(3, loads("LDSM.16.M88 R8, [R24+UR6]")) + end}});
    out.push_back({"3 LDSM.4, own banks, each waits for the one before",
                   {own_address(16), Lines(3, loads("LDSM.16.M88.4 R8, [R24+UR6]")) + end}});
    out.push_back({"3 STS, own banks, each waits for the one before",
                   {own_address(4), Lines(3, Line{"STS [R24], R9", code(2, false, -1, 0, 1)}) + end}});
    out.push_back({"LDS of own banks, then 12 FFMA, then the wait",
                   {own_address(4), repeated("LDS %D, [R24]", 2, 16, 1, 2, code(1, false, 0)) +
                                        repeated("FFMA %D, R20, R21, R23", 12, 8, 1, 6, code(1)) + end}});
    const Lines copy{{kCopy, code(1, false, -1, 1)}, {"LDGDEPBAR", code(4, false, 0)}};
    out.push_back({"LDGSTS.128, LDGDEPBAR, DEPBAR.LE SB0, 0x0",
                   {own_address(16), copy + Lines{{"DEPBAR.LE SB0, 0x0", code(4, true)}, waits_for(3)}}});
}

// What leaves how often: the same from one warp, from one on each sub-core, and from two on each.
void rates(std::vector<LoopCase>& out, int warps) {
    const auto add = [&](const std::string& name, int bytes, const Lines& body) {
        const std::string who = warps == 1 ? std::string() : fmt::format(", {} warps", warps);
        out.push_back({name + who, {own_address(bytes), body}, false, warps});
    };
    add("8 LDS, own banks", 4, loaded("LDS %D, [R24]", 8, 1, 8));
    add("8 LDS.64, own banks", 8, loaded("LDS.64 %D, [R24+UR6]", 8, 2, 8));
    add("4 LDS.128, own banks", 16, loaded("LDS.128 %D, [R24+UR6]", 4, 4, 4));
    add("8 LDS.128, own banks", 16, loaded("LDS.128 %D, [R24+UR6]", 8, 4, 4));
    add("8 LDSM, own banks", 16, loaded("LDSM.16.M88 %D, [R24+UR6]", 8, 1, 8));
    add("4 LDSM.4, own banks", 16, loaded("LDSM.16.M88.4 %D, [R24+UR6]", 4, 4, 4));
    add("8 LDSM.4, own banks", 16, loaded("LDSM.16.M88.4 %D, [R24+UR6]", 8, 4, 4));
    add("8 STS, own banks", 4, stored("STS [R24], R9", 8));
    add("4 LDGSTS.128, operands waited for", 16, stored(kCopy, 4));
    add("4 LDSM.4, own banks, and 4 LDGSTS.128", 16,
        same(kCopy, 4, code(1, false, -1, 1)) +
            repeated("LDSM.16.M88.4 %D, [R24+UR6]", 4, 8, 4, 4, code(1, false, 0)) + Lines{waits_for(3)});
    if (warps == 1) return;
    add("8 SHFL", 4, loaded("SHFL.BFLY PT, %D, R24, 0x1, 0x1f", 8, 1, 8));
}

}  // namespace

// Eight lanes of each eight address one bank.
void conflicting_loops(std::vector<LoopCase>& out) {
    const Texts self{"STS [R4], R4", "UMOV UR6, 0x0", "IMAD.MOV.U32 R16, RZ, RZ, R4"};
    const auto add = [&](const char* name, const Lines& body) { out.push_back({name, {self, body}, true}); };
    add("3 LDS, each needs the one before", Lines(3, loads("LDS R16, [R16]")) + Lines{waits_for(1)});
    add("8 LDS, waited for once", loaded("LDS %D, [R4]", 8, 1, 8));
    add("4 LDS.128 with bank conflicts, waited for once", loaded("LDS.128 %D, [R4+UR6]", 4, 4, 2));
    add("4 LDSM.4, waited for once", loaded("LDSM.16.M88.4 %D, [R4+UR6]", 4, 4, 2));
    add("6 STS, operands waited for", stored("STS [R4], R9", 6));
    add("LDS, then 12 FFMA, then the wait", repeated("LDS %D, [R4]", 2, 16, 1, 2, code(1, false, 0)) +
                                                repeated("FFMA %D, R20, R21, R23", 12, 8, 1, 6, code(1)) +
                                                Lines{waits_for(1)});
}

void shared_memory_loops(std::vector<LoopCase>& out) {
    latencies(out);
    for (const int warps : {1, 4, 8})
        rates(out, warps);
}

}  // namespace cubinlab::probe
