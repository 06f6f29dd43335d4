// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/profile_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace cubinlab {
namespace {

constexpr std::array<std::string_view, 4> kSampleColumns = {"Warp Stall Sampling (All Samples)",
                                                            "Warp Stall Sampling (All Cycles)", "# Samples",
                                                            "Sampling Data (All)"};
constexpr std::string_view kStallPrefix = "stall_";
constexpr std::string_view kNotDecoded = "N/A";  // an instruction that the profiler cannot decode

// "1,234" and "12.5" are numbers; other text counts as 0 samples.
double number_of(std::string text) {
    std::erase(text, ',');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end != text.c_str() && std::isfinite(value) && value > 0 ? value : 0;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "LDG" for "@!P0 LDG.E.128 R4, ...".
std::string_view opcode_of(std::string_view sass) {
    sass = trimmed(sass);
    if (sass.starts_with('@')) {
        const auto space = sass.find(' ');
        sass = space == std::string_view::npos ? std::string_view{} : trimmed(sass.substr(space));
    }
    return sass.substr(0, sass.find_first_of(" .;,"));
}

struct Columns {
    std::size_t source = 0;
    std::optional<std::size_t> samples;
    std::vector<std::pair<std::size_t, std::string>> reasons;
};

std::optional<Columns> columns_of(const std::vector<std::string>& row) {
    const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < row.size(); ++i)
            if (trimmed(row[i]) == name) return i;
        return {};
    };
    const auto source = find("Source");
    if (!source || !find("Address")) return {};
    Columns columns;
    columns.source = *source;
    for (const std::string_view name : kSampleColumns)
        if (!columns.samples) columns.samples = find(name);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string_view name = trimmed(row[i]);
        // "stall_x (Not Issued)" is included in "stall_x".
        if (name.find("not_issued") != std::string_view::npos ||
            name.find("Not Issued") != std::string_view::npos)
            continue;
        if (name.starts_with(kStallPrefix)) columns.reasons.emplace_back(i, std::string(name));
    }
    if (!columns.samples && columns.reasons.empty()) return {};
    return columns;
}

ProfileLine line_of(const std::vector<std::string>& row, const Columns& columns) {
    ProfileLine line;
    line.source = trimmed(row[columns.source]);
    double sum = 0;
    for (const auto& [at, name] : columns.reasons) {
        const double value = at < row.size() ? number_of(row[at]) : 0;
        sum += value;
        if (value > 0) line.reasons.emplace_back(name, value);
    }
    std::stable_sort(line.reasons.begin(), line.reasons.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    line.samples = !columns.samples                ? sum
                   : *columns.samples < row.size() ? number_of(row[*columns.samples])
                                                   : 0;
    return line;
}

}  // namespace

std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string field;
    bool quoted = false, any = false;
    const auto end_row = [&] {
        if (any) {
            row.push_back(std::move(field));
            rows.push_back(std::move(row));
        }
        row.clear();
        field.clear();
        any = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"')
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                field += text[++i];
            else
                quoted = false;
            continue;
        }
        if (c == '\n' || c == '\r') {
            end_row();
            continue;
        }
        any = true;
        if (c == '"' && field.empty())
            quoted = true;
        else if (c == ',')
            row.push_back(std::exchange(field, {}));
        else
            field += c;
    }
    end_row();
    return rows;
}

Result<std::vector<ProfileTable>> parse_profile(std::string_view text) {
    std::vector<ProfileTable> tables;
    std::optional<Columns> columns;
    std::string kernel;
    for (const std::vector<std::string>& row : parse_csv(text)) {
        if (trimmed(row.front()) == "Kernel Name") {
            kernel = row.size() > 1 ? std::string(trimmed(row[1])) : std::string{};
            columns.reset();
            continue;
        }
        if (auto found = columns_of(row)) {
            columns = std::move(found);
            ProfileTable table;
            table.kernel = kernel;
            table.column = columns->samples ? std::string(trimmed(row[*columns->samples])) : "sum of stall_*";
            tables.push_back(std::move(table));
            continue;
        }
        if (!columns || columns->source >= row.size() || opcode_of(row[columns->source]).empty()) continue;
        tables.back().lines.push_back(line_of(row, *columns));
    }
    std::erase_if(tables, [](const ProfileTable& table) { return table.lines.empty(); });
    if (tables.empty())
        return fail(
            ErrorCode::BadInput,
            "not a source page of Nsight Compute: expected the columns Address, Source and one of "
            "\"Warp Stall Sampling (All Samples)\", \"# Samples\", \"Sampling Data (All)\" or stall_*. "
            "`ncu --import REPORT --page source --csv` writes it (with --print-source sass)");
    return tables;
}

Result<Profile> match_profile(const ProfileTable& table, const Schedule& schedule) {
    if (table.lines.size() != schedule.size())
        return fail(ErrorCode::BadInput, fmt::format("the profile has {} instructions, the kernel {}",
                                                     table.lines.size(), schedule.size()));
    Profile profile;
    profile.column = table.column;
    profile.by_instr.resize(schedule.size());
    for (Position p = 0; p < schedule.size(); ++p) {
        const InstrId id = schedule.at(p);
        const std::string_view mine = schedule.kernel()->instruction(id).mnemonic;
        const std::string_view theirs = opcode_of(table.lines[p].source);
        if (theirs != mine && theirs != kNotDecoded)
            return fail(ErrorCode::BadInput, fmt::format("at 0x{:04x} the profile has {}, the kernel {}",
                                                         p * kWordBytes, theirs, mine));
        profile.by_instr[id] = table.lines[p];
        profile.total += table.lines[p].samples;
        profile.most = std::max(profile.most, table.lines[p].samples);
    }
    return profile;
}

}  // namespace cubinlab
