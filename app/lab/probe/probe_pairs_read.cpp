// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_operations.h"

#include <fmt/format.h>

namespace cubinlab::probe {
namespace {

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

bool memory_text(const std::string& text) {
    return text.find("LDS") != std::string::npos || text.find("STS") != std::string::npos;
}

bool writes_several(std::string_view producer) {
    return producer == "IMAD.WIDE" || producer.starts_with("D") || producer.starts_with("HMMA") ||
           producer.starts_with("IMMA");
}

}  // namespace

void gpr_read_pairs(std::vector<Pair>& out) {
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

void predicate_read_pairs(std::vector<Pair>& out) {
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

void uniform_read_pairs(std::vector<Pair>& out) {
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
            // ULOP3 makes 24, and LDSM asks for 16-byte alignment.
            if (std::string(p.name) == "ULOP3" && std::string(name).starts_with("LDSM")) continue;
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

}  // namespace cubinlab::probe
