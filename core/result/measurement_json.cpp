// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/measurement_json.h"

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/bounded_json.h"
#include "core/result/outcome_json.h"

namespace cubinlab {
namespace {

using nlohmann::json;

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = HasFields<T>;
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
json plain(const T& value) {
    if constexpr (std::is_same_v<T, Cache>)
        return to_string(value);
    else
        return value;
}

// What is empty is left out.
template <HasFields T>
json fields_json(const T& value) {
    json out = json::object();
    visit_fields(value, [&]<class Field>(const char* key, const Field& field) {
        if constexpr (kIsList<Field>) {
            for (const auto& one : field)
                out[key].push_back(fields_json(one));
        } else if constexpr (kIsOptional<Field>) {
            if (!field) return;
            if constexpr (HasFields<typename Field::value_type>)
                out[key] = fields_json(*field);
            else
                out[key] = plain(*field);
        } else if constexpr (std::is_same_v<Field, EnergyComparison>) {
            out[key] = field.windows == 0 ? json(nullptr) : fields_json(field);
        } else {
            out[key] = plain(field);
        }
    });
    return out;
}

template <HasFields T>
void read_fields(const json& from, T& into);

// Empty: of another type.
template <class T>
std::optional<T> value_in(const json& from) {
    if constexpr (std::is_same_v<T, Cache>) {
        return from.is_string() ? parse_cache(from.get<std::string>()) : std::nullopt;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return from.is_string() ? std::optional(from.get<std::string>()) : std::nullopt;
    } else if constexpr (std::is_same_v<T, bool>) {
        return from.is_boolean() ? std::optional(from.get<bool>()) : std::nullopt;
    } else if constexpr (std::is_integral_v<T>) {
        return whole_number_in<T>(from);
    } else if constexpr (std::is_floating_point_v<T>) {
        return from.is_number() ? std::optional(from.get<T>()) : std::nullopt;
    } else if constexpr (HasFields<T>) {
        if (!from.is_object()) return std::nullopt;
        T out;
        read_fields(from, out);
        return out;
    } else {
        try {
            return from.get<T>();
        } catch (const json::exception&) {
            return std::nullopt;
        }
    }
}

// An interval needs both deviations.
template <>
std::optional<Calibration> value_in<Calibration>(const json& from) {
    for (const char* needed : {"pair_deviation", "load_deviation"})
        if (!from.is_object() || !from.contains(needed) || !from[needed].is_number()) return std::nullopt;
    Calibration out;
    read_fields(from, out);
    return out;
}

template <HasFields T>
void read_fields(const json& from, T& into) {
    visit_fields(into, [&]<class Field>(const char* key, Field& field) {
        const auto found = from.is_object() ? from.find(key) : from.end();
        if (found == from.end()) return;
        if constexpr (kIsList<Field>) {
            if (!found->is_array()) return;
            for (const json& one : *found)
                field.push_back(
                    value_in<typename Field::value_type>(one).value_or(typename Field::value_type{}));
        } else if constexpr (kIsOptional<Field>) {
            field = value_in<typename Field::value_type>(*found);
        } else if (auto value = value_in<Field>(*found)) {
            field = std::move(*value);
        }
    });
}

}  // namespace

json facts_json(const EvaluatorInfo& evaluator) {
    return evaluator.kind == EvaluatorKind::Gpu ? fields_json(evaluator.gpu) : fields_json(evaluator.model);
}

void read_facts(const json& from, EvaluatorInfo& evaluator) {
    evaluator.gpu = {};
    evaluator.model = {};
    if (evaluator.kind == EvaluatorKind::Gpu)
        read_fields(from, evaluator.gpu);
    else
        read_fields(from, evaluator.model);
}

json details_json(const MeasurementDetails& details) {
    return fields_json(details);
}

MeasurementDetails read_details(const json& from) {
    MeasurementDetails out;
    read_fields(from, out);
    return out;
}

json shape_json(const ShapeMeasurement& shape) {
    json out = outcome_json(shape.outcome, RawSamples::LeftOut);
    out.erase("device");  // an index; the details have the name
    out.update(details_json(shape.details));
    return out;
}

ShapeMeasurement read_shape(const json& from) {
    ShapeMeasurement out;
    try {
        json outcome = from;
        // Schema 8 keeps shapes that ran well alone, and calls the cost otherwise.
        if (!outcome.contains("outcome")) outcome["outcome"] = to_string(OutcomeKind::Ok);
        if (!outcome.contains("cost")) outcome["cost"] = json_or(from, "cost_us", 0.0);
        outcome.erase("device");
        out.outcome = read_outcome(outcome);
        out.details = read_details(from);
    } catch (const std::exception&) {
        return {};
    }
    return out;
}

}  // namespace cubinlab
