// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>

#include "app/cli/bench_rows.h"
#include "core/analysis/hazard_checker.h"
#include "core/schedule/synthetic_kernel.h"

namespace cubinlab::cli {
namespace {

constexpr std::size_t kBranchEvery = 10;  // instructions: blocks of four to five

struct Cost {
    double seconds = 0;
    double megabytes = 0;
};

// Seconds of a checker and one full check in both modes; nothing where one of them fails.
std::optional<double> check_both(const KernelPtr& kernel) {
    const auto start = std::chrono::steady_clock::now();
    for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute}) {
        const auto checker = HazardChecker::create(kernel, mode);
        if (!checker) return std::nullopt;
        (*checker)->report(Schedule(kernel));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// In a child: its peak memory is that of this one piece of work.
Result<Cost> in_child(const std::function<Result<KernelPtr>()>& make) {
    int ends[2];
    if (pipe(ends) != 0) return fail(ErrorCode::Io, "cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) return fail(ErrorCode::Io, "cannot start a process");
    if (child == 0) {
        const Result<KernelPtr> kernel = make();
        const std::optional<double> seconds = kernel ? check_both(*kernel) : std::nullopt;
        const bool sent = seconds && write(ends[1], &*seconds, sizeof *seconds) == sizeof *seconds;
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    Cost cost;
    const bool read_all = read(ends[0], &cost.seconds, sizeof cost.seconds) == sizeof cost.seconds;
    close(ends[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    if (!read_all || status != 0) return fail(ErrorCode::BadInput, "the check of a large kernel failed");
    cost.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    return cost;
}

// One block: everything of the body that is no control flow, over and over.
Result<KernelPtr> straight_kernel(const Kernel& kernel, std::size_t instructions) {
    std::vector<Word> words;
    while (words.size() < instructions) {
        const std::size_t before = words.size();
        for (InstrId id = 0; id < kernel.size(); ++id)
            if (!kernel.pinned(id)) words.push_back(kernel.instruction(id).word);
        if (words.size() == before) return fail(ErrorCode::BadInput, "has no word that may move");
    }
    words.push_back(branch_word(kernel.arch(), -1));
    return kernel_with_words(kernel, words);
}

}  // namespace

Result<std::vector<BenchRow>> bench_scale(const std::filesystem::path& sample) {
    auto cubin = Cubin::open(sample);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin);
    if (!kernel) return fail(kernel.error());
    const std::string name = sample.stem().string();
    std::vector<BenchRow> rows;
    for (const std::size_t size : {10'000u, 20'000u, 40'000u}) {
        const auto cost = in_child([&] { return repeated_kernel(**kernel, size, kBranchEvery); });
        if (!cost) return fail(cost.error());
        const double budget = static_cast<double>(size) / 40'000;
        const std::string what = fmt::format("checker and full check, both modes, {} branchy", size);
        rows.push_back({what, name, "s", cost->seconds, 2 * budget});
        rows.push_back({"  peak memory", name, "MB", cost->megabytes, 500 * budget});
    }
    const auto cost = in_child([&] { return straight_kernel(**kernel, 50'000); });
    if (!cost) return fail(cost.error());
    rows.push_back({"checker and full check, both modes, 50000 in a block", name, "s", cost->seconds, 5});
    rows.push_back({"  peak memory", name, "MB", cost->megabytes, 1000});
    return rows;
}

}  // namespace cubinlab::cli
