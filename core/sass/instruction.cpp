// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction.h"

namespace cubinlab {

const char* to_string(Unit unit) {
    switch (unit) {
        case Unit::Alu:
            return "ALU";
        case Unit::Fma:
            return "FMA";
        case Unit::FmaWide:
            return "FMA wide";
        case Unit::Fp16:
            return "FP16";
        case Unit::H2Mma:
            return "HFMA2.MMA";
        case Unit::Fp64:
            return "FP64";
        case Unit::MmaImma88:
            return "MMA 8x8";
        case Unit::Mma1x:
            return "MMA 1x";
        case Unit::Mma2x:
            return "MMA 2x";
        case Unit::Dmma:
            return "DMMA";
        case Unit::Gmma:
            return "GMMA";
        case Unit::Cs2r:
            return "CS2R";
        case Unit::Xu:
            return "XU";
        case Unit::S2r:
            return "S2R";
        case Unit::S2ur:
            return "S2UR";
        case Unit::Ldc:
            return "LDC";
        case Unit::R2ur:
            return "R2UR";
        case Unit::Redux:
            return "REDUX";
        case Unit::Mio:
            return "MIO";
        case Unit::Lsu:
            return "LSU";
        case Unit::Tex:
            return "TEX";
        case Unit::Match:
            return "MATCH";
        case Unit::Udp:
            return "UDP";
        case Unit::UdpFast:
            return "UDP fast";
        case Unit::Cbu:
            return "CBU";
        case Unit::Barrier:
            return "barrier";
        case Unit::Fence:
            return "fence";
        case Unit::Depbar:
            return "DEPBAR";
        case Unit::AsyncGroup:
            return "async group";
        case Unit::Nop:
            return "NOP";
        case Unit::Unknown:
            return "unknown";
    }
    return "unknown";
}

}  // namespace cubinlab
