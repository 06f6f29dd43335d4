// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>

#include "app/lab/commands/budget_rows.h"
#include "core/legality/hazard_checker.h"
#include "app/lab/synthetic_kernel.h"

namespace cubinlab::cli {
namespace {

constexpr std::size_t kBranchEvery = 10;  // instructions: blocks of four to five

struct Cost {
    double seconds = 0;
    double megabytes = 0;
};

// Seconds of a checker and one full check; empty if either fails.
std::optional<double> check_in(const KernelPtr& kernel, CheckMode mode) {
    const auto start = std::chrono::steady_clock::now();
    const auto checker = HazardChecker::create(kernel, mode);
    if (!checker) return std::nullopt;
    (*checker)->report(Schedule(kernel));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs in a child, whose peak memory is that of this work alone.
Result<Cost> in_child(const std::function<Result<KernelPtr>()>& make, CheckMode mode) {
    int ends[2];
    if (pipe(ends) != 0) return fail(ErrorCode::Io, "cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) return fail(ErrorCode::Io, "cannot start a process");
    if (child == 0) {
        const Result<KernelPtr> kernel = make();
        const std::optional<double> seconds = kernel ? check_in(*kernel, mode) : std::nullopt;
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

// One block: repeats the instructions of the body that are not control flow and that `wanted` accepts.
Result<KernelPtr> straight_kernel(const Kernel& kernel, std::size_t instructions,
                                  const std::function<bool(const Instruction&)>& wanted) {
    std::vector<Word> words;
    while (words.size() < instructions) {
        const std::size_t before = words.size();
        for (InstrId id = 0; id < kernel.size(); ++id)
            if (!kernel.pinned(id) && wanted(kernel.instruction(id)))
                words.push_back(kernel.instruction(id).word);
        if (words.size() == before) return fail(ErrorCode::BadInput, "has no instruction of this kind");
    }
    words.push_back(branch_word(kernel.arch(), -1));
    return kernel_with_words(kernel, words);
}

bool any(const Instruction&) {
    return true;
}
bool accesses_memory(const Instruction& i) {
    return i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant;
}
// Each of them depends on every one before it: none rules an older one out.
bool guarded(const Instruction& i) {
    return i.guarded();
}

struct Case {
    std::string what;
    std::function<Result<KernelPtr>()> make;
    double seconds = 0;  // budgets, a mode
    double megabytes = 0;
};

std::vector<Case> cases(const Kernel& kernel) {
    std::vector<Case> all;
    for (const std::size_t size : {10'000u, 20'000u, 40'000u})
        all.push_back({fmt::format("checker and full check, {} branchy", size),
                       [&kernel, size] { return repeated_kernel(kernel, size, kBranchEvery); },
                       2 * static_cast<double>(size) / 40'000, 500 * static_cast<double>(size) / 40'000});
    const auto straight = [&](const char* what, std::size_t size, bool (*wanted)(const Instruction&)) {
        all.push_back({fmt::format("checker and full check, {} {} in a block", size, what),
                       [&kernel, size, wanted] { return straight_kernel(kernel, size, wanted); }, 5, 1000});
    };
    straight("of all kinds", 50'000, any);
    straight("memory operations", 20'000, accesses_memory);
    straight("guarded", 20'000, guarded);
    return all;
}

}  // namespace

Result<std::vector<BudgetRow>> large_kernel_rows(const std::filesystem::path& sample) {
    auto cubin = TRY(Cubin::open(sample));
    auto kernel = TRY(Kernel::load(cubin));
    const std::string name = sample.stem().string();
    std::vector<BudgetRow> rows;
    for (const Case& c : cases(*kernel))
        for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute}) {
            const auto cost = TRY(in_child(c.make, mode));
            const char* of_mode = mode == CheckMode::Absolute ? "absolute" : "against itself";
            rows.push_back({fmt::format("{}, {}", c.what, of_mode), name, "s", cost.seconds, c.seconds});
            rows.push_back({"  peak memory", name, "MB", cost.megabytes, c.megabytes});
        }
    return rows;
}

}  // namespace cubinlab::cli
