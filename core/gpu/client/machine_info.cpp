// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/machine_info.h"

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/gpu/protocol/protocol.h"

namespace cubinlab {
namespace {

using nlohmann::json;

template <class T>
json written(const T& value) {
    if constexpr (std::is_same_v<T, Calibration> || std::is_same_v<T, BenchFacts>) {
        return to_message(value);
    } else if constexpr (std::is_same_v<T, Cache>) {
        return to_string(value);
    } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
        json out = json::object();
        visit_fields(value, [&]<class Field>(const char* key, const Field& field) {
            if constexpr (std::is_same_v<Field, std::vector<MachineDevice>>) {
                for (const MachineDevice& device : field)
                    out[key].push_back(written(device));
            } else if (field) {
                out[key] = written(*field);
            }
        });
        return out;
    } else {
        return value;
    }
}

template <class T>
std::optional<T> read(const json& from) {
    if constexpr (std::is_same_v<T, Calibration>) {
        return stored_calibration(from);
    } else if constexpr (std::is_same_v<T, BenchFacts>) {
        return stored_facts(from);
    } else if constexpr (std::is_same_v<T, Cache>) {
        return from.is_string() ? parse_cache(from.get<std::string>()) : std::nullopt;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return from.is_string() ? std::optional(from.get<std::string>()) : std::nullopt;
    } else if constexpr (std::is_integral_v<T>) {
        return whole_number_in<T>(from);
    } else if constexpr (std::is_floating_point_v<T>) {
        return from.is_number() ? std::optional(from.get<T>()) : std::nullopt;
    } else {
        if (!from.is_object()) return std::nullopt;
        T out;
        visit_fields(out, [&]<class Field>(const char* key, Field& field) {
            const auto found = from.find(key);
            if (found == from.end()) return;
            if constexpr (std::is_same_v<Field, std::vector<MachineDevice>>) {
                if (!found->is_array()) return;
                for (const json& device : *found)
                    field.push_back(read<MachineDevice>(device).value_or(MachineDevice{}));
            } else {
                field = read<typename Field::value_type>(*found);
            }
        });
        return out;
    }
}

}  // namespace

const Calibration* MachineInfo::calibration_of(const Outcome& outcome) const {
    if (devices.empty()) return calibration ? &*calibration : nullptr;
    if (outcome.device >= devices.size()) return nullptr;
    const auto& of_device = devices[outcome.device].calibration;
    return of_device ? &*of_device : nullptr;
}

MachineInfo machine_of(const EvaluatorInfo& evaluator) {
    return read<MachineInfo>(parse_json_or_discard(evaluator.json)).value_or(MachineInfo{});
}

std::string stored(const MachineInfo& machine) {
    return written(machine).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace cubinlab
