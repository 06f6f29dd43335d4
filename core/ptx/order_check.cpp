// SPDX-License-Identifier: GPL-3.0-or-later
// Of order.cpp it uses nothing. Dependences are compared by stamps: a unit's stamp for a register or a resource is the number of
// units of its block that have written it before. Two orders in which each unit has the same stamps have the same order of
// writes and the same write before each read.
#include "core/ptx/order_check.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ptx/effects.h"
#include "core/ptx/token.h"

namespace cubinlab::ptx {

namespace {

using NameSet = std::unordered_set<std::string_view>;

// What stays in its place, or may move between two that stay.
struct Piece {
    bool moves = false;
    std::string text;  // tokens with a space between them
    std::uint32_t at = 0;
    Effects effects = {};
};

class PieceReader {
  public:
    PieceReader(std::string_view text, const std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}

    Result<std::vector<Piece>> run() {
        TRY(find_matches());
        std::size_t from = 0;
        for (std::size_t t = 0; t < tokens_.size(); ++t) {
            const std::string_view word = tokens_[t].in(text_);
            if (word != ".entry" && word != ".func") continue;
            std::size_t begin = t;
            while (begin < tokens_.size() && !sign(begin, '{') && !sign(begin, ';'))
                ++begin;
            if (begin >= tokens_.size() || sign(begin, ';')) continue;
            const std::size_t end = std::min(match(begin), tokens_.size());
            stay(from, begin + 1);
            body(t, begin, end);
            from = t = end;
        }
        stay(from, tokens_.size());
        return std::move(pieces_);
    }

  private:
    bool sign(std::size_t t, char c) const { return t < tokens_.size() && is(tokens_[t], text_, c); }
    std::string_view word(std::size_t t) const {
        return tokens_[t].kind == Token::Kind::Word ? tokens_[t].in(text_) : std::string_view();
    }
    bool name(std::size_t t) const { return !word(t).empty() && word(t)[0] != '.'; }

    // The '}' of a '{', or the end of the region that inline assembly begins; the number of tokens: there is none.
    std::size_t match(std::size_t t) const { return match_[t]; }
    Status find_matches() {
        match_.assign(tokens_.size(), tokens_.size());
        std::vector<std::size_t> open;
        std::size_t assembly = 0;
        for (std::size_t t = 0; t < tokens_.size(); ++t) {
            if (tokens_[t].kind == Token::Kind::AsmBegin) assembly = t;
            if (tokens_[t].kind == Token::Kind::AsmEnd) match_[assembly] = t;
            if (sign(t, '{')) open.push_back(t);
            if (open.size() > kDeepestScope + 1)
                return fail(ErrorCode::BadInput, "braces are nested too deep",
                            line_text(text_, tokens_[t].begin));
            if (!sign(t, '}') || open.empty()) continue;
            match_[open.back()] = t;
            open.pop_back();
        }
        return {};
    }
    // Behind the statement at t, which is no brace and no comment.
    std::size_t behind(std::size_t t, std::size_t end) const {
        const std::string_view first = word(t);
        if (first == ".loc" || first == ".file" || (sign(t, '@') && sign(t + 1, '@'))) {
            do
                ++t;
            while (t < end && !tokens_[t].line_start);
            return t;
        }
        if (name(t) && sign(t + 1, ':')) return t + 2;
        while (t < end && !sign(t, ';'))
            ++t;
        return std::min(t + 1, end);
    }
    bool instruction(std::size_t t) const {
        return (sign(t, '@') && !sign(t + 1, '@')) || (name(t) && !sign(t + 1, ':'));
    }
    bool single(std::size_t t) const {  // a token that is a statement
        return sign(t, '{') || sign(t, '}') || sign(t, ';') || tokens_[t].kind > Token::Kind::Sign;
    }
    Effects effects(std::size_t t, std::size_t end) const {
        return effects_of(text_, std::span(tokens_).subspan(t, end - t), constants_);
    }
    std::string joined(std::size_t begin, std::size_t end) const {
        std::string out;
        for (; begin < end; ++begin)
            out.append(tokens_[begin].in(text_)).append(" ");
        return out;
    }
    void stay(std::size_t begin, std::size_t end) {
        if (begin < end) pieces_.push_back({false, joined(begin, end), tokens_[begin].begin});
    }

    // Of a function whose header begins at `header`: what lies between its braces.
    void body(std::size_t header, std::size_t begin, std::size_t end) {
        constants_.clear();
        named_.clear();
        async_.clear();
        if (tokens_[header].in(text_) == ".entry")
            for (std::size_t t = header + 2; t < begin; ++t)
                if (name(t)) constants_.insert(word(t));
        survey(begin + 1, end);
        std::string pragma;
        for (std::size_t t = begin + 1; t < end;) {
            std::size_t next = single(t) ? t + 1 : behind(t, end);
            Piece piece{false, "", tokens_[t].begin};
            if (sign(t, '{') || tokens_[t].kind == Token::Kind::AsmBegin) {
                const std::size_t last = match(t);
                piece.moves = last < end && closed(t, last + 1, piece.effects);
                if (last < end && (piece.moves || !sign(t, '{'))) next = last + 1;
            } else if (word(t) == ".loc" || word(t) == ".file" || sign(t, ';')) {
                t = next;
                continue;
            } else if (word(t) == ".pragma" && joined(t, next).find("used_bytes_mask") != std::string::npos) {
                pragma += joined(t, next);
                t = next;
                continue;
            } else if (instruction(t)) {
                piece.effects = effects(t, next);
                piece.moves = !piece.effects.ends_block();
            } else if (word(t).starts_with("$L__tmp") && sign(t + 1, ':')) {
                piece.effects.writes = kLabels;
                piece.moves = !named_.contains(word(t));
            }
            piece.text = pragma + joined(t, next);
            pragma.clear();
            for (const Names* names : {&piece.effects.read, &piece.effects.written})
                for (const std::string_view n : *names)
                    if (async_.contains(n)) piece.effects.reads |= kAsyncRegisters;
            pieces_.push_back(std::move(piece));
            t = next;
        }
    }
    // Facts of the whole function: the names in its statements, registers in use until a wait.
    void survey(std::size_t begin, std::size_t end) {
        std::vector<Effects> all;
        for (std::size_t t = begin, next; t < end; t = next) {
            next = single(t) ? t + 1 : behind(t, end);
            if (single(t) || sign(t + 1, ':')) continue;
            const bool declares = word(t).starts_with('.');
            for (std::size_t k = t; k < next; ++k) {
                if (!name(k)) continue;
                named_.insert(word(k));
                if (declares) constants_.erase(word(k));
            }
            if (!instruction(t)) continue;
            all.push_back(effects(t, next));
            async_.insert(all.back().async.begin(), all.back().async.end());
        }
        add_copies(all, async_);
    }

    struct Declared {
        std::string_view name;
        bool numbered;           // name<N>
        std::size_t begin, end;  // tokens for which it is declared
        bool covers(std::string_view other, std::size_t t) const {
            if (t < begin || t >= end || !other.starts_with(name)) return false;
            if (!numbered) return other.size() == name.size();
            return other.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
        }
    };
    // Whether the region is whole: what it declares is not seen behind it and no branch leaves it.
    bool closed(std::size_t begin, std::size_t end, Effects& sum) const {
        if (tokens_[end - 1].end - tokens_[begin].begin > kLargestRegion) return false;
        std::vector<Declared> declared;
        std::vector<std::size_t> scopes;
        NameSet labels, targets;
        std::vector<std::pair<std::size_t, std::size_t>> instructions;
        bool assembly = false;
        for (std::size_t t = begin, next; t < end; t = next) {
            next = single(t) ? t + 1 : behind(t, end);
            if (sign(t, '{')) scopes.push_back(match(t));
            if (sign(t, '}')) {
                if (scopes.empty()) return false;
                scopes.pop_back();
            }
            if (tokens_[t].kind == Token::Kind::AsmBegin) assembly = true;
            if (tokens_[t].kind == Token::Kind::AsmEnd) assembly = false;
            if (tokens_[t].kind == Token::Kind::Comment) comment(tokens_[t].in(text_), sum);
            if (single(t)) continue;
            if (instruction(t)) {
                instructions.emplace_back(t, next);
            } else if (word(t) != ".loc" && word(t) != ".file" && word(t) != ".pragma" && !sign(t, '@')) {
                if (scopes.empty()) return false;
                if (sign(t + 1, ':')) labels.insert(word(t));
                for (std::size_t k = t; word(t).starts_with('.') && k < next; ++k)
                    if (name(k)) declared.push_back({word(k), sign(k + 1, '<'), t, scopes.back()});
            }
        }
        if (!scopes.empty() || assembly) return false;
        for (const auto& [t, next] : instructions) {
            Effects e = effects(t, next);
            if (e.kind == OpKind::Unknown || (e.ends_block() && !labels.contains(e.target))) return false;
            if (e.ends_block()) e.kind = OpKind::Fence, e.fence = true;
            const auto inner = [&declared, at = t](std::string_view n) {
                return std::any_of(declared.begin(), declared.end(),
                                   [n, at](const Declared& d) { return d.covers(n, at); });
            };
            std::erase_if(e.read, inner);
            std::erase_if(e.written, inner);
            sum.add(e);
        }
        return true;
    }
    static void comment(std::string_view said, Effects& sum) {
        static constexpr std::string_view kInName =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
        for (std::size_t at = said.find('%'); at != std::string_view::npos; at = said.find('%', at + 1))
            sum.written.push_back(
                said.substr(at, std::min(said.find_first_not_of(kInName, at + 1), said.size()) - at));
    }

    std::string_view text_;
    const std::vector<Token>& tokens_;
    std::vector<std::size_t> match_;  // by token
    std::vector<Piece> pieces_;
    NameSet constants_, named_, async_;  // of the function that is read
};

// By unit: what it touches, and how many units have written that before it.
using Stamps = std::vector<std::map<std::string_view, std::size_t>>;

Stamps stamps_of(std::span<const Piece> block) {
    static constexpr std::string_view kResourceNames[] = {
        ".global memory",        ".shared memory",      ".local memory",    ".param memory",
        "the order of the warp", "the order of copies", "registers in use", "the order of labels"};
    std::unordered_map<std::string_view, std::size_t> writes;
    Stamps stamps;
    for (const Piece& piece : block) {
        const Effects& e = piece.effects;
        NameSet written(e.written.begin(), e.written.end());
        Names touched = e.read;
        for (unsigned bit = 0; bit < std::size(kResourceNames); ++bit) {
            if (e.reads >> bit & 1) touched.push_back(kResourceNames[bit]);
            if (e.writes >> bit & 1) written.insert(kResourceNames[bit]);
        }
        if (e.fence) written.insert("a fence");
        if (e.ordered()) touched.push_back("a fence");
        touched.insert(touched.end(), written.begin(), written.end());
        auto& stamp = stamps.emplace_back();
        for (const std::string_view name : touched)
            stamp[name] = writes[name];
        for (const std::string_view name : written)
            ++writes[name];
    }
    return stamps;
}

class Comparison {
  public:
    Comparison(std::string_view changed_text) : text_(changed_text) {}

    Status run(std::span<const Piece> original, std::span<const Piece> changed) {
        while (!original.empty() || !changed.empty()) {
            const auto left = moving(original), right = moving(changed);
            TRY(block(left, right));
            original = original.subspan(left.size());
            changed = changed.subspan(right.size());
            if (original.empty() != changed.empty())
                return refuse(changed.empty() ? text_.size() : changed[0].at, "the texts end differently");
            if (original.empty()) break;
            if (original[0].text != changed[0].text)
                return refuse(changed[0].at, "'" + shortened(changed[0].text) +
                                                 "' stands where the original has '" +
                                                 shortened(original[0].text) + "'");
            original = original.subspan(1);
            changed = changed.subspan(1);
        }
        return {};
    }

  private:
    static std::span<const Piece> moving(std::span<const Piece> pieces) {
        const auto end = std::find_if(pieces.begin(), pieces.end(), [](const Piece& p) { return !p.moves; });
        return pieces.first(static_cast<std::size_t>(end - pieces.begin()));
    }
    static std::string shortened(const std::string& text) { return text.substr(0, 80); }
    tl::unexpected<Error> refuse(std::size_t at, std::string what) const {
        return fail(ErrorCode::Refused, std::move(what), line_text(text_, at));
    }
    Status block(std::span<const Piece> original, std::span<const Piece> changed) const {
        std::unordered_map<std::string_view, std::vector<std::size_t>> places;
        for (std::size_t i = original.size(); i-- > 0;)
            places[original[i].text].push_back(i);
        const Stamps wanted = stamps_of(original), found = stamps_of(changed);
        for (std::size_t i = 0; i < changed.size(); ++i) {
            const Piece& piece = changed[i];
            std::vector<std::size_t>& of_text = places[piece.text];
            if (of_text.empty())
                return refuse(piece.at,
                              "this block of the original has no further '" + shortened(piece.text) + "'");
            const auto& stamp = wanted[of_text.back()];
            of_text.pop_back();
            const auto [mine, theirs] =
                std::mismatch(found[i].begin(), found[i].end(), stamp.begin(), stamp.end());
            if (mine != found[i].end())
                return refuse(piece.at, "'" + shortened(piece.text) + "' comes after other writes of " +
                                            std::string(mine->first) + " than in the original");
        }
        if (original.size() != changed.size())
            return refuse(changed.empty() ? text_.size() : changed.back().at,
                          "a block has lost " + std::to_string(original.size() - changed.size()) + " units");
        return {};
    }

    std::string_view text_;
};

}  // namespace

Status check_order(std::string_view original, std::string_view changed) {
    const std::vector<Token> before = TRY(tokens_of(original));
    const std::vector<Token> after = TRY(tokens_of(changed));
    const std::vector<Piece> left = TRY(PieceReader(original, before).run());
    const std::vector<Piece> right = TRY(PieceReader(changed, after).run());
    return Comparison(changed).run(left, right);
}

}  // namespace cubinlab::ptx
