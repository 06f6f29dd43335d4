// SPDX-License-Identifier: GPL-3.0-or-later
// Takes kernels out of a running program by libcubinlab-inject.so (core/tuning/program/preloaded_program.h): which kernels it
// launches and how long they take, and cubins with workloads of chosen launches.
#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tuning/program/captured_workload.h"

namespace cubinlab {

// The program that kernels are taken from; fields as in PreloadedProgram.
struct CapturedProgram {
    std::vector<std::string> command;
    std::filesystem::path folder = {};
    bool output_to_errors = false;
    std::function<void(std::string_view)> on_output = {};
};

struct LaunchedKernel {
    std::string name, image, why_not;  // why_not: why it cannot be edited and replayed; empty: it can
    std::uint64_t launches = 0;
    std::uint64_t recorded = 0;    // of them into graphs
    std::uint64_t graph_runs = 0;  // executions by launches of graphs, which are not timed
    std::uint64_t timed = 0;
    double timed_us = 0;
    double share = 0;  // of the time of all kernels
    double mean_us() const { return timed == 0 ? 0 : timed_us / static_cast<double>(timed); }
};

struct LaunchedKernels {
    std::vector<LaunchedKernel> kernels;  // the largest share first
    std::size_t processes = 0;            // that loaded the driver
    std::uint64_t graph_launches = 0;
    std::uint64_t links = 0;  // by the driver's linker
    std::vector<std::string> notes;
    int exit_code = 0;  // of the program
};

// Runs the program once. Errors: those of run_preloaded.
Result<LaunchedKernels> list_launched_kernels(const CapturedProgram& program, std::stop_token stop = {});

struct CaptureRequest {
    CapturedProgram program;
    std::filesystem::path out;
    std::string kernel = {};         // a name or regex:RE; empty: every kernel
    // "7": the seventh; "first:4": the first four, as input sets; "sizes:3": the first of each of three sizes, as shapes.
    std::string launch = "sizes:3";
    std::uint64_t limit_mib = 4096;  // of memory that is kept
    bool add = false;                // to what `out` holds
    CaptureOptions options = {};
};

struct Captured {
    std::vector<CapturedKernel> kernels;  // empty: no such launch was seen
    std::vector<std::string> notes;
    int exit_code = 0;  // of the program
};

// Errors: BadUse (the launch, `out` holds something), Io, those of run_preloaded and make_workloads.
Result<Captured> capture_kernels(const CaptureRequest& request, std::stop_token stop = {});

}  // namespace cubinlab
