// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/captured_launch.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

using nlohmann::json;

tl::unexpected<Error> bad_capture(std::string where, std::string what) {
    return fail(ErrorCode::BadInput, std::move(what), std::move(where));
}

std::optional<std::vector<std::byte>> bytes_from(const json& value) {
    if (!value.is_string()) return std::nullopt;
    const std::string text = value.get<std::string>();
    constexpr std::size_t kMostBytes = 32764;  // that a kernel can be given
    if (text.empty() || text.size() % 2 != 0 || text.size() > 2 * kMostBytes ||
        text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        return std::nullopt;
    std::vector<std::byte> out;
    for (std::size_t i = 0; i < text.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoul(text.substr(i, 2), nullptr, 16)));
    return out;
}

}  // namespace

Result<CapturedLaunch> CapturedLaunch::read(const json& captured, const std::vector<Param>& params) {
    if (!captured.is_object() || !captured.contains("sets"))
        return bad_capture("captured", "must be an object with \"sets\"");
    for (const auto& [key, unused] : captured.items())
        if (key != "sets" && key != "carve_out" && key != "dtype")
            return bad_capture("captured",
                       fmt::format("has an unknown field '{}'; known fields: sets carve_out dtype", key));
    for (std::size_t i = 0; i < params.size(); ++i)
        if (std::holds_alternative<BufferParam>(params[i]))
            return bad_capture(fmt::format("params[{}]", i),
                       "is a buffer, but the memory of this workload is captured");
    const json& sets = captured["sets"];
    if (!sets.is_array() || sets.empty() || sets.size() > 64)
        return bad_capture("captured.sets", "must be a list of 1 to 64 objects {\"memory\": \"file\"}");
    CapturedLaunch out;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::string at = fmt::format("captured.sets[{}]", i);
        const json& one = sets[i];
        if (!one.is_object() || !one.contains("memory") || !one["memory"].is_string())
            return bad_capture(at, "must be an object {\"memory\": \"file\"}");
        CapturedSet set;
        set.memory = one["memory"].get<std::string>();
        if (one.contains("params")) {
            if (!one["params"].is_array() || one["params"].size() != params.size())
                return bad_capture(at + ".params", "must be a list of hexadecimal texts, as long as \"params\"");
            for (const json& hex : one["params"]) {
                auto bytes = bytes_from(hex);
                if (!bytes) return bad_capture(at + ".params", "must be an even number of hexadecimal digits each");
                set.params.push_back(std::move(*bytes));
            }
        }
        out.sets.push_back(std::move(set));
    }
    if (captured.contains("carve_out")) {
        const json& v = captured["carve_out"];
        if (!v.is_number_integer() || v.get<std::int64_t>() < -1 || v.get<std::int64_t>() > 100)
            return bad_capture("captured.carve_out", "must be a whole number from -1 to 100");
        out.carve_out = v.get<int>();
    }
    if (captured.contains("dtype")) {
        const auto dtype =
            captured["dtype"].is_string() ? dtype_from(captured["dtype"].get<std::string>()) : std::nullopt;
        if (!dtype) return bad_capture("captured.dtype", fmt::format("is not one of {}", kDtypeNames));
        out.dtype = *dtype;
    }
    return out;
}

std::optional<CapturedLaunch> CapturedLaunch::of(const Workload& workload) {
    if (workload.json.find("\"captured\"") == std::string::npos) return std::nullopt;
    const auto root = parse_json(workload.json, JsonComments::Allowed);
    if (!root || !root->is_object() || !root->contains("captured")) return std::nullopt;
    auto out = read((*root)["captured"], workload.params);
    if (!out) return std::nullopt;
    return std::move(*out);
}

std::vector<std::pair<int, std::filesystem::path>> files_read_by(const Workload& workload) {
    std::vector<std::pair<int, std::filesystem::path>> out;
    for (std::size_t i = 0; i < workload.params.size(); ++i)
        if (const auto* buffer = std::get_if<BufferParam>(&workload.params[i]))
            if (const auto* file = std::get_if<InitFile>(&buffer->init))
                out.emplace_back(static_cast<int>(i), file->path);
    if (const auto captured = CapturedLaunch::of(workload))
        for (std::size_t i = 0; i < captured->sets.size(); ++i)
            out.emplace_back(-1 - static_cast<int>(i), captured->sets[i].memory);
    return out;
}

}  // namespace cubinlab
