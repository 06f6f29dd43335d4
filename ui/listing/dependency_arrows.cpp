// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/dependency_arrows.h"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <map>

#include "core/base/enum_names.h"

namespace cubinlab::ui {
namespace {

constexpr int kSetToWait = 2;  // cycles from setting a scoreboard to the earliest wait on it

// LDGDEPBAR names the scoreboard that it sets; DEPBAR the one that it waits for.
bool waits(const Instruction& instruction, const ControlCode& control, int scoreboard) {
    return ((control.wait_mask >> scoreboard) & 1) != 0 ||
           (instruction.named_scoreboard == scoreboard && std::string_view(instruction.mnemonic) == "DEPBAR");
}

bool sets(const ControlCode& control, int scoreboard) {
    return control.write_barrier == scoreboard || control.read_barrier == scoreboard;
}

struct Link {
    InstrId from, to;
    bool carried;
    ArrowReason reason;
};

int distance(const Schedule& schedule, Position from, Position to) {
    int cycles = 0;
    for (Position p = from; p < to; ++p)
        cycles += schedule.control(schedule.at(p)).stall;
    return cycles;
}

// From a setter to the first wait below it, in the block.
void waits_of(const Schedule& schedule, InstrId id, int scoreboard, std::vector<Link>& links) {
    const Kernel& kernel = *schedule.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(id)];
    const Position at = schedule.position_of(id);
    for (Position p = at + 1; p < block.end(); ++p) {
        const InstrId other = schedule.at(p);
        if (!waits(kernel.instruction(other), schedule.control(other), scoreboard)) continue;
        links.push_back({id,
                         other,
                         false,
                         {DependenceKind::Scoreboard, "SB" + std::to_string(scoreboard), kSetToWait,
                          distance(schedule, at, p), static_cast<std::int8_t>(scoreboard)}});
        return;
    }
}

// From every setter since the wait before this one.
void setters_of(const Schedule& schedule, InstrId id, int scoreboard, std::vector<Link>& links) {
    const Kernel& kernel = *schedule.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(id)];
    const Position at = schedule.position_of(id);
    for (Position p = at; p-- > block.first;) {
        const InstrId other = schedule.at(p);
        if (sets(schedule.control(other), scoreboard))
            links.push_back({other,
                             id,
                             false,
                             {DependenceKind::Scoreboard, "SB" + std::to_string(scoreboard), kSetToWait,
                              distance(schedule, p, at), static_cast<std::int8_t>(scoreboard)}});
        if (waits(kernel.instruction(other), schedule.control(other), scoreboard)) return;
    }
}

// The byte offset of the first wait for the scoreboard on the way, the consumer's own included; -1: none
// here.
int guarding_wait(const Schedule& schedule, const Dependence& d) {
    if (d.scoreboard < 0 || d.loop_carried) return -1;
    for (Position p = schedule.position_of(d.from) + 1; p <= schedule.position_of(d.to); ++p) {
        const InstrId other = schedule.at(p);
        if (waits(schedule.kernel()->instruction(other), schedule.control(other), d.scoreboard))
            return static_cast<int>(p * kWordBytes);
    }
    return -1;
}

std::vector<Link> links_of(const Schedule& schedule, InstrId id) {
    std::vector<Link> links;
    for (const Dependence& d : dependences_of(schedule, id)) {
        const bool other_block = schedule.kernel()->block_of(d.from) != schedule.kernel()->block_of(d.to);
        links.push_back({d.from,
                         d.to,
                         d.loop_carried || other_block,
                         {d.kind, d.resource(), d.latency, d.distance, d.scoreboard, d.by_waits,
                          other_block ? -1 : guarding_wait(schedule, d)}});
    }
    const Instruction& instruction = schedule.kernel()->instruction(id);
    const ControlCode& control = schedule.control(id);
    for (int scoreboard = 0; scoreboard < 6; ++scoreboard) {
        if (sets(control, scoreboard)) waits_of(schedule, id, scoreboard, links);
        if (waits(instruction, control, scoreboard)) setters_of(schedule, id, scoreboard, links);
    }
    return links;
}

// Register and scoreboard dependences say more than the order that follows from them.
int rank(const ArrowReason& reason) {
    switch (reason.kind) {
        case DependenceKind::Raw:
        case DependenceKind::War:
        case DependenceKind::Waw:
            return 0;
        case DependenceKind::Scoreboard:
            return 1;
        case DependenceKind::Memory:
        case DependenceKind::Fence:
            return 2;
        case DependenceKind::Order:
            return 3;
    }
    return 3;
}

bool tighter(const ArrowReason& a, const ArrowReason& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    const auto slack = [](const ArrowReason& r) { return r.guarded ? std::max(0, r.slack()) : r.slack(); };
    return slack(a) < slack(b);
}

const char* words_of(DependenceKind kind) {
    return enum_name<DependenceKind::Order>(
        {"written, then read", "read, then overwritten", "written twice", "may touch the same bytes",
         "may not cross", "set, then waited for", "keeps its order"},
        kind, "");
}

QString hex(int offset) {
    return QStringLiteral("0x%1").arg(offset, 4, 16, QLatin1Char('0'));
}

// "SB2, wait at 0x0150"
QString guard_text(const ArrowReason& r) {
    QString text = r.scoreboard >= 0 ? QStringLiteral("SB%1").arg(r.scoreboard)
                                     : QStringLiteral("by the scoreboard of a later instruction");
    if (r.wait_at >= 0) text += QStringLiteral(", wait at %1").arg(hex(r.wait_at));
    return text;
}

std::string with_sign(int cycles) {
    return (cycles < 0 ? "\u2212" : "+") + std::to_string(std::abs(cycles));
}

}  // namespace

std::string DependencyArrow::label() const {
    const ArrowReason& r = reasons.front();
    std::string text = r.resource;
    if (rank(r) == 0) text += std::string(" ") + to_string(r.kind);
    if (r.guarded)
        text += " " + guard_text(r).toStdString();
    else if (r.need > 0)
        text += " " + std::to_string(r.have) + "/" + std::to_string(r.need) + " " + with_sign(r.slack());
    if (carried) text += " \u21bb";
    if (reasons.size() > 1) text += " \u2026";
    return text;
}

std::string DependencyArrow::sentence() const {
    QStringList lines;
    for (const ArrowReason& r : reasons) {
        QString line = QStringLiteral("%1: %2 (%3)")
                           .arg(QLatin1String(to_string(r.kind)), QString::fromStdString(r.resource),
                                QLatin1String(words_of(r.kind)));
        if (r.guarded)
            line += QStringLiteral("; guarded: %1; has %2 cycles, completes after about %3")
                        .arg(guard_text(r))
                        .arg(r.have)
                        .arg(r.need);
        else if (r.need > 0)
            line += QStringLiteral("; needs %2 cycles, has %1, slack %3")
                        .arg(r.have)
                        .arg(r.need)
                        .arg(QString::fromStdString(with_sign(r.slack())));
        if (carried) line += QStringLiteral("; from another iteration or block");
        lines << line;
    }
    return lines.join(QLatin1Char('\n')).toStdString();
}

int pack_lanes(std::vector<DependencyArrow>& arrows, InstrId centre, const Schedule& schedule) {
    struct Trunk {
        Position low, high;
        std::vector<std::size_t> members;
    };
    std::map<std::pair<DependenceKind, bool>, Trunk> trunks;  // by kind, and whether it starts at the centre
    const Position middle = schedule.position_of(centre);
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        const bool out = arrows[i].from == centre;
        const Position other = schedule.position_of(out ? arrows[i].to : arrows[i].from);
        Trunk& trunk = trunks.try_emplace({arrows[i].kind(), out}, Trunk{middle, middle, {}}).first->second;
        trunk.low = std::min(trunk.low, other);
        trunk.high = std::max(trunk.high, other);
        trunk.members.push_back(i);
    }
    std::vector<const Trunk*> order;
    for (const auto& [key, trunk] : trunks)
        order.push_back(&trunk);
    std::stable_sort(order.begin(), order.end(),
                     [](const Trunk* a, const Trunk* b) { return a->high - a->low < b->high - b->low; });
    std::vector<std::vector<const Trunk*>> lanes;
    for (const Trunk* trunk : order) {
        // Two trunks may meet at the centre: one ends there, the other starts.
        const auto fits = [&](const std::vector<const Trunk*>& lane) {
            return std::none_of(lane.begin(), lane.end(), [&](const Trunk* other) {
                return trunk->low < other->high && other->low < trunk->high;
            });
        };
        auto lane = std::find_if(lanes.begin(), lanes.end(), fits);
        if (lane == lanes.end()) lane = lanes.insert(lanes.end(), std::vector<const Trunk*>{});
        lane->push_back(trunk);
        const int number = std::min(static_cast<int>(lane - lanes.begin()), kMostLanes - 1);
        for (const std::size_t i : trunk->members)
            arrows[i].lane = number;
    }
    return std::min(static_cast<int>(lanes.size()), kMostLanes);
}

DependencyArrows arrows_of(const Schedule& schedule, InstrId id) {
    DependencyArrows result;
    result.instr = id;
    std::map<std::pair<InstrId, InstrId>, std::size_t> known;
    for (Link& link : links_of(schedule, id)) {
        if (link.from == kNone || link.to == kNone || link.from == link.to) continue;
        const auto [found, fresh] = known.try_emplace({link.from, link.to}, result.arrows.size());
        if (fresh) result.arrows.push_back({link.from, link.to, link.carried, {}, 0});
        DependencyArrow& arrow = result.arrows[found->second];
        arrow.carried = arrow.carried && link.carried;
        arrow.reasons.push_back(std::move(link.reason));
    }
    for (DependencyArrow& arrow : result.arrows)
        std::stable_sort(arrow.reasons.begin(), arrow.reasons.end(), tighter);
    std::stable_sort(result.arrows.begin(), result.arrows.end(),
                     [](const DependencyArrow& a, const DependencyArrow& b) {
                         return tighter(a.reasons[0], b.reasons[0]);
                     });
    if (result.arrows.size() > kMostArrows) {
        result.left_out = result.arrows.size() - kMostArrows;
        result.arrows.resize(kMostArrows);
    }
    result.lanes = pack_lanes(result.arrows, id, schedule);
    return result;
}

}  // namespace cubinlab::ui
