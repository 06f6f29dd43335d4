// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ptx/order.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/ptx/token.h"

namespace cubinlab::ptx {

namespace {

constexpr std::uint32_t kNone = ~0u;

// Behind the white space and the comments that follow on the line, its end included.
std::uint32_t end_of_line(std::string_view text, std::size_t at) {
    const std::size_t from = at;
    while (at < text.size()) {
        if (text[at] == '\n') return static_cast<std::uint32_t>(at + 1);
        if (text.compare(at, 2, "//") == 0) {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.compare(at, 2, "/*") == 0) {
            at = std::min(text.find("*/", at), text.size() - 2) + 2;
        } else if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
            ++at;
        } else {
            break;  // more on the same line
        }
    }
    return static_cast<std::uint32_t>(from);
}

// The names that .reg, .param or another declaration gives; `%r<4>` is a prefix.
struct LocalName {
    std::string_view name;
    bool prefix = false;
    std::size_t scope = 0;

    bool is(std::string_view other) const {
        if (!prefix) return other == name;
        return other.starts_with(name) &&
               other.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
    }
};

// Registers that a comment inside inline assembly names.
Names commented_registers(std::string_view comment) {
    Names names;
    for (std::size_t at = 0; (at = comment.find('%', at)) != std::string_view::npos;) {
        std::size_t end = at + 1;
        while (end < comment.size() && (std::isalnum(static_cast<unsigned char>(comment[end])) ||
                                        comment[end] == '_' || comment[end] == '$'))
            ++end;
        names.push_back(comment.substr(at, end - at));
        at = end;
    }
    return names;
}

// Splits an entry's body into blocks of units, each with its effects.
class Splitter {
  public:
    using Kind = Statement::Kind;

    Splitter(const Module& module, const Entry& entry, const std::vector<Token>& tokens)
        : text_(module.text), body_(entry.body) {
        find_tokens(tokens);
        for (const Parameter& p : entry.parameters)
            constants_.insert(p.name);
        for (std::size_t i = 0; i < body_.size(); ++i)
            if (body_[i].kind == Kind::Declaration)
                for (const std::string_view word : words(i))
                    constants_.erase(word), mentioned_.insert(word);
        effects_.resize(body_.size());
        for (std::size_t i = 0; i < body_.size(); ++i)
            if (body_[i].kind == Kind::Instruction) instruction(i);
        add_copies(effects_, async_);
        for (std::size_t i = 0; i < body_.size(); ++i)
            if (body_[i].kind == Kind::Location) first_locations_.emplace(located(i, 1), i);
    }

    void run(Order& order, std::vector<Effects>& effects) {
        bool open = false;
        Effects above;  // of the lines that travel with the next unit
        std::uint32_t position = end_of_line(text_, before_body_);
        for (std::size_t i = 0; i < body_.size();) {
            if (travels(i)) {
                location(i++, above);
                continue;
            }
            Effects e = std::exchange(above, {});
            const std::size_t end = region_end(i);
            const bool moves = unit(i, end, e);
            const std::size_t next = moves || body_[i].kind == Kind::AsmBegin ? end : i + 1;
            const std::uint32_t stop = end_of_line(text_, body_[next - 1].end);
            if (moves) {
                if (!std::exchange(open, true))
                    order.blocks.push_back({static_cast<std::uint32_t>(order.units.size()), 0});
                order.units.push_back({.begin = position,
                                       .end = stop,
                                       .block = static_cast<std::uint32_t>(order.blocks.size() - 1),
                                       .kind = e.kind});
                ++order.blocks.back().count;
                effects.push_back(std::move(e));
            } else {
                open = false;
            }
            position = stop;
            i = next;
        }
    }

  private:
    void find_tokens(const std::vector<Token>& tokens) {
        std::size_t at = 0;
        for (const Statement& s : body_) {
            while (tokens[at].begin < s.begin)
                ++at;
            if (before_body_ == 0 && at > 0) before_body_ = tokens[at - 1].end;
            const std::size_t first = at;
            while (at < tokens.size() && tokens[at].begin < s.end)
                ++at;
            tokens_.push_back(std::span(tokens).subspan(first, at - first));
        }
    }
    // The words of a declaration that are no directives.
    Names words(std::size_t i) const {
        Names out;
        for (const Token& t : tokens_[i])
            if (t.kind == Token::Kind::Word && text_[t.begin] != '.') out.push_back(t.in(text_));
        return out;
    }
    void instruction(std::size_t i) {
        effects_[i] = effects_of(text_, tokens_[i], constants_);
        mentioned_.insert(effects_[i].read.begin(), effects_[i].read.end());
        mentioned_.insert(effects_[i].written.begin(), effects_[i].written.end());
        async_.insert(effects_[i].async.begin(), effects_[i].async.end());
    }
    bool travels(std::size_t i) const {
        if (body_[i].kind == Kind::Location || body_[i].kind == Kind::Nothing) return true;
        const auto text = std::string_view(text_).substr(body_[i].begin, body_[i].end - body_[i].begin);
        return body_[i].kind == Kind::Pragma && text.find("used_bytes_mask") != std::string_view::npos;
    }
    // File, line and column of a .loc line from its word `at`; empty: it has none there.
    std::string_view located(std::size_t i, std::size_t at) const {
        const auto& tokens = tokens_[i];
        if (at + 2 >= tokens.size() || tokens[0].in(text_) != ".loc") return {};
        return text_.substr(tokens[at].begin, tokens[at + 2].end - tokens[at].begin);
    }
    // ptxas wants the location that `inlined_at` names in a .loc line above it.
    void location(std::size_t i, Effects& e) const {
        if (body_[i].kind != Kind::Location) return;
        const std::string_view own = located(i, 1);
        if (!own.empty() && first_locations_.at(own) == i) e.written.push_back(own);
        for (std::size_t t = 0; t < tokens_[i].size(); ++t)
            if (tokens_[i][t].in(text_) == "inlined_at" && !located(i, t + 1).empty())
                e.read.push_back(located(i, t + 1));
    }
    std::string_view label(std::size_t i) const { return tokens_[i].front().in(text_); }

    // Behind the statement or the region that begins at i.
    std::size_t region_end(std::size_t i) const {
        std::size_t depth = 0;
        const bool assembly = body_[i].kind == Kind::AsmBegin;
        if (!assembly && body_[i].kind != Kind::ScopeBegin) return i + 1;
        for (std::size_t k = i; k < body_.size(); ++k) {
            if (body_[k].kind == Kind::ScopeBegin) ++depth;
            if (body_[k].kind == Kind::ScopeEnd && depth > 0) --depth;
            if (assembly ? body_[k].kind == Kind::AsmEnd : depth == 0) return k + 1;
        }
        return i + 1;
    }
    bool unit(std::size_t i, std::size_t end, Effects& e) const {
        if (body_[i].kind == Kind::Label) {
            e.writes = kLabels;
            return label(i).starts_with("$L__tmp") && !mentioned_.contains(label(i));
        }
        if (body_[i].kind == Kind::Instruction) {
            e.add(effects_[i]);
        } else if ((body_[i].kind != Kind::ScopeBegin && body_[i].kind != Kind::AsmBegin) ||
                   !region(i, end, e)) {
            return false;
        }
        const auto async = [this](std::string_view name) { return async_.contains(name); };
        if (std::any_of(e.read.begin(), e.read.end(), async) ||
            std::any_of(e.written.begin(), e.written.end(), async))
            e.reads |= kAsyncRegisters;
        return !e.ends_block();
    }
    // Whether [i, end) is closed: its braces match, no branch leaves it, and it declares nothing for what follows.
    bool region(std::size_t i, std::size_t end, Effects& e) const {
        if (body_[end - 1].end - body_[i].begin > kLargestRegion) return false;
        std::size_t depth = 0;
        bool assembly = false, branches = false;
        std::unordered_set<std::string_view> labels;
        for (std::size_t k = i; k < end; ++k)
            if (body_[k].kind == Kind::Label) labels.insert(label(k));
        std::vector<LocalName> locals;
        for (std::size_t k = i; k < end; ++k) {
            const Kind kind = body_[k].kind;
            if (kind == Kind::AsmBegin || kind == Kind::AsmEnd) assembly = kind == Kind::AsmBegin;
            if (kind == Kind::ScopeBegin) ++depth;
            if (kind == Kind::ScopeEnd && depth-- == 0) return false;
            if (kind == Kind::ScopeEnd)
                std::erase_if(locals, [depth](const LocalName& l) { return l.scope > depth; });
            if ((kind == Kind::Label || kind == Kind::Declaration) && depth == 0) return false;
            if (kind == Kind::Declaration) declare(k, depth, locals);
            location(k, e);
            if (kind == Kind::Nothing && tokens_[k].front().kind == Token::Kind::Comment)
                for (const std::string_view name : commented_registers(tokens_[k].front().in(text_)))
                    e.read.push_back(name), e.written.push_back(name);
            if (kind != Kind::Instruction) continue;
            if (effects_[k].ends_block() && !labels.contains(effects_[k].target)) return false;
            branches |= effects_[k].ends_block();
            add(e, effects_[k], locals);
        }
        if (branches) e.kind = OpKind::Fence, e.fence = true;
        return depth == 0 && !assembly;
    }
    void declare(std::size_t i, std::size_t scope, std::vector<LocalName>& locals) const {
        for (std::size_t t = 0; t < tokens_[i].size(); ++t) {
            const Token& token = tokens_[i][t];
            if (token.kind != Token::Kind::Word || text_[token.begin] == '.') continue;
            const bool prefix = t + 1 < tokens_[i].size() && is(tokens_[i][t + 1], text_, '<');
            locals.push_back({token.in(text_), prefix, scope});
        }
    }
    static void add(Effects& region, const Effects& one, const std::vector<LocalName>& locals) {
        Effects outer = one;
        for (Names* names : {&outer.read, &outer.written})
            std::erase_if(*names, [&locals](std::string_view name) {
                return std::any_of(locals.begin(), locals.end(),
                                   [name](const LocalName& l) { return l.is(name); });
            });
        region.add(outer);
    }

    std::string_view text_;
    const std::vector<Statement>& body_;
    std::vector<std::span<const Token>> tokens_;  // by statement
    std::vector<Effects> effects_;                // by statement; of instructions
    std::unordered_set<std::string_view> constants_, mentioned_, async_;
    std::unordered_map<std::string_view, std::size_t> first_locations_;  // the statement that has it first
    std::size_t before_body_ = 0;
};

// The dependences of the units, block by block.
class Dependences {
  public:
    Dependences(Order& order, const std::vector<Effects>& effects) : order_(order), effects_(effects) {}

    void run() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // successor, predecessor
        order_.predecessors.assign(order_.units.size(), 0);
        for (std::uint32_t u = 0; u < order_.units.size(); ++u) {
            if (order_.blocks[order_.units[u].block].first == u) begin_block();
            before_.clear();
            registers(u);
            count_uses();
            resources(u);
            unique(before_);
            Unit& unit = order_.units[u];
            for (const std::uint32_t p : before_) {
                unit.depth = std::max(unit.depth, order_.units[p].depth + 1);
                edges.emplace_back(u, p);
            }
            order_.predecessors[u] = static_cast<std::uint32_t>(before_.size());
        }
        successors(edges);
    }

  private:
    // Who wrote last, and who has read since.
    struct Cell {
        std::uint32_t block = kNone, writer = kNone;
        std::vector<std::uint32_t> readers;
    };

    static void unique(std::vector<std::uint32_t>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    void begin_block() {
        ++block_;
        fence_ = kNone;
        since_fence_.clear();
    }
    Cell& current(Cell& cell) const {
        if (cell.block != block_) cell = {block_, kNone, {}};
        return cell;
    }
    void after(std::uint32_t p, std::uint32_t u) {
        if (p != kNone && p != u) before_.push_back(p);
    }
    void read(Cell& cell, std::uint32_t u) {
        after(current(cell).writer, u);
        cell.readers.push_back(u);
    }
    void write(Cell& cell, std::uint32_t u) {
        after(current(cell).writer, u);
        for (const std::uint32_t r : cell.readers)
            after(r, u);
        cell.readers.clear();
        cell.writer = u;
    }
    void registers(std::uint32_t u) {
        for (const std::string_view name : effects_[u].read)
            read(names_[name], u);
        reads_end_ = before_.size();
        for (const std::string_view name : effects_[u].written)
            write(names_[name], u);
    }
    void count_uses() {
        std::vector<std::uint32_t> read_from(before_.begin(),
                                             before_.begin() + static_cast<std::ptrdiff_t>(reads_end_));
        unique(read_from);
        for (const std::uint32_t p : read_from)
            ++order_.units[p].uses;
    }
    void resources(std::uint32_t u) {
        const Effects& e = effects_[u];
        for (unsigned bit = 0; bit < std::size(resources_); ++bit) {
            if (e.reads >> bit & 1) read(resources_[bit], u);
            if (e.writes >> bit & 1) write(resources_[bit], u);
        }
        if (!e.ordered()) return;
        after(fence_, u);
        if (e.fence) {
            before_.insert(before_.end(), since_fence_.begin(), since_fence_.end());
            since_fence_.clear();
            fence_ = u;
        } else {
            since_fence_.push_back(u);
        }
    }
    void successors(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
        std::vector<std::uint32_t>& begin = order_.successor_begin;
        begin.assign(order_.units.size() + 1, 0);
        for (const auto& [u, p] : edges)
            ++begin[p + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        order_.successors.resize(edges.size());
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (const auto& [u, p] : edges)
            order_.successors[next[p]++] = u;
        for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
            Unit& p = order_.units[edge->second];
            p.height = std::max(p.height, order_.units[edge->first].height + 1);
        }
    }

    Order& order_;
    const std::vector<Effects>& effects_;
    std::unordered_map<std::string_view, Cell> names_;
    Cell resources_[8];
    std::uint32_t block_ = 0, fence_ = kNone;
    std::vector<std::uint32_t> since_fence_, before_;
    std::size_t reads_end_ = 0;
};

// The units of one block by key, and then by place; the smallest first.
class Ready {
  public:
    explicit Ready(std::span<const double> keys) : keys_(keys) {}
    bool empty() const { return heap_.empty(); }
    void push(std::uint32_t unit) {
        heap_.emplace_back(std::isnan(keys_[unit]) ? unit : keys_[unit], unit);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    std::uint32_t pop() {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        const std::uint32_t unit = heap_.back().second;
        heap_.pop_back();
        return unit;
    }

  private:
    std::span<const double> keys_;
    std::vector<std::pair<double, std::uint32_t>> heap_;
};

}  // namespace

std::vector<double> Order::identity() const {
    std::vector<double> keys(units.size());
    std::iota(keys.begin(), keys.end(), 0.0);
    return keys;
}

Result<Order> order_of(const Module& module, std::string_view entry, std::vector<Effects>* effects_out) {
    const Entry* const found = module.find(entry);
    if (!found)
        return fail(ErrorCode::NotFound, "the PTX has no entry '" + std::string(entry) + "' with a body");
    const std::vector<Token> tokens = TRY(tokens_of(module.text));
    Order order;
    std::vector<Effects> effects;
    Splitter(module, *found, tokens).run(order, effects);
    Dependences(order, effects).run();
    if (effects_out) *effects_out = std::move(effects);
    return order;
}

Result<std::string> reorder(const Module& module, const Order& order, std::span<const double> keys) {
    if (keys.size() != order.units.size())
        return fail(ErrorCode::BadUse, std::to_string(keys.size()) + " keys for " +
                                           std::to_string(order.units.size()) + " units");
    std::string out;
    out.reserve(module.text.size());
    std::vector<std::uint32_t> waits = order.predecessors;
    Ready ready(keys);
    std::size_t position = 0;
    for (const Block& block : order.blocks) {
        out.append(module.text, position, order.units[block.first].begin - position);
        for (std::uint32_t u = block.first; u < block.first + block.count; ++u)
            if (waits[u] == 0) ready.push(u);
        while (!ready.empty()) {
            const std::uint32_t u = ready.pop();
            out.append(module.text, order.units[u].begin, order.units[u].end - order.units[u].begin);
            for (std::uint32_t s = order.successor_begin[u]; s < order.successor_begin[u + 1]; ++s)
                if (--waits[order.successors[s]] == 0) ready.push(order.successors[s]);
        }
        position = order.units[block.first + block.count - 1].end;
    }
    out.append(module.text, position);
    return out;
}

Result<std::string> reorder(const Module& module, std::string_view entry, std::span<const double> keys) {
    const Order order = TRY(order_of(module, entry));
    return reorder(module, order, keys);
}

}  // namespace cubinlab::ptx
