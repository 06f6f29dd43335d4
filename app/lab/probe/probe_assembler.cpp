// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_assembler.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "app/lab/probe/probe_spelling.h"
#include "core/isa/control_code.h"
#include "core/sass/decoder.h"

namespace cubinlab::probe {
namespace {

enum class Kind { Literal, Gpr, Ugpr, Pred, Upred, Number };
struct Token {
    Kind kind = Kind::Literal;
    std::string text;
    std::int64_t value = 0;
    bool negated = false;  // "!" in front of a predicate
    friend bool operator==(const Token&, const Token&) = default;
};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// "R12" and "RZ" and the like, starting at `at`; nothing where a longer name starts there.
std::optional<std::pair<std::size_t, std::int64_t>> numbered(std::string_view text, std::size_t at,
                                                             std::string_view prefix, char zero,
                                                             std::int64_t zero_value) {
    if (text.substr(at, prefix.size()) != prefix) return std::nullopt;
    std::size_t end = at + prefix.size();
    std::int64_t value = 0;
    if (end < text.size() && text[end] == zero) {
        value = zero_value;
        ++end;
    } else {
        const std::size_t first = end;
        for (; end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])); ++end)
            value = value * 10 + (text[end] - '0');
        if (end == first) return std::nullopt;
    }
    if (end < text.size() && is_word(text[end])) return std::nullopt;
    return std::pair(end, value);
}

std::vector<Token> tokens_of(const Arch& arch, std::string_view text) {
    std::vector<Token> out;
    std::string literal;
    auto flush = [&] {
        if (!literal.empty()) out.push_back({Kind::Literal, literal, 0, false});
        literal.clear();
    };
    struct File {
        Kind kind;
        std::string_view prefix;
        char zero;
        std::int64_t zero_value;
    };
    const std::array<File, 4> kFiles{{{Kind::Ugpr, "UR", 'Z', arch.sm >= 100 ? 255 : 63},
                                      {Kind::Upred, "UP", 'T', 7},
                                      {Kind::Gpr, "R", 'Z', 255},
                                      {Kind::Pred, "P", 'T', 7}}};
    for (std::size_t i = 0; i < text.size();) {
        const bool starts = i == 0 || !is_word(text[i - 1]);
        bool taken = false;
        for (const File& file : kFiles) {
            if (!starts || taken) break;
            const auto found = numbered(text, i, file.prefix, file.zero, file.zero_value);
            if (!found) continue;
            const bool pred = file.kind == Kind::Pred || file.kind == Kind::Upred;
            const bool negated = pred && !literal.empty() && literal.back() == '!';
            if (negated) literal.pop_back();
            flush();
            out.push_back({file.kind, {}, found->second, negated});
            i = found->first;
            taken = true;
        }
        if (taken) continue;
        if (starts && text.substr(i, 2) == "0x") {
            const bool minus = !literal.empty() && literal.back() == '-';
            if (minus) literal.pop_back();
            flush();
            char* end = nullptr;
            const std::string digits(text.substr(i + 2));
            const auto value = static_cast<std::int64_t>(std::strtoull(digits.c_str(), &end, 16));
            out.push_back({Kind::Number, {}, minus ? -value : value, false});
            i += 2 + static_cast<std::size_t>(end - digits.c_str());
            continue;
        }
        literal += text[i++];
    }
    flush();
    return out;
}

bool same_shape(const std::vector<Token>& a, const std::vector<Token>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].kind != b[i].kind || a[i].text != b[i].text) return false;
    return true;
}

struct Field {
    unsigned first, count, negate;  // negate: bit of the "!", 0 = none
};
std::vector<Field> fields_of(const Arch& arch, Kind kind) {
    const unsigned uniform = arch.sm >= 100 ? 8 : 6;
    switch (kind) {
        case Kind::Gpr:
            return {{16, 8, 0}, {24, 8, 0}, {32, 8, 0}, {64, 8, 0}};
        case Kind::Ugpr:
            return {{16, uniform, 0}, {24, uniform, 0}, {32, uniform, 0}, {64, uniform, 0}};
        case Kind::Pred:
        case Kind::Upred:
            return {{81, 3, 0}, {84, 3, 0}, {87, 3, 90}, {77, 3, 80}, {68, 3, 71}};
        case Kind::Number:
            return {{32, 32, 0}, {40, 24, 0}, {72, 8, 0},  {40, 14, 0}, {38, 16, 0}, {54, 5, 0},
                    {75, 5, 0},  {53, 5, 0},  {40, 13, 0}, {16, 8, 0},  {72, 4, 0}};
        case Kind::Literal:
            break;
    }
    return {};
}

Word plain(Word word) {
    return with_bits(ControlCode{}.encode_into(word), 12, 4, 7);
}

std::string rendered(const Arch& arch, const Word& word) {
    return render(arch, word, 0);
}

// The word with token `at` changed to the wanted one and nothing else in its text.
std::optional<Word> change(const Arch& arch, const Word& word, const std::vector<Token>& have,
                           const std::vector<Token>& wanted, std::size_t at) {
    std::vector<Token> goal = have;
    goal[at] = wanted[at];
    for (const Field& field : fields_of(arch, wanted[at].kind)) {
        Word next = with_bits(word, field.first, field.count, static_cast<std::uint64_t>(wanted[at].value));
        if (field.negate) next = with_bits(next, field.negate, 1, wanted[at].negated ? 1 : 0);
        if (next != word && tokens_of(arch, rendered(arch, next)) == goal) return next;
    }
    return std::nullopt;
}

std::optional<Word> reach(const Arch& arch, Word word, const std::vector<Token>& wanted) {
    std::vector<Token> have = tokens_of(arch, rendered(arch, word));
    if (!same_shape(have, wanted)) return std::nullopt;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (have[i] == wanted[i]) continue;
        const auto next = change(arch, word, have, wanted, i);
        if (!next) return std::nullopt;
        word = *next;
        have[i] = wanted[i];
    }
    return word;
}

}  // namespace

Result<WordBook> WordBook::create(const Cubin& cubin) {
    WordBook out;
    out.arch_ = cubin.arch();
    for (const KernelInfo& kernel : cubin.kernels())
        if (kernel.name.starts_with("book_"))
            for (const Word& word : cubin.code(kernel))
                out.words_.push_back(plain(word));
    if (out.words_.empty())
        return fail(
            ErrorCode::NotFound,
            "has no kernel named book_*; give resources/probe/synthesis.sm_90a.cubin or one made like it",
            cubin.where());
    return out;
}

Result<Word> WordBook::assemble(const std::string& given) const {
    const std::string text = spelled_for(arch_, given);
    if (const auto known = made_.find(text); known != made_.end()) return known->second;
    std::string_view rest = text;
    std::uint64_t guard = 7;
    if (rest.starts_with("@")) {
        const std::size_t space = rest.find(' ');
        std::string_view name = rest.substr(1, space - 1);
        if (name.starts_with("!")) {
            guard = 8;
            name.remove_prefix(1);
        } else {
            guard = 0;
        }
        guard |= name.back() == 'T' ? 7u : static_cast<unsigned>(name.back() - '0');
        rest.remove_prefix(space + 1);
    }
    const std::vector<Token> wanted = tokens_of(arch_, rest);
    for (const Word& word : words_) {
        const auto found = reach(arch_, word, wanted);
        if (!found) continue;
        const Word out = with_bits(*found, 12, 4, guard);
        made_[text] = out;
        return out;
    }
    return fail(ErrorCode::NotFound, "no word of the book can be made into this instruction", text);
}

Result<Word> WordBook::with_target(const std::string& mnemonic, std::uint32_t at,
                                   std::uint32_t target) const {
    for (const Word& word : words_) {
        const Instruction known = decode(arch_, word, at);
        if (known.mnemonic != mnemonic || known.branch_target < 0) continue;
        const std::int64_t bytes = static_cast<std::int64_t>(target) - static_cast<std::int64_t>(at) - 16;
        const std::int64_t units = bytes / 4;
        Word out = word;
        if (mnemonic == "BSSY") {
            out = with_bits(out, 34, 30, static_cast<std::uint64_t>(units));
        } else {
            out = with_bits(out, 16, 8, static_cast<std::uint64_t>(units));
            out = with_bits(out, 34, 48, static_cast<std::uint64_t>(units >> 8));
        }
        if (decode(arch_, out, at).branch_target == static_cast<std::int64_t>(target)) return out;
    }
    return fail(ErrorCode::NotFound, "no word of the book is such a branch", mnemonic);
}

Result<Word> WordBook::branch(const std::string& guard, std::uint32_t at, std::uint32_t target) const {
    auto word = with_target("BRA", at, target);
    if (!word || guard.empty()) return word;
    const bool negated = guard[1] == '!';
    const auto index = static_cast<unsigned>(guard.back() - '0');
    return with_bits(*word, 12, 4, index | (negated ? 8u : 0u));
}

}  // namespace cubinlab::probe
