// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/doctor.h"

#include <fmt/format.h>

#include "core/sass/disassembler.h"
#include "core/search/searcher.h"
#include "core/workflow/compile.h"

namespace cubinlab {
namespace {

ToolFinding gpu(const GpuSettings& settings) {
    const GpuPresence g = probe_gpu(settings);
    return {"GPU", g.present,
            g.present ? fmt::format("{}, sm_{}, driver {}", g.device, g.sm, g.driver) : g.reason,
            "no measuring: agents run on the SM model and every export is stamped unmeasured",
            "an NVIDIA driver and a GPU, or --worker \"ssh -T -e none HOST cubinlab-bench-worker\" for "
            "another machine's"};
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

// The module is really loaded: a file that is there and does not load is as good as none.
ToolFinding agent_module() {
    for (const SearcherDescription& d : searcher_descriptions()) {
        if (!d.needs_torch) continue;
        const std::string why = agent_module_problem();
        return {"LibTorch agents", why.empty(),
                why.empty() ? d.name + " and what else the module offers" : why,
                "no ppo agents; random, greedy and anneal work",
                "install libtorch-dev (Debian) or PyTorch and build with CUBINLAB_AGENT=ON"};
    }
    return {"LibTorch agents", false, "this build has none", "no ppo agents", "build with CUBINLAB_AGENT=ON"};
}

}  // namespace

std::vector<ToolFinding> examine(const DoctorSettings& settings, std::stop_token stop) {
    std::vector<ToolFinding> findings;
    findings.push_back(gpu(settings.gpu));
    if (!stop.stop_requested()) findings.push_back(disassembler(settings.nvdisasm));
    if (!stop.stop_requested()) findings.push_back(compiler(settings.nvcc, stop));
    if (!stop.stop_requested()) findings.push_back(agent_module());
    return findings;
}

}  // namespace cubinlab
