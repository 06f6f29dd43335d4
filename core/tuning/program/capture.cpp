// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/capture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/bounded_json.h"
#include "core/base/scratch_folder.h"
#include "core/tuning/program/campaign.h"
#include "core/tuning/program/preloaded_program.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

// "first:4", "sizes:3", "7"
bool is_launch(const std::string& text) {
    const bool several = text.starts_with("first:") || text.starts_with("sizes:");
    const std::string digits = several ? text.substr(6) : text;
    return !digits.empty() && digits.size() < 10 &&
           digits.find_first_not_of("0123456789") == std::string::npos &&
           digits.find_first_not_of('0') != std::string::npos;
}

double estimated_us(const LaunchedKernel& kernel) {
    return kernel.mean_us() * static_cast<double>(kernel.launches);
}

// All processes' kernels, by name and image, the largest share of time first.
std::vector<LaunchedKernel> kernels_of(const PreloadedRun& run) {
    std::vector<LaunchedKernel> out;
    for (const auto& process : run.processes) {
        if (!process.contains("list")) continue;
        for (const auto& kernel : process["list"]) {
            const std::string name = kernel.value("name", ""), image = kernel.value("image", "");
            auto at = std::find_if(out.begin(), out.end(), [&](const LaunchedKernel& one) {
                return one.name == name && one.image == image;
            });
            if (at == out.end())
                at = out.insert(out.end(), LaunchedKernel{name, image, kernel.value("why_not", "")});
            at->launches += json_or(kernel, "launches", std::uint64_t{0});
            at->recorded += json_or(kernel, "recorded", std::uint64_t{0});
            at->graph_runs += json_or(kernel, "graph_runs", std::uint64_t{0});
            at->timed += json_or(kernel, "timed", std::uint64_t{0});
            at->timed_us += kernel.value("total_us", 0.0);
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const LaunchedKernel& a, const LaunchedKernel& b) {
        return estimated_us(a) > estimated_us(b);
    });
    return out;
}

std::vector<std::string> notes_of(const PreloadedRun& run) {
    std::vector<std::string> out;
    for (const auto& process : run.processes)
        for (std::string& note : json_or(process, "notes", std::vector<std::string>{}))
            out.push_back(std::move(note));
    return out;
}

std::string why_not_editable(const LaunchedKernel& kernel, const fs::path& folder) {
    if (kernel.image.empty()) return kernel.why_not.empty() ? "its code was not to be had" : kernel.why_not;
    auto cubin = Cubin::open(folder / kernel.image);
    if (!cubin) return cubin.error().what;
    auto info = (*cubin)->kernel(kernel.name);
    if (!info) return info.error().what;
    const Arch& arch = (*cubin)->arch();
    if (!arch.editable()) return arch.name() + " code can be viewed, not edited: " + arch.why_view_only();
    const auto left_out = not_replayable(**cubin, **info);
    return left_out.empty() ? "" : "not replayed: " + fmt::format("{}", fmt::join(left_out, ", "));
}

Result<PreloadedRun> run(const CapturedProgram& program, const fs::path& results,
                         std::vector<std::pair<std::string, std::string>> environment, std::stop_token stop) {
    environment.emplace_back("CUBINLAB_QUIET", "1");
    return run_preloaded({program.command, std::move(environment), results, program.output_to_errors,
                          program.folder, program.on_output},
                         std::move(stop));
}

// What the captured kernels' launches cost the whole program, for a campaign.
std::vector<CapturedTimes> times_of(const std::vector<CapturedKernel>& made, const PreloadedRun& run) {
    std::vector<CapturedTimes> out;
    const std::vector<LaunchedKernel> all = kernels_of(run);
    for (const CapturedKernel& one : made) {
        CapturedTimes times{one.cubin.filename().string(), one.kernel, 0, 0, one.left_out};
        double us = 0;
        std::uint64_t timed = 0;
        for (const LaunchedKernel& kernel : all) {
            if (kernel.name != one.kernel) continue;
            times.launches += kernel.launches;
            us += kernel.timed_us;
            timed += kernel.timed;
        }
        if (timed > 0) times.mean_us = us / static_cast<double>(timed);
        out.push_back(std::move(times));
    }
    return out;
}

Result<Captured> capture_into(const fs::path& out, const fs::path& raw, const CaptureRequest& request,
                              std::stop_token stop) {
    const PreloadedRun ran = TRY(run(request.program, raw,
                                     {{"CUBINLAB_CAPTURE", request.kernel.empty() ? "*" : request.kernel},
                                      {"CUBINLAB_CAPTURE_LAUNCH", request.launch},
                                      {"CUBINLAB_CAPTURE_LIMIT", std::to_string(request.limit_mib << 20)},
                                      {"CUBINLAB_TIME", "1"}},
                                     std::move(stop)));
    auto made = TRY(make_workloads(raw, out, request.options));
    TRY(write_captured_times(out, times_of(made, ran)));
    return Captured{std::move(made), notes_of(ran), ran.exit_code};
}

}  // namespace

Result<LaunchedKernels> list_launched_kernels(const CapturedProgram& program, std::stop_token stop) {
    const ScratchFolder folder = TRY(ScratchFolder::make());
    const PreloadedRun ran = TRY(run(program, folder.path(), {{"CUBINLAB_LIST", "1"}}, std::move(stop)));
    LaunchedKernels out{.kernels = kernels_of(ran),
                        .processes = ran.processes.size(),
                        .notes = notes_of(ran),
                        .exit_code = ran.exit_code};
    double total = 0;
    for (const LaunchedKernel& kernel : out.kernels)
        total += estimated_us(kernel);
    for (LaunchedKernel& kernel : out.kernels) {
        kernel.share = total > 0 ? estimated_us(kernel) / total : 0;
        kernel.why_not = why_not_editable(kernel, folder.path());
    }
    for (const auto& process : ran.processes) {
        out.graph_launches += json_or(process, "graph_launches", std::uint64_t{0});
        out.links += json_or(process, "links", std::uint64_t{0});
    }
    return out;
}

Result<Captured> capture_kernels(const CaptureRequest& request, std::stop_token stop) {
    if (!is_launch(request.launch))
        return fail(ErrorCode::BadUse,
                    fmt::format("'{}' is not a launch; write N (from 1), first:K or sizes:K", request.launch),
                    "--launch");
    std::error_code error;
    const fs::path out = fs::absolute(request.out);
    if (fs::exists(out, error) &&
        (!fs::is_directory(out, error) || (!fs::is_empty(out, error) && !request.add)))
        return fail(ErrorCode::BadUse,
                    "is there already and not empty; choose another folder, or add to it with --force",
                    request.out.string());
    fs::create_directories(out, error);
    // Raw memory may be large: next to what is made of it, not in /tmp.
    const fs::path raw = out / ".raw";
    fs::remove_all(raw, error);
    if (!fs::create_directories(raw, error)) return fail(ErrorCode::Io, "cannot be made", raw.string());
    auto captured = capture_into(out, raw, request, std::move(stop));
    fs::remove_all(raw, error);
    return captured;
}

}  // namespace cubinlab
