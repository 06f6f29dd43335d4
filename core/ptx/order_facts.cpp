// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ptx/order_facts.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cubinlab::ptx {
namespace {

std::string_view between(const Module& module, std::uint32_t begin, std::uint32_t end) {
    return std::string_view(module.text).substr(begin, end - begin);
}

// The opcode of a line, without its guard; empty for a comment, a directive and a label.
std::string_view opcode_of(std::string_view line) {
    const auto skip_space = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size())); };
    skip_space();
    if (line.starts_with('@')) {
        line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
        skip_space();
    }
    const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:");
    return line.empty() || line[0] < 'a' || line[0] > 'z' ? std::string_view() : line.substr(0, end);
}

float arithmetic_latency(std::string_view unit_text) {
    static const std::unordered_set<std::string_view> kSlow = {"ex2", "lg2", "rcp", "rsqrt", "sqrt",
                                                               "sin", "cos", "tanh", "cvt", "popc"};
    static const std::unordered_set<std::string_view> kSlowest = {"div", "rem"};
    float out = 5;
    for (std::size_t at = 0; at < unit_text.size();) {
        const std::size_t end = std::min(unit_text.find_first_of(";\n", at), unit_text.size());
        const std::string_view opcode = opcode_of(unit_text.substr(at, end - at));
        const std::string_view stem = opcode.substr(0, opcode.find('.'));
        if (kSlow.contains(stem)) out = std::max(out, 20.0F);
        if (kSlowest.contains(stem)) out = std::max(out, 60.0F);
        if (opcode.ends_with(".f64")) out = std::max(out, 10.0F);
        at = end + 1;
    }
    return out;
}

float latency_of(OpKind kind, const UnitFacts& unit, std::string_view text) {
    switch (kind) {
        case OpKind::DebugLabel:
        case OpKind::Store:
        case OpKind::Copy:
            return 0;
        case OpKind::Load:
            return unit.global ? 400.0F : 30.0F;
        case OpKind::Matrix:
            return 33;
        case OpKind::Warp:
        case OpKind::Fence:
        case OpKind::Call:
            return 25;
        default:
            return arithmetic_latency(text);
    }
}

std::uint32_t registers_of(std::string_view name) {
    const std::string_view letters = name.substr(1, name.find_first_of("0123456789") - 1);
    if (letters == "p") return 0;
    return letters == "rd" || letters == "fd" ? 2 : 1;
}

class Reading {
  public:
    Reading(const Module& module, std::span<const Effects> effects, OrderFacts& out)
        : module_(module), effects_(effects), out_(out), order_(out.order) {}

    void run(const Entry& entry) {
        out_.units.resize(order_.units.size());
        count_blocks();
        for (const Block& block : order_.blocks)
            read(block);
        weigh_chains();
        find_loops(entry);
    }

  private:
    // In how many blocks each register is named.
    void count_blocks() {
        for (std::uint32_t u = 0; u < order_.units.size(); ++u)
            for (const Names* names : {&effects_[u].read, &effects_[u].written})
                for (const std::string_view name : *names) {
                    auto& [last, count] = named_in_.try_emplace(name, ~0u, 0u).first->second;
                    if (std::exchange(last, order_.units[u].block) != order_.units[u].block) ++count;
                }
    }
    std::uint32_t value(std::string_view name) {
        const auto [found, fresh] = values_.try_emplace(name, static_cast<std::uint32_t>(out_.values.size()));
        if (fresh) {
            out_.values.push_back({.registers = registers_of(name), .outside = named_in_.at(name).second > 1});
            writer_.push_back(~0u);
        }
        return found->second;
    }
    void read(const Block& block) {
        values_.clear();
        for (std::uint32_t u = block.first; u < block.first + block.count; ++u) {
            UnitFacts& unit = out_.units[u];
            const Effects& e = effects_[u];
            unit.global = ((e.reads | e.writes) & kGlobal) != 0;
            unit.shared = ((e.reads | e.writes) & kShared) != 0;
            unit.latency = latency_of(e.kind, unit, between(module_, order_.units[u].begin, order_.units[u].end));
            for (const std::string_view name : e.read)
                if (name.starts_with('%')) read(u, value(name));
            for (const std::string_view name : e.written)
                if (name.starts_with('%')) {
                    const std::uint32_t v = value(name);
                    writer_[v] = u;
                    add(unit.writes, v);
                }
        }
        for (std::uint32_t u = block.first + block.count; u-- > block.first;)
            feed(u);
    }
    static bool add(std::vector<std::uint32_t>& list, std::uint32_t v) {
        if (std::ranges::find(list, v) != list.end()) return false;
        list.push_back(v);
        return true;
    }
    void read(std::uint32_t u, std::uint32_t v) {
        if (!add(out_.units[u].reads, v)) return;
        ++out_.values[v].reads;
        const std::uint32_t from = writer_[v];
        if (from == ~0u) {
            out_.values[v].comes_in = true;
            return;
        }
        sources_.resize(order_.units.size());
        sources_[u].push_back(from);
        std::uint32_t& first = out_.units[from].first_use;
        if (first == 0) first = u - from;
    }
    void feed(std::uint32_t u) {
        if (sources_.size() <= u) return;
        const OpKind kind = order_.units[u].kind;
        const bool load = kind == OpKind::Load || kind == OpKind::Copy || out_.units[u].feeds_load;
        const bool matrix = kind == OpKind::Matrix || out_.units[u].feeds_matrix;
        for (const std::uint32_t from : sources_[u]) {
            out_.units[from].feeds_load |= load;
            out_.units[from].feeds_matrix |= matrix;
        }
    }
    void weigh_chains() {
        const auto each = [&](std::uint32_t u, auto&& visit) {
            for (std::uint32_t s = order_.successor_begin[u]; s < order_.successor_begin[u + 1]; ++s)
                visit(out_.units[order_.successors[s]]);
        };
        for (std::uint32_t u = 0; u < order_.units.size(); ++u)
            each(u, [&](UnitFacts& next) {
                next.before = std::max(next.before, out_.units[u].before + out_.units[u].latency);
            });
        for (auto u = static_cast<std::uint32_t>(order_.units.size()); u-- > 0;) {
            float longest = 0;
            each(u, [&](const UnitFacts& next) { longest = std::max(longest, next.after); });
            out_.units[u].after = longest + out_.units[u].latency;
        }
    }
    // A loop reaches from a label to a later branch to it.
    void find_loops(const Entry& entry) {
        std::unordered_map<std::string_view, std::uint32_t> labels;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;
        for (const Statement& s : entry.body) {
            const std::string_view text = between(module_, s.begin, s.end);
            if (s.kind == Statement::Kind::Label) labels.emplace(text.substr(0, text.find_first_of(" \t:")), s.begin);
            if (s.kind != Statement::Kind::Instruction || !opcode_of(text).starts_with("bra")) continue;
            const std::size_t end = text.find_last_not_of(" \t;");
            const std::size_t begin = text.find_last_of(" \t", end) + 1;
            const auto label = labels.find(text.substr(begin, end + 1 - begin));
            if (label != labels.end()) loops.emplace_back(label->second, s.begin);
        }
        for (const Block& block : order_.blocks)
            out_.loop_depth.push_back(static_cast<std::uint32_t>(std::ranges::count_if(loops, [&](const auto& loop) {
                const std::uint32_t at = order_.units[block.first].begin;
                return loop.first <= at && at < loop.second;
            })));
    }

    const Module& module_;
    std::span<const Effects> effects_;
    OrderFacts& out_;
    Order& order_;
    std::unordered_map<std::string_view, std::pair<std::uint32_t, std::uint32_t>> named_in_;  // last block, their number
    std::unordered_map<std::string_view, std::uint32_t> values_;                             // of this block
    std::vector<std::uint32_t> writer_;                                                      // by value
    std::vector<std::vector<std::uint32_t>> sources_;  // by unit: those that wrote what it reads
};

}  // namespace

Result<OrderFacts> order_facts(const Module& module, std::string_view entry) {
    OrderFacts out;
    std::vector<Effects> effects;
    out.order = TRY(order_of(module, entry, &effects));
    Reading(module, effects, out).run(*module.find(entry));
    return out;
}

}  // namespace cubinlab::ptx
