// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/wait_text.h"

#include <fmt/format.h>

#include <cmath>

#include "core/model/sub_core.h"

namespace cubinlab {
namespace {

constexpr double kWholeFrom = 10;

std::string cycles_text(double cycles) {
    const double whole = std::round(cycles);
    const std::string number =
        std::abs(cycles - whole) < 0.05 ? fmt::format("{:.0f}", whole) : cycles_number(cycles);
    return number + (number == "1" ? " cycle" : " cycles");
}

std::string scoreboard_text(const Schedule& schedule, const WaitCause& cause, const Schedule& names) {
    const bool tensor = cause.slot == SubCore::kTensorSlot;
    std::string text =
        fmt::format("waits {} for {}", cycles_text(cause.cycles), name_of(cause.reason, cause.slot));
    if (cause.by == kNone) return text;
    const ControlCode& control = schedule.control(cause.by);
    const bool reads = !tensor && control.read_barrier == cause.slot && control.write_barrier != cause.slot;
    text += fmt::format(", {} {}{}",
                        tensor  ? "issued by"
                        : reads ? "until"
                                : "set by",
                        instr_name(names, cause.by), reads ? " has read its operands" : "");
    if (tensor) return text + fmt::format(", {} after its issue", cycles_text(cause.after));
    if (cause.to_next >= 0.95 * cause.cycles)
        return text + fmt::format(", {} after its issue; issuing it {} earlier would help",
                                  cycles_text(cause.after), cycles_text(cause.cycles));
    if (cause.to_next >= 0.5)
        return text + fmt::format("; issuing it {} earlier would help, then another wait dominates",
                                  cycles_text(cause.to_next));
    return text + "; other scoreboards are released in the same cycle";
}

}  // namespace

std::string instr_name(const Kernel& kernel, InstrId id) {
    return fmt::format("{} 0x{:04x}", kernel.instruction(id).mnemonic, id * kWordBytes);
}

std::string instr_name(const Schedule& schedule, InstrId id) {
    return fmt::format("{} 0x{:04x}", schedule.kernel()->instruction(id).mnemonic,
                       schedule.position_of(id) * kWordBytes);
}

std::string name_of(WaitReason reason, int slot) {
    switch (reason) {
        case WaitReason::None:
            return "issues";
        case WaitReason::Stall:
            return "stall counts";
        case WaitReason::Scoreboard:
            return slot == SubCore::kTensorSlot ? "a tensor group" : fmt::format("SB{}", slot);
        case WaitReason::OtherWarp:
            return "not selected";
        default:
            return to_string(reason);
    }
}

std::string cycles_number(double cycles) {
    return fmt::format("{:.{}f}", cycles >= kWholeFrom ? std::round(cycles) : cycles,
                       cycles >= kWholeFrom ? 0 : 1);
}

std::string other_causes(const InstrWait& wait) {
    if (wait.causes.size() < 2) return {};
    const double largest = wait.causes.front().cycles;
    const auto written = [](double cycles) { return cycles >= kWholeFrom ? std::round(cycles) : cycles; };
    const double rest = written(wait.cycles) - written(largest);
    if (rest < (largest < kWholeFrom ? 0.05 : 1)) return {};
    return fmt::format("{:.{}f}", rest, largest < kWholeFrom ? 1 : 0);
}

std::string wait_text(const Schedule& schedule, InstrId waiter, const WaitCause& cause,
                      const Schedule& names) {
    const std::string by = cause.by == kNone ? "" : instr_name(names, cause.by);
    const std::string cycles = cycles_text(cause.cycles);
    switch (cause.reason) {
        case WaitReason::None:
            break;
        case WaitReason::Stall:
            if (cause.by == waiter)  // nothing follows it
                return fmt::format("stalls its warp for {} by its own stall count ({})", cycles,
                                   schedule.control(cause.by).stall);
            return fmt::format("waits {} for the stall count of {} ({})", cycles, by,
                               cause.by == kNone ? 0 : schedule.control(cause.by).stall);
        case WaitReason::Scoreboard:
            return scoreboard_text(schedule, cause, names);
        case WaitReason::Unit:
            return fmt::format("waits {} for its unit, busy with {}", cycles, by);
        case WaitReason::RegisterPort:
            return fmt::format("waits {} for the register ports, which serve {}", cycles, by);
        case WaitReason::MemoryQueue:
            return fmt::format("waits {} for an entry in the memory queue, behind {}", cycles, by);
        case WaitReason::OtherWarp:
            return fmt::format("is ready for {}, but another warp is selected", cycles);
        case WaitReason::Barrier:
            return fmt::format("waits {} for the other warps at {}", cycles, by);
    }
    return "";
}

namespace {

// What results are waited for by, and how long.
struct ResultWaits {
    double scoreboards = 0, tensor = 0;  // cycles
    double all() const { return scoreboards + tensor; }
    const char* text() const {
        if (tensor == 0) return "scoreboards";
        return scoreboards == 0 ? "groups of the tensor core" : "scoreboards and groups of the tensor core";
    }
};

}  // namespace

std::string bottleneck_sentence(const Explanation& e) {
    if (e.counted <= 0) return "nothing is issued";
    const char* pass = e.loop ? "an iteration of the hot loop" : "the path";
    const ResourceBound* busiest = e.busiest();
    const ReasonCycles* wait = nullptr;
    ResultWaits results;
    for (const ReasonCycles& r : e.reasons) {
        if (r.reason == WaitReason::Scoreboard)
            (r.slot == SubCore::kTensorSlot ? results.tensor : results.scoreboards) += r.counted;
        if (r.reason != WaitReason::None && r.reason != WaitReason::OtherWarp &&
            (!wait || r.counted > wait->counted))
            wait = &r;
    }
    const double share = busiest ? e.share(*busiest) : 0;
    std::string text;
    if (e.take_turns())
        text = fmt::format(
            "limited by {}: all warps together take at least {:.0f} cycles for {}; a warp's own is "
            "shorter ({:.0f}), since here the warps take turns",
            busiest->resource, busiest->cycles, pass, e.cycles());
    else if (share >= 0.8)
        text = fmt::format("limited by {}, {:.0f} % busy in {}", busiest->resource,
                           100 * std::min(share, 1.0), pass);
    else if (wait && wait->reason == WaitReason::Barrier)
        text = fmt::format("limited by barriers: {:.0f} % of {}", 100 * wait->counted / e.counted, pass);
    else if (wait && wait->reason == WaitReason::Stall && wait->counted > results.all())
        text = fmt::format("limited by stall counts: {:.0f} % of {}", 100 * wait->counted / e.counted, pass);
    else
        text = fmt::format("limited by latency: {} take {:.0f} % of {}", results.text(),
                           100 * results.all() / e.counted, pass);
    if (share < 0.8 && busiest)
        text += fmt::format("; no resource is busy more than {:.0f} % ({})", 100 * share, busiest->resource);
    return text + fmt::format("; occupancy: {} warp{} per sub-core, limited by {}",
                              e.occupancy.warps / 4 > 0 ? e.occupancy.warps / 4 : 1,
                              e.occupancy.warps / 4 > 1 ? "s" : "", e.occupancy.tightest);
}

}  // namespace cubinlab
