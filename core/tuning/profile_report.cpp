// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/profile_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cubinlab {
namespace {

struct Group {
    const char* name;
    std::vector<std::string_view> measured;
    std::vector<WaitReason> modelled;
};

const std::vector<Group>& groups() {
    static const std::vector<Group> all = {
        {"issues", {"selected"}, {WaitReason::None}},
        {"stall counts", {"wait"}, {WaitReason::Stall}},
        {"scoreboards",
         {"long_sb", "short_sb", "gmma", "long_scoreboard", "short_scoreboard"},
         {WaitReason::Scoreboard}},
        {"barrier", {"barrier"}, {WaitReason::Barrier}},
        {"unit busy", {"math", "math_pipe"}, {WaitReason::Unit}},
        {"memory queue", {"mio", "lg", "tex"}, {WaitReason::MemoryQueue}},
        {"register port", {"dispatch"}, {WaitReason::RegisterPort}},
        {"not selected", {"not_selected"}, {WaitReason::OtherWarp}},
    };
    return all;
}

// "stall_long_sb" is long_sb.
std::string_view reason_of(std::string_view name) {
    constexpr std::string_view kPrefix = "stall_";
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double mx = 0, my = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mx += x[i] / n;
        my += y[i] / n;
    }
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

std::set<std::size_t> ten_largest(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    std::set<std::size_t> out;
    for (std::size_t i = 0; i < order.size() && out.size() < 10 && values[order[i]] > 0; ++i)
        out.insert(order[i]);
    return out;
}

}  // namespace

std::vector<ReasonShare> reasons_beside(const Profile& profile, const Explanation& explanation) {
    std::map<std::string, double, std::less<>> samples;
    double all = 0, cycles = 0;
    for (const ProfileLine& line : profile.by_instr)
        for (const auto& [name, count] : line.reasons) {
            samples[std::string(reason_of(name))] += count;
            all += count;
        }
    for (const ReasonCycles& r : explanation.path_reasons)
        cycles += r.counted;
    std::vector<ReasonShare> out;
    for (const Group& group : groups()) {
        ReasonShare share;
        share.name = group.name;
        for (const std::string_view name : group.measured) {
            const auto found = samples.find(name);
            if (found == samples.end()) continue;
            share.samples += all > 0 ? found->second / all : 0;
            share.measured += (share.measured.empty() ? "" : ", ") + found->first;
            samples.erase(found);
        }
        for (const ReasonCycles& r : explanation.path_reasons)
            if (std::find(group.modelled.begin(), group.modelled.end(), r.reason) != group.modelled.end())
                share.cycles += cycles > 0 ? r.counted / cycles : 0;
        out.push_back(std::move(share));
    }
    ReasonShare rest;
    rest.name = "not modelled";
    for (const auto& [name, count] : samples) {
        if (count <= 0) continue;
        rest.samples += all > 0 ? count / all : 0;
        rest.measured += (rest.measured.empty() ? "" : ", ") + name;
    }
    out.push_back(std::move(rest));
    return out;
}

LineAgreement lines_agree(const Profile& profile, const Explanation& explanation) {
    std::vector<double> samples, cycles;
    for (std::size_t id = 0; id < profile.by_instr.size(); ++id) {
        samples.push_back(profile.by_instr[id].samples);
        cycles.push_back(id < explanation.path_by_instr.size() ? explanation.path_by_instr[id] : 0);
    }
    LineAgreement out;
    out.correlation = correlation_of(samples, cycles);
    const std::set<std::size_t> theirs = ten_largest(cycles);
    for (const std::size_t id : ten_largest(samples))
        out.common_of_ten += theirs.count(id) != 0 ? 1 : 0;
    return out;
}

Result<Profile> profile_of(std::string_view text, const Schedule& schedule, std::size_t skip) {
    auto tables = TRY(parse_profile(text));
    const std::string& kernel = schedule.kernel()->name();
    Error last{ErrorCode::BadInput, "the file has no profile of kernel " + kernel, {}};
    for (const ProfileTable& table : tables) {
        const bool named = table.kernel.empty() || table.kernel.find(kernel) != std::string::npos;
        if (!named && tables.size() > 1) continue;
        auto profile = match_profile(table, schedule);
        if (!profile)
            last = profile.error();
        else if (skip-- == 0)
            return profile;
    }
    return fail(last);
}

}  // namespace cubinlab
