// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/kernel_label.h"

#include <unordered_map>
#include <unordered_set>

#include "core/binary/kernel_list.h"

namespace cubinlab {
namespace {

constexpr std::size_t kLong = 48;  // characters

// Removes "(anonymous namespace)", "f(int)", "policy<float>" or a plain word from the end.
void drop_last_part(std::string& text) {
    int depth = 0;
    while (!text.empty()) {
        const char c = text.back();
        if (c == '>' || c == ')' || c == ']' || c == '}') ++depth;
        const bool opens = c == '<' || c == '(' || c == '[' || c == '{';
        if (depth == 0 && (opens || c == ',' || c == ' ' || c == '&' || c == '*' || c == '!' || c == '-'))
            return;
        if (opens) --depth;
        text.pop_back();
    }
}

constexpr int kWhole = 3;

// The label at a level of detail, from 0 (shortest) to kWhole.
std::string label(const std::string& demangled, int length) {
    if (length >= kWhole) return demangled;
    std::string name(short_name(demangled));
    if (length == 2 || name.size() <= kLong) return name;
    return unqualified(name, length == 0 ? Qualifiers::None : Qualifiers::OfTemplates);
}

}  // namespace

std::string unqualified(std::string_view name, Qualifiers kept) {
    std::string out;
    out.reserve(name.size());
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i, 2) != "::") {
            out += name[i];
            continue;
        }
        if (kept == Qualifiers::OfTemplates && out.ends_with('>'))
            out += "::";
        else
            drop_last_part(out);
        ++i;
    }
    return out;
}

std::string kernel_label(const std::string& name) {
    return label(demangled(name), 0);
}

std::vector<std::string> kernel_labels(std::span<const std::string> demangled) {
    std::vector<std::string> out;
    out.reserve(demangled.size());
    for (const std::string& name : demangled)
        out.push_back(label(name, 0));
    for (int longer = 1; longer <= kWhole; ++longer) {
        std::unordered_map<std::string_view, std::size_t> first;  // first index with this label
        std::unordered_set<std::string> shared;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const auto [at, fresh] = first.try_emplace(out[i], i);
            if (!fresh && demangled[at->second] != demangled[i]) shared.insert(out[i]);
        }
        first.clear();
        for (std::size_t i = 0; i < out.size(); ++i)
            if (shared.contains(out[i])) out[i] = label(demangled[i], longer);
    }
    return out;
}

}  // namespace cubinlab
