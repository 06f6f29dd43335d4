// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/isa/arch.h"

#include <charconv>

namespace cubinlab {

std::optional<Arch> Arch::parse(std::string_view text) {
    if (text.substr(0, 3) == "sm_") text.remove_prefix(3);
    Arch arch;
    if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) {
        (text.back() == 'a' ? arch.accelerated : arch.family) = true;
        text.remove_suffix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), arch.sm);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if (text.size() < 2 || text.size() > 3 || arch.sm < 10) return std::nullopt;
    return arch;
}

std::string Arch::why_view_only() const {
    if (editable()) return {};
    if (!decodable()) return "its instructions are not decoded";
    return "the latencies of its instructions are not known";
}

}  // namespace cubinlab
