// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/sass/decoder.h"
#include "core/sass/nvdisasm.h"

namespace cubinlab {
namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "R12", "UR4", "P0", "UP3", "B2", "SB0"; zero registers and true predicates are not compared.
bool is_register(std::string_view word) {
    for (const std::string_view file : {"UR", "UP", "SB", "R", "P", "B"}) {
        if (!word.starts_with(file)) continue;
        const std::string_view number = word.substr(file.size());
        return !number.empty() && number.size() <= 3 &&
               number.find_first_not_of("0123456789") == std::string_view::npos;
    }
    return false;
}

struct Shape {
    std::string_view guard, opcode;
    std::vector<std::string_view> registers;
    bool operator==(const Shape&) const = default;
};

Shape shape_of(std::string_view text) {
    Shape shape;
    const std::size_t first = text.find_first_not_of(' ');
    text.remove_prefix(std::min(first, text.size()));
    if (text.starts_with('@')) {
        shape.guard = text.substr(0, text.find(' '));
        text.remove_prefix(shape.guard.size());
    }
    for (std::size_t at = 0; at < text.size();) {
        if (!in_word(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && in_word(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (shape.opcode.empty())
            shape.opcode = word;
        else if (is_register(word))
            shape.registers.push_back(word);
        at = end;
    }
    std::sort(shape.registers.begin(), shape.registers.end());
    return shape;
}

// Guard, opcode and all registers. Modifiers and constants have several notations and are not compared.
bool same_instruction(std::string_view line, std::string_view own) {
    return shape_of(line) == shape_of(own);
}

void add_note(std::string& note, const std::string& more) {
    note += (note.empty() ? "" : "; ") + more;
}

bool use_nvdisasm(const Cubin& cubin, const KernelInfo& kernel, const DisassemblerSettings& settings,
                  std::stop_token stop, Listing& listing) {
    if (!settings.allow_nvdisasm) {
        add_note(listing.note, "nvdisasm is not to be used");
        return false;
    }
    auto result = disassemble_cubin(cubin, settings, stop);
    if (!result) {
        add_note(listing.note, result.error().message());
        return false;
    }
    const auto found = result->kernels.find(kernel.name);
    if (found == result->kernels.end()) {
        add_note(listing.note,
                 fmt::format("{} printed no listing that matches this kernel", result->tool.path.string()));
        return false;
    }
    listing.source = ListingSource::Nvdisasm;
    listing.origin = fmt::format("nvdisasm {} ({})", result->tool.version, result->tool.path.string());
    listing.lines = found->second;
    return true;
}

// The first line that differs from the instruction of its word; unknown opcodes match any line.
std::string contradiction(const Cubin& cubin, const KernelInfo& kernel,
                          const std::vector<std::string>& lines) {
    // From sm_100 on the built-in text does not have every modifier.
    if (!cubin.arch().decodable() || cubin.arch().sm >= 100) return {};
    std::uint32_t offset = 0;
    for (const Word& word : cubin.code(kernel)) {
        const std::string& line = lines[offset / kWordBytes];
        if (!decode(cubin.arch(), word, offset).has(Trait::UnknownOpcode)) {
            const std::string own = render(cubin.arch(), word, offset);
            if (!same_instruction(line, own))
                return fmt::format("0x{:x} is \"{}\", not \"{}\"", offset, own, line);
        }
        offset += kWordBytes;
    }
    return {};
}

bool use_stored(const Cubin& cubin, const KernelInfo& kernel, const std::optional<std::string>& stored,
                Listing& listing) {
    if (!stored) {
        add_note(listing.note, "there is no stored listing");
        return false;
    }
    auto lines = read_stored_listing(*stored, kernel.name,
                                     hash_bytes(cubin.bytes().subspan(kernel.code_offset, kernel.code_size)));
    if (!lines) {
        add_note(listing.note, lines.error().message());
        return false;
    }
    if (lines->size() != kernel.code_size / kWordBytes) {
        add_note(listing.note, fmt::format("stored listing has {} lines for {} instructions", lines->size(),
                                           kernel.code_size / kWordBytes));
        return false;
    }
    if (const std::string wrong = contradiction(cubin, kernel, *lines); !wrong.empty()) {
        add_note(listing.note, "the stored listing does not say what the words are: " + wrong);
        return false;
    }
    listing.source = ListingSource::Stored;
    listing.origin = "stored listing";
    listing.lines = std::move(*lines);
    return true;
}

}  // namespace

const char* to_string(ListingSource source) {
    return enum_name<ListingSource::BuiltIn>({"nvdisasm", "stored", "built-in"}, source, "unknown");
}

Listing list_kernel(const Cubin& cubin, const KernelInfo& kernel, const DisassemblerSettings& settings,
                    std::optional<std::string> stored, std::stop_token stop) {
    Listing listing;
    if (use_nvdisasm(cubin, kernel, settings, stop, listing)) return listing;
    if (use_stored(cubin, kernel, stored, listing)) return listing;
    listing.source = ListingSource::BuiltIn;
    listing.origin = "built-in";
    std::uint32_t offset = 0;
    for (const Word& word : cubin.code(kernel)) {
        listing.lines.push_back(render(cubin.arch(), word, offset));
        offset += kWordBytes;
    }
    return listing;
}

}  // namespace cubinlab
