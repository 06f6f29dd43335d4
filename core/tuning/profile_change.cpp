// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/profile_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "core/insight/edit_description.h"
#include "core/base/enum_names.h"
#include "core/schedule/mutation.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostEdits = 4;

// The instructions that a line waits for in one schedule, and the one in front of it, all of its block: for
// each scoreboard the last one above that sets it, or, in a loop, below.
struct Neighbours {
    std::vector<InstrId> producers;
    InstrId front = kNone;
};

Neighbours neighbours_of(const Schedule& schedule, InstrId id) {
    Neighbours out;
    const Kernel& kernel = *schedule.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(id)];
    const Position at = schedule.position_of(id);
    if (at > block.first) out.front = schedule.at(at - 1);
    const unsigned mask = schedule.control(id).wait_mask;
    for (unsigned slot = 0; slot < 6; ++slot) {
        if ((mask >> slot & 1) == 0) continue;
        for (Position back = 1; back < block.count; ++back) {
            const Position of = block.first + (at - block.first + block.count - back) % block.count;
            const ControlCode& control = schedule.control(schedule.at(of));
            if (control.write_barrier != slot && control.read_barrier != slot) continue;
            out.producers.push_back(schedule.at(of));
            break;
        }
    }
    return out;
}

std::optional<EditPlace> place_of(const EditDescription& edit, const Schedule& schedule, InstrId line,
                                  const Neighbours& near) {
    const auto is_producer = [&](InstrId id) {
        return std::find(near.producers.begin(), near.producers.end(), id) != near.producers.end();
    };
    if (edit.instr == line) return EditPlace::Line;
    if (is_producer(edit.instr)) return EditPlace::Producer;
    if (edit.instr == near.front) return EditPlace::InFront;
    for (const InstrId passed : edit.past)
        if (passed == line || is_producer(passed)) return EditPlace::MovedPast;
    const Position at = schedule.position_of(edit.instr), here = schedule.position_of(line);
    for (const InstrId producer : near.producers)
        if (const Position from = schedule.position_of(producer); from < at && at < here)
            return EditPlace::Between;
    return std::nullopt;
}

LineSamples samples_of(InstrId id, const ProfileLine& of_a, const ProfileLine& of_b) {
    LineSamples line;
    line.instr = id;
    line.a = of_a.samples;
    line.b = of_b.samples;
    std::map<std::string, std::array<double, 2>> reasons;
    for (const auto& [name, count] : of_a.reasons)
        reasons[name][0] += count;
    for (const auto& [name, count] : of_b.reasons)
        reasons[name][1] += count;
    // Of reasons that changed alike (all of them, where there is one schedule) the one with most samples.
    const auto rank = [](double a, double b) { return std::pair(std::abs(b - a), a + b); };
    for (const auto& [name, counts] : reasons)
        if (line.reason.empty() || rank(counts[0], counts[1]) > rank(line.reason_a, line.reason_b)) {
            line.reason = name;
            line.reason_a = counts[0];
            line.reason_b = counts[1];
        }
    return line;
}

std::vector<PlacedEdit> edits_at(InstrId line, const std::vector<EditDescription>& described,
                                 const Schedule& a, const Schedule& b) {
    const Neighbours in_a = neighbours_of(a, line), in_b = neighbours_of(b, line);
    std::vector<PlacedEdit> out;
    for (std::size_t e = 0; e < described.size(); ++e) {
        const auto before = place_of(described[e], a, line, in_a),
                   after = place_of(described[e], b, line, in_b);
        if (before || after)
            out.push_back(
                {e, std::min(before.value_or(EditPlace::Between), after.value_or(EditPlace::Between))});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const PlacedEdit& x, const PlacedEdit& y) { return x.place < y.place; });
    out.resize(std::min(out.size(), kMostEdits));
    return out;
}

}  // namespace

const char* to_string(EditPlace place) {
    return enum_name<EditPlace::Between>({"this line", "its producer", "the line in front",
                                          "moved past it or its producer", "between it and its producer"},
                                         place, "");
}

bool LineSamples::clear() const {
    return std::abs(b - a) > 3 * std::sqrt(a + b);
}

ProfileChange compare_profiles(const Schedule& a, const Profile& of_a, const Schedule& b,
                               const Profile& of_b) {
    const Mutation mutation = difference(a, b);
    const auto edits = describe(a, mutation);
    const std::vector<EditDescription> described = edits ? *edits : std::vector<EditDescription>{};
    ProfileChange out;
    for (const Edit& edit : mutation.edits)
        out.edits.push_back({edit.instr, Mutation{{edit}}.text(*a.kernel()), {}});
    for (InstrId id = 0; id < a.size(); ++id) {
        LineSamples line = samples_of(id, of_a.by_instr[id], of_b.by_instr[id]);
        if (line.a == 0 && line.b == 0) continue;
        line.edits = edits_at(id, described, a, b);
        out.lines.push_back(std::move(line));
    }
    std::stable_sort(out.lines.begin(), out.lines.end(), [](const LineSamples& x, const LineSamples& y) {
        return std::abs(x.change()) > std::abs(y.change());
    });
    for (std::size_t i = 0; i < out.lines.size(); ++i)
        for (const PlacedEdit& placed : out.lines[i].edits)
            out.edits[placed.edit].lines.push_back(i);
    return out;
}

std::string text_of(const ProfileChange& change, const PlacedEdit& placed) {
    const EditSamples& edit = change.edits[placed.edit];
    return fmt::format("edit at 0x{:04x}, {}: {}", edit.instr * kWordBytes, to_string(placed.place),
                       edit.text);
}

}  // namespace cubinlab
