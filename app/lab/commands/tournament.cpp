// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab tournament`: agents against each other at an equal budget of time.
#include "app/lab/study/tournament.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "core/base/file.h"
#include "core/search/engine/searcher.h"

namespace cubinlab::cli {
namespace {

Result<std::vector<TournamentKernel>> read_kernels(const TournamentOptions& options) {
    std::vector<TournamentKernel> out;
    for (const std::string& name : options.files) {
        const bool sample = name.find('/') == std::string::npos && !name.ends_with(".cubin");
        const std::filesystem::path file =
            sample ? std::filesystem::path(options.folder) / (name + ".cubin") : std::filesystem::path(name);
        auto cubin = Cubin::open(file);
        if (!cubin) return fail(cubin.error());
        auto kernel = Kernel::load(*cubin, options.kernel);
        if (!kernel) return fail(kernel.error());
        auto workload = find_workload(**kernel, {});
        if (!workload) return fail(workload.error());
        if (!*workload)
            return fail(ErrorCode::BadUse,
                        "measuring needs a workload; `cubinlab workload init FILE` writes a template",
                        file.string());
        out.push_back({file.stem().string(), *kernel, std::move(**workload)});
    }
    return out;
}

Status write_tables(const std::filesystem::path& folder, const std::vector<Json>& runs,
                    const std::vector<TournamentKernel>& kernels, double seconds) {
    if (auto ok = write_text(folder / "runs.csv", tournament_csv(runs)); !ok) return ok;
    if (auto ok = write_text(folder / "curves.csv", curves_csv(runs)); !ok) return ok;
    for (const Json& run : runs)
        seconds = std::max(seconds, run.value("seconds", seconds));
    const std::string table = tournament_markdown(runs) +
                              "\nThe best claimed by then, in the run itself:\n\n" +
                              best_by_markdown(runs, {seconds / 6, seconds / 3, seconds});
    if (auto ok = write_text(folder / "table.md", table); !ok) return ok;
    for (const TournamentKernel& kernel : kernels)
        if (auto ok = write_text(folder / (kernel.name + ".svg"), curves_svg(runs, kernel.name)); !ok)
            return ok;
    return {};
}

struct Stage {
    std::string name;
    TournamentOptions options;
};

// The runs behind the tables of resources/docs/results.md. The most informative kernels come first, so that
// an interrupted suite has them.
std::vector<Stage> paper_suite(const TournamentOptions& given) {
    const std::vector<std::string> four = {"bmm_mma", "flash_attn_mma", "gemm_leaky_mma", "ff_swiglu"};
    const std::vector<std::string> rest = {
        "flash_attn",       "bmm",     "ff_swiglu_mma", "gemm_leaky", "flash_attn_d64", "flash_attn_d64_mma",
        "gemm_leaky_large", "rmsnorm", "softmax"};
    std::vector<std::string> all = four;
    all.insert(all.end(), rest.begin(), rest.end());
    std::vector<std::string> agents;
    // In the order of the table, the leading agents first, so that an interrupted stage has them.
    for (const SearcherDescription& agent : searcher_descriptions())
        if (!agent.needs_torch || agent_module_problem().empty()) agents.push_back(agent.name);
    const auto stage = [&](const char* name, const std::vector<std::string>& kernels,
                           const std::vector<std::string>& of, const std::vector<std::uint64_t>& seeds,
                           double seconds, const char* cache) {
        TournamentOptions options = given;
        options.files = kernels;
        options.agents = of;
        options.seeds = seeds;
        options.seconds = seconds;
        options.gpu.cache = cache;
        options.out = (std::filesystem::path(given.out) / name).string();
        return Stage{name, options};
    };
    Stage quick = stage("auto15", {all.begin(), all.end() - 2}, {"auto", "greedy"}, {1}, 60, "hot");
    quick.options.seconds_of = {{"auto", 15}};
    Stage each = stage("agents", four, agents, {1, 2, 3}, 30, "hot");
    each.options.agents_first = true;
    return {stage("all", all, {"auto", "greedy"}, {1}, 45, "hot"),
            quick,
            each,
            stage("cold", four, {"auto", "greedy"}, {1}, 30, "cold"),
            stage("both", four, {"auto", "greedy"}, {1}, 30, "both"),
            stage("long", {"bmm_mma", "flash_attn_mma", "flash_attn"}, {"auto", "group"}, {1}, 300, "hot")};
}

std::vector<Stage> stages_of(const TournamentOptions& options) {
    if (options.suite.empty()) return {{"", options}};
    std::vector<Stage> all = paper_suite(options), out;
    for (const std::string& name : options.stages)
        for (const Stage& stage : all)
            if (stage.name == name) out.push_back(stage);
    return options.stages.empty() ? all : out;
}

using Until = std::optional<std::chrono::steady_clock::time_point>;

Result<std::vector<Json>> hold(const TournamentOptions& options, const Until& until,
                               const std::stop_token& stop) {
    auto kernels = read_kernels(options);
    if (!kernels) return fail(kernels.error());
    TournamentSettings settings;
    settings.agents = options.agents;
    settings.seeds = options.seeds;
    settings.seconds = options.seconds;
    settings.seconds_of = options.seconds_of;
    settings.agents_first = options.agents_first;
    settings.devices = options.devices;
    settings.gpu = options.gpu.settings();
    settings.loads = options.loads;
    settings.cold = !options.hot_only;
    settings.early = options.early;
    settings.early_loads = options.early_loads;
    settings.steps = options.steps;
    settings.folder = options.out;
    settings.until = until;
    auto runs = hold_tournament(
        *kernels, settings, [](const std::string& line) { print_progress(printable(line)); }, stop);
    if (!runs) return runs;
    if (auto written = write_tables(settings.folder, *runs, *kernels, options.seconds); !written)
        return fail(written.error());
    return runs;
}

bool anything_wrong(const std::vector<Json>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const Json& run) {
        return run.contains("error") || !run.value("legal", true) || run.value("wrong", 0) != 0;
    });
}

}  // namespace

int run_tournament(const TournamentOptions& options) {
    StopOnSignal stop;
    if (options.files.empty() && options.suite.empty())
        return print_error({ErrorCode::BadUse, "name cubins or samples, or --suite paper", {}}, options.json);
    if (options.suite.empty() && !options.stages.empty())
        return print_error({ErrorCode::BadUse, "--stages are those of --suite paper", {}}, options.json);
    Until until;
    if (options.limit > 0)
        until = std::chrono::steady_clock::now() +
                std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.limit));
    Json all = Json::array();
    bool wrong = false, any = false;
    for (const Stage& stage : stages_of(options)) {
        auto runs = hold(stage.options, until, stop.token());
        if (!runs) return print_error(runs.error(), options.json);
        wrong = wrong || anything_wrong(*runs);
        any = any || !runs->empty();
        if (!options.json && !runs->empty())
            print_text((stage.name.empty() ? "" : "## " + stage.name + "\n") + tournament_markdown(*runs));
        all.push_back({{"stage", stage.name}, {"folder", stage.options.out}, {"runs", std::move(*runs)}});
    }
    const int code = wrong || !any ? 1 : 0;
    if (!options.json) return code;
    if (options.suite.empty())
        return print_document({{"folder", options.out}, {"runs", all[0]["runs"]}}, code);
    return print_document({{"folder", options.out}, {"stages", all}}, code);
}

}  // namespace cubinlab::cli
