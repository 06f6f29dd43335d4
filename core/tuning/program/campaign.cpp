// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/binary/kernel_list.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTimesFile = "captured.json";
constexpr const char* kTimesFormat = "cubinlab-captured 1";
constexpr const char *kProgramFile = "program.json", *kProgramFormat = "cubinlab-campaign-program 1";
constexpr const char* kStateFormat = "cubinlab-campaign-kernel 1";
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::uint64_t kLeastShareMs = 10'000, kLeastSteps = 1;

std::string dumped(const json& document) {
    return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

json object_in(const fs::path& file) {
    auto text = read_text(file, kMostBytes);
    json out = text ? parse_json_or_discard(*text) : json();
    return out.is_object() ? out : json();
}

std::vector<CapturedTimes> read_times(const fs::path& folder) {
    std::vector<CapturedTimes> out;
    const json document = object_in(folder / kTimesFile);
    if (json_or(document, "format", "") != kTimesFormat || !document.contains("kernels") ||
        !document["kernels"].is_array())
        return out;
    for (const json& one : document["kernels"]) {
        CapturedTimes times{json_or(one, "file", ""), json_or(one, "kernel", ""),
                            json_or(one, "launches", std::uint64_t{0}), json_or(one, "mean_us", 0.0),
                            json_or(one, "left_out", std::vector<std::string>{})};
        if (!std::isfinite(times.mean_us) || times.mean_us < 0) times.mean_us = 0;
        out.push_back(std::move(times));
    }
    return out;
}

// The kernels that lie there with a workload, by name.
Result<std::vector<CampaignKernel>> kernels_in(const fs::path& folder) {
    std::error_code error;
    std::vector<CampaignKernel> out;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cubin") continue;
        const json workload = object_in(default_workload_path(entry.path()));
        CampaignKernel one;
        one.name = entry.path().stem().string();
        one.kernel = json_or(workload, "kernel", "");
        one.captured = workload.is_object() && workload.contains("captured");
        one.times.file = entry.path().filename().string();
        if (workload.is_null()) one.skipped = "no workload next to it";
        out.push_back(std::move(one));
    }
    if (error) return fail(ErrorCode::NotFound, "cannot be read: " + error.message(), folder.string());
    if (out.empty())
        return fail(
            ErrorCode::NotFound,
            "contains no captured kernel; `cubinlab capture -o FOLDER -- PROGRAM` creates such a folder",
            folder.string());
    return out;
}

// What --kernel leaves out goes away.
Status choose(std::vector<CampaignKernel>& kernels, const std::string& only) {
    if (only.empty()) return {};
    std::vector<KernelEntry> names(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        names[i].name = kernels[i].kernel.empty() ? kernels[i].name : kernels[i].kernel;
        names[i].demangled = demangled(names[i].name);
    }
    auto chosen = TRY(matching(names, only));
    if (chosen.empty())
        return fail(ErrorCode::NotFound, fmt::format("no captured kernel is called '{}'", only), "--kernel");
    std::vector<CampaignKernel> out;
    for (const std::size_t i : chosen)
        out.push_back(std::move(kernels[i]));
    kernels = std::move(out);
    return {};
}

// A kernel whose launches were not timed (one that is launched once, and was captured then) counts as the others' mean
// launch.
void find_shares(std::vector<CampaignKernel>& kernels) {
    double sum = 0;
    std::size_t timed = 0;
    for (const CampaignKernel& one : kernels) {
        sum += one.times.mean_us;
        timed += one.times.mean_us > 0 ? 1 : 0;
    }
    const double usual = timed > 0 ? sum / static_cast<double>(timed) : 1;
    double total = 0;
    for (CampaignKernel& one : kernels) {
        if (!one.skipped.empty()) continue;
        one.share = (one.times.mean_us > 0 ? one.times.mean_us : usual) *
                    static_cast<double>(std::max<std::uint64_t>(one.times.launches, 1));
        total += one.share;
    }
    for (CampaignKernel& one : kernels)
        one.share = total > 0 ? one.share / total : 0;
}

// Shares of what all GPUs have, none above what one has: what is cut off there goes to the others.
void allot(std::vector<CampaignKernel>& kernels, std::uint64_t budget, std::size_t gpus,
           std::uint64_t least) {
    std::vector<CampaignKernel*> open;
    for (CampaignKernel& one : kernels)
        if (one.skipped.empty()) open.push_back(&one);
    if (open.empty()) return;
    double left = static_cast<double>(budget) * static_cast<double>(gpus);
    const double floor = std::min(static_cast<double>(least), left / static_cast<double>(open.size()));
    double shares = 0;
    for (const CampaignKernel* one : open)
        shares += one->share;
    left -= floor * static_cast<double>(open.size());
    // The largest first: what one cannot take is there for those behind it.
    std::stable_sort(open.begin(), open.end(), [](auto* a, auto* b) { return a->share > b->share; });
    for (CampaignKernel* one : open) {
        const double wish = shares > 0 ? left * one->share / shares : 0;
        const double got = std::min(floor + wish, static_cast<double>(budget));
        one->allotted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(got)));
        left -= got - floor;
        shares -= one->share;
    }
}

}  // namespace

Status write_captured_times(const fs::path& folder, const std::vector<CapturedTimes>& times) {
    std::vector<CapturedTimes> all = read_times(folder);
    for (const CapturedTimes& one : times) {
        std::erase_if(all, [&](const CapturedTimes& old) { return old.file == one.file; });
        all.push_back(one);
    }
    json rows = json::array();
    for (const CapturedTimes& one : all)
        rows.push_back({{"file", one.file},
                        {"kernel", one.kernel},
                        {"launches", one.launches},
                        {"mean_us", one.mean_us},
                        {"left_out", one.left_out}});
    return write_text(folder / kTimesFile, dumped({{"format", kTimesFormat}, {"kernels", rows}}));
}

Result<CampaignPlan> plan_campaign(const fs::path& folder, const fs::path& out, const Budget& budget,
                                   std::size_t gpus, const std::string& only) {
    auto kernels = TRY(kernels_in(folder));
    const std::vector<CapturedTimes> times = read_times(folder);
    for (CampaignKernel& one : kernels)
        for (const CapturedTimes& known : times) {
            if (known.file != one.times.file) continue;
            one.times = known;
            if (!known.left_out.empty())
                one.skipped = "cannot be replayed: it uses " + known.left_out.front();
        }
    TRY(choose(kernels, only));
    find_shares(kernels);
    if (budget.time) {
        allot(kernels, static_cast<std::uint64_t>(budget.time->count()), gpus, kLeastShareMs);
    } else {
        allot(kernels, budget.steps.value_or(0), gpus, kLeastSteps);
    }
    std::sort(kernels.begin(), kernels.end(), [](const CampaignKernel& a, const CampaignKernel& b) {
        return a.share != b.share ? a.share > b.share : a.name < b.name;
    });
    return CampaignPlan{folder, out, budget, std::move(kernels)};
}

std::vector<std::size_t> part_of_plan(const CampaignPlan& plan, std::size_t part, std::size_t parts) {
    std::vector<std::size_t> order(plan.kernels.size()), out;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return plan.kernels[a].allotted > plan.kernels[b].allotted;
    });
    std::vector<std::uint64_t> loads(parts);
    for (const std::size_t i : order) {
        const auto least = std::min_element(loads.begin(), loads.end());
        *least += plan.kernels[i].allotted;
        if (static_cast<std::size_t>(least - loads.begin()) == part) out.push_back(i);
    }
    return out;
}

std::uint64_t fast_pass_ms(std::uint64_t total_ms, std::size_t kernels) {
    constexpr std::uint64_t kLeast = 1'000, kMost = 10'000;
    return std::clamp(total_ms / (4 * std::max<std::size_t>(kernels, 1)), kLeast, kMost);
}

std::vector<std::uint64_t> targets_by_promise(const std::vector<RestOfKernel>& kernels,
                                              std::uint64_t total_ms, std::uint64_t most_ms,
                                              std::uint64_t least_ms, std::uint64_t each_ms) {
    constexpr double kUnknown = 0.01;  // what a kernel may still gain of which nothing is known
    double left = static_cast<double>(total_ms), weights = 0;
    const auto weight = [](const RestOfKernel& one) {
        return one.failed ? 0.0 : one.share * (kUnknown + std::max(one.gain, 0.0));
    };
    for (const RestOfKernel& one : kernels)
        left -= static_cast<double>(one.spent_ms);
    std::vector<std::size_t> order(kernels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The largest first: what one cannot take goes to those behind it.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weight(kernels[a]) > weight(kernels[b]); });
    std::vector<std::uint64_t> out(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i)
        out[i] = kernels[i].spent_ms;
    if (each_ms > 0) {
        const double both = static_cast<double>(each_ms + std::max(each_ms, least_ms));
        order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(left, 0.0) / both)));
        left -= static_cast<double>(each_ms * order.size());
    }
    for (const std::size_t i : order)
        weights += weight(kernels[i]);
    for (const std::size_t i : order) {
        const RestOfKernel& one = kernels[i];
        const double room = one.spent_ms < most_ms ? static_cast<double>(most_ms - one.spent_ms) : 0;
        double more = weights > 0 ? std::min(std::max(left, 0.0) * weight(one) / weights, room) : 0;
        weights -= weight(one);
        left -= more;
        if (more < static_cast<double>(least_ms)) more = one.gain > 0 && !one.failed ? static_cast<double>(least_ms) : 0;
        out[i] = one.spent_ms + static_cast<std::uint64_t>(std::llround(more));
    }
    return out;
}

fs::path campaign_file(const CampaignPlan& plan, const CampaignKernel& kernel, const char* suffix) {
    return plan.out / (kernel.name + suffix);
}

CampaignState read_campaign_state(const CampaignPlan& plan, const CampaignKernel& kernel) {
    CampaignState out;
    const json document = object_in(campaign_file(plan, kernel, ".state.json"));
    if (json_or(document, "format", "") != kStateFormat) return out;
    out.state = json_or(document, "state", out.state);
    out.spent = json_or(document, plan.budget.time ? "spent_ms" : "spent_steps", out.spent);
    out.allotted = json_or(document, "allotted", out.allotted);
    out.error = json_or(document, "error", out.error);
    if (const auto seconds = document.find("seconds"); seconds != document.end() && seconds->is_object())
        for (const auto& [phase, time] : seconds->items())
            if (time.is_number()) out.seconds[phase] = time.get<double>();
    if (document.contains("result")) out.result = document["result"];
    return out;
}

Status write_campaign_state(const CampaignPlan& plan, const CampaignKernel& kernel,
                            const CampaignState& state) {
    return write_text(campaign_file(plan, kernel, ".state.json"),
                      dumped({{"format", kStateFormat},
                              {"kernel", kernel.kernel},
                              {"state", state.state},
                              {plan.budget.time ? "spent_ms" : "spent_steps", state.spent},
                              {"allotted", state.allotted},
                              {"error", state.error},
                              {"seconds", state.seconds},
                              {"result", state.result}}));
}

Status write_in_program(const fs::path& out, const CampaignInProgram& seen) {
    json dropped = json::object();
    for (const auto& [name, one] : seen.dropped)
        dropped[name] = {{"hash", one.hash}, {"why", one.why}};
    return write_text(out / kProgramFile, dumped({{"format", kProgramFormat},
                                                  {"all", seen.all ? json(to_json(*seen.all)) : json()},
                                                  {"note", seen.note},
                                                  {"kept", seen.kept},
                                                  {"dropped", dropped}}));
}

std::optional<CampaignInProgram> read_in_program(const fs::path& out) {
    const json document = object_in(out / kProgramFile);
    if (json_or(document, "format", "") != kProgramFormat) return std::nullopt;
    CampaignInProgram seen;
    seen.all = program_time_in(document.value("all", json()));
    seen.note = json_or(document, "note", "");
    const auto each = [&](const char* key, auto take) {
        if (const auto found = document.find(key); found != document.end() && found->is_object())
            for (const auto& [name, one] : found->items())
                take(name, one);
    };
    each("kept", [&](const std::string& name, const json& hash) {
        if (hash.is_string()) seen.kept[name] = hash.get<std::string>();
    });
    each("dropped", [&](const std::string& name, const json& one) {
        seen.dropped[name] = {json_or(one, "hash", ""), json_or(one, "why", "")};
    });
    return seen;
}

bool is_campaign(const fs::path& out) {
    return !object_in(out / "campaign.json").is_null();
}

std::vector<fs::path> campaign_results(const fs::path& out) {
    std::vector<fs::path> found;
    const json report = object_in(out / "report.json");
    if (!is_campaign(out) || !report.contains("kernels") || !report["kernels"].is_array()) return found;
    for (const json& row : report["kernels"])
        if (json_or(row, "gain", false))
            found.push_back(out / fs::path(json_or(row, "cubin", "")).filename());
    return found;
}

}  // namespace cubinlab
