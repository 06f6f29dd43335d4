// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab budgets`: measures the project's budgets of time and memory here. No test asserts them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <random>

#include "app/cli/base/output.h"
#include "app/lab/commands/budget_rows.h"
#include "app/lab/commands/lab_commands.h"
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/insight/liveness.h"
#include "core/legality/hazard_checker.h"
#include "core/model/explanation.h"
#include "core/model/sm_model.h"
#include "core/sass/decoder.h"
#include "core/sass/disassembler.h"
#include "core/schedule/cubin_writer.h"
#include "core/search/moves/neighbourhood.h"
#include "core/store/session.h"
#include "core/tuning/explain_settings.h"

namespace cubinlab::cli {
namespace {

// Median seconds of `body` over enough repeats to fill about 0.3 s, at least 5.
double median_seconds(const std::function<void()>& body) {
    std::vector<double> times;
    double total = 0;
    while (times.size() < 5 || (total < 0.3 && times.size() < 10'000)) {
        const auto start = std::chrono::steady_clock::now();
        body();
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        total += times.back();
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
}

std::vector<Mutation> random_moves(const Schedule& s, std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<Mutation> out;
    const KernelPtr& kernel = s.kernel();
    while (out.size() < count) {
        const auto id = static_cast<InstrId>(random() % s.size());
        const Block& block = kernel->flow().blocks[kernel->block_of(id)];
        if (kernel->pinned(id) || block.count < 3) continue;
        const Position to = block.first + static_cast<Position>(random() % block.count);
        if (to != s.position_of(id)) out.push_back(Mutation::move_to(s, id, to));
    }
    return out;
}

Result<std::vector<BudgetRow>> kernel_rows(const std::filesystem::path& file) {
    std::vector<BudgetRow> rows;
    const std::string name = file.stem().string();
    Error error;
    const double open = median_seconds([&] {
        auto cubin = Cubin::open(file);
        if (!cubin) {
            error = cubin.error();
            return;
        }
        auto kernel = Kernel::load(*cubin);
        if (!kernel) {
            error = kernel.error();
            return;
        }
        auto checker = HazardChecker::create(*kernel);
        if (!checker) {
            error = checker.error();
            return;
        }
        DisassemblerSettings stored_only;
        stored_only.allow_nvdisasm = false;
        auto text = read_text(default_listing_path(file));
        list_kernel(**cubin, (*kernel)->info(), stored_only, text ? std::optional(*text) : std::nullopt);
        compute_liveness(Schedule(*kernel));
    });
    if (!error.what.empty()) return fail(error);
    auto cubin = Cubin::open(file);
    auto kernel = Kernel::load(*cubin);
    auto checker = HazardChecker::create(*kernel);
    auto writer = CubinWriter::create(*kernel);
    if (!checker || !writer) return fail(checker ? writer.error() : checker.error());
    const Schedule original(*kernel);
    const double per_1000 = 1000.0 / static_cast<double>((*kernel)->size());
    rows.push_back(
        {"open and analyse, stored listing, per 1,000 instructions", name, "ms", open * 1e3 * per_1000, 30});
    rows.push_back({"full check, per 1,000 instructions", name, "ms",
                    median_seconds([&] { (*checker)->check(original); }) * 1e3 * per_1000, 1});
    const auto moves = random_moves(original, 500);
    rows.push_back({"one incremental legality answer (random moves)", name, "us",
                    median_seconds([&] {
                        for (const Mutation& m : moves)
                            (*checker)->allows(original, m);
                    }) * 1e6 /
                        static_cast<double>(moves.size()),
                    5});
    rows.push_back({"decode, per 1,000 instructions", name, "ms",
                    median_seconds([&] {
                        for (InstrId id = 0; id < (*kernel)->size(); ++id)
                            decode((*kernel)->arch(), (*kernel)->instruction(id).word, id * kWordBytes);
                    }) * 1e3 *
                        per_1000,
                    30});
    InstrId next = 0;
    rows.push_back({"legal slots of one instruction", name, "us",
                    median_seconds([&] {
                        for (int i = 0; i < 20; ++i) {
                            (*checker)->slots(original, next);
                            next = (next + 7) % static_cast<InstrId>(original.size());
                        }
                    }) * 1e6 /
                        20,
                    200});
    const Neighbourhood around({*kernel, *checker, 1, "{}", {}, {}, original});
    Rng rng(1);
    constexpr int kDraws = 100;
    int drawn = 0, rounds = 0;  // a kernel may have no legal move
    const double all_draws = median_seconds([&] {
        ++rounds;
        for (int i = 0; i < kDraws; ++i)
            drawn += around.draw(original, EditClass::Move, rng).has_value();
    });
    if (drawn > 0)
        rows.push_back({"a legal move drawn at random", name, "us", all_draws * 1e6 * rounds / drawn, 50});
    rows.push_back({"schedule to patched cubin", name, "us",
                    median_seconds([&] { writer->patches(original); }) * 1e6, 50});
    SmModel model(*kernel, {});
    // With its launch; the iterations of the loops are recounted.
    auto launch = Workload::load(default_workload_path(file));
    const std::optional<Workload> workload = launch ? std::optional(std::move(*launch)) : std::nullopt;
    rows.push_back({"explain one schedule, per 1,000 instructions", name, "ms",
                    median_seconds([&] {
                        const ExplainSettings settings = explain_settings(**kernel, workload);
                        Explainer(*kernel, settings.model).explain(original);
                    }) * 1e3 *
                        per_1000,
                    50});
    rows.push_back({"SM model, one evaluation, per 1,000 instructions", name, "ms",
                    median_seconds([&] { model.cycles(original); }) * 1e3 * per_1000, 1});
    return rows;
}

Result<BudgetRow> logging_row(const std::filesystem::path& sample) {
    auto cubin = TRY(Cubin::open(sample));
    auto kernel = TRY(Kernel::load(cubin));
    auto folder = TRY(ScratchFolder::make());
    constexpr int kRows = 50'000;
    double seconds = 0;
    {
        auto session = TRY(SessionWriter::open(folder.path() / "budgets.db", kernel, "", ""));
        RunId id = 0;
        auto sink = TRY(session->begin_run(RunHeader{}, Schedule(kernel), &id));
        const Schedule original(kernel);
        StepRecord record;
        record.mutation = Mutation::control(original, 0, original.control(0));
        record.schedule_hash = original.hash();
        record.outcome.kind = OutcomeKind::Ok;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 1; i <= kRows; ++i) {
            record.step = i;
            TRY(sink->append(record));
        }
        TRY(sink->flush());
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return BudgetRow{"log one mutation, durable, amortised", sample.stem().string(), "us",
                     seconds * 1e6 / kRows, 50};
}

}  // namespace

Result<int> run_budgets(const BudgetsOptions& options) {
    const std::filesystem::path folder = options.folder;
    // First, while this process is small: its children inherit its memory.
    std::vector<BudgetRow> rows = TRY(large_kernel_rows(folder / "rmsnorm.cubin"));
    for (const char* name : {"bmm_mma", "flash_attn_mma", "ff_swiglu_mma"}) {
        auto measured = TRY(kernel_rows(folder / (std::string(name) + ".cubin")));
        rows.insert(rows.end(), measured.begin(), measured.end());
    }
    auto logging = TRY(logging_row(folder / "bmm_mma.cubin"));
    rows.push_back(logging);
    Json out = Json::array();
    for (const BudgetRow& r : rows)
        out.push_back({{"what", r.what},
                       {"kernel", r.kernel},
                       {"value", r.value},
                       {"unit", r.unit},
                       {"budget", r.budget},
                       {"within", r.within()}});
    const int code = budgets_code(rows);
    if (options.json) return print_document({{"rows", out}}, code);
    for (const BudgetRow& r : rows)
        print_line(fmt::format("{:<72} {:<15} {:>10.3f} {:<3} budget {:>5} {}", r.what, r.kernel, r.value,
                               r.unit, r.budget, r.within() ? "ok" : "OVER"));
    return code;
}

}  // namespace cubinlab::cli
