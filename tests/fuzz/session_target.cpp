// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/session_target.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/evidence/patterns.h"
#include "core/store/session.h"

namespace cubinlab::fuzz {
namespace {

void read_run(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) {
    StepId after = 0;
    for (int pages = 0; pages < 16; ++pages) {
        const auto steps = reader.steps(run.id, after, 64);
        if (!steps || steps->empty()) break;
        // Numbers ascend, or a reader of pages would never end.
        if (steps->front().step <= after) __builtin_trap();
        after = steps->back().step;
    }
    (void)reader.metrics(run.id);
    (void)reader.measurements(run.id);
    (void)reader.notes(run.id);
    if (!kernel) return;
    (void)reader.schedule_at(kernel, run.id, run.best_step);
    (void)reader.schedule_at(kernel, run.id, 1);
    (void)reader.verify(kernel, run.id);
    (void)PatternCounts().add(reader, kernel, run);
}

}  // namespace

void read_session(std::span<const std::byte> image) {
    static const std::filesystem::path file = [] {
        std::error_code none;
        const std::filesystem::path base =
            std::filesystem::exists("/dev/shm", none) ? "/dev/shm" : std::filesystem::temp_directory_path();
        const auto folder = base / ("cubinlab-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
        return folder / "input.db";
    }();
    static const struct Tidy {
        ~Tidy() {
            std::error_code none;
            std::filesystem::remove_all(file.parent_path(), none);
        }
    } tidy;
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
    const auto reader = SessionReader::open(file);
    if (!reader) return;
    const auto kernel = (*reader)->kernel();
    (void)(*reader)->workload_json();
    (void)(*reader)->listing_text();
    (void)(*reader)->run(0);
    const auto runs = (*reader)->runs();
    if (!runs) return;
    for (std::size_t i = 0; i < runs->size() && i < 3; ++i)
        read_run(**reader, kernel ? *kernel : nullptr, (*runs)[i]);
}

}  // namespace cubinlab::fuzz
