// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_operations.h"

#include <fmt/format.h>

namespace cubinlab::probe {

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

}  // namespace cubinlab::probe
