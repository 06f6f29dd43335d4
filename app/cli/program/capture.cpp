// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/base/output.h"
#include "app/cli/program/program_commands.h"
#include "core/base/bounded_json.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/base/scratch_folder.h"
#include "core/binary/kernel_list.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/tuning/campaign.h"
#include "core/tuning/captured_workload.h"
#include "core/tuning/preloaded_program.h"

namespace cubinlab::cli {
namespace {

namespace fs = std::filesystem;

void say(const std::string& line) {
    print_progress("cubinlab: " + printable(line));
}

// "first:4", "7"
bool is_launch(const std::string& text) {
    const std::string digits = text.starts_with("first:") ? text.substr(6) : text;
    return !digits.empty() && digits.size() < 10 &&
           digits.find_first_not_of("0123456789") == std::string::npos &&
           digits.find_first_not_of('0') != std::string::npos;
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
            fmt::format("'{}' is no tolerance; write DTYPE:ABSOLUTE:RELATIVE, for example f16:0.01:0.001",
                        text),
            "--tolerance");
    return CaptureOptions{out, *dtype};
}

struct Counted {
    std::string name, image, why_not;
    std::uint64_t launches = 0, recorded = 0, timed = 0;
    double timed_us = 0;
    double estimate_us() const {
        return timed == 0 ? 0 : timed_us / static_cast<double>(timed) * static_cast<double>(launches);
    }
};

// All processes' kernels, by name and image, the largest share of time first.
std::vector<Counted> counted(const PreloadedRun& run) {
    std::vector<Counted> out;
    for (const auto& process : run.processes) {
        if (!process.contains("list")) continue;
        for (const auto& kernel : process["list"]) {
            const std::string name = kernel.value("name", ""), image = kernel.value("image", "");
            auto at = std::find_if(out.begin(), out.end(),
                                   [&](const Counted& c) { return c.name == name && c.image == image; });
            if (at == out.end())
                at = out.insert(out.end(), Counted{name, image, kernel.value("why_not", ""), 0, 0, 0, 0});
            at->launches += json_or(kernel, "launches", std::uint64_t{0});
            at->recorded += json_or(kernel, "recorded", std::uint64_t{0});
            at->timed += json_or(kernel, "timed", std::uint64_t{0});
            at->timed_us += kernel.value("total_us", 0.0);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Counted& a, const Counted& b) { return a.estimate_us() > b.estimate_us(); });
    return out;
}

// Empty: it can be edited and replayed.
std::string why_not_editable(const Counted& kernel, const fs::path& folder) {
    if (kernel.image.empty()) return kernel.why_not.empty() ? "its code was not to be had" : kernel.why_not;
    auto cubin = Cubin::open(folder / kernel.image);
    if (!cubin) return cubin.error().what;
    auto info = (*cubin)->kernel(kernel.name);
    if (!info) return info.error().what;
    if (!(*cubin)->arch().editable()) return (*cubin)->arch().name() + " code can be viewed, not edited";
    const auto left_out = not_replayable(**cubin, **info);
    return left_out.empty() ? "" : "not replayed: " + fmt::format("{}", fmt::join(left_out, ", "));
}

Result<int> list(const CaptureCommandOptions& options, const fs::path& folder) {
    PreloadedProgram program{
        options.program, {{"CUBINLAB_LIST", "1"}, {"CUBINLAB_QUIET", "1"}}, folder, options.json};
    auto run = TRY(run_preloaded(program));
    const std::vector<Counted> kernels = counted(run);
    double total = 0;
    for (const Counted& kernel : kernels)
        total += kernel.estimate_us();
    Json rows = Json::array(), notes = Json::array();
    std::uint64_t graphs = 0;
    for (const auto& process : run.processes) {
        graphs += json_or(process, "graph_launches", std::uint64_t{0});
        for (const auto& note : process.value("notes", nlohmann::json::array()))
            notes.push_back(Json(note));
    }
    for (const Counted& kernel : kernels) {
        const double share = total > 0 ? kernel.estimate_us() / total : 0;
        rows.push_back(
            {{"kernel", kernel.name},
             {"demangled", demangled(kernel.name)},
             {"launches", kernel.launches},
             {"recorded", kernel.recorded},
             {"timed", kernel.timed},
             {"mean_us", kernel.timed == 0 ? 0 : kernel.timed_us / static_cast<double>(kernel.timed)},
             {"share", share},
             {"why_not", why_not_editable(kernel, folder)}});
    }
    const int code = run.exit_code != 0 ? run.exit_code : rows.empty() ? 1 : 0;
    if (options.json)
        return print_document(
            {{"kernels", rows}, {"graph_launches", graphs}, {"notes", notes}, {"exit_code", run.exit_code}},
            code);
    if (rows.empty())
        say("no kernel was seen: did the program use CUDA, and is it neither setuid nor linked statically?");
    else
        print_line(fmt::format("{:>7}  {:>10}  {:>10}  {}", "share", "launches", "mean us", "kernel"));
    for (const Json& row : rows) {
        print_line(fmt::format("{:>6.1f}%  {:>10}  {:>10.2f}  {}", row["share"].get<double>() * 100,
                               with_thousands(row["launches"].get<std::uint64_t>()),
                               row["mean_us"].get<double>(), row["demangled"].get<std::string>()));
        if (row["recorded"].get<std::uint64_t>() > 0)
            print_line(
                fmt::format("{:>33}{} of its launches were recorded into graphs: their replays are neither "
                            "counted nor timed",
                            "", with_thousands(row["recorded"].get<std::uint64_t>())));
        if (!row["why_not"].get<std::string>().empty())
            print_line(fmt::format("{:>33}{}", "", row["why_not"].get<std::string>()));
    }
    if (graphs > 0)
        print_line(
            fmt::format("{} launches of graphs, whose kernels have no share here", with_thousands(graphs)));
    for (const Json& note : notes)
        print_line(note.get<std::string>());
    if (run.exit_code != 0) say(fmt::format("the program ended with {}", run.exit_code));
    return code;
}

// What the captured kernels' launches cost the whole program, for a campaign.
std::vector<CapturedTimes> times_of(const std::vector<CapturedKernel>& made, const PreloadedRun& run) {
    std::vector<CapturedTimes> out;
    const std::vector<Counted> all = counted(run);
    for (const CapturedKernel& one : made) {
        CapturedTimes times{one.cubin.filename().string(), one.kernel, 0, 0, one.left_out};
        double us = 0;
        std::uint64_t timed = 0;
        for (const Counted& kernel : all) {
            if (kernel.name != one.kernel) continue;
            times.launches += kernel.launches;
            us += kernel.timed_us;
            timed += kernel.timed;
        }
        if (timed > 0) times.mean_us = us / static_cast<double>(timed);
        out.push_back(std::move(times));
    }
    return out;
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
    auto scratch = ScratchFolder::make();
    if (options.list) {
        if (!scratch) return fail(scratch.error());
        return list(options, scratch->path());
    }
    if (options.out.empty())
        return fail(ErrorCode::BadUse, "name a folder with -o, or give --list", "capture");
    if (!is_launch(options.launch))
        return fail(ErrorCode::BadUse,
                    fmt::format("'{}' is no launch; write N (from 1) or first:K", options.launch),
                    "--launch");
    auto tolerance = TRY(tolerance_from(options.tolerance));
    std::error_code error;
    const fs::path out = fs::absolute(options.out);
    if (fs::exists(out, error) &&
        (!fs::is_directory(out, error) || (!fs::is_empty(out, error) && !options.force)))
        return fail(ErrorCode::BadUse,
                    "is there already and not empty; choose another folder, or add to it with --force",
                    options.out);
    fs::create_directories(out, error);
    // Raw memory may be large: beside what is made of it, not in /tmp.
    const fs::path raw = out / ".raw";
    fs::remove_all(raw, error);
    if (!fs::create_directories(raw, error)) return fail(ErrorCode::Io, "cannot be made", raw.string());
    PreloadedProgram program{options.program,
                             {{"CUBINLAB_CAPTURE", options.kernel.empty() ? "*" : options.kernel},
                              {"CUBINLAB_CAPTURE_LAUNCH", options.launch},
                              {"CUBINLAB_CAPTURE_LIMIT", std::to_string(options.limit << 20)},
                              {"CUBINLAB_TIME", "1"},
                              {"CUBINLAB_QUIET", "1"}},
                             raw,
                             options.json};
    auto run = TRY(run_preloaded(program));
    auto made = make_workloads(raw, out, tolerance);
    Json rows = Json::array(), notes = Json::array();
    for (const auto& process : run.processes)
        for (const auto& note : process.value("notes", nlohmann::json::array()))
            notes.push_back(Json(note));
    fs::remove_all(raw, error);
    if (!made) return fail(made.error());
    TRY(write_captured_times(out, times_of(*made, run)));
    bool all_equal = true;
    for (const CapturedKernel& one : *made) {
        Json row = {{"kernel", one.kernel},
                    {"cubin", one.cubin.string()},
                    {"launch", one.launch},
                    {"sets", one.sets},
                    {"regions", one.regions},
                    {"bytes", one.bytes},
                    {"changed_bytes", one.changed_bytes},
                    {"left_out", one.left_out}};
        if (options.check && one.replayable) row["replay"] = replayed(one, options);
        all_equal =
            all_equal && one.replayable && (!row.contains("replay") || row["replay"]["equal"].get<bool>());
        rows.push_back(std::move(row));
    }
    const int code = run.exit_code != 0 ? run.exit_code : rows.empty() || !all_equal ? 1 : 0;
    if (options.json)
        return print_document({{"captured", rows}, {"notes", notes}, {"exit_code", run.exit_code}}, code);
    for (const Json& row : rows) {
        say(fmt::format("captured launch {} of {}: {} allocations, {:.1f} MiB, {}: {}",
                        row["launch"].get<std::uint64_t>(), demangled(row["kernel"].get<std::string>()),
                        row["regions"].get<std::uint64_t>(),
                        static_cast<double>(row["bytes"].get<std::uint64_t>()) / (1 << 20),
                        number_of(row["sets"].get<std::size_t>(), "set"), row["cubin"].get<std::string>()));
        for (const Json& what : row["left_out"])
            say("  cannot be replayed: it uses " + what.get<std::string>());
        if (!row.contains("replay")) continue;
        const Json& replay = row["replay"];
        if (replay["equal"].get<bool>()) {
            say(fmt::format("  replayed: what it leaves in memory equals the program's; {:.2f} us",
                            replay["original_us"].get<double>()));
        } else {
            say("  NOT REPLAYED: " + replay["why"].get<std::string>());
        }
    }
    for (const Json& note : notes)
        say(note.get<std::string>());
    if (rows.empty())
        say(notes.empty()
                ? fmt::format("NOTHING WAS CAPTURED: no launch {} of a kernel {} was seen", options.launch,
                              options.kernel.empty() ? "of any name" : "called " + options.kernel)
                : "NOTHING WAS CAPTURED: see above");
    if (run.exit_code != 0) say(fmt::format("the program ended with {}", run.exit_code));
    return code;
}

}  // namespace cubinlab::cli
