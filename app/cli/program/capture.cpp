// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/binary/kernel_list.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/tuning/program/capture.h"
#include "core/tuning/program/preloaded_program.h"

namespace cubinlab::cli {

struct CaptureCommandOptions : Common {
    std::string launch = "sizes:3", out, tolerance;
    std::uint64_t limit = 4096;  // MiB
    bool list = false, force = false, check = false;
    GpuOptions gpu;
    std::vector<std::string> program;  // after --
};

namespace {

namespace fs = std::filesystem;

void say(const std::string& line) {
    print_progress("cubinlab: " + printable(line));
}

// "f16:0.01:0.001": dtype, absolute, relative.
Result<CaptureOptions> tolerance_from(const std::string& text) {
    if (text.empty()) return CaptureOptions{};
    const std::size_t first = text.find(':'),
                      second = first == std::string::npos ? first : text.find(':', first + 1);
    CheckTolerance out;
    const auto number = [](const std::string& part, double& value) {
        value = parse_number<double>(part).value_or(-1);
        return value >= 0 && std::isfinite(value);
    };
    const auto dtype = dtype_from(text.substr(0, first));
    const bool good =
        dtype && first != std::string::npos &&
        number(text.substr(first + 1, second == std::string::npos ? second : second - first - 1),
               out.absolute) &&
        (second == std::string::npos || number(text.substr(second + 1), out.relative));
    if (!good)
        return fail(
            ErrorCode::BadUse,
            fmt::format("'{}' is not a tolerance; write DTYPE:ABSOLUTE:RELATIVE, for example f16:0.01:0.001",
                        text),
            "--tolerance");
    return CaptureOptions{out, *dtype};
}

Result<int> list(const CaptureCommandOptions& options) {
    const LaunchedKernels seen =
        TRY(list_launched_kernels({.command = options.program, .output_to_errors = options.json}));
    // A program that uses CUDA and launches nothing has an empty list.
    const int code = seen.exit_code != 0 ? seen.exit_code : seen.processes == 0 ? 1 : 0;
    if (options.json) {
        Json rows = Json::array();
        for (const LaunchedKernel& kernel : seen.kernels)
            rows.push_back({{"kernel", kernel.name},
                            {"demangled", demangled(kernel.name)},
                            {"launches", kernel.launches},
                            {"recorded", kernel.recorded},
                            {"graph_runs", kernel.graph_runs},
                            {"timed", kernel.timed},
                            {"mean_us", kernel.mean_us()},
                            {"share", kernel.share},
                            {"why_not", kernel.why_not}});
        return print_document({{"kernels", rows},
                               {"graph_launches", seen.graph_launches},
                               {"links", seen.links},
                               {"notes", seen.notes},
                               {"exit_code", seen.exit_code}},
                              code);
    }
    if (seen.kernels.empty())
        say(seen.processes > 0 ? "no kernel was launched" : "no kernel was seen: " + why_unseen(options.program));
    else
        print_line(fmt::format("{:>7}  {:>10}  {:>10}  {}", "share", "launches", "mean us", "kernel"));
    for (const LaunchedKernel& kernel : seen.kernels) {
        print_line(fmt::format("{:>6.1f}%  {:>10}  {:>10.2f}  {}", kernel.share * 100,
                               with_thousands(kernel.launches), kernel.mean_us(), demangled(kernel.name)));
        if (kernel.recorded > 0 || kernel.graph_runs > 0)
            print_line(fmt::format("{:>33}{} of its launches were recorded into graphs, which ran it {} times, untimed",
                                   "", with_thousands(kernel.recorded), with_thousands(kernel.graph_runs)));
        if (!kernel.why_not.empty()) print_line(fmt::format("{:>33}{}", "", kernel.why_not));
    }
    if (seen.graph_launches > 0)
        print_line(fmt::format("{} launches of graphs, whose kernels have no share here",
                               with_thousands(seen.graph_launches)));
    if (seen.links > 0) print_line(fmt::format("{} links at run time", with_thousands(seen.links)));
    for (const std::string& note : seen.notes)
        print_line(note);
    if (seen.exit_code != 0) say(fmt::format("the program ended with {}", seen.exit_code));
    return code;
}

// The replayed original must give what the program got: asked of a worker, in a process of its own.
Json replayed(const CapturedKernel& captured, const CaptureCommandOptions& options) {
    const auto bad = [](const std::string& what) { return Json{{"equal", false}, {"why", what}}; };
    auto cubin = Cubin::open(captured.cubin);
    if (!cubin) return bad(cubin.error().message());
    auto workload = Workload::load(default_workload_path(captured.cubin));
    if (!workload) return bad(workload.error().message());
    auto kernel = Kernel::load(*cubin, captured.kernel);
    if (!kernel) return bad(kernel.error().message());
    GpuSettings settings = options.gpu.settings();
    settings.ladder.warm_up_ms = 0;
    auto evaluator = make_gpu_evaluator(*kernel, *workload, settings, {});
    if (!evaluator) return bad(evaluator.error().message());
    return {{"equal", true}, {"original_us", (*evaluator)->info().original_cost}};
}

}  // namespace

Result<int> run_capture(const CaptureCommandOptions& options) {
    if (options.program.empty())
        return fail(ErrorCode::BadUse,
                    "name the program behind --: cubinlab capture -o FOLDER -- PROGRAM ARGS", "capture");
    if (options.list) return list(options);
    if (options.out.empty())
        return fail(ErrorCode::BadUse, "name a folder with -o, or give --list", "capture");
    const CaptureOptions tolerance = TRY(tolerance_from(options.tolerance));
    const Captured captured =
        TRY(capture_kernels({.program = {.command = options.program, .output_to_errors = options.json},
                             .out = options.out,
                             .kernel = options.kernel,
                             .launch = options.launch,
                             .limit_mib = options.limit,
                             .add = options.force,
                             .options = tolerance}));
    Json rows = Json::array();
    bool all_equal = true;
    for (const CapturedKernel& one : captured.kernels) {
        Json row = {{"kernel", one.kernel},
                    {"cubin", one.cubin.string()},
                    {"ptx", one.ptx.string()},
                    {"launch", one.launch},
                    {"sets", one.sets},
                    {"shapes", one.shapes},
                    {"regions", one.regions},
                    {"bytes", one.bytes},
                    {"changed_bytes", one.changed_bytes},
                    {"left_out", one.left_out}};
        if (options.check && one.replayable) row["replay"] = replayed(one, options);
        all_equal =
            all_equal && one.replayable && (!row.contains("replay") || row["replay"]["equal"].get<bool>());
        rows.push_back(std::move(row));
    }
    const int code = captured.exit_code != 0 ? captured.exit_code : rows.empty() || !all_equal ? 1 : 0;
    if (options.json)
        return print_document(
            {{"captured", rows}, {"notes", captured.notes}, {"exit_code", captured.exit_code}}, code);
    for (const Json& row : rows) {
        say(fmt::format("captured launch {} of {}: {} allocations, {:.1f} MiB, {}{}: {}",
                        row["launch"].get<std::uint64_t>(), demangled(row["kernel"].get<std::string>()),
                        row["regions"].get<std::uint64_t>(),
                        static_cast<double>(row["bytes"].get<std::uint64_t>()) / (1 << 20),
                        number_of(row["sets"].get<std::size_t>(), "set"),
                        row["shapes"] > 1 ? fmt::format(", {} sizes", row["shapes"].get<std::size_t>()) : "",
                        row["cubin"].get<std::string>()));
        if (const auto ptx = row["ptx"].get<std::string>(); !ptx.empty())
            say("  the driver compiled it from " + ptx);
        for (const Json& what : row["left_out"])
            say("  cannot be replayed: it uses " + what.get<std::string>());
        if (!row.contains("replay")) continue;
        const Json& replay = row["replay"];
        if (replay["equal"].get<bool>()) {
            say(fmt::format("  replayed: what it leaves in memory equals the program's; {:.2f} us, hot cache",
                            replay["original_us"].get<double>()));
        } else {
            say("  NOT REPLAYED: " + replay["why"].get<std::string>());
        }
    }
    for (const std::string& note : captured.notes)
        say(note);
    if (rows.empty())
        say(captured.notes.empty()
                ? fmt::format("NOTHING WAS CAPTURED: no launch{} of a kernel {} was seen",
                              options.launch.starts_with("sizes:") ? "" : " " + options.launch,
                              options.kernel.empty() ? "of any name" : "called " + options.kernel)
                : "NOTHING WAS CAPTURED: see above");
    if (captured.exit_code != 0) say(fmt::format("the program ended with {}", captured.exit_code));
    return code;
}

void add_capture(CommandTable& table) {
    auto [sub, options] = table.add(
        "capture",
        "capture a kernel of a program with its arguments and memory: capture -o FOLDER -- PROGRAM ARGS",
        run_capture);
    sub->add_flag("--list", options.list,
                  "list the kernels, their launches and shares of time, and what can be edited");
    sub->add_option("--launch", options.launch,
                    "which launches of the kernel: N, from 1; first:K for K input sets; sizes:K for the first of each of "
                    "K sizes, the shapes of one workload");
    sub->add_option("-o,--out", options.out, "folder for NAME.cubin, NAME.workload.json and its memory");
    sub->add_option("--limit", options.limit, "MiB of memory that a launch may reach")
        ->check(whole(1, 1 << 20));
    sub->add_option("--tolerance", options.tolerance,
                    "DTYPE:ABSOLUTE:RELATIVE for outputs that vary from run to run; default: bit for bit");
    sub->add_flag("--check", options.check, "replay each on a GPU and compare the results");
    sub->add_flag("--force", options.force, "add to a non-empty folder");
    add_gpu(sub, options.gpu);
    add_common(sub, options, false);
    sub->add_option("--kernel", options.kernel, "name, or regex:RE; default: each kernel's launch");
    table.add_program("capture", options.program);
}

}  // namespace cubinlab::cli
