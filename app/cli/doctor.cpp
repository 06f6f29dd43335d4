// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "app/cli/output.h"
#include "core/sass/disassembler.h"
#include "core/search/searcher.h"

#ifndef CUBINLAB_VERSION
#define CUBINLAB_VERSION "development"
#endif

namespace cubinlab::cli {
namespace {

struct Finding {
    std::string part;
    bool present = false;
    std::string found;   // what and where
    std::string cost;    // what is lost without it
    std::string remedy;  // how to get it
};

Finding gpu(const DoctorOptions& options) {
    const GpuPresence g = probe_gpu(options.gpu.settings());
    return {"GPU", g.present,
            g.present ? fmt::format("{}, sm_{}, driver {}", g.device, g.sm, g.driver) : g.reason,
            "no measuring: agents run on the SM model and every export is stamped unmeasured",
            "an NVIDIA driver and a GPU, or --worker \"ssh -T -e none HOST cubinlab-bench-worker\" for "
            "another machine's"};
}

Finding disassembler() {
    const auto tool = find_nvdisasm();
    return {"nvdisasm", tool.has_value(),
            tool ? fmt::format("{} ({})", tool->path.string(), tool->version) : tool.error().what,
            "listings come from a stored file or the built-in renderer",
            "a CUDA toolkit 12 or 13; or set CUBINLAB_NVDISASM to the program"};
}

// The module is really loaded: a file that is there and does not load is as good as none.
Finding agent_module() {
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

Finding display() {
    const char* x = std::getenv("DISPLAY");
    const char* wayland = std::getenv("WAYLAND_DISPLAY");
    [[maybe_unused]] const bool there = (x && *x) || (wayland && *wayland);
#ifdef CUBINLAB_WITH_UI
    return {"display", there,
            there ? std::string("DISPLAY or WAYLAND_DISPLAY is set")
                  : "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "no window; every command works",
            "a desktop session, ssh -X, or QT_QPA_PLATFORM=offscreen for screenshots"};
#else
    return {"window", false, "this build has none", "no window; every command works",
            "build with CUBINLAB_UI=ON (Qt 6, QScintilla, QCustomPlot)"};
#endif
}

}  // namespace

int run_doctor(const DoctorOptions& options) {
    const std::vector<Finding> findings = {gpu(options), disassembler(), agent_module(), display()};
    if (options.json) {
        Json parts = Json::array();
        for (const Finding& f : findings)
            parts.push_back({{"part", f.part},
                             {"present", f.present},
                             {"found", f.found},
                             {"without_it", f.cost},
                             {"remedy", f.remedy}});
        return print_document({{"version", CUBINLAB_VERSION}, {"parts", parts}});
    }
    print_line("cubinlab " CUBINLAB_VERSION);
    for (const Finding& f : findings) {
        print_line(fmt::format("{:<16} {}  {}", f.part, f.present ? "yes" : "no ", f.found));
        if (!f.present)
            print_line(
                fmt::format("{:<20}  without it: {}\n{:<20}  to get it:  {}", "", f.cost, "", f.remedy));
    }
    return 0;
}

}  // namespace cubinlab::cli
