// SPDX-License-Identifier: GPL-3.0-or-later
// Where schedules begin: one compilation of a kernel's PTX. The same Start compiles to the same cubin.
//
//   visit_fields(start, [](const char* name, auto& member) { ... });
//
// The visitor is the one list of its fields: the session and --json are made from it.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"

namespace cubinlab {

// The order of the PTX: unit i (core/ptx/order.h) has the key i + keys[i]; a unit without a number has its own index, so
// an empty list is the order of the text.
using OrderKeys = std::vector<std::int16_t>;

struct Start {
    Hash128 ptx;                       // of the text before it is reordered
    std::string ptxas;                 // version, "13.0.88"
    std::string arch;                  // "sm_90a"
    std::vector<std::string> options;  // of ptxas, without -arch
    // Compiled under a name with "cutlass" in it, or without it where the kernel's own name has it.
    bool other_name = false;
    OrderKeys keys;
    Hash128 cubin;  // of the result; zero until it is compiled
    // The decisions of the policy that built this order (core/search/starts/order_policy.h); empty: no policy built it.
    // They do not change what is compiled.
    std::string decisions = {};

    friend bool operator==(const Start&, const Start&) = default;
};

template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, Start>
constexpr void visit_fields(Record& s, Visit&& visit) {
    visit("ptx", s.ptx);
    visit("ptxas", s.ptxas);
    visit("arch", s.arch);
    visit("options", s.options);
    visit("other_name", s.other_name);
    visit("keys", s.keys);
    visit("cubin", s.cubin);
    visit("decisions", s.decisions);
}

// "-O1, other name, 212 units with a key of their own"; "as it is" for none of them. Without version and architecture.
std::string how_made(const Start& start);

nlohmann::json to_json(const Start& start);
// Errors: BadInput (names the field).
Result<Start> start_from_json(const nlohmann::json& json);

// "3,-2,*40,7": the numbers, and *N for N zeros; zeros at the end are left out.
std::string keys_text(std::span<const std::int16_t> keys);
Result<OrderKeys> parse_keys(std::string_view text);

// As core/ptx takes them. Errors: BadUse (more numbers than units).
Result<std::vector<double>> keys_for(std::span<const std::int16_t> keys, std::size_t units);
// `units` numbers, normally distributed around zero. The same for the same seed on every machine.
OrderKeys random_keys(std::uint64_t seed, std::size_t units, double spread);

}  // namespace cubinlab
