// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/edit_prior.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/hash.h"

namespace cubinlab {

extern const char* const kBuiltInPrior;

namespace {

constexpr int kForm = 1;
constexpr double kMost = 100;  // percent; what is beyond it is no weight

// Four digits are more than any weight is known to, and read back as the same number everywhere.
std::string printed(double value) {
    return fmt::format("{:.4g}", value);
}

Error not_a_prior(const std::string& why) {
    return {ErrorCode::BadInput,
            "is no prior of edits (`cubinlab learn S.db --prior FILE` writes one): " + why,
            {}};
}

bool sensible(const nlohmann::json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= kMost;
}

const std::map<std::string, std::size_t>& feature_names() {
    static const std::map<std::string, std::size_t> names = [] {
        std::map<std::string, std::size_t> out;
        for (std::size_t i = 0; i < EditFeatures::kCount; ++i)
            out.emplace(EditFeatures::name(i), i);
        return out;
    }();
    return names;
}

}  // namespace

double EditPrior::expected(const EditFeatures::Row& row) const {
    double sum = base;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] != 0) sum += weights[i] * row[i];
    return sum;
}

std::uint64_t EditPrior::fingerprint() const {
    std::string all = printed(base);
    for (const double weight : weights) {
        all += ' ';
        all += printed(weight);
    }
    return hash_bytes(all.data(), all.size()).lo;
}

std::string EditPrior::text() const {
    nlohmann::ordered_json from = nlohmann::ordered_json::array(), by_name = nlohmann::ordered_json::object();
    for (const Source& source : learned_from)
        from.push_back({{"kernel", source.kernel}, {"edits", source.edits}});
    const auto number = [](double value) { return std::strtod(printed(value).c_str(), nullptr); };
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (number(weights[i]) != 0) by_name[EditFeatures::name(i)] = number(weights[i]);
    const nlohmann::ordered_json all = {
        {"cubinlab", "edit-prior"}, {"form", kForm},        {"evaluator", evaluator}, {"devices", devices},
        {"learned_from", from},     {"base", number(base)}, {"weights", by_name}};
    return all.dump(1) + "\n";
}

Result<EditPrior> EditPrior::parse(std::string_view text) {
    const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
    if (!all.is_object() || all.value("cubinlab", nlohmann::json()) != "edit-prior")
        return fail(not_a_prior("it does not say so"));
    if (all.value("form", nlohmann::json()) != kForm) return fail(not_a_prior("its form is another"));
    EditPrior out;
    const nlohmann::json weights = all.value("weights", nlohmann::json());
    const nlohmann::json from = all.value("learned_from", nlohmann::json());
    const nlohmann::json evaluator = all.value("evaluator", nlohmann::json());
    const nlohmann::json devices = all.value("devices", nlohmann::json());
    if (!weights.is_object() || !from.is_array() || !devices.is_array() ||
        !sensible(all.value("base", nlohmann::json())))
        return fail(not_a_prior("weights, base, devices or learned_from are missing"));
    if (evaluator != "gpu" && evaluator != "model")
        return fail(not_a_prior("its evaluator is neither gpu nor model"));
    out.evaluator = evaluator.get<std::string>();
    out.base = all["base"].get<double>();
    for (const auto& device : devices) {
        if (!device.is_string()) return fail(not_a_prior("a device is no text"));
        out.devices.push_back(device.get<std::string>());
    }
    for (const auto& source : from) {
        const auto kernel = source.is_object() ? source.value("kernel", nlohmann::json()) : nlohmann::json();
        const auto edits = source.is_object() ? source.value("edits", nlohmann::json()) : nlohmann::json();
        if (!kernel.is_string() || !edits.is_number_unsigned())
            return fail(not_a_prior("learned_from has no kernel or no count"));
        out.learned_from.push_back({kernel.get<std::string>(), edits.get<std::uint64_t>()});
    }
    for (const auto& [name, weight] : weights.items()) {
        const auto at = feature_names().find(name);
        if (at == feature_names().end()) return fail(not_a_prior("there is no feature \"" + name + "\""));
        if (!sensible(weight)) return fail(not_a_prior("\"" + name + "\" has no weight"));
        out.weights[at->second] = weight.get<double>();
    }
    return out;
}

const EditPriorPtr& built_in_prior() {
    // A test reads it: what the build took in is a prior.
    static const EditPriorPtr prior = std::make_shared<const EditPrior>(*EditPrior::parse(kBuiltInPrior));
    return prior;
}

}  // namespace cubinlab
