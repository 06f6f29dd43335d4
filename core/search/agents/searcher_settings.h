// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the built-in searchers: a flat JSON object of numbers, each with a default and a range. An
// unknown name is an error, so that a typing mistake does not select a default silently.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

struct SettingRange {
    std::string_view name;
    double value = 0;  // default
    double low = 0, high = 0;
};

using Settings = std::map<std::string, double, std::less<>>;

Result<Settings> read_settings(std::string_view json, const std::vector<SettingRange>& known);
std::string defaults_json(const std::vector<SettingRange>& known);

}  // namespace cubinlab
