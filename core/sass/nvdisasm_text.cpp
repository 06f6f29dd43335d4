// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/nvdisasm_text.h"

#include <fmt/format.h>

#include <charconv>

namespace cubinlab {
namespace {

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "/*0a30*/ ..." at the start of a line: returns the offset and removes it from `line`.
bool take_offset(std::string_view& line, std::uint32_t& offset) {
    if (!line.starts_with("/*")) return false;
    const std::size_t end = line.find("*/");
    if (end == std::string_view::npos) return false;
    const std::string_view digits = trim(line.substr(2, end - 2));
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16);
    if (error != std::errc{} || digits.empty() || stop != digits.data() + digits.size()) return false;
    line.remove_prefix(end + 2);
    return true;
}

// The last "/* 0x... */" of a line.
bool find_encoding(std::string_view line, std::uint64_t& value) {
    const std::size_t at = line.rfind("/* 0x");
    if (at == std::string_view::npos) return false;
    const char* first = line.data() + at + 5;
    const auto [stop, error] = std::from_chars(first, line.data() + line.size(), value, 16);
    return error == std::errc{} && stop != first;
}

std::string collapse_spaces(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\t';
        if (space && (out.empty() || out.back() == ' ')) continue;
        out += space ? ' ' : c;
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == ';'))
        out.pop_back();
    return out;
}

// ".section .text.NAME,..." or the label ".text.NAME:".
bool find_section(std::string_view line, std::string& name) {
    std::string_view rest = line;
    if (rest.starts_with(".section"))
        rest = trim(rest.substr(8));
    else if (!rest.ends_with(":"))
        return false;
    const bool quoted = rest.starts_with("\"");
    if (quoted) rest.remove_prefix(1);
    if (!rest.starts_with(".text.")) {
        if (line.starts_with(".section")) name.clear();
        return line.starts_with(".section");
    }
    rest.remove_prefix(6);
    name = std::string(rest.substr(0, rest.find_first_of(quoted ? "\"" : ",:")));
    return true;
}

bool is_label_character(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Label numbers differ between versions of nvdisasm; the offset is stable.
std::string resolve_labels(std::string_view text,
                           const std::map<std::string, std::uint32_t, std::less<>>& labels) {
    std::string out;
    while (!text.empty()) {
        const std::size_t at = text.find(".L_");
        out += text.substr(0, at);
        if (at == std::string_view::npos) break;
        std::size_t end = at + 1;
        while (end < text.size() && is_label_character(text[end]))
            ++end;
        const std::string_view name = text.substr(at, end - at);
        const auto label = labels.find(name);
        out += label == labels.end() ? std::string(name) : fmt::format(".L_x_{:x}", label->second);
        text.remove_prefix(end);
    }
    return out;
}

class OutputParser {
  public:
    std::map<std::string, std::vector<DisassembledLine>> parse(std::string_view output) {
        while (!output.empty()) {
            const std::size_t end = output.find('\n');
            line(trim(output.substr(0, end)));
            output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
        }
        for (auto& [name, lines] : kernels_)
            for (DisassembledLine& l : lines)
                l.text = resolve_labels(l.text, labels_[name]);
        return std::move(kernels_);
    }

  private:
    void line(std::string_view text) {
        if (find_section(text, kernel_)) {
            pending_.clear();
            open_ = false;
            return;
        }
        if (kernel_.empty()) return;
        std::uint32_t offset = 0;
        if (take_offset(text, offset)) return instruction(text, offset);
        std::uint64_t upper = 0;
        if (open_ && text.starts_with("/* 0x") && find_encoding(text, upper)) {
            kernels_[kernel_].back().word.hi = upper;
            open_ = false;
            return;
        }
        if (text.size() > 1 && text.ends_with(":") && text.find(' ') == std::string_view::npos)
            pending_.push_back(std::string(text.substr(0, text.size() - 1)));
    }

    void instruction(std::string_view text, std::uint32_t offset) {
        DisassembledLine l;
        l.offset = offset;
        open_ = find_encoding(text, l.word.lo);
        l.text = collapse_spaces(open_ ? text.substr(0, text.rfind("/* 0x")) : text);
        if (l.text.starts_with("{ ")) l.text.erase(0, 2);
        for (const std::string& label : pending_)
            labels_[kernel_][label] = offset;
        pending_.clear();
        kernels_[kernel_].push_back(std::move(l));
    }

    std::map<std::string, std::vector<DisassembledLine>> kernels_;
    std::map<std::string, std::map<std::string, std::uint32_t, std::less<>>> labels_;
    std::string kernel_;
    std::vector<std::string> pending_;
    bool open_ = false;  // the upper half of the last encoding is on the next line
};

}  // namespace

std::map<std::string, std::vector<DisassembledLine>> parse_nvdisasm(std::string_view output) {
    return OutputParser().parse(output);
}

}  // namespace cubinlab
