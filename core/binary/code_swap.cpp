// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/code_swap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <map>

namespace cubinlab {
namespace {

constexpr std::size_t kWord = 16;
constexpr std::string_view kHead = "cubinlab-schedule 1";
constexpr std::size_t kMostCode = 64u << 20;

const ElfSection* info_of(const ElfImage& elf, std::size_t section) {
    for (const ElfSection& s : elf.sections)
        if (s.info == section && s.name.starts_with(".nv.info.") && !s.no_bits()) return &s;
    return nullptr;
}

std::vector<const ElfSection*> relocation_sections(const ElfImage& elf, std::size_t section) {
    std::vector<const ElfSection*> out;
    for (const ElfSection& s : elf.sections)
        if (s.info == section && s.relocates()) out.push_back(&s);
    return out;
}

template <class T>
void store(std::vector<std::byte>& image, std::size_t at, T value) {
    std::memcpy(image.data() + at, &value, sizeof value);
}

std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

template <class T>
bool number(std::string_view text, T& value, int base) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool word_from(std::string_view text, std::array<std::byte, kWord>& out) {
    if (text.size() != 2 * kWord) return false;
    for (std::size_t i = 0; i < kWord; ++i) {
        std::uint8_t value = 0;
        if (!number(text.substr(2 * i, 2), value, 16)) return false;
        out[i] = std::byte{value};
    }
    return true;
}

// Of a file next to the text.
bool is_file_name(std::string_view name) {
    const auto allowed = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
    };
    return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), allowed);
}

struct Named {
    ElfImage elf;
    std::size_t section = 0;
};

Result<Named> find_kernel(Bytes image, std::string_view kernel, const char* which) {
    auto elf = TRY(ElfImage::read(image, which));
    for (const CodeLocation& place : kernels_in(elf))
        if (place.name == kernel) return Named{std::move(elf), place.section};
    return fail(ErrorCode::NotFound, fmt::format("has no kernel \"{}\"", kernel), which);
}

}  // namespace

Result<CodeSwap> CodeSwap::between(Bytes original, Bytes tuned, std::string_view kernel) {
    auto before = TRY(find_kernel(original, kernel, "the original"));
    auto after = TRY(find_kernel(tuned, kernel, "the tuned cubin"));
    const ElfSection& old_code = before.elf.sections[before.section];
    const ElfSection& new_code = after.elf.sections[after.section];
    const auto bad = [&](std::string what) {
        return fail(ErrorCode::BadInput, std::move(what), std::string(kernel));
    };
    if (old_code.bytes.size() != new_code.bytes.size() || old_code.bytes.size() % kWord != 0)
        return bad(fmt::format("the tuned code is {} bytes long, the original {}: no reschedule",
                               new_code.bytes.size(), old_code.bytes.size()));
    CodeSwap out;
    out.kernel = kernel;
    out.sm = sm_of(before.elf);
    out.size = old_code.bytes.size();
    out.original = code_identity(original, before.elf, before.section);
    out.tuned = code_identity(tuned, after.elf, after.section);
    for (std::size_t at = 0; at < out.size; at += kWord) {
        if (std::memcmp(old_code.bytes.data() + at, new_code.bytes.data() + at, kWord) == 0) continue;
        Word word{static_cast<std::uint32_t>(at), {}};
        std::memcpy(word.bytes.data(), new_code.bytes.data() + at, kWord);
        out.words.push_back(word);
    }
    const ElfSection* old_info = info_of(before.elf, before.section);
    const ElfSection* new_info = info_of(after.elf, after.section);
    if ((old_info == nullptr) != (new_info == nullptr) ||
        (old_info && old_info->bytes.size() != new_info->bytes.size()))
        return bad("the tuned cubin has other attributes than the original");
    for (std::size_t at = 0; old_info && at + 4 <= old_info->bytes.size(); at += 4) {
        const auto from = load<std::uint32_t>(old_info->bytes, at);
        const auto to = load<std::uint32_t>(new_info->bytes, at);
        if (from != to) out.info.push_back({static_cast<std::uint32_t>(at), from, to});
    }
    std::vector<ElfRelocation> old_places, new_places;
    for (const ElfSection* s : relocation_sections(before.elf, before.section))
        for_each_relocation(*s, [&](const ElfRelocation& r) { old_places.push_back(r); });
    for (const ElfSection* s : relocation_sections(after.elf, after.section))
        for_each_relocation(*s, [&](const ElfRelocation& r) { new_places.push_back(r); });
    if (old_places.size() != new_places.size()) return bad("the tuned cubin has other relocations");
    std::map<std::uint64_t, std::uint64_t> moved;
    for (std::size_t i = 0; i < old_places.size(); ++i) {
        const ElfRelocation &a = old_places[i], &b = new_places[i];
        if (a.type != b.type || a.symbol != b.symbol || a.addend != b.addend ||
            a.place % kWord != b.place % kWord)
            return bad("the tuned cubin has other relocations");
        const std::uint64_t from = a.place - a.place % kWord, to = b.place - b.place % kWord;
        if (const auto [known, fresh] = moved.emplace(from, to); !fresh && known->second != to)
            return bad("the tuned cubin moves one word's relocations to two places");
    }
    for (const auto& [from, to] : moved)
        if (from != to)
            out.moves.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    // The text must have no other content.
    std::vector<std::byte> made(original.begin(), original.end());
    if (!out.apply(made, before.elf, before.section))
        return bad("the difference to the original is not one of its schedule alone");
    return out;
}

Result<CodeSwap> CodeSwap::with_cubin(Bytes original, std::string_view original_kernel, Bytes cubin,
                                      std::string_view kernel) {
    auto before = TRY(find_kernel(original, original_kernel, "the original"));
    auto after = TRY(find_kernel(cubin, kernel, "the recompiled cubin"));
    if (has_module_data(after.elf))
        return fail(ErrorCode::Unsupported,
                    "has variables or constants of its module, and a program and a second load would each "
                    "have their own",
                    std::string(kernel));
    CodeSwap out;
    out.kernel = kernel;
    out.sm = sm_of(before.elf);
    out.size = before.elf.sections[before.section].bytes.size();
    out.original = code_identity(original, before.elf, before.section);
    out.tuned = code_identity(cubin, after.elf, after.section);
    out.whole.assign(cubin.begin(), cubin.end());
    out.cubin_hash = hash_bytes(cubin);
    return out;
}

Status CodeSwap::take_cubin(std::vector<std::byte> bytes) {
    auto found = find_kernel(bytes, kernel, cubin.c_str());
    if (hash_bytes(bytes) != cubin_hash || !found || has_module_data(found->elf) || sm_of(found->elf) != sm ||
        code_identity(bytes, found->elf, found->section) != tuned)
        return fail(ErrorCode::Corrupt, "is not the cubin that the schedule names", cubin);
    whole = std::move(bytes);
    return {};
}

bool CodeSwap::apply(std::vector<std::byte>& image, const ElfImage& elf, std::size_t section) const {
    if (is_whole() || section >= elf.sections.size() || sm_of(elf) != sm) return false;
    const ElfSection& code = elf.sections[section];
    if (code.bytes.size() != size || code_identity(image, elf, section) != original) return false;
    const ElfSection* attributes = info_of(elf, section);
    for (const InfoValue& value : info)
        if (!attributes || attributes->bytes.size() < 4 || value.at > attributes->bytes.size() - 4 ||
            load<std::uint32_t>(attributes->bytes, value.at) != value.from)
            return false;
    std::map<std::uint64_t, std::uint64_t> to;
    for (const Move& move : moves)
        to[move.from] = move.to;
    struct Edit {
        std::size_t at;
        std::uint64_t before, after;
    };
    std::vector<Edit> places;
    for (const ElfSection* s : relocation_sections(elf, section))
        for_each_relocation(*s, [&](const ElfRelocation& r) {
            const auto moved = to.find(r.place - r.place % kWord);
            if (moved != to.end())
                places.push_back({r.entry_offset, r.place, moved->second + r.place % kWord});
        });
    std::vector<std::byte> old_code(code.bytes.begin(), code.bytes.end());
    const std::size_t code_at = code.offset;
    for (const Word& word : words)
        if (word.at > size - kWord || word.at % kWord != 0) return false;
    for (const Word& word : words)
        std::memcpy(image.data() + code_at + word.at, word.bytes.data(), kWord);
    for (const InfoValue& value : info)
        store(image, attributes->offset + value.at, value.to);
    for (const Edit& edit : places)
        store(image, edit.at, edit.after);
    auto fresh = ElfImage::read(image, {});
    if (fresh && code_identity(image, *fresh, section) == tuned) return true;
    std::memcpy(image.data() + code_at, old_code.data(), old_code.size());
    for (const InfoValue& value : info)
        store(image, attributes->offset + value.at, value.from);
    for (const Edit& edit : places)
        store(image, edit.at, edit.before);
    return false;
}

std::string CodeSwap::name_in_text(std::string_view kernel) {
    std::string name(kernel);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return name;
}

std::string CodeSwap::text() const {
    std::string out = fmt::format("{}\nkernel {}\nsm {}\nsize {}\noriginal {}\ntuned {}\n", kHead, name_in_text(kernel), sm,
                                  size, original.hex(), tuned.hex());
    if (is_whole()) out += fmt::format("cubin {} {}\n", cubin, cubin_hash.hex());
    for (const Word& word : words) {
        out += fmt::format("word {:x} ", word.at);
        for (const std::byte byte : word.bytes)
            out += fmt::format("{:02x}", static_cast<unsigned>(byte));
        out += '\n';
    }
    for (const InfoValue& value : info)
        out += fmt::format("info {:x} {:x} {:x}\n", value.at, value.from, value.to);
    for (const Move& move : moves)
        out += fmt::format("move {:x} {:x}\n", move.from, move.to);
    return out;
}

Result<CodeSwap> CodeSwap::parse(std::string_view text, const std::string& where) {
    CodeSwap out;
    std::size_t number_of_line = 0;
    bool original_seen = false, tuned_seen = false;
    const auto bad = [&](const char* what) {
        return fail(ErrorCode::BadInput, fmt::format("line {}: {}", number_of_line, what), where);
    };
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (++number_of_line == 1) {
            if (line != kHead)
                return bad("is not a schedule (its first line must be \"cubinlab-schedule 1\")");
            continue;
        }
        const std::string_view key = take_word(line);
        bool good = true;
        if (key.empty() || key[0] == '#') {
            continue;
        } else if (key == "kernel") {
            out.kernel = line.empty() ? line : line.substr(1);
        } else if (key == "sm") {
            good = number(take_word(line), out.sm, 10);
        } else if (key == "size") {
            good = number(take_word(line), out.size, 10) && out.size <= kMostCode && out.size % kWord == 0 &&
                   out.size > 0;
        } else if (key == "original" || key == "tuned") {
            const auto hash = Hash128::from_hex(take_word(line));
            good = hash.has_value();
            if (good) (key == "tuned" ? out.tuned : out.original) = *hash;
            (key == "tuned" ? tuned_seen : original_seen) = good;
        } else if (key == "cubin") {
            out.cubin = take_word(line);
            const auto hash = Hash128::from_hex(take_word(line));
            good = hash && *hash != Hash128() && is_file_name(out.cubin);
            if (good) out.cubin_hash = *hash;
        } else if (key == "word") {
            Word word;
            good = number(take_word(line), word.at, 16) && word_from(take_word(line), word.bytes) &&
                   word.at % kWord == 0 && out.size >= kWord && word.at <= out.size - kWord;
            out.words.push_back(word);
        } else if (key == "info") {
            InfoValue value;
            good = number(take_word(line), value.at, 16) && number(take_word(line), value.from, 16) &&
                   number(take_word(line), value.to, 16);
            out.info.push_back(value);
        } else if (key == "move") {
            Move move;
            good = number(take_word(line), move.from, 16) && number(take_word(line), move.to, 16) &&
                   move.from % kWord == 0 && move.to % kWord == 0 && move.to < out.size;
            out.moves.push_back(move);
        } else {
            good = false;
        }
        if (!good) return bad("is not understood");
    }
    if (out.size == 0 || !original_seen || !tuned_seen) return bad("size, original or tuned is missing");
    if (out.is_whole() && !(out.words.empty() && out.info.empty() && out.moves.empty()))
        return bad("has a cubin and words of one");
    // The size may have changed behind them.
    const auto within = [&](const auto& one) { return one.at < out.size; };
    if (!std::all_of(out.words.begin(), out.words.end(), within) ||
        !std::all_of(out.moves.begin(), out.moves.end(), [&](const Move& m) { return m.to < out.size; }))
        return bad("a word lies outside of the code");
    return out;
}

}  // namespace cubinlab
