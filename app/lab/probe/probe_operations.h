// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions that form the pairs of probe_catalog.h. Internal to it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/probe/probe_catalog.h"

namespace cubinlab::probe {

using Texts = std::vector<std::string>;

inline std::string with_reg(std::string text, std::string_view mark, const std::string& value) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
        text.replace(at, mark.size(), value);
    return text;
}

// %D: destination. Sources are random numbers.
struct Producer {
    const char* name;
    const char* text;
};
inline constexpr Producer kGprProducers[] = {
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
inline constexpr Consumer kGprConsumers[] = {
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

inline constexpr Producer kPredProducers[] = {
    {"ISETP", "ISETP.GE.U32.AND P1, PT, R8, R9, PT"},
    {"FSETP", "FSETP.GT.AND P1, PT, R8, R9, PT"},
    {"PLOP3", "PLOP3.LUT P1, PT, P2, P3, PT, 0x28, 0x0"},
    {"LOP3 P", "LOP3.LUT P1, RZ, R8, 0x4, RZ, 0xc0, !PT"},
    {"IADD3 carry", "IADD3 R23, P1, R12, R13, RZ"},
    {"HSETP2", "HSETP2.GT.AND P1, PT, R8.H0_H0, R9.H0_H0, PT"},
    {"DSETP", "DSETP.GEU.AND P1, PT, R8, R10, PT"},
};
inline constexpr Consumer kPredConsumers[] = {
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

inline constexpr Producer kUniformProducers[] = {
    {"UIADD3", "UIADD3 UR6, UR7, UR8, URZ"},
    {"ULOP3", "ULOP3.LUT UR6, UR7, 0x18, URZ, 0x3c, !UPT"},
    {"USHF", "USHF.L.U32 UR6, UR7, 0x3, URZ"},
    {"ULEA", "ULEA UR6, UR7, UR8, 0x2"},
    {"UMOV", "UMOV UR6, UR7"},
    {"ULDC", "ULDC UR6, c[0x0][0x218]"},
    {"VOTEU", "VOTEU.ANY UR6, UPT, P1"},
    {"R2UR", "R2UR UR6, R8"},
};
inline constexpr Consumer kUniformConsumers[] = {
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

// Random R8 to R13, and P1 of them.
Texts uniform_operands();

void gpr_read_pairs(std::vector<Pair>& out);
void predicate_read_pairs(std::vector<Pair>& out);
void uniform_read_pairs(std::vector<Pair>& out);
// Writing after reading and writing twice, all register files.
void write_pairs(std::vector<Pair>& out);

}  // namespace cubinlab::probe
