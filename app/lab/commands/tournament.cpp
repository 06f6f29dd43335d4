// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab tournament`: agents against each other at an equal budget of time.
#include "app/lab/study/tournament.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "core/base/file.h"

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
                    const std::vector<TournamentKernel>& kernels) {
    if (auto ok = write_text(folder / "runs.csv", tournament_csv(runs)); !ok) return ok;
    if (auto ok = write_text(folder / "curves.csv", curves_csv(runs)); !ok) return ok;
    if (auto ok = write_text(folder / "table.md", tournament_markdown(runs)); !ok) return ok;
    for (const TournamentKernel& kernel : kernels)
        if (auto ok = write_text(folder / (kernel.name + ".svg"), curves_svg(runs, kernel.name)); !ok)
            return ok;
    return {};
}

}  // namespace

int run_tournament(const TournamentOptions& options) {
    StopOnSignal stop;
    auto kernels = read_kernels(options);
    if (!kernels) return print_error(kernels.error(), options.json);
    TournamentSettings settings;
    settings.agents = options.agents;
    settings.seeds = options.seeds;
    settings.seconds = options.seconds;
    settings.devices = options.devices;
    settings.gpu = options.gpu.settings();
    settings.loads = options.loads;
    settings.cold = !options.hot_only;
    settings.folder = options.out;
    auto runs = hold_tournament(
        *kernels, settings, [](const std::string& line) { print_progress(printable(line)); }, stop.token());
    if (!runs) return print_error(runs.error(), options.json);
    if (auto written = write_tables(settings.folder, *runs, *kernels); !written)
        return print_error(written.error(), options.json);
    bool wrong = runs->empty();
    for (const Json& run : *runs)
        wrong = wrong || run.contains("error") || !run.value("legal", true) || run.value("wrong", 0) != 0;
    const int code = wrong ? 1 : 0;
    if (options.json) return print_document({{"folder", options.out}, {"runs", *runs}}, code);
    print_text(tournament_markdown(*runs));
    return code;
}

}  // namespace cubinlab::cli
