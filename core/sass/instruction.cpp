// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction.h"

#include "core/base/enum_names.h"

namespace cubinlab {

const char* to_string(Unit unit) {
    return enum_name<Unit::Unknown>(
        {"ALU",    "FMA",     "FMA wide", "FP16",   "HFMA2.MMA",   "FP64",  "MMA 8x8", "MMA 1x",
         "MMA 2x", "DMMA",    "GMMA",     "CS2R",   "XU",          "S2R",   "S2UR",    "LDC",
         "R2UR",   "REDUX",   "MIO",      "LSU",    "TEX",         "MATCH", "UDP",     "UDP fast",
         "CBU",    "barrier", "fence",    "DEPBAR", "async group", "NOP",   "unknown"},
        unit, "unknown");
}

}  // namespace cubinlab
