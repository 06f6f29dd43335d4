// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/edit_description.h"

namespace cubinlab {

Result<std::vector<EditDescription>> describe(const Schedule& parent, const Mutation& mutation) {
    std::vector<EditDescription> described;
    Schedule schedule = parent;
    for (const Edit& edit : mutation.edits) {
        EditDescription out;
        out.instr = edit.instr;
        out.kind = edit.kind;
        out.before = edit.before;
        out.after = edit.after;
        if (edit.instr < schedule.size()) out.from = schedule.position_of(edit.instr);
        const std::vector<InstrId> order = schedule.order();
        TRY(Mutation{{edit}}.apply(schedule));
        out.to = schedule.position_of(edit.instr);
        const Position first = out.to < out.from ? out.to : out.from + 1;
        const Position end = out.to < out.from ? out.from : out.to + 1;
        for (Position p = first; p < end; ++p)
            out.past.push_back(order[p]);
        described.push_back(std::move(out));
    }
    return described;
}

const char* instruction_class(const Instruction& instruction) {
    switch (instruction.unit) {
        case Unit::H2Mma:
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
        case Unit::Gmma:
            return "tensor";
        case Unit::Mio:
            return instruction.memory.space == MemorySpace::None ? "lane exchange" : "shared memory";
        case Unit::Lsu:
            return "global memory";
        case Unit::Tex:
            return "texture";
        case Unit::Alu:
        case Unit::Fma:
        case Unit::FmaWide:
        case Unit::Fp16:
        case Unit::Fp64:
        case Unit::Cs2r:
            return "arithmetic";
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::R2ur:
        case Unit::S2ur:
            return "uniform";
        case Unit::Xu:
        case Unit::S2r:
            return "special function";
        case Unit::Ldc:
            return "constant memory";
        case Unit::Redux:
        case Unit::Match:
            return "lane exchange";
        case Unit::Barrier:
        case Unit::Fence:
        case Unit::Depbar:
        case Unit::AsyncGroup:
            return "synchronisation";
        case Unit::Cbu:
            return "control flow";
        case Unit::Nop:
        case Unit::Unknown:
            break;
    }
    return "other";
}

}  // namespace cubinlab
