// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_parameters.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/base/file.h"

namespace cubinlab {
namespace {

constexpr int kVersion = 2;
constexpr std::size_t kMostBytes = 1u << 20;

constexpr std::string_view kSm90 =
#include "core/model/parameters_sm_90.inc"
    ;

}  // namespace

std::string to_text(const ModelParameters& parameters) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    visit_parameters(parameters, [&](const ParameterRange& range, const double& value) {
        values[range.name] = std::round(value * 1e4) / 1e4;
    });
    const nlohmann::ordered_json all = {{"cubinlab", "model parameters"},
                                        {"version", kVersion},
                                        {"name", parameters.name},
                                        {"values", std::move(values)}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<ModelParameters> parameters_from(std::string_view text, const std::string& where) {
    auto all = parse_json(text);
    if (!all) return fail(all.error().code, all.error().message(), where);
    ModelParameters out;
    try {
        if (json_or(*all, "cubinlab", "") != "model parameters")
            throw std::runtime_error("those are what `cubinlab fit --out` writes");
        if (whole_number<int>(all->at("version")) != kVersion)
            throw std::runtime_error("not parameters of version 2");
        out.name = all->at("name").get<std::string>();
        const nlohmann::json& values = all->at("values");
        std::size_t known = 0;
        visit_parameters(out, [&](const ParameterRange& range, double& value) {
            value = values.at(range.name).get<double>();
            if (!(value >= range.low && value <= range.high))
                throw std::runtime_error(
                    fmt::format("{} is {}, not {} to {}", range.name, value, range.low, range.high));
            ++known;
        });
        if (values.size() != known) throw std::runtime_error("values of unknown names");
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("no model parameters: {}", message_of(error)), where);
    }
    return out;
}

Result<ModelParameters> read_parameters(const std::filesystem::path& path) {
    auto text = TRY(read_text(path, kMostBytes));
    return parameters_from(text, path.string());
}

ModelParameters shipped_parameters(const Arch& arch) {
    if (arch.sm != 90) return {};
    auto shipped = parameters_from(kSm90, "the shipped parameters");
    return shipped ? std::move(*shipped) : ModelParameters{};
}

}  // namespace cubinlab
