// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel as it is opened: the value that a Document takes. It is made whole on a job's thread, so that nothing of
// another kernel can be left in it (ui/run/opener.h).
#pragma once
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/gpu/protocol/workload.h"
#include "core/insight/schedule_diff.h"
#include "core/sass/disassembler.h"
#include "core/schedule/schedule.h"
#include "core/start/find_ptx.h"

namespace cubinlab::ui {

using SchedulePtr = std::shared_ptr<const Schedule>;
using DiffPtr = std::shared_ptr<const ScheduleDiff>;

struct OpenKernel {
    KernelPtr kernel;
    QString start;  // "start 45" of a run over starts; empty: the kernel of the file
    std::filesystem::path path;
    QString image;    // its number in that file, from 1; empty: the file is not divided
    Listing listing;  // its display text
    std::optional<std::string> stored_listing;  // what the text was read from
    std::optional<Workload> workload;
    QString workload_problem;  // why there is none although there is a file of it
    std::optional<PtxSource> ptx;  // what it was compiled from
    SchedulePtr original;
    DiffPtr unchanged;  // the original against itself
};

using OpenKernelPtr = std::shared_ptr<const OpenKernel>;

}  // namespace cubinlab::ui
