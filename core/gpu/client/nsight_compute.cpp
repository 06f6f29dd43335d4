// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/nsight_compute.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/find_program.h"
#include "core/base/process.h"
#include "core/base/scratch_folder.h"
#include "core/gpu/client/worker_process.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kProfileMs = 180'000, kImportMs = 60'000;
constexpr int kWarmLaunches = 3;

// The profiler speaks on both streams: the lines that begin with ==ERROR== or ==WARNING==, else the last one.
std::string words_of(const ChildOutput& output) {
    std::string said, last;
    const std::string text = output.out + "\n" + output.err;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (line.starts_with("==ERROR==")) said += line.substr(9);
        if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
        at = end + 1;
    }
    return said.empty()
               ? last
               : said.substr(said.find_first_not_of(' ') == std::string::npos ? 0
                                                                              : said.find_first_not_of(' '));
}

Result<std::string> import_report(const fs::path& ncu, const fs::path& report, std::stop_token stop) {
    auto page = TRY(run_child(
        {ncu.string(), "--import", report.string(), "--page", "source", "--csv", "--print-source", "sass"},
        {.timeout_ms = kImportMs}, stop));
    if (page.exit_status != 0 || page.out.empty())
        return fail(ErrorCode::BadInput, "Nsight Compute cannot read it: " + words_of(page), report.string());
    return std::move(page.out);
}

}  // namespace

Result<fs::path> find_ncu(const std::string& wish) {
    if (!wish.empty()) {
        if (is_program(wish)) return fs::path(wish);
        return fail(ErrorCode::BadUse, "is not executable", wish);
    }
    if (auto found = find_in_toolkits("ncu", ToolkitOrder::Chosen)) return *found;
    return fail(
        ErrorCode::Missing,
        "Nsight Compute (ncu) is not on PATH: install it or give --ncu PROGRAM; a profile made elsewhere is "
        "read with --import FILE.csv (`ncu --import REPORT.ncu-rep --page source --csv` writes one)");
}

Result<std::string> profile_launch(const ProfileRequest& request, std::stop_token stop) {
    auto worker = TRY(split_command(request.worker.empty() ? default_worker_command() : request.worker));
    auto folder = TRY(ScratchFolder::make());
    const fs::path report = folder.path() / "launch.ncu-rep";
    std::vector<std::string> words = {request.ncu.string(),
                                      "--target-processes",
                                      "all",
                                      "--kernel-name-base",
                                      "mangled",
                                      "--kernel-name",
                                      request.kernel,
                                      "--launch-skip",
                                      std::to_string(kWarmLaunches),
                                      "--launch-count",
                                      "1",
                                      "--section",
                                      "SourceCounters",
                                      "--section",
                                      "WarpStateStats",
                                      "--force-overwrite",
                                      "--export",
                                      report.string()};
    words.insert(words.end(), worker.begin(), worker.end());
    for (const std::string& word : {std::string("--profile"), fs::absolute(request.cubin).string(),
                                    fs::absolute(request.workload).string(),
                                    std::to_string(kWarmLaunches + 1), std::to_string(request.device)})
        words.push_back(word);
    auto run = TRY(run_child(words, {.timeout_ms = kProfileMs}, stop));
    const std::string text = run.out + run.err;
    if (text.find("ERR_NVGPUCTRPERM") != std::string::npos)
        return fail(
            ErrorCode::NoGpu,
            "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM): run as root, or let "
            "the administrator load the driver with NVreg_RestrictProfilingToAdminUsers=0");
    std::error_code error;
    if (!fs::exists(report, error))
        return fail(run.exit_status == 3 ? ErrorCode::NoGpu : ErrorCode::Worker,
                    "Nsight Compute made no report: " + words_of(run), request.cubin.string());
    return import_report(request.ncu, report, stop);
}

Result<std::string> source_page_of(const fs::path& file, const std::string& ncu, std::stop_token stop) {
    if (file.extension() != ".ncu-rep") return read_text(file);
    auto program = TRY(find_ncu(ncu));
    return import_report(program, file, stop);
}

}  // namespace cubinlab
