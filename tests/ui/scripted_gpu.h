// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU for the window: the worker command of a window set to tests/fakes/fake_bench_worker.cpp with a
// script.
#pragma once
#include <QDir>
#include <nlohmann/json.hpp>

#include "core/schedule/cubin_writer.h"
#include "tests/ui/window_support.h"

namespace cubinlab::ui::test {

class ScriptedGpu {
  public:
    nlohmann::json script = {{"default", {{"do", "ok"}}}, {"candidates", nlohmann::json::object()}};

    explicit ScriptedGpu(const QString& folder) : folder_(folder.toStdString()) {
        QDir(folder).mkpath(QStringLiteral("state"));
    }
    // The image that a worker is sent for a schedule, by its hash, as scripts name candidates.
    static std::string image_of(const Schedule& schedule) {
        auto writer = required(CubinWriter::create(schedule.kernel()));
        return hash_bytes(writer->image(schedule)).hex();
    }
    GpuSettings settings() const {
        std::ofstream(folder_ + "/script.json") << script;
        GpuSettings out;
        out.worker_command = std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + folder_ +
                             "/script.json " + folder_ + "/state";
        out.hang_after = std::chrono::milliseconds(100);
        out.silence = std::chrono::milliseconds(400);
        return out;
    }
    // The window asks this worker from now on, and has found it.
    void use_in(MainWindow& window) const {
        window.controller().set_gpu_settings(settings());
        window.controller().probe_gpu_now();
        REQUIRE(wait_for([&] {
            const auto& gpu = window.controller().gpu();
            return gpu && gpu->present && gpu->device == "Scripted GPU";
        }));
    }
    std::vector<std::string> log() const {
        std::ifstream in(folder_ + "/state/log");
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }

  private:
    std::string folder_;
};

}  // namespace cubinlab::ui::test
