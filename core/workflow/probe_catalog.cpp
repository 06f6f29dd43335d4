// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/probe_catalog.h"

#include <fmt/format.h>

#include <set>

#include "core/sass/decoder.h"

namespace cubinlab::probe {
namespace {

using Texts = std::vector<std::string>;

std::string with_reg(std::string text, std::string_view mark, const std::string& value) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
        text.replace(at, mark.size(), value);
    return text;
}

// %D: destination. Sources are random numbers.
struct Producer {
    const char* name;
    const char* text;
};
constexpr Producer kGprProducers[] = {
    {"IADD3", "IADD3 %D, R8, R9, RZ"},
    {"LOP3", "LOP3.LUT %D, R8, R9, R10, 0x96, !PT"},
    {"SHF", "SHF.L.W.U32.HI %D, R8, R9, R10"},
    {"SEL", "SEL %D, R8, R9, P5"},
    {"PRMT", "PRMT %D, R8, R9, R10"},
    {"MOV", "MOV %D, R8"},
    {"FMNMX", "FMNMX %D, R8, R9, !PT"},
    {"F2FP", "F2FP.F16.F32.PACK_AB %D, R8, R9"},
    {"I2FP", "I2FP.F32.S32 %D, R8"},
    {"FADD", "FADD %D, R8, R9"},
    {"FMUL", "FMUL %D, R8, R9"},
    {"FFMA", "FFMA %D, R8, R9, R10"},
    {"IMAD", "IMAD %D, R8, R9, R10"},
    {"IMAD.MOV", "IMAD.MOV.U32 %D, RZ, RZ, R8"},
    {"VIADD", "VIADD %D, R8, 0x10"},
    {"IDP", "IDP.4A.S8.S8 %D, R8, R9, R10"},
    {"IMAD.WIDE", "IMAD.WIDE.U32 %D, R8, R9, R10"},
    {"IMAD.HI", "IMAD.HI.U32 %D, R8, R9, RZ"},
    {"HMUL2", "HMUL2 %D, R8, R9"},
    {"HFMA2", "HFMA2 %D, R8, R9, R10"},
    {"HADD2.F32", "HADD2.F32 %D, -RZ, R8.H0_H0"},
    {"HFMA2.MMA", "HFMA2.MMA %D, R8, R9, R10"},
    {"DADD", "DADD %D, R8, R10"},
    {"DMUL", "DMUL %D, R8, R10"},
    {"DFMA", "DFMA %D, R8, R10, R12"},
    {"HMMA.1688.F32", "HMMA.1688.F32 %D, R8, R12, R24"},
    {"HMMA.1688.F32.TF32", "HMMA.1688.F32.TF32 %D, R8, R12, R24"},
    {"HMMA.1684.F32.TF32", "HMMA.1684.F32.TF32 %D, R8, R12, R24"},
    {"HMMA.16816.F32", "HMMA.16816.F32 %D, R8, R12, R24"},
    {"HMMA.16816.F32.BF16", "HMMA.16816.F32.BF16 %D, R8, R12, R24"},
    {"HMMA.16816.F16", "HMMA.16816.F16 %D, R8, R12, R24"},
    {"IMMA.8816", "IMMA.8816.S8.S8 %D, R8.ROW, R12.COL, R24"},
    {"IMMA.16816", "IMMA.16816.S8.S8 %D, R8.ROW, R12.COL, R24"},
    {"IMMA.16832", "IMMA.16832.S8.S8 %D, R8.ROW, R12.COL, R24"},
    {"DMMA.8x8x4", "DMMA.8x8x4 %D, R8, R10, R24"},
};

// %X: the register in common. Results go to R20 on, P2 or UR9.
struct Consumer {
    const char* name;
    const char* text;
};
constexpr Consumer kGprConsumers[] = {
    {"IADD3 a", "IADD3 R20, %X, R9, R10"},
    {"IADD3 b", "IADD3 R20, R9, %X, R10"},
    {"IADD3 c", "IADD3 R20, R9, R10, %X"},
    {"LOP3 a", "LOP3.LUT R20, %X, R9, R10, 0x96, !PT"},
    {"LOP3 c", "LOP3.LUT R20, R9, R10, %X, 0x96, !PT"},
    {"SHF a", "SHF.L.W.U32.HI R20, %X, R9, R10"},
    {"SHF b", "SHF.L.W.U32.HI R20, R9, %X, R10"},
    {"SEL a", "SEL R20, %X, R9, P5"},
    {"SEL b", "SEL R20, R9, %X, P6"},
    {"PRMT a", "PRMT R20, %X, R9, R10"},
    {"PRMT b", "PRMT R20, R9, %X, R10"},
    {"MOV", "MOV R20, %X"},
    {"LEA a", "LEA R20, %X, R9, 0x2"},
    {"VIMNMX a", "VIMNMX R20, %X, R9, !PT"},
    {"FMNMX a", "FMNMX R20, %X, R9, !PT"},
    {"FSEL a", "FSEL R20, %X, R9, P5"},
    {"IABS", "IABS R20, %X"},
    {"I2FP", "I2FP.F32.S32 R20, %X"},
    {"F2FP a", "F2FP.F16.F32.PACK_AB R20, %X, R9"},
    {"ISETP a", "ISETP.GE.U32.AND P2, PT, %X, R9, PT"},
    {"ISETP b", "ISETP.GE.U32.AND P2, PT, R9, %X, PT"},
    {"FSETP a", "FSETP.GT.AND P2, PT, %X, R9, PT"},
    {"FADD a", "FADD R20, %X, R9"},
    {"FADD b", "FADD R20, R9, %X"},
    {"FMUL a", "FMUL R20, %X, R9"},
    {"FMUL b", "FMUL R20, R9, %X"},
    {"FFMA a", "FFMA R20, %X, R9, R10"},
    {"FFMA b", "FFMA R20, R9, %X, R10"},
    {"FFMA c", "FFMA R20, R9, R10, %X"},
    {"IMAD a", "IMAD R20, %X, R9, R10"},
    {"IMAD b", "IMAD R20, R9, %X, R10"},
    {"IMAD c", "IMAD R20, R9, R10, %X"},
    {"IMAD.MOV", "IMAD.MOV.U32 R20, RZ, RZ, %X"},
    {"VIADD", "VIADD R20, %X, 0x10"},
    {"IDP a", "IDP.4A.S8.S8 R20, %X, R9, R10"},
    {"IDP c", "IDP.4A.S8.S8 R20, R9, R10, %X"},
    {"IMAD.WIDE a", "IMAD.WIDE.U32 R20, %X, R9, R10"},
    {"IMAD.WIDE b", "IMAD.WIDE.U32 R20, R9, %X, R10"},
    {"IMAD.WIDE c-lo", "IMAD.WIDE.U32 R20, R9, R10, %X"},
    {"IMAD.HI a", "IMAD.HI.U32 R20, %X, R9, RZ"},
    {"HMUL2 a", "HMUL2 R20, %X, R9"},
    {"HMUL2 b", "HMUL2 R20, R9, %X"},
    {"HFMA2 a", "HFMA2 R20, %X, R9, R10"},
    {"HFMA2 b", "HFMA2 R20, R9, %X, R10"},
    {"HFMA2 c", "HFMA2 R20, R9, R10, %X"},
    {"HMNMX2 a", "HMNMX2 R20, %X, R9, !PT"},
    {"HSET2 a", "HSET2.BF.LT.AND R20, %X, R9, PT"},
    {"HADD2.F32", "HADD2.F32 R20, -RZ, %X.H0_H0"},
    {"HFMA2.MMA a", "HFMA2.MMA R20, %X, R9, R10"},
    {"HFMA2.MMA b", "HFMA2.MMA R20, R9, %X, R10"},
    {"HFMA2.MMA c", "HFMA2.MMA R20, R9, R10, %X"},
    {"DADD a", "DADD R20, %X, R10"},
    {"DADD b", "DADD R20, R10, %X"},
    {"DMUL a", "DMUL R20, %X, R10"},
    {"DFMA a", "DFMA R20, %X, R10, R12"},
    {"DFMA b", "DFMA R20, R10, %X, R12"},
    {"DFMA c", "DFMA R20, R10, R12, %X"},
    {"DSETP a", "DSETP.GEU.AND P2, PT, %X, R10, PT"},
    {"HMMA.16816.F32 a", "HMMA.16816.F32 R20, %X, R12, R24"},
    {"HMMA.16816.F32 b", "HMMA.16816.F32 R20, R8, %X, R24"},
    {"HMMA.16816.F32 c", "HMMA.16816.F32 R20, R8, R12, %X"},
    {"HMMA.1688.F32 a", "HMMA.1688.F32 R20, %X, R12, R24"},
    {"HMMA.1688.F32 b", "HMMA.1688.F32 R20, R8, %X, R24"},
    {"HMMA.1688.F32 c", "HMMA.1688.F32 R20, R8, R12, %X"},
    {"HMMA.1688.TF32 a", "HMMA.1688.F32.TF32 R20, %X, R12, R24"},
    {"HMMA.1688.TF32 b", "HMMA.1688.F32.TF32 R20, R8, %X, R24"},
    {"HMMA.1688.TF32 c", "HMMA.1688.F32.TF32 R20, R8, R12, %X"},
    {"IMMA.16816 a", "IMMA.16816.S8.S8 R20, %X.ROW, R12.COL, R24"},
    {"IMMA.16816 b", "IMMA.16816.S8.S8 R20, R8.ROW, %X.COL, R24"},
    {"IMMA.16816 c", "IMMA.16816.S8.S8 R20, R8.ROW, R12.COL, %X"},
    {"IMMA.16832 a", "IMMA.16832.S8.S8 R20, %X.ROW, R12.COL, R24"},
    {"IMMA.16832 b", "IMMA.16832.S8.S8 R20, R8.ROW, %X.COL, R24"},
    {"IMMA.16832 c", "IMMA.16832.S8.S8 R20, R8.ROW, R12.COL, %X"},
    {"DMMA a", "DMMA.8x8x4 R20, %X, R10, R24"},
    {"DMMA c", "DMMA.8x8x4 R20, R8, R10, %X"},
    {"MUFU.RCP", "MUFU.RCP R20, %X"},
    {"POPC", "POPC R20, %X"},
    {"BREV", "BREV R20, %X"},
    {"FLO", "FLO.U32 R20, %X"},
    {"I2F", "I2F.U16 R20, %X"},
    {"F2I", "F2I.TRUNC.NTZ R20, %X"},
    {"SHFL.BFLY data", "SHFL.BFLY PT, R20, %X, 0x1, 0x1f"},
    {"SHFL.IDX lane", "SHFL.IDX PT, R20, R9, %X, 0x1f"},
    {"STS data", "STS [R4], %X"},
    {"STG data", "STG.E desc[UR4][R6.64], %X"},
    {"R2UR", "R2UR UR9, %X"},
    {"REDUX", "REDUX.SUM UR9, %X"},
};

// Producers that hand R10 on unchanged, so that a consumer may use it as an address.
struct Mover {
    const char* name;
    const char* text;
    Texts init;
};
std::vector<Mover> movers() {
    return {
        {"IADD3", "IADD3 %D, R10, RZ, RZ", {}},
        {"LOP3", "LOP3.LUT %D, R10, RZ, RZ, 0xfc, !PT", {}},
        {"SEL", "SEL %D, R10, R9, P5", {}},
        {"MOV", "MOV %D, R10", {}},
        {"FADD", "FADD %D, R10, R14", {"IMAD.MOV.U32 R14, RZ, RZ, -0x80000000"}},
        {"IMAD", "IMAD %D, R10, R14, RZ", {"IMAD.MOV.U32 R14, RZ, RZ, 0x1"}},
        {"IMAD.MOV", "IMAD.MOV.U32 %D, RZ, RZ, R10", {}},
        {"VIADD", "VIADD %D, R10, 0x0", {}},
        {"IMAD.WIDE",
         "IMAD.WIDE.U32 %D, R10, R14, R24",
         {"IMAD.MOV.U32 R14, RZ, RZ, 0x1", "IMAD.MOV.U32 R24, RZ, RZ, RZ", "IMAD.MOV.U32 R25, RZ, RZ, R11"}},
        {"HMUL2", "HMUL2 %D, R10, R14", {"IMAD.MOV.U32 R14, RZ, RZ, 0x3c003c00"}},
        {"HFMA2.MMA",
         "HFMA2.MMA %D, R10, R14, R15",
         {"IMAD.MOV.U32 R14, RZ, RZ, 0x3c003c00", "IMAD.MOV.U32 R15, RZ, RZ, -0x7fff8000"}},
        {"DADD",
         "DADD %D, R10, R14",
         {"IMAD.MOV.U32 R14, RZ, RZ, RZ", "IMAD.MOV.U32 R15, RZ, RZ, -0x80000000"}},
    };
}

struct AddressConsumer {
    const char* name;
    const char* text;
    const char* space;  // shared, global, constant
    Texts collect;
};
std::vector<AddressConsumer> address_consumers() {
    return {
        {"LDS address", "LDS R20, [%X]", "shared", {}},
        {"STS address", "STS [%X], R26", "shared", {"LDS R28, [R4]"}},
        {"LDSM address", "LDSM.16.M88 R20, [%X+UR6]", "shared", {}},
        {"ATOMS address", "ATOMS.ADD R20, [%X+UR6], R26", "shared", {}},
        {"LDC index", "LDC R20, c[0x0][%X]", "constant", {}},
        {"LDG address", "LDG.E R20, desc[UR4][%X.64]", "global", {}},
        {"STG address", "STG.E desc[UR4][%X.64], R26", "global", {"LDG.E R28, desc[UR4][R6.64]"}},
    };
}

Texts addresses(const std::string& space) {
    if (space == "shared")
        return {"IMAD.MOV.U32 R10, RZ, RZ, R4", "VIADD R16, R4, 0x10", "IMAD.MOV.U32 R11, RZ, RZ, 0x3c003c00",
                "IMAD.MOV.U32 R17, RZ, RZ, R11"};
    if (space == "constant")
        return {"IMAD.MOV.U32 R10, RZ, RZ, 0x218", "IMAD.MOV.U32 R16, RZ, RZ, 0x210",
                "IMAD.MOV.U32 R11, RZ, RZ, 0x3c003c00", "IMAD.MOV.U32 R17, RZ, RZ, R11"};
    return {"IMAD.MOV.U32 R10, RZ, RZ, R6", "VIADD R16, R6, 0x10", "IMAD.MOV.U32 R11, RZ, RZ, R7",
            "IMAD.MOV.U32 R17, RZ, RZ, R7"};
}
Texts memory_setup(const std::string& space) {
    if (space == "shared")
        return {"UMOV UR6, 0x0", "STS [R4], R26", "IADD3 R5, R4, 0x10, RZ", "STS [R5], R27",
                "LOP3.LUT R26, R26, R27, RZ, 0x3c, !PT"};
    if (space == "global") return {"STG.E desc[UR4][R6.64], R27", "LOP3.LUT R26, R26, R27, RZ, 0x3c, !PT"};
    return {};
}

constexpr Producer kPredProducers[] = {
    {"ISETP", "ISETP.GE.U32.AND P1, PT, R8, R9, PT"},
    {"FSETP", "FSETP.GT.AND P1, PT, R8, R9, PT"},
    {"PLOP3", "PLOP3.LUT P1, PT, P2, P3, PT, 0x28, 0x0"},
    {"LOP3 P", "LOP3.LUT P1, RZ, R8, 0x4, RZ, 0xc0, !PT"},
    {"IADD3 carry", "IADD3 R23, P1, R12, R13, RZ"},
    {"HSETP2", "HSETP2.GT.AND P1, PT, R8.H0_H0, R9.H0_H0, PT"},
    {"DSETP", "DSETP.GEU.AND P1, PT, R8, R10, PT"},
};
constexpr Consumer kPredConsumers[] = {
    {"SEL", "SEL R20, R9, R10, P1"},
    {"FSEL", "FSEL R20, R9, R10, P1"},
    {"ISETP c", "ISETP.LT.U32.AND P2, PT, R12, R13, P1"},
    {"PLOP3 a", "PLOP3.LUT P2, PT, P1, P3, PT, 0x28, 0x0"},
    {"PLOP3 b", "PLOP3.LUT P2, PT, P3, P1, PT, 0x28, 0x0"},
    {"IMAD.X carry", "IMAD.X R20, R9, 0x1, R10, P1"},
    {"VOTE", "VOTE.ANY R20, PT, P1"},
    {"VOTEU", "VOTEU.ANY UR9, UPT, P1"},
    {"guard MOV", "@P1 MOV R20, R9"},
    {"guard IADD3", "@P1 IADD3 R20, R9, R10, RZ"},
    {"guard FADD", "@P1 FADD R20, R9, R10"},
    {"guard IMAD", "@P1 IMAD R20, R9, R10, RZ"},
    {"guard IMAD.WIDE", "@P1 IMAD.WIDE.U32 R20, R9, R10, R12"},
    {"guard HFMA2", "@P1 HFMA2 R20, R9, R10, R12"},
    {"guard HFMA2.MMA", "@P1 HFMA2.MMA R20, R9, R10, R12"},
    {"guard DADD", "@P1 DADD R20, R8, R10"},
    {"guard ISETP", "@P1 ISETP.LT.U32.AND P2, PT, R12, R13, PT"},
    {"guard MUFU", "@P1 MUFU.RCP R20, R9"},
    {"guard POPC", "@P1 POPC R20, R9"},
    {"guard LDS", "@P1 LDS R20, [R4]"},
    {"guard STS", "@P1 STS [R4], R9"},
    {"guard LDG", "@P1 LDG.E R20, desc[UR4][R6.64]"},
    {"guard STG", "@P1 STG.E desc[UR4][R6.64], R9"},
    {"guard LDC", "@P1 LDC R20, c[0x0][0x218]"},
    {"guard S2R", "@P1 S2R R20, SR_TID.X"},
    {"guard BRA", "@P1 BRA"},
};

constexpr Producer kUniformProducers[] = {
    {"UIADD3", "UIADD3 UR6, UR7, UR8, URZ"},
    {"ULOP3", "ULOP3.LUT UR6, UR7, 0x18, URZ, 0x3c, !UPT"},
    {"USHF", "USHF.L.U32 UR6, UR7, 0x3, URZ"},
    {"ULEA", "ULEA UR6, UR7, UR8, 0x2"},
    {"UMOV", "UMOV UR6, UR7"},
    {"ULDC", "ULDC UR6, c[0x0][0x218]"},
    {"VOTEU", "VOTEU.ANY UR6, UPT, P1"},
    {"R2UR", "R2UR UR6, R8"},
};
constexpr Consumer kUniformConsumers[] = {
    {"IADD3 b", "IADD3 R20, R9, UR6, RZ"},
    {"LOP3 b", "LOP3.LUT R20, R9, UR6, RZ, 0x3c, !PT"},
    {"MOV", "MOV R20, UR6"},
    {"LEA b", "LEA R20, R9, UR6, 0x2"},
    {"ISETP b", "ISETP.GE.U32.AND P2, PT, R9, UR6, PT"},
    {"IMAD b", "IMAD R20, R9, UR6, RZ"},
    {"IMAD.U32", "IMAD.U32 R20, RZ, RZ, UR6"},
    {"VIADD b", "VIADD R20, R9, UR6"},
    {"POPC", "POPC R20, UR6"},
    {"UIADD3 a", "UIADD3 UR9, UR6, UR8, URZ"},
    {"UIADD3 b", "UIADD3 UR9, UR8, UR6, URZ"},
    {"ULOP3 a", "ULOP3.LUT UR9, UR6, 0x18, URZ, 0x3c, !UPT"},
    {"USHF a", "USHF.L.U32 UR9, UR6, 0x3, URZ"},
    {"ULEA a", "ULEA UR9, UR6, UR8, 0x2"},
    {"UMOV", "UMOV UR9, UR6"},
};

bool memory_text(const std::string& text) {
    return text.find("LDS") != std::string::npos || text.find("STS") != std::string::npos;
}

bool writes_several(std::string_view producer) {
    return producer == "IMAD.WIDE" || producer.starts_with("D") || producer.starts_with("HMMA") ||
           producer.starts_with("IMMA");
}

void gpr_pairs(std::vector<Pair>& out) {
    for (const bool guarded : {false, true})
        for (const Producer& p : kGprProducers)
            for (const Consumer& c : kGprConsumers) {
                Pair pair;
                pair.first = with_reg(p.text, "%D", "R16");
                pair.second = with_reg(c.text, "%X", "R16");
                pair.guarded = guarded;
                if (guarded) pair.first = "@P5 " + pair.first;
                pair.name = fmt::format("raw R {}{} -> {}", guarded ? "@P " : "", p.name, c.name);
                if (std::string(c.name) == "STS data") pair.collect = {"LDS R28, [R4]"};
                if (std::string(c.name) == "STG data") pair.collect = {"LDG.E R28, desc[UR4][R6.64]"};
                out.push_back(pair);
                if (std::string(c.name) == "IMAD.WIDE c-lo") {
                    // The upper half: written by itself, or as the second register of a wide result.
                    pair.resource = "R17";
                    if (!writes_several(p.name))
                        pair.first = (guarded ? "@P5 " : "") + with_reg(p.text, "%D", "R17");
                    pair.name = fmt::format("raw R {}{} -> IMAD.WIDE c-hi", guarded ? "@P " : "", p.name);
                    out.push_back(pair);
                }
            }
    // The upper half of a wide result.
    for (const Consumer& c : kGprConsumers) {
        const std::string name = c.name;
        if (!name.starts_with("IADD3 a") && !name.starts_with("FFMA") && !name.starts_with("IMAD a") &&
            !name.starts_with("IMAD c") && name != "MOV" && name != "HMUL2 a" && name != "HFMA2.MMA a" &&
            name != "MUFU.RCP" && name != "SHFL.BFLY data" && name != "STS data" && name != "R2UR")
            continue;
        Pair pair;
        pair.first = "IMAD.WIDE.U32 R16, R8, R9, R10";
        pair.second = with_reg(c.text, "%X", "R17");
        pair.resource = "R17";
        pair.name = fmt::format("raw R IMAD.WIDE hi -> {}", c.name);
        if (name == "STS data") pair.collect = {"LDS R28, [R4]"};
        out.push_back(pair);
    }
    // The last registers of tensor operands.
    for (const Producer& p : kGprProducers) {
        const std::string name = p.name;
        if (name != "IADD3" && name != "F2FP" && name != "FFMA" && name != "HFMA2" && name != "HFMA2.MMA")
            continue;
        for (const auto& [slot, text, reg] :
             {std::tuple{"HMMA.16816.F32 a3", "HMMA.16816.F32 R20, R16, R12, R24", "R19"},
              std::tuple{"HMMA.16816.F32 b1", "HMMA.16816.F32 R20, R8, R16, R24", "R17"},
              std::tuple{"HMMA.16816.F32 c3", "HMMA.16816.F32 R20, R8, R12, R16", "R19"},
              std::tuple{"HMMA.1688.F32 a1", "HMMA.1688.F32 R20, R16, R12, R24", "R17"},
              std::tuple{"IMMA.16832 a3", "IMMA.16832.S8.S8 R20, R16.ROW, R12.COL, R24", "R19"}})
            for (const bool guarded : {false, true})
                out.push_back({fmt::format("raw R {}{} -> {}", guarded ? "@P " : "", p.name, slot),
                               DependenceKind::Raw,
                               (guarded ? "@P5 " : "") + with_reg(p.text, "%D", reg),
                               text,
                               reg,
                               guarded,
                               {},
                               {},
                               {}});
    }
    // The last register of tensor results.
    for (const Producer& p : kGprProducers) {
        const std::string name = p.name;
        if (name.find("MMA.") == std::string::npos || name == "HFMA2.MMA") continue;
        const bool two = name == "HMMA.16816.F16" || name == "IMMA.8816";
        const std::string reg = two ? "R17" : "R19";
        for (const auto& [slot, text] :
             {std::pair{"IADD3 a", "IADD3 R20, %X, R9, R10"}, std::pair{"FFMA a", "FFMA R20, %X, R9, R10"},
              std::pair{"IMAD.MOV", "IMAD.MOV.U32 R20, RZ, RZ, %X"}})
            out.push_back({fmt::format("raw R {} last -> {}", p.name, slot),
                           DependenceKind::Raw,
                           with_reg(p.text, "%D", "R16"),
                           with_reg(text, "%X", reg),
                           reg,
                           false,
                           {},
                           {},
                           {}});
    }
    for (const bool guarded : {false, true})
        for (const Mover& p : movers())
            for (const AddressConsumer& c : address_consumers()) {
                // Half-precision numbers do not hand on the bits of every address.
                if (std::string(c.space) != "constant" && p.name[0] == 'H') continue;
                Pair pair;
                pair.first = (guarded ? "@P5 " : "") + with_reg(p.text, "%D", "R16");
                pair.second = with_reg(c.text, "%X", "R16");
                pair.guarded = guarded;
                pair.name = fmt::format("raw R {}{} -> {}", guarded ? "@P " : "", p.name, c.name);
                pair.init = addresses(c.space);
                pair.init.insert(pair.init.end(), p.init.begin(), p.init.end());
                pair.prepare = memory_setup(c.space);
                pair.collect = c.collect;
                out.push_back(pair);
            }
}

void predicate_pairs(std::vector<Pair>& out) {
    for (const bool guarded : {false, true})
        for (const Producer& p : kPredProducers)
            for (const Consumer& c : kPredConsumers) {
                Pair pair;
                pair.first = (guarded ? "@P5 " : "") + std::string(p.text);
                pair.second = c.text;
                pair.resource = "P1";
                pair.guarded = guarded;
                pair.name = fmt::format("raw P {}{} -> {}", guarded ? "@P " : "", p.name, c.name);
                for (const int reg : {8, 9, 10, 11, 12, 13, 20, 21})
                    for (const std::string& text : random_value(reg, 40u + static_cast<unsigned>(reg)))
                        pair.init.push_back(text);
                // A carry that depends on the value: the sign of R12 decides.
                if (std::string(p.name) == "IADD3 carry")
                    for (const std::string text :
                         {"IMAD.SHL.U32 R12, R12, 0x8000, RZ", "IMAD.SHL.U32 R13, R13, 0x8000, RZ"})
                        pair.init.push_back(text);
                pair.init.push_back("ISETP.GE.U32.AND P1, PT, R10, R11, PT");
                pair.init.push_back("ISETP.GE.U32.AND P2, PT, R12, R11, PT");
                pair.init.push_back("ISETP.GE.U32.AND P3, PT, R13, R9, PT");
                // What the guarded instruction would write differs from what is there.
                if (memory_text(pair.second))
                    pair.prepare = {pair.second.find("LDS") != std::string::npos ? "STS [R4], R9"
                                                                                 : "STS [R4], R20"};
                const std::string name = c.name;
                if (name == "guard STS") pair.collect = {"LDS R28, [R4]"};
                if (name == "guard STG") {
                    pair.prepare = {"STG.E desc[UR4][R6.64], R20"};
                    pair.collect = {"LDG.E R28, desc[UR4][R6.64]"};
                }
                if (name == "guard BRA") {
                    // One decision a warp, so that it stays together.
                    for (const int reg : {8, 9, 10, 11, 12, 13})
                        pair.prepare.push_back(fmt::format("SHFL.IDX PT, R{0}, R{0}, RZ, 0x1f", reg));
                    for (const char* text :
                         {"ISETP.GE.U32.AND P1, PT, R10, R11, PT", "ISETP.GE.U32.AND P2, PT, R12, R11, PT",
                          "ISETP.GE.U32.AND P3, PT, R13, R9, PT"})
                        pair.prepare.emplace_back(text);
                }
                if (name == "guard BRA") pair.collect = {"IMAD.MOV.U32 R28, RZ, RZ, R20"};
                out.push_back(pair);
            }
}

Texts uniform_operands() {
    Texts out;
    for (const int reg : {8, 9, 10, 11, 12, 13})
        for (const std::string& text : random_value(reg, 70u + static_cast<unsigned>(reg)))
            out.push_back(text);
    out.push_back("ISETP.GE.U32.AND P1, PT, R8, R9, PT");
    return out;
}

void uniform_pairs(std::vector<Pair>& out) {
    for (const Producer& p : kUniformProducers) {
        const bool can_guard = p.text[0] != 'U' && std::string(p.name) != "VOTEU";
        for (const Consumer& c : kUniformConsumers)
            for (const bool guarded : {false, true}) {
                if (guarded && !can_guard) continue;
                Pair pair;
                pair.first = (guarded ? "@P5 " : "") + std::string(p.text);
                pair.second = c.text;
                pair.resource = "UR6";
                pair.guarded = guarded;
                pair.name = fmt::format("raw UR {}{} -> {}", guarded ? "@P " : "", p.name, c.name);
                pair.init = uniform_operands();
                pair.prepare = {"R2UR UR6, R11", "R2UR UR7, R10", "R2UR UR8, R12", "UMOV UR9, 0x55"};
                out.push_back(pair);
            }
        // As an address: 0 (new) or 16 (old).
        for (const auto& [name, text, collect] :
             {std::tuple{"LDS uniform address", "LDS R20, [R4+UR6]", ""},
              std::tuple{"STS uniform address", "STS [R4+UR6], R26", "LDS R28, [R4]"},
              std::tuple{"LDSM uniform address", "LDSM.16.M88 R20, [R4+UR6]", ""}}) {
            if (std::string(p.name) == "VOTEU" || std::string(p.name) == "ULDC") continue;
            Pair pair;
            pair.first = p.text;
            pair.second = text;
            pair.resource = "UR6";
            pair.name = fmt::format("raw UR {} -> {}", p.name, name);
            pair.init = {"IMAD.MOV.U32 R8, RZ, RZ, RZ", "VIADD R5, R4, 0x10"};
            pair.prepare = {"UMOV UR7, 0x0", "UMOV UR8, 0x0", "UMOV UR6, 0x10",
                            "STS [R4], R26", "STS [R5], R27", "LOP3.LUT R26, R26, R27, RZ, 0x3c, !PT"};
            if (*collect) pair.collect = {collect};
            out.push_back(pair);
        }
    }
    // Uniform predicate to the guard of uniform instructions.
    for (const auto& [name, text] : {std::pair{"guard UIADD3", "@UP0 UIADD3 UR9, UR7, UR8, URZ"},
                                     std::pair{"guard UMOV", "@UP0 UMOV UR9, UR7"},
                                     std::pair{"guard ULDC", "@UP0 ULDC UR9, c[0x0][0x218]"}}) {
        Pair pair;
        pair.first = "VOTEU.ALL UP0, P1";
        pair.second = text;
        pair.resource = "UP0";
        pair.name = fmt::format("raw UP VOTEU -> {}", name);
        pair.init = uniform_operands();
        // Of the whole warp, by one bit of the state of lane 0.
        pair.prepare = {"SHFL.IDX PT, R14, R8, RZ, 0x1f",
                        "LOP3.LUT R14, R14, 0x10, RZ, 0xc0, !PT",
                        "ISETP.NE.AND P2, PT, R14, RZ, PT",
                        "VOTEU.ALL UP0, P2",
                        "ISETP.GE.U32.AND P1, PT, RZ, R14, PT",
                        "R2UR UR7, R10",
                        "R2UR UR8, R12",
                        "UMOV UR9, 0x55"};
        out.push_back(pair);
    }
}

void write_pairs(std::vector<Pair>& out) {
    struct Writer {
        const char* name;
        const char* text;
        Texts prepare;
    };
    const std::vector<Writer> later = {{"IADD3", "IADD3 R16, R12, R13, RZ", {}},
                                       {"MOV", "MOV R16, R12", {}},
                                       {"FADD", "FADD R16, R12, R13", {}},
                                       {"IMAD", "IMAD R16, R12, R13, RZ", {}},
                                       {"IMAD.WIDE", "IMAD.WIDE.U32 R16, R12, R13, R14", {}},
                                       {"HMUL2", "HMUL2 R16, R12, R13", {}},
                                       {"HFMA2.MMA", "HFMA2.MMA R16, R12, R13, R14", {}},
                                       {"DADD", "DADD R16, R12, R14", {}},
                                       {"HMMA.1688.F32", "HMMA.1688.F32 R16, R12, R14, R24", {}},
                                       {"HMMA.16816.F32", "HMMA.16816.F32 R16, R12, R10, R24", {}},
                                       {"MUFU.RCP", "MUFU.RCP R16, R12", {}},
                                       {"POPC", "POPC R16, R12", {}},
                                       {"LDS", "LDS R16, [R4]", {"STS [R4], R12"}},
                                       {"LDC", "LDC R16, c[0x0][0x218]", {}},
                                       {"S2R", "S2R R16, SR_TID.X", {}},
                                       {"SHFL", "SHFL.BFLY PT, R16, R12, 0x1, 0x1f", {}},
                                       {"LDG", "LDG.E R16, desc[UR4][R6.64]", {}}};
    // Of a wide second writer only its own registers are compared; of a wide first one the register in
    // common.
    for (const bool guarded : {false, true})
        for (const Producer& p : kGprProducers) {
            const std::string name = p.name;
            if (name == "SEL" || name == "PRMT" || name == "I2FP" || name == "DMUL" ||
                name == "HMMA.16816.F32.BF16")
                continue;
            for (const Writer& w : later) {
                Pair pair;
                pair.kind = DependenceKind::Waw;
                pair.first = (guarded ? "@P5 " : "") + with_reg(p.text, "%D", "R16");
                pair.second = w.text;
                pair.guarded = guarded;
                pair.name = fmt::format("waw R {}{} -> {}", guarded ? "@P " : "", p.name, w.name);
                pair.prepare = w.prepare;
                pair.collect = {"IMAD.MOV.U32 R28, RZ, RZ, R16"};
                out.push_back(pair);
            }
        }
    // Readers of R16 (or R16 on); the later writer must not reach them.
    for (const Consumer& c : kGprConsumers) {
        const std::string name = c.name;
        if (name.ends_with(" b") && name.find("MMA") == std::string::npos) continue;
        for (const Writer& w : later) {
            Pair pair;
            pair.kind = DependenceKind::War;
            pair.first = with_reg(c.text, "%X", "R16");
            pair.second = w.text;
            pair.name = fmt::format("war R {} -> {}", c.name, w.name);
            pair.prepare = w.prepare;
            if (name == "STS data") pair.collect = {"LDS R28, [R4]"};
            if (name == "STG data") pair.collect = {"LDG.E R28, desc[UR4][R6.64]"};
            if (name == "STS data" && std::string(w.name) == "LDS") continue;
            if (name == "STG data" && std::string(w.name) == "LDG") continue;
            out.push_back(pair);
        }
    }
    // Predicates: the value of the second writer must stay.
    for (const bool guarded : {false, true})
        for (const Producer& p : kPredProducers)
            for (const auto& [name, text] :
                 {std::pair{"ISETP", "ISETP.GE.U32.AND P1, PT, R12, R13, PT"},
                  std::pair{"FSETP", "FSETP.GT.AND P1, PT, R12, R13, PT"},
                  std::pair{"HSETP2", "HSETP2.GT.AND P1, PT, R12.H0_H0, R13.H0_H0, PT"},
                  std::pair{"DSETP", "DSETP.GEU.AND P1, PT, R12, R10, PT"},
                  std::pair{"PLOP3", "PLOP3.LUT P1, PT, P2, P3, PT, 0x28, 0x0"}}) {
                Pair pair;
                pair.kind = DependenceKind::Waw;
                pair.first = (guarded ? "@P5 " : "") + std::string(p.text);
                pair.second = text;
                pair.resource = "P1";
                pair.guarded = guarded;
                pair.name = fmt::format("waw P {}{} -> {}", guarded ? "@P " : "", p.name, name);
                for (const int reg : {8, 9, 10, 11, 12, 13})
                    for (const std::string& line_text : random_value(reg, 90u + static_cast<unsigned>(reg)))
                        pair.init.push_back(line_text);
                pair.init.push_back("ISETP.GE.U32.AND P2, PT, R12, R11, PT");
                pair.init.push_back("ISETP.GE.U32.AND P3, PT, R13, R9, PT");
                pair.collect = {"SEL R28, R8, R9, P1"};
                out.push_back(pair);
            }
    // Uniform registers.
    for (const Producer& p : kUniformProducers)
        for (const Producer& w : kUniformProducers) {
            std::string second = w.text;
            if (std::string(w.name) == "UIADD3") second = "UIADD3 UR6, UR9, UR8, URZ";
            if (std::string(w.name) == "UMOV") second = "UMOV UR6, UR9";
            if (std::string(w.name) == "R2UR") second = "R2UR UR6, R9";
            if (std::string(w.name) == "ULDC") second = "ULDC UR6, c[0x0][0x210]";
            if (std::string(w.name) == "VOTEU") second = "VOTEU.ANY UR6, UPT, P2";
            if (std::string(w.name) == "ULOP3") second = "ULOP3.LUT UR6, UR9, 0x18, URZ, 0x3c, !UPT";
            if (std::string(w.name) == "USHF") second = "USHF.L.U32 UR6, UR9, 0x3, URZ";
            if (std::string(w.name) == "ULEA") second = "ULEA UR6, UR9, UR8, 0x2";
            Pair pair;
            pair.kind = DependenceKind::Waw;
            pair.first = p.text;
            pair.second = second;
            pair.resource = "UR6";
            pair.name = fmt::format("waw UR {} -> {}", p.name, w.name);
            pair.init = uniform_operands();
            pair.init.push_back("ISETP.GE.U32.AND P2, PT, R12, R13, PT");
            pair.prepare = {"R2UR UR7, R10", "R2UR UR8, R12", "R2UR UR9, R13"};
            pair.collect = {"IMAD.U32 R28, RZ, RZ, UR6"};
            out.push_back(pair);
        }
}

Result<Instruction> decoded(const WordBook& book, const std::string& text) {
    if (text.ends_with("BRA")) {
        const std::size_t space = text.find(' ');
        auto word = book.branch(space == std::string::npos ? "" : text.substr(0, space), 0, 64);
        if (!word) return fail(word.error());
        return decode(book.arch(), *word, 0);
    }
    auto word = book.assemble(text);
    if (!word) return fail(word.error());
    return decode(book.arch(), *word, 0);
}

struct Register {
    RegFile file = RegFile::Gpr;
    unsigned index = 0;
};
Register register_of(const std::string& name) {
    if (name.starts_with("UR")) return {RegFile::UGpr, static_cast<unsigned>(std::stoi(name.substr(2)))};
    if (name.starts_with("UP")) return {RegFile::UPred, static_cast<unsigned>(std::stoi(name.substr(2)))};
    return {name[0] == 'R' ? RegFile::Gpr : RegFile::Pred, static_cast<unsigned>(std::stoi(name.substr(1)))};
}

const Operand* operand_with(const Instruction& instruction, Register reg, bool write) {
    for (const Operand& operand : instruction.operands)
        if (operand.file == reg.file && (write ? operand.write : operand.read) &&
            operand.first <= reg.index && reg.index < operand.first + operand.count)
            return &operand;
    return nullptr;
}

}  // namespace

std::vector<Pair> pair_catalogue() {
    std::vector<Pair> out;
    gpr_pairs(out);
    predicate_pairs(out);
    uniform_pairs(out);
    write_pairs(out);
    return out;
}

Result<Texts> random_operands(const WordBook& book, const Texts& texts, const Texts& also) {
    std::set<int> wanted, written;
    auto visit = [&](const std::string& text, bool writes_count) -> Status {
        auto instruction = decoded(book, text);
        if (!instruction) return fail(instruction.error());
        for (const Operand& operand : instruction->operands)
            for (int i = 0; operand.file == RegFile::Gpr && i < operand.count; ++i)
                if ((operand.read || !writes_count) && !written.contains(operand.first + i))
                    wanted.insert(operand.first + i);
        for (const Operand& operand : instruction->operands)
            for (int i = 0;
                 operand.file == RegFile::Gpr && operand.write && writes_count && i < operand.count; ++i)
                written.insert(operand.first + i);
        return {};
    };
    for (const std::string& text : also)
        if (auto ok = visit(text, true); !ok) return fail(ok.error());
    for (const std::string& text : texts)
        if (auto ok = visit(text, false); !ok) return fail(ok.error());
    Texts out;
    for (const int reg : wanted) {
        if (reg < 8 || reg > 27) continue;
        for (const std::string& text : random_value(reg, static_cast<std::uint32_t>(reg)))
            out.push_back(text);
    }
    return out;
}

Result<Texts> fold_of(const WordBook& book, const std::string& text) {
    auto instruction = decoded(book, text);
    if (!instruction) return fail(instruction.error());
    for (const Operand& operand : instruction->operands) {
        if (!operand.write) continue;
        const int r = operand.first;
        switch (operand.file) {
            case RegFile::Pred:
                if (text.find("SHFL") != std::string::npos) continue;
                return Texts{fmt::format("SEL R28, R9, R10, P{}", r)};
            case RegFile::UGpr:
                return Texts{fmt::format("IMAD.U32 R28, RZ, RZ, UR{}", r)};
            case RegFile::Gpr:
                if (operand.count == 1) return Texts{fmt::format("IMAD.MOV.U32 R28, RZ, RZ, R{}", r)};
                if (operand.count == 2)
                    return Texts{fmt::format("LOP3.LUT R28, R{}, R{}, RZ, 0x3c, !PT", r, r + 1)};
                return Texts{fmt::format("LOP3.LUT R28, R{}, R{}, R{}, 0x96, !PT", r, r + 1, r + 2),
                             fmt::format("IMAD R28, R28, R3, R{}", r + 3)};
            default:
                break;
        }
    }
    return fail(ErrorCode::NotFound, "writes nothing that could be compared", text);
}

Result<Experiment> experiment_of(const WordBook& book, const Pair& pair, int distance) {
    Experiment out;
    auto random = random_operands(book, {pair.first, pair.second}, [&] {
        Texts all = pair.init;
        all.insert(all.end(), pair.prepare.begin(), pair.prepare.end());
        return all;
    }());
    if (!random) return fail(random.error());
    out.init = std::move(*random);
    out.init.insert(out.init.end(), pair.init.begin(), pair.init.end());
    out.prepare = pair.prepare;
    out.core.push_back(line(pair.first, std::min(distance, 10)));
    for (int left = distance - 10; left > 0; left -= 10)
        out.core.push_back(line("NOP", std::min(left, 10)));
    Line second = line(pair.second, 4);
    auto first_known = decoded(book, pair.first), known = decoded(book, pair.second);
    if (!first_known) return fail(first_known.error());
    if (!known) return fail(known.error());
    // What a scoreboard completes is waited for behind the pair, not between the two.
    auto track = [](const Instruction& instruction, ControlCode& control, std::uint8_t slot) {
        if (!instruction.has(Trait::VariableLatency)) return;
        bool writes = false;
        for (const Operand& operand : instruction.operands)
            writes = writes || operand.write;
        (writes ? control.write_barrier : control.read_barrier) = slot;
    };
    track(*first_known, out.core.front().control, 1);
    track(*known, second.control, 0);
    out.core.push_back(second);
    if (pair.second.ends_with("BRA")) out.core.push_back(line("MOV R20, R9", 4));
    out.collect = pair.collect;
    if (out.collect.empty()) {
        auto fold = fold_of(book, pair.kind == DependenceKind::War ? pair.first : pair.second);
        if (!fold) return fail(fold.error());
        out.collect = *fold;
    }
    return out;
}

Result<std::optional<int>> table_distance(const WordBook& book, const Pair& pair) {
    auto first = decoded(book, pair.first), second = decoded(book, pair.second);
    if (!first) return fail(first.error());
    if (!second) return fail(second.error());
    const Register reg = register_of(pair.resource);
    const Operand* a = operand_with(*first, reg, pair.kind != DependenceKind::War);
    const Operand* b = operand_with(*second, reg, pair.kind != DependenceKind::Raw);
    if (!a || !b) return fail(ErrorCode::BadInput, "the pair has no such register in common", pair.name);
    if (completes_by_scoreboard(book.arch(), *first)) return std::optional<int>{};
    return required_distance(book.arch(), pair.kind, *first, *a, *second, *b, reg.index);
}

}  // namespace cubinlab::probe
