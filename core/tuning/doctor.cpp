// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/start/compile_source.h"
#include "core/sass/disassembler.h"
#include "core/search/engine/searcher.h"
#include "core/start/ptxas.h"

namespace cubinlab {
namespace {

ToolFinding gpu(const GpuSettings& settings, const std::stop_token& stop) {
    const GpuProbe g = probe_gpu(settings, stop);
    return {"GPU", g.present,
            g.present ? fmt::format("{}, sm_{}, driver {}", g.device, g.sm, g.driver) : g.reason,
            "no measuring: agents run on the SM model and every export is stamped unmeasured",
            "an NVIDIA driver and a GPU, or --worker \"ssh -T -e none HOST cubinlab-bench-worker\" for "
            "another machine's"};
}

// One worker's machine of a pool: the GPUs that would be used, or its answer where there is none.
ToolFinding worker(const std::string& command, std::size_t number, GpuSettings settings,
                   const std::stop_token& stop) {
    settings.worker_commands.clear();
    settings.worker_command = command;
    const std::string name = command.empty() || command == "local" ? "local" : command;
    ToolFinding finding{fmt::format("worker {}", number), false, name + ": ",
                        "the pool continues with the others",
                        "check that this command starts cubinlab-bench-worker there, by hand and without a "
                        "password"};
    const GpuProbe first = probe_gpu(settings, stop);
    if (!first.present) {
        finding.found += first.reason;
        return finding;
    }
    const int there = std::max(1, first.devices);
    const int wanted = settings.gpus_each > 0 ? settings.gpus_each : std::max(1, there - settings.device);
    std::string answered;
    int up = 0;
    for (int i = 0; i < wanted; ++i, ++settings.device) {
        const GpuProbe one = i == 0 ? first : probe_gpu(settings, stop);
        answered += fmt::format(
            "{}GPU {} {}", i == 0 ? "" : ", ", settings.device,
            one.present ? fmt::format("{} (sm_{})", one.device, one.sm) : "not usable: " + one.reason);
        up += one.present ? 1 : 0;
    }
    finding.present = up == wanted;
    finding.found += fmt::format("{} of its {} GPUs used: {}; driver {}", up, there, answered, first.driver);
    return finding;
}

// Nothing where one GPU of one worker is all there is.
std::vector<ToolFinding> pool(const GpuSettings& settings, const std::stop_token& stop) {
    std::vector<ToolFinding> findings;
    std::vector<std::string> commands = settings.worker_commands;
    if (commands.empty()) commands.push_back(settings.worker_command);
    if (commands.size() == 1 && settings.gpus_each == 1) return findings;
    for (std::size_t i = 0; i < commands.size() && !stop.stop_requested(); ++i)
        findings.push_back(worker(commands[i], i + 1, settings, stop));
    return findings;
}

ToolFinding disassembler(const std::string& path) {
    DisassemblerSettings settings;
    settings.nvdisasm = path;
    const auto tool = find_nvdisasm(settings);
    return {"nvdisasm", tool.has_value(),
            tool ? fmt::format("{} ({})", tool->path.string(), tool->version) : tool.error().message(),
            "listings come from a stored file or the built-in renderer",
            "a CUDA toolkit 12 or 13; or set CUBINLAB_NVDISASM to the program"};
}

ToolFinding compiler(const std::string& path, std::stop_token stop) {
    const auto tool = find_nvcc(path, stop);
    return {"nvcc", tool.has_value(),
            tool ? fmt::format("{} ({})", tool->path.string(), tool->version) : tool.error().message(),
            "CUDA and PTX sources cannot be opened; cubins can",
            "a CUDA toolkit 12 or 13; or set CUBINLAB_NVCC to the program"};
}

ToolFinding assembler() {
    std::string versions;
    for (const Ptxas& ptxas : installed_ptxas())
        versions += fmt::format("{}{} ({})", versions.empty() ? "" : ", ", ptxas.path.string(), ptxas.version);
    const bool present = !versions.empty();
    return {"ptxas", present, present ? versions : "no ptxas on PATH, in a CUDA toolkit or in a Python package",
            "no other compilations of a kernel (starts), and PTX sources cannot be opened",
            "a CUDA toolkit 12 or 13, or Triton; or set CUBINLAB_PTXAS to the program"};
}

// The module is really loaded: a file that is there and does not load is as good as none.
ToolFinding agent_module() {
    std::string with, without;  // LibTorch
    for (const SearcherDescription& d : searcher_descriptions()) {
        std::string& names = d.needs_torch ? with : without;
        names += (names.empty() ? "" : ", ") + d.name;
    }
    const std::string why = agent_module_problem();
    return {"LibTorch agents", why.empty(), why.empty() ? with : why,
            fmt::format("no {}; {} work", with, without),
            "install libtorch-dev (Debian) or PyTorch and build with CUBINLAB_AGENT=ON"};
}

}  // namespace

std::vector<ToolFinding> examine(const DoctorSettings& settings, std::stop_token stop) {
    std::vector<ToolFinding> findings;
    findings.push_back(gpu(settings.gpu, stop));
    for (ToolFinding& finding : pool(settings.gpu, stop))
        findings.push_back(std::move(finding));
    if (!stop.stop_requested()) findings.push_back(disassembler(settings.nvdisasm));
    if (!stop.stop_requested()) findings.push_back(compiler(settings.nvcc, stop));
    if (!stop.stop_requested()) findings.push_back(assembler());
    if (!stop.stop_requested()) findings.push_back(agent_module());
    return findings;
}

}  // namespace cubinlab
