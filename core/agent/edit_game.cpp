// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/edit_game.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/legality/dependency_graph.h"
#include "core/legality/stall_repair.h"

namespace cubinlab {
namespace {

// Writes features in sequence; the caller ensures the space.
class Row {
  public:
    explicit Row(float* out) : next_(out) {}
    void put(double value) { *next_++ = static_cast<float>(value); }
    void put(bool value) { put(value ? 1.0 : 0.0); }
    const float* end() const { return next_; }

  private:
    float* next_;
};

double squashed(double cycles, double scale) {
    return std::tanh(cycles / scale);
}

// Functional units that share ports: arithmetic, FMA, half, tensor, wgmma, special, MIO, LSU, other loads, uniform,
// control and barriers, other.
constexpr std::size_t kUnitGroups = 12;

std::size_t unit_group(Unit unit) {
    switch (unit) {
        case Unit::Alu:
            return 0;
        case Unit::Fma:
        case Unit::FmaWide:
            return 1;
        case Unit::Fp16:
        case Unit::H2Mma:
            return 2;
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
            return 3;
        case Unit::Gmma:
        case Unit::AsyncGroup:
            return 4;
        case Unit::Xu:
        case Unit::Fp64:
            return 5;
        case Unit::Mio:
            return 6;
        case Unit::Lsu:
            return 7;
        case Unit::Tex:
        case Unit::Ldc:
        case Unit::S2r:
        case Unit::S2ur:
        case Unit::Cs2r:
            return 8;
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::R2ur:
            return 9;
        case Unit::Cbu:
        case Unit::Barrier:
        case Unit::Fence:
        case Unit::Depbar:
            return 10;
        default:
            return 11;
    }
}

}  // namespace

EditGame::EditGame(const SearchContext& context)
    : kernel_(context.kernel),
      checker_(context.checker),
      around_(context),
      start_(context.start),
      fixed_(context.kernel->size()),
      producers_(context.kernel->size()),
      consumers_(context.kernel->size()),
      past_(context.kernel->size()) {
    const Schedule original(kernel_);
    const FlowGraph& flow = kernel_->flow();
    for (BlockId block = 0; block < flow.blocks.size(); ++block) {
        const DependencyGraph graph = build_dependency_graph(original, block, false);
        for (const Dependence& edge : graph.edges) {
            if (edge.kind != DependenceKind::Raw && edge.kind != DependenceKind::Scoreboard) continue;
            producers_[edge.to].push_back(edge.from);
            consumers_[edge.from].push_back(edge.to);
        }
    }
    for (InstrId id = 0; id < kernel_->size(); ++id) {
        const Instruction& instruction = kernel_->instruction(id);
        const Block& block = flow.blocks[kernel_->block_of(id)];
        Row row(fixed_[id].data());
        const std::size_t group = unit_group(instruction.unit);
        for (std::size_t g = 0; g < kUnitGroups; ++g)
            row.put(g == group);
        row.put(instruction.memory.reads);
        row.put(instruction.memory.writes);
        row.put(instruction.memory.space == MemorySpace::Shared);
        row.put(instruction.has(Trait::VariableLatency));
        row.put(instruction.has(Trait::AsyncIssue));
        row.put(instruction.guarded());
        row.put(std::min<int>(block.loop_depth, 4) / 4.0);
        row.put(std::log2(static_cast<double>(block.count)) / 10.0);
        row.put(block.loop_header != kNone);
        row.put(squashed(static_cast<double>(producers_[id].size()), 4));
        row.put(squashed(static_cast<double>(consumers_[id].size()), 4));
        row.put(kernel_->pinned(id));
    }
}

EditGame::Family EditGame::family_of(EditAct act) {
    return act >= EditAct::UpOne ? kMove : kControl;
}

void EditGame::remember(InstrId id, EditAct act, double reward) {
    Past& past = past_[id][family_of(act)];
    past.tries += 1;
    const float share = std::max(0.2f, 1.0f / past.tries);
    past.mean += share * (static_cast<float>(reward) - past.mean);
}

// Keys u^(1/w): the largest are a weighted draw without replacement (Efraimidis and Spirakis, 2006).
std::vector<InstrId> EditGame::draw_rows(Rng& rng) const {
    const std::vector<InstrId>& ids = around_.scope().ids();
    if (ids.size() <= kRows) return ids;
    std::vector<std::pair<double, InstrId>> keys;
    keys.reserve(ids.size());
    for (const InstrId id : ids) {
        const unsigned depth = kernel_->flow().blocks[kernel_->block_of(id)].loop_depth;
        const double weight = std::ldexp(1.0, static_cast<int>(2 * std::min(depth, 6u)));
        keys.emplace_back(std::log(1.0 - rng.unit()) / weight, id);
    }
    std::nth_element(keys.begin(), keys.begin() + kRows, keys.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<InstrId> rows;
    for (std::size_t i = 0; i < kRows; ++i)
        rows.push_back(keys[i].second);
    std::sort(rows.begin(), rows.end());
    return rows;
}

// By position: the issue cycle inside the block if only stall counts delay the warp.
std::vector<int> EditGame::issue_cycles(const Schedule& schedule) const {
    std::vector<int> issue(schedule.size());
    for (const Block& block : kernel_->flow().blocks) {
        int now = 0;
        for (Position p = block.first; p < block.end(); ++p) {
            issue[p] = now;
            now += std::max<int>(1, schedule.control(schedule.at(p)).stall);
        }
    }
    return issue;
}

void EditGame::fill_row(const Schedule& schedule, const std::vector<int>& issue, InstrId id,
                        float* out) const {
    std::copy(fixed_[id].begin(), fixed_[id].end(), out);
    const Position at = schedule.position_of(id);
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    const ControlCode& control = schedule.control(id);
    Row row(out + fixed_[id].size());
    row.put(control.stall / 15.0);
    row.put(control.yield);
    row.put(std::popcount(control.wait_mask) / 6.0);
    row.put(control.write_barrier != kNoBarrier);
    row.put(control.read_barrier != kNoBarrier);
    row.put(std::popcount(control.reuse) / 3.0);
    row.put(static_cast<double>(at - block.first) / block.count);

    int nearest_producer = 1000;
    for (const InstrId producer : producers_[id])
        nearest_producer = std::min(nearest_producer, issue[at] - issue[schedule.position_of(producer)]);
    int nearest_consumer = 1000;
    Position consumer_at = block.end();
    for (const InstrId consumer : consumers_[id]) {
        const Position there = schedule.position_of(consumer);
        nearest_consumer = std::min(nearest_consumer, issue[there] - issue[at]);
        consumer_at = std::min(consumer_at, there);
    }
    row.put(squashed(nearest_producer, 16));
    row.put(squashed(nearest_consumer, 16));
    row.put(squashed(nearest_consumer, 200));
    row.put(squashed(static_cast<double>(consumer_at - at), 16));

    const InstrId above = at > block.first ? schedule.at(at - 1) : kNone;
    const InstrId below = at + 1 < block.end() ? schedule.at(at + 1) : kNone;
    const auto group = [&](InstrId other) { return unit_group(kernel_->instruction(other).unit); };
    row.put(above == kNone ? -1.0 : schedule.control(above).stall / 15.0);
    row.put(above != kNone && group(above) == group(id));
    row.put(below == kNone ? -1.0 : schedule.control(below).stall / 15.0);
    row.put(below != kNone && group(below) == group(id));
    row.put(below != kNone && schedule.control(below).wait_mask != 0);
    row.put(squashed(static_cast<double>(at) - static_cast<double>(start_.position_of(id)), 16));
    row.put(schedule.control(id) == start_.control(id) ? 0.0 : 1.0);
    for (const Past& past : past_[id]) {
        row.put(squashed(past.tries, 4));
        row.put(std::clamp(past.mean, -1.0f, 1.0f));
    }
    // Two columns stay 0, reserved for more features with the same shape.
    std::fill(out + (row.end() - out), out + kColumns, 0.0f);
}

void EditGame::fill_mask(const Schedule& schedule, InstrId id, std::uint8_t* out) const {
    const Position at = schedule.position_of(id);
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    const bool movable = around_.scope().movable(id);
    const bool up = at > block.first;
    const bool down = at + 1 < block.end();
    const int stall = schedule.control(id).stall;
    const auto set = [&](EditAct act, bool thinkable) { out[static_cast<std::size_t>(act)] = thinkable; };
    set(EditAct::StallLess, stall > 1);
    set(EditAct::StallLeast, stall > 2);
    set(EditAct::StallMore, stall < 15);
    set(EditAct::Yield, true);
    set(EditAct::StallUp, stall > 1 && up);
    set(EditAct::StallDown, stall > 1 && down);
    for (const EditAct act : {EditAct::UpOne, EditAct::UpHalf, EditAct::UpMost, EditAct::UpPay})
        set(act, movable && up);
    for (const EditAct act : {EditAct::DownOne, EditAct::DownHalf, EditAct::DownMost, EditAct::DownPay})
        set(act, movable && down);
}

Turn EditGame::turn(const Schedule& schedule, Rng& rng) const {
    Turn turn;
    turn.rows = draw_rows(rng);
    turn.features.assign(kRows * kColumns, 0.0f);
    turn.mask.assign(kActions, 0);
    const std::vector<int> issue = issue_cycles(schedule);
    for (std::size_t row = 0; row < turn.rows.size(); ++row) {
        fill_row(schedule, issue, turn.rows[row], turn.features.data() + row * kColumns);
        fill_mask(schedule, turn.rows[row], turn.mask.data() + row * kEditActs);
    }
    return turn;
}

std::optional<Edited> EditGame::least_stall(const Schedule& schedule, InstrId id) const {
    for (int by = 1 - schedule.control(id).stall; by < 0; ++by)
        if (auto edited = around_.stall_by(schedule, id, by)) return edited;
    return std::nullopt;
}

// The issue cycles of all other instructions do not change.
std::optional<Edited> EditGame::hand_stall(const Schedule& schedule, InstrId id, int neighbour) const {
    const Position at = schedule.position_of(id);
    const InstrId other = schedule.at(neighbour < 0 ? at - 1 : at + 1);
    ControlCode own = schedule.control(id);
    ControlCode theirs = schedule.control(other);
    const int handed = own.stall - 1;
    if (handed < 1 || theirs.stall + handed > 15 || !around_.scope().editable(other)) return std::nullopt;
    own.stall = 1;
    theirs.stall = static_cast<std::uint8_t>(theirs.stall + handed);
    Mutation mutation = Mutation::control(schedule, id, own);
    mutation.edits.push_back(Mutation::control(schedule, other, theirs).edits.front());
    if (!around_.legal(schedule, mutation)) return std::nullopt;
    return Edited::of(schedule, std::move(mutation));
}

std::optional<Edited> EditGame::move(const Schedule& schedule, InstrId id, EditAct act) const {
    const Position at = schedule.position_of(id);
    if (act == EditAct::UpOne) return around_.move_to(schedule, id, at - 1);
    if (act == EditAct::DownOne) return around_.move_to(schedule, id, at + 1);
    const SlotRange slots = checker_->slots(schedule, id);
    const bool up = act == EditAct::UpHalf || act == EditAct::UpMost;
    const bool half = act == EditAct::UpHalf || act == EditAct::DownHalf;
    const Position end = up ? std::min(slots.lowest, at) : std::max(slots.highest, at);
    const Position reach = up ? at - end : end - at;
    // The legal position nearest to the target, on the near side.
    for (Position by = half ? (reach + 1) / 2 : reach; by > 0; --by) {
        const Position to = up ? at - by : at + by;
        if (slots.contains(to)) return around_.move_to(schedule, id, to);
    }
    return std::nullopt;
}

std::optional<Edited> EditGame::move_and_pay(const Schedule& schedule, InstrId id, bool up) const {
    constexpr Position kPlaces = 4;
    const Position at = schedule.position_of(id);
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    const Position to =
        up ? at - std::min(kPlaces, at - block.first) : at + std::min(kPlaces, block.end() - 1 - at);
    StallRepairSettings settings;
    settings.may_change = [&](InstrId changed) { return around_.scope().editable(changed); };
    const auto repaired =
        add_required_stalls(*checker_, schedule, Mutation::move_to(schedule, id, to), settings);
    if (!repaired) return std::nullopt;
    return Edited::of(schedule, remove_excess_stalls(*checker_, schedule, *repaired, settings));
}

std::optional<Edited> EditGame::realise(const Schedule& schedule, const Turn& turn,
                                        std::size_t action) const {
    const InstrId id = turn.rows[action / kEditActs];
    const auto act = static_cast<EditAct>(action % kEditActs);
    switch (act) {
        case EditAct::StallLess:
            return around_.stall_by(schedule, id, -1);
        case EditAct::StallLeast:
            return least_stall(schedule, id);
        case EditAct::StallMore:
            return around_.stall_by(schedule, id, 1);
        case EditAct::Yield:
            return around_.flip_yield(schedule, id);
        case EditAct::StallUp:
            return hand_stall(schedule, id, -1);
        case EditAct::StallDown:
            return hand_stall(schedule, id, 1);
        case EditAct::UpPay:
            return move_and_pay(schedule, id, true);
        case EditAct::DownPay:
            return move_and_pay(schedule, id, false);
        default:
            return move(schedule, id, act);
    }
}

}  // namespace cubinlab
