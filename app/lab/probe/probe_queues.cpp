// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "app/lab/probe/probe_asker.h"
#include "core/base/enum_names.h"

namespace cubinlab::probe {
namespace {

using Clock = std::chrono::steady_clock;

// What the register R16 is to the first instruction, and so what the second may put there.
enum class Value { Data, Shared, Global, Local };

struct First {
    const char* name;
    const char* text;
    Value value;
    bool writes;  // R24
    const char* collect;
};
constexpr const char* kMoveResult = "IMAD.MOV.U32 R28, RZ, RZ, R24";
constexpr First kFirsts[] = {
    {"STS", "STS [R4], R16", Value::Data, false, "LDS R28, [R4]"},
    {"STG", "STG.E desc[UR4][R6.64], R16", Value::Data, false, "LDG.E R28, desc[UR4][R6.64]"},
    {"STS address", "STS [R16], R9", Value::Shared, false, "LDS R28, [R4]"},
    {"STG address", "STG.E desc[UR4][R16.64], R9", Value::Global, false, "LDG.E R28, desc[UR4][R6.64]"},
    {"ST", "ST.E desc[UR4][R6.64], R16", Value::Data, false, "LDG.E R28, desc[UR4][R6.64]"},
    {"STL", "STL [R18], R16", Value::Data, false, "LDL R28, [R18]"},
    {"LDS", "LDS R24, [R16]", Value::Shared, true, kMoveResult},
    {"LDSM", "LDSM.16.M88 R24, [R16+UR6]", Value::Shared, true, kMoveResult},
    {"LDG", "LDG.E R24, desc[UR4][R16.64]", Value::Global, true, kMoveResult},
    {"LDG past L1", "LDG.E.STRONG.GPU R24, desc[UR4][R16.64]", Value::Global, true, kMoveResult},
    {"LDL", "LDL R24, [R16]", Value::Local, true, kMoveResult},
    {"SHFL", "SHFL.BFLY PT, R24, R16, 0x1, 0x1f", Value::Data, true, kMoveResult},
    {"ATOMS", "ATOMS.ADD R24, [R4+UR6], R16", Value::Data, true, "LDS R28, [R4]"},
    {"ATOMG", "ATOMG.E.ADD.STRONG.GPU PT, R24, desc[UR4][R6.64+0x4], R16", Value::Data, true,
     "LDG.E R28, desc[UR4][R6.64+0x4]"},
    {"RED", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64+0x4], R16", Value::Data, false,
     "LDG.E R28, desc[UR4][R6.64+0x4]"},
    {"LDGSTS", "LDGSTS.E.BYPASS.128 [R4], desc[UR4][R16.64]", Value::Global, false, "LDS R28, [R4]"},
    {"MUFU", "MUFU.RCP R24, R16", Value::Data, true, kMoveResult},
};

// Each leaves R8, or another thread's, in R16.
struct Second {
    const char* name;
    const char* text;
};
constexpr Second kSeconds[] = {
    {"LDS", "LDS R16, [R11]"},
    {"LDSM", "LDSM.16.M88 R16, [R11+UR6]"},
    {"SHFL", "SHFL.BFLY PT, R16, R8, 0x1, 0x1f"},
    {"LDG", "LDG.E R16, desc[UR4][R14.64]"},
    {"LDL", "LDL R16, [R26]"},
    {"ATOMS", "ATOMS.ADD R16, [R11+UR6], R20"},
    {"ATOMG", "ATOMG.E.ADD.STRONG.GPU PT, R16, desc[UR4][R6.64+0x18], R20"},
};
// A later instruction whose barrier is waited for before a MOV overwrites what the first reads.
struct Cover {
    const char* name;
    const char* text;
    bool write;  // its write barrier, else its read barrier
};
constexpr Cover kCovers[] = {
    {"LDS", "LDS R25, [R11]", true},
    {"LDSM", "LDSM.16.M88 R25, [R11+UR6]", true},
    {"SHFL", "SHFL.BFLY PT, R25, R8, 0x1, 0x1f", true},
    {"LDG", "LDG.E R25, desc[UR4][R14.64]", true},
    {"STS", "STS [R11], R9", false},
    {"STG", "STG.E desc[UR4][R14.64], R9", false},
};
constexpr int kMostCoveredStall = 2;
constexpr Burst kBursts[] = {Burst::None, Burst::Shared, Burst::Global, Burst::Stores, Burst::Both};
constexpr int kStalls[] = {1, 4, 2, 8};
constexpr int kBurst = 32;  // instructions: more than a sub-core's queue takes

std::vector<Line> burst_lines(Burst burst) {
    std::vector<Line> out;
    for (int i = 0; burst != Burst::None && i < kBurst; ++i) {
        const bool shared = burst == Burst::Shared || (burst == Burst::Both && i % 2 == 1);
        if (shared)
            out.push_back({fmt::format("LDS R{}, [R10]", 20 + i % 4), code(1, false, 3)});
        else if (burst == Burst::Stores)
            out.push_back({"STG.E desc[UR4][R6.64+0x8], R9", code(1, false, -1, 3)});
        else
            out.push_back({fmt::format("LDG.E R{}, desc[UR4][R12.64]", 20 + i % 4), code(1, false, 3)});
    }
    return out;
}

// R8 new value, R9 this trial's far thread, R10 shared address that collides with those of all lanes, R11 R4
// + 16, R12 far address, R14 R6 + 24, R16 the register in question, R18 local address, R19 what lies where
// the old value leads, R20 to R23 what the burst loads.
Experiment experiment_with(const First& first, const std::vector<Line>& behind, Burst burst, int stall) {
    Experiment out;
    out.once = {"LDC R18, c[0x0][0x28]", "VIADD R18, R18, 0xffffffc0"};
    Texts& init = out.init;
    auto add = [&](const Texts& texts) { init.insert(init.end(), texts.begin(), texts.end()); };
    add(random_value(19, 5));
    add(random_value(8, 6));
    add(random_value(16, 7));
    add({"IMAD R5, R0, R3, 0x1234567", "IMAD.HI.U32 R9, R5, R0, RZ",
         "LOP3.LUT R9, R9, 0x3ffff, RZ, 0xc0, !PT", "IMAD.SHL.U32 R10, R4, 0x4, RZ",
         "LOP3.LUT R10, R10, 0x7ffc, RZ, 0xc0, !PT", "VIADD R10, R10, 0x400", "VIADD R11, R4, 0x10",
         "VIADD R26, R18, 0x10", "VIADD R14, R6, 0x18", "IMAD.MOV.U32 R15, RZ, RZ, R7",
         "IMAD.MOV.U32 R17, RZ, RZ, R7", "IMAD.MOV.U32 R24, RZ, RZ, RZ"});
    for (int i = 20; i < 24; ++i)
        init.push_back(fmt::format("IMAD.MOV.U32 R{}, RZ, RZ, RZ", i));
    const char* base = first.value == Value::Shared   ? "R4"
                       : first.value == Value::Global ? "R6"
                       : first.value == Value::Local  ? "R18"
                                                      : nullptr;
    if (base)
        add({fmt::format("IMAD.MOV.U32 R16, RZ, RZ, {}", base), fmt::format("VIADD R8, {}, 0x10", base)});
    out.prepare = {"UMOV UR6, 0x0",
                   "LDC.64 R12, c[0x0][0x218]",
                   "IMAD.WIDE.U32 R12, R9, 0x20, R12",
                   "STG.E desc[UR4][R6.64], R19",
                   "STG.E desc[UR4][R6.64+0x4], R19",
                   "STG.E desc[UR4][R6.64+0x10], R9",
                   "STG.E desc[UR4][R14.64], R8",
                   "STS [R4], R19",
                   "STS [R11], R8",
                   "VIADD R5, R4, 0x14",
                   "STS [R5], R8",
                   "VIADD R5, R4, 0x18",
                   "STS [R5], R8",
                   "VIADD R5, R4, 0x1c",
                   "STS [R5], R8",
                   "STL [R18], R19",
                   "STL [R26], R8"};
    const std::string name = first.name;
    out.core = burst_lines(burst);
    out.core.push_back({first.text, code(stall, false, first.writes ? 4 : -1, 5)});
    out.core.insert(out.core.end(), behind.begin(), behind.end());
    if (name == "LDGSTS") {
        out.core.push_back({"LDGDEPBAR", code(4, false, 0)});
        out.core.push_back({"DEPBAR.LE SB0, 0x0", code(4)});
        out.reference = {{"LDG.E R20, desc[UR4][R6.64]", {}}, {"STS [R4], R20", {}}};
    } else {
        out.reference = {{first.text, {}}};
    }
    out.collect = {first.collect};
    return out;
}

bool queue_of_its_own(const std::string& name) {
    return name == "MUFU";
}

std::string worst_of(const QueueCase& c, Occupancy occupancy) {
    return fmt::format("burst {}, stall {}, {}", to_string(c.burst), c.stall,
                       occupancy == Occupancy::Full ? "16 warps a sub-core" : "one warp a sub-core");
}

void add(QueueCount& to, const Count& count) {
    to.wrong += count.wrong;
    to.trials += count.trials;
    to.faults += !count.failure.empty();
}

}  // namespace

const char* to_string(Burst burst) {
    return enum_name<Burst::Both>({"none", "shared", "global", "stores", "shared and global"}, burst, "none");
}

Result<std::vector<QueueCase>> queue_cases(const WordBook& book) {
    std::vector<QueueCase> out;
    for (const int stall : kStalls)
        for (const Burst burst : kBursts)
            for (const First& first : kFirsts) {
                const auto put = [&](const std::string& second, const std::vector<Line>& behind) {
                    out.push_back(
                        {first.name, second, burst, stall, experiment_with(first, behind, burst, stall)});
                };
                const std::string move = "MOV R16, R8";
                put(kControl, {{move, code(4)}});
                if (stall == 1) put(kQuiet, {{"NOP", code(4)}});
                if (queue_of_its_own(first.name)) {
                    put("MUFU", {{"MUFU.RCP R16, R8", code(2, false, 2)}});
                    put("MOV behind MUFU",
                        {{"MUFU.RCP R25, R8", code(2, false, 0)}, {move, code(4, false, -1, -1, 1)}});
                    continue;
                }
                for (const Second& second : kSeconds)
                    put(second.name, {{second.text, code(2, false, 2)}});
                if (stall > kMostCoveredStall) continue;
                for (const Cover& cover : kCovers)
                    put(fmt::format("MOV behind {}", cover.name),
                        {{cover.text, cover.write ? code(2, false, 0) : code(2, false, -1, 0)},
                         {move, code(4, false, -1, -1, 1)}});
            }
    for (const QueueCase& c : out)
        for (const Line& l : c.experiment.core)
            if (auto word = book.assemble(l.text); !word) return fail(word.error());
    return out;
}

Result<QueueStudy> run_queue_study(const std::vector<QueueCase>& cases, const QueueRun& run,
                                   const QueueSettings& settings, std::stop_token stop) {
    QueueStudy out;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    std::map<std::string, QueueCount> controls, quiet;
    std::map<std::size_t, double> worst;
    const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
    for (const QueueCase& c : cases) {
        const bool beside = c.second == kControl || c.second == kQuiet;
        if (!beside && (c.first + " -> " + c.second).find(settings.only) == std::string::npos) continue;
        if (stop.stop_requested() || Clock::now() > end) {
            out.end = stop.stop_requested() ? "stopped" : "time is up";
            ++out.left;
            continue;
        }
        for (const Occupancy occupancy : {Occupancy::One, Occupancy::Full}) {
            auto count = run(c, occupancy, settings.trials);
            if (!count) return fail(count.error());
            ++out.launches;
            if (beside) {
                add((c.second == kControl ? controls : quiet)[c.first], *count);
                continue;
            }
            const auto [place, fresh] = places.try_emplace({c.first, c.second}, out.pairs.size());
            if (fresh) out.pairs.push_back({c.first, c.second, {}, {}, {}, {}});
            QueuePair& pair = out.pairs[place->second];
            add(pair.pair, *count);
            const double share = count->failure.empty()
                                     ? static_cast<double>(count->wrong) /
                                           static_cast<double>(std::max<std::uint64_t>(1, count->trials))
                                     : 2.0;
            if (count->broken() && share > worst[place->second]) {
                worst[place->second] = share;
                pair.worst = worst_of(c, occupancy) + (count->failure.empty() ? "" : ": " + count->failure);
            }
        }
    }
    for (QueuePair& pair : out.pairs) {
        pair.control = controls[pair.first];
        pair.quiet = quiet[pair.first];
    }
    return out;
}

std::string queues_markdown(const QueueStudy& study) {
    std::string out =
        "| first | overwritten by | broke | trials | control (MOV) broke | trials | verdict "
        "|\n|---|---|---|---|---|---|---|\n";
    auto counted = [](const QueueCount& c) {
        return fmt::format("{}{} | {}", c.wrong, c.faults ? fmt::format(", {} faults", c.faults) : "",
                           c.trials);
    };
    for (const QueuePair& p : study.pairs)
        out += fmt::format("| {} | {} | {} | {} | {} |\n", p.first, p.second, counted(p.pair),
                           counted(p.control),
                           !p.sound()          ? "no verdict: wrong or not run when nothing overwrites"
                           : p.needs_barrier() ? "needs a barrier: " + p.worst
                           : p.shown()         ? fmt::format("measured: 0 of {}", p.pair.trials)
                                               : "not shown: the control does not break");
    return out + fmt::format("\n{} launches, {} cases left{}\n", study.launches, study.left,
                             study.end.empty() ? "" : " (" + study.end + ")");
}

}  // namespace cubinlab::probe
