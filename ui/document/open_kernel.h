// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel as it is opened: the value that a Document takes. It is made whole on a job's thread, so that nothing of
// another kernel can be left in it.
//
//   auto found = open_kernel_of(path, {.kernel = "gemm"});   // the kernel, or the kernels to choose from
//   auto kernel = describe_kernel(loaded, path, listing);    // of a kernel that is loaded, from a session for instance
#pragma once
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/binary/kernel_list.h"
#include "core/gpu/protocol/workload.h"
#include "core/insight/schedule_diff.h"
#include "core/sass/disassembler.h"
#include "core/schedule/schedule.h"

namespace cubinlab::ui {

using SchedulePtr = std::shared_ptr<const Schedule>;
using DiffPtr = std::shared_ptr<const ScheduleDiff>;

struct OpenKernel {
    KernelPtr kernel;
    std::filesystem::path path;
    QString image;    // its number in that file, from 1; empty: the file is not divided
    Listing listing;  // its display text
    std::optional<std::string> stored_listing;  // what the text was read from
    std::optional<Workload> workload;
    QString workload_problem;  // why there is none although there is a file of it
    SchedulePtr original;
    DiffPtr unchanged;  // the original against itself
};

// A file with several kernels, of which somebody has to choose one.
struct KernelChoices {
    std::shared_ptr<const Container> container;
    KernelList list;
    std::vector<std::string> labels;  // of all kernels of the list, in its order
    std::string wish = {};            // KernelQuery::kernel, which means several of them
};
using KernelChoicesPtr = std::shared_ptr<const KernelChoices>;
KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop);

// One of the two is there.
struct KernelOrChoices {
    std::optional<OpenKernel> kernel;
    KernelChoicesPtr choices;
};
// Of anything that holds cubins. A cubin without a kernel named gives the one with most code.
Result<KernelOrChoices> open_kernel_of(const std::filesystem::path& path, const KernelQuery& wish,
                                       std::stop_token stop);

// `stored`: a listing to take the text from; none: the file next to the cubin, where there is one.
OpenKernel describe_kernel(KernelPtr kernel, const std::filesystem::path& path,
                           std::optional<std::string> stored, std::stop_token stop);

}  // namespace cubinlab::ui
