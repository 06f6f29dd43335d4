// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign_settings.h"

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/base/file.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSettings = 64u << 20;

fs::path settings_file(const fs::path& out) {
    return out / "campaign.json";
}

nlohmann::json settings_in(const fs::path& out) {
    auto text = read_text(settings_file(out), kMostSettings);
    nlohmann::json settings = text ? parse_json_or_discard(*text) : nlohmann::json();
    if (settings.is_object() && settings.contains("cold") && !settings.contains("cache"))  // version 0.1
        settings["cache"] = to_string(json_or(settings, "cold", false) ? Cache::Cold : Cache::Hot);
    return settings;
}

Status write_settings(const fs::path& out, const nlohmann::json& settings) {
    return write_text(settings_file(out),
                      settings.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace

// What was chosen at the start holds for the whole: a run resumes with its own agent and seed.
Status same_settings(const CampaignPlan& plan, const CampaignSettings& settings) {
    const fs::path file = settings_file(plan.out);
    nlohmann::json now = {{"format", "cubinlab-campaign 1"}, {"unit", plan.budget.time ? "time" : "steps"},
                          {"agent", settings.agent},         {"evaluator", to_string(settings.evaluator)},
                          {"seed", settings.seed},           {"cache", to_string(settings.cache)}};
    std::error_code error;
    const auto compare = [&]() -> Status {
        const nlohmann::json before = settings_in(plan.out);
        for (const auto& [key, value] : now.items())
            if (!before.is_object() || !before.contains(key) || before[key] != value)
                return fail(
                    ErrorCode::BadUse,
                    fmt::format(
                        "was begun with another {}; continue with the same, or choose another folder with --out",
                        key),
                    file.string());
        return {};
    };
    if (fs::exists(file, error)) return compare();
    for (const auto& entry : fs::directory_iterator(plan.out, error)) {
        if (const std::string name = entry.path().filename().string();
            name.find("campaign.json") != std::string::npos)
            continue;
        // Another part of the same campaign may have begun it meanwhile.
        if (fs::exists(file, error)) return compare();
        return fail(ErrorCode::BadUse, "is not empty and contains no campaign; choose another folder with --out",
                    plan.out.string());
    }
    now["budget"] = plan.budget.text();
    return write_settings(plan.out, now);
}

Status keep_budget(const CampaignPlan& plan) {
    nlohmann::json settings = settings_in(plan.out);
    const std::string budget = plan.budget.text();
    if (!settings.is_object() || json_or(settings, "budget", "") == budget) return {};
    settings["budget"] = budget;
    return write_settings(plan.out, settings);
}

bool is_finished(const CampaignPlan& plan) {
    return json_or(settings_in(plan.out), "finished", "") == plan.budget.text();
}
Status keep_finished(const CampaignPlan& plan) {
    nlohmann::json settings = settings_in(plan.out);
    if (!settings.is_object() || is_finished(plan)) return {};
    settings["finished"] = plan.budget.text();
    return write_settings(plan.out, settings);
}

std::optional<CampaignSettings> begun_campaign(const fs::path& out) {
    const nlohmann::json document = settings_in(out);
    CampaignSettings settings;
    try {
        settings.agent = document.at("agent").get<std::string>();
        settings.evaluator = parse_evaluator_policy(document.at("evaluator").get<std::string>())
                                 .value_or(EvaluatorPolicy::Auto);
        settings.seed = document.at("seed").get<std::uint64_t>();
        settings.cache = parse_cache(document.at("cache").get<std::string>()).value_or(Cache::Hot);
        settings.counts_steps = document.at("unit").get<std::string>() == "steps";
        if (auto budget = Budget::parse(json_or(document, "budget", ""))) settings.budget = *budget;
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    return settings;
}

std::optional<Budget> budget_of_begun(const CampaignPlan& plan, const CampaignSettings& begun,
                                      std::size_t gpus) {
    if (begun.budget) return begun.budget;
    std::uint64_t allotted = 0;
    for (const CampaignKernel& kernel : plan.kernels)
        allotted += read_campaign_state(plan, kernel).allotted;
    if (allotted == 0) return std::nullopt;
    Budget out;
    if (begun.counts_steps)
        out.steps = allotted / gpus;
    else
        out.time = std::chrono::milliseconds(allotted / gpus);
    return out;
}

}  // namespace cubinlab
