// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <cstdlib>
#include <string_view>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "core/base/version.h"
#include "core/tuning/doctor.h"
#include "core/tuning/edit_test.h"

namespace cubinlab::cli {

struct DoctorOptions : Common {
    GpuOptions gpu;
    bool edit_test = false;
};

namespace {

ToolFinding display() {
    const char* x = std::getenv("DISPLAY");
    const char* wayland = std::getenv("WAYLAND_DISPLAY");
    [[maybe_unused]] const bool there = (x && *x) || (wayland && *wayland);
#ifdef CUBINLAB_WITH_UI
    // Like missing_display(): other Qt platforms need no display.
    const char* platform = std::getenv("QT_QPA_PLATFORM");
    const std::string_view name = platform ? platform : "";
    if (!name.empty() && name.find("xcb") == name.npos && name.find("wayland") == name.npos)
        return {"display", true, fmt::format("QT_QPA_PLATFORM={} needs no display", name), "", ""};
    return {"display", there,
            there ? std::string("DISPLAY or WAYLAND_DISPLAY is set")
                  : "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "no window; every command works",
            "a desktop session, ssh -X, or QT_QPA_PLATFORM=offscreen for screenshots"};
#else
    return {"window", false, "this build has no window", "no window; every command works",
            "build with CUBINLAB_UI=ON (Qt 6, QScintilla, QCustomPlot)"};
#endif
}

Result<int> run_test(const DoctorOptions& options) {
    StopOnSignal stop;
    const EditTest test = TRY(run_edit_test(options.gpu.settings(), stop.token()));
    TRY(store_edit_test(test.record()));
    const int code = test.passed() ? 0 : 1;
    if (!options.json) {
        print_line(test.sentence());
        return code;
    }
    Json parts = Json::array();
    for (const EditTestPart& part : test.parts)
        parts.push_back({{"part", part.name},
                         {"as_edited", part.as_edited},
                         {"required", part.required},
                         {"found", part.found}});
    return print_document({{"passed", test.passed()},
                           {"device", test.gpu.device},
                           {"driver", test.gpu.driver},
                           {"arch", test.arch.name()},
                           {"sentence", test.sentence()},
                           {"parts", parts},
                           {"stored", edit_test_file().string()}},
                          code);
}

}  // namespace

Result<int> run_doctor(const DoctorOptions& options) {
    if (options.edit_test) return run_test(options);
    DoctorSettings settings;
    settings.gpu = options.gpu.settings();
    std::vector<ToolFinding> findings = examine(settings);
    findings.push_back(display());
    if (options.json) {
        Json parts = Json::array();
        for (const ToolFinding& f : findings)
            parts.push_back({{"part", f.part},
                             {"present", f.present},
                             {"found", f.found},
                             {"without_it", f.cost},
                             {"remedy", f.remedy}});
        return print_document({{"version", version_number()}, {"parts", parts}});
    }
    print_line("cubinlab " + version_number());
    for (const ToolFinding& f : findings) {
        print_line(fmt::format("{:<16} {}  {}", f.part, f.present ? "yes" : "no ", f.found));
        if (!f.present)
            print_text(
                fmt::format("{:<20}  without it: {}\n{:<20}  to get it:  {}\n", "", f.cost, "", f.remedy));
    }
    return 0;
}

void add_doctor(CommandTable& table) {
    auto [sub, options] = table.add(
        "doctor", "what is installed, what was found where, what each missing part costs", run_doctor);
    sub->add_flag(
        "--edit-test", options.edit_test,
        "run small edited cubins on the GPU: whether it runs edited code, which sm_100 and later need");
    add_gpu(sub, options.gpu);
    add_common(sub, options, false);
}

}  // namespace cubinlab::cli
