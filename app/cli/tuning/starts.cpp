// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab starts`: other compilations of a kernel from its PTX, options first, then random orders.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/number_of.h"
#include "core/model/assumed_passes.h"
#include "core/model/sm_model.h"
#include "core/start/find_ptx.h"
#include "core/start/start_maker.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::cli {

struct StartsOptions : Common {
    std::string file, ptx, workload;
    int count = 16;          // distinct codes
    std::uint64_t seed = 1;  // of the random orders
};

namespace {

constexpr const char* kAnyCode = "as for info, or a source (.ptx, .cu)";

constexpr int kTriesEach = 4;  // compilations for each distinct code that is wanted
constexpr std::size_t kMostFailures = 5;

struct Failure {
    std::string how, why;
};

struct MadeStarts {
    std::vector<MadeStart> distinct;
    std::vector<Failure> failures;
    std::size_t compiled = 0;
    double seconds = 0;
};

// Adds what `starts` yield; `made` keeps one start of each code.
void add_made(MadeStarts& made, const StartMaker& maker, std::span<const Start> starts, Compiler& compiler,
              std::stop_token stop) {
    std::vector<Result<MadeStart>> results = maker.make(starts, compiler, stop);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i] && results[i].error().code == ErrorCode::Cancelled) continue;
        ++made.compiled;
        if (!results[i]) {
            made.failures.push_back({how_made(starts[i]), results[i].error().message()});
        } else if (std::ranges::find(made.distinct, results[i]->code, &MadeStart::code) ==
                   made.distinct.end()) {
            made.distinct.push_back(std::move(*results[i]));
        }
    }
}

MadeStarts make_starts(const StartMaker& maker, const StartsOptions& options, std::stop_token stop) {
    MadeStarts out;
    Compiler compiler;
    const auto begun = std::chrono::steady_clock::now();
    const auto wanted = static_cast<std::size_t>(options.count);
    add_made(out, maker, maker.option_starts(), compiler, stop);
    std::vector<Start> bases;
    for (const MadeStart& one : out.distinct)
        if (!one.problem) bases.push_back(one.start);
    std::uint64_t number = 0;
    const std::uint64_t most = static_cast<std::uint64_t>(kTriesEach) * wanted;
    while (maker.units() > 0 && !bases.empty() && out.distinct.size() < wanted && number < most &&
           !stop.stop_requested()) {
        std::vector<Start> next;
        const std::size_t missing = std::max<std::size_t>(wanted - out.distinct.size(), 1);
        for (; next.size() < missing && number < most; ++number)
            next.push_back(maker.random_start(bases, options.seed * 0x9e3779b97f4a7c15ull + number));
        add_made(out, maker, next, compiler, stop);
    }
    if (out.distinct.size() > wanted)
        out.distinct.erase(out.distinct.begin() + options.count, out.distinct.end());
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return out;
}

// What the SM model says of one code, with its own passes of loops.
struct Modelled {
    double cycles = 0;
    std::string assumed;
};
std::optional<Modelled> modelled(const std::shared_ptr<const Cubin>& cubin, const std::string& name,
                                 const std::optional<Workload>& workload) {
    if (!cubin->arch().decodable()) return std::nullopt;
    auto kernel = Kernel::load(cubin, name);
    if (!kernel) return std::nullopt;
    const SmModelSettings settings = model_settings(**kernel, workload);
    return Modelled{SmModel(*kernel, settings).cycles(Schedule(*kernel)), assumed_passes(**kernel, settings)};
}

struct Row {
    const MadeStart* made = nullptr;
    const KernelInfo* kernel = nullptr;
    bool original = false;  // the original's code
    std::optional<Modelled> model;
    double gain = 0;  // of modelled cycles, against the original
};

Json json_of(const Row& row) {
    const KernelInfo& k = *row.kernel;
    Json model = nullptr;
    if (row.model)
        model = {{"cycles", row.model->cycles}, {"gain", row.gain}, {"assumed", row.model->assumed}};
    return {{"how", how_made(row.made->start)},
            {"start", to_json(row.made->start)},
            {"code", row.made->code.hex()},
            {"is_original", row.original},
            {"instructions", k.code_size / kWordBytes},
            {"registers", k.registers},
            {"local_bytes", k.local_bytes},
            {"static_shared_bytes", k.static_shared},
            {"fits", !row.made->problem},
            {"problem", row.made->problem ? row.made->problem->text() : ""},
            {"model", model}};
}

void print_row(const Row& row, std::size_t number, bool versions) {
    const KernelInfo& k = *row.kernel;
    std::string line = fmt::format("  {:>4} {:>6} {:>5} {:>6} {:>7}", number, k.code_size / kWordBytes,
                                   k.registers, k.local_bytes, k.static_shared);
    line += row.model ? fmt::format(" {:>10.1f} {:>+6.1f} %", row.model->cycles, 100 * row.gain)
                      : fmt::format(" {:>10} {:>8}", "-", "-");
    line += "  " + how_made(row.made->start);
    if (versions) line += ", ptxas " + row.made->start.ptxas;
    if (row.original) line += " (the original's code)";
    if (row.made->problem) line += "; does not fit: " + row.made->problem->text();
    print_line(line);
}

struct Subject {
    KernelChoice choice;
    PtxSource ptx;
    std::optional<Workload> workload;
};

Result<Subject> subject_of(const StartsOptions& options, std::stop_token stop) {
    auto opened = TRY(open_file_kernel(options.file, options, stop));
    TRY(check_linked(*opened.choice.cubin));
    auto ptx = TRY(find_ptx(*opened.container, opened.choice, options.ptx));
    if (!ptx)
        return fail(ErrorCode::NotFound,
                    fmt::format("no PTX with an entry \"{}\" is in the file or next to it; {}",
                                opened.choice.kernel, "--ptx FILE names it"),
                    options.file);
    Subject out{std::move(opened.choice), std::move(*ptx), std::nullopt};
    // Architectures without a decoder have no schedule, and their launches are known by the cubin alone.
    if (auto kernel = Kernel::load(out.choice.cubin, out.choice.kernel))
        out.workload = TRY(find_workload(**kernel, options.workload));
    return out;
}

std::vector<Row> rows_of(const Subject& subject, const StartMaker& maker, const MadeStarts& made) {
    const std::string& name = subject.choice.kernel;
    const auto original = modelled(subject.choice.cubin, name, subject.workload);
    std::vector<Row> out;
    for (const MadeStart& one : made.distinct) {
        Row row{&one, nullptr, one.code == maker.original_code(), modelled(one.cubin, name, subject.workload),
                0};
        if (const auto kernel = one.cubin->kernel(name)) row.kernel = *kernel;
        if (row.kernel == nullptr) continue;
        if (row.model && original) row.gain = original->cycles / row.model->cycles - 1;
        out.push_back(std::move(row));
    }
    return out;
}

void print_starts(const Subject& subject, const StartMaker& maker, const MadeStarts& made,
                  const std::vector<Row>& rows) {
    const bool versions = installed_ptxas().size() > 1;
    print_line(fmt::format("{} ({}): PTX {}, {} in its blocks", demangled(subject.choice.kernel),
                           subject.choice.cubin->arch().name(), subject.ptx.origin,
                           number_of(maker.units(), "unit")));
    if (maker.order_problem()) print_line("  its order stays as it is: " + maker.order_problem()->message());
    print_line(fmt::format("  {} of {} in {:.1f} s ({:.0f} a second)",
                           number_of(rows.size(), "distinct code"), number_of(made.compiled, "compilation"),
                           made.seconds, static_cast<double>(made.compiled) / std::max(made.seconds, 1e-3)));
    print_line("     # instrs  regs  stack  shared   modelled           how it was made");
    for (std::size_t i = 0; i < rows.size(); ++i)
        print_row(rows[i], i + 1, versions);
    for (std::size_t i = 0; i < std::min(made.failures.size(), kMostFailures); ++i)
        print_line("  failed: " + made.failures[i].how + ": " + made.failures[i].why);
    if (made.failures.size() > kMostFailures)
        print_line(fmt::format("  failed: {} more", made.failures.size() - kMostFailures));
    if (std::ranges::any_of(rows, [](const Row& row) { return row.model.has_value(); }))
        print_line(
            "  modelled: cycles by the SM model, not measured; of each code with its own passes of loops");
}

}  // namespace

Result<int> run_starts(const StartsOptions& options) {
    StopOnSignal stop;
    auto subject = TRY(subject_of(options, stop.token()));
    const Cubin& cubin = *subject.choice.cubin;
    const KernelInfo* kernel = TRY(cubin.kernel(subject.choice.kernel));
    auto maker = TRY(StartMaker::create({subject.ptx, subject.choice.cubin, subject.choice.kernel,
                                         launches_of(cubin.arch(), *kernel, subject.workload)}));
    const MadeStarts made = make_starts(maker, options, stop.token());
    const std::vector<Row> rows = rows_of(subject, maker, made);
    if (stop.token().stop_requested() && rows.empty())
        return fail(ErrorCode::Cancelled, "was stopped", options.file);
    const int code = rows.empty() ? 1 : 0;
    if (!options.json) {
        print_starts(subject, maker, made, rows);
        return code;
    }
    Json starts = Json::array(), failures = Json::array(), ptxas = Json::array();
    for (const Row& row : rows)
        starts.push_back(json_of(row));
    for (const Failure& failure : made.failures)
        failures.push_back({{"how", failure.how}, {"why", failure.why}});
    for (const Ptxas& one : installed_ptxas())
        ptxas.push_back({{"version", one.version}, {"path", one.path.string()}});
    return print_document({{"file", options.file},
                           {"kernel", subject.choice.kernel},
                           {"arch", cubin.arch().name()},
                           {"ptx", subject.ptx.origin},
                           {"units", maker.units()},
                           {"order_problem", maker.order_problem() ? maker.order_problem()->message() : ""},
                           {"ptxas", ptxas},
                           {"compiled", made.compiled},
                           {"seconds", made.seconds},
                           {"starts", starts},
                           {"failures", failures}},
                          code);
}

void add_starts(CommandTable& table) {
    auto [sub, options] =
        table.add("starts", "other compilations of a kernel from its PTX, without a measurement", run_starts);
    sub->add_option("FILE", options.file, kAnyCode)->required();
    sub->add_option("--ptx", options.ptx, "the kernel's PTX; default: searched in FILE and next to it");
    sub->add_option("--workload", options.workload, "default: NAME.workload.json next to FILE");
    sub->add_option("--count", options.count, "distinct codes to make: options first, then random orders")
        ->check(whole(1, 100'000));
    sub->add_option("--seed", options.seed, "seed of the orders")->check(whole(0, kAny));
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
