// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab probe` on a cubin with a frame and a word book: assembled instruction sequences.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/probe/probe_tables.h"

namespace cubinlab::cli {
namespace {

using probe::ClassSummary;
using probe::Row;

std::string share(std::uint64_t wrong, std::uint64_t trials) {
    return fmt::format("{}/{}", wrong, trials);
}

void print_guarded(const std::vector<Row>& rows) {
    const probe::GuardComparison compared = probe::compare_guarded(rows);
    print_line(
        fmt::format("\npredicated first writers beside the same pair without: {} pairs, {} need the same, {} "
                    "less, {} more",
                    compared.pairs, compared.same, compared.less, compared.more.size()));
    for (const std::string& name : compared.more)
        print_line("- " + name);
}

void print_questions(const std::vector<Row>& rows) {
    std::string topic;
    for (const Row& row : rows) {
        if (!row.contains("question")) continue;
        if (row.value("topic", "") != topic) {
            topic = row.value("topic", "");
            print_line(fmt::format(
                "\n{}\n| experiment | | one warp | 16 warps | clocks |\n|---|---|---|---|---|", topic));
        }
        auto text = [&](const char* key) {
            const Row count = row.value(key, Row::array());
            if (count.size() < 2) return std::string("-");
            return count.size() > 2 ? count[2].get<std::string>()
                                    : share(count[0].get<std::uint64_t>(), count[1].get<std::uint64_t>());
        };
        const Row clocks = row.value("clocks", Row::array());
        print_line(fmt::format(
            "| {} | {} | {} | {} | {} |", row.value("question", ""), row.value("expect", ""), text("one"),
            text("full"),
            clocks.size() == 2 ? fmt::format("{}, {}", clocks[0].get<int>(), clocks[1].get<int>()) : ""));
    }
}

Json to_json(const ClassSummary& c, const probe::MinedClasses& mined) {
    const probe::Mined compiler = probe::least_of(mined, c);
    return {{"kind", c.kind},
            {"compiler_least", compiler.least},
            {"compiler_pairs", compiler.seen},
            {"first", c.first},
            {"second", c.second},
            {"file", c.file},
            {"pairs", c.pairs},
            {"table_low", c.table_low},
            {"table_high", c.table_high},
            {"need", c.need},
            {"need_low", c.need_low},
            {"hardest", c.hardest},
            {"wrong_below", c.wrong_below},
            {"trials_below", c.trials_below},
            {"wrong_at", c.wrong_at},
            {"trials_at", c.trials_at},
            {"above_table", c.above_table}};
}

// The distances that the compiler left in every kernel of a cubin.
Status mine(const std::string& file, probe::MinedClasses& out) {
    auto cubin = Cubin::open(file);
    if (!cubin) return fail(cubin.error());
    for (const KernelInfo& info : (*cubin)->kernels()) {
        auto kernel = Kernel::load(*cubin, info.name);
        if (!kernel) return fail(kernel.error());
        probe::mine_distances(**kernel, out);
    }
    return {};
}

int report(const ProbeOptions& options, const probe::WordBook& book, const probe::StudyResult& result,
           const probe::Machine& machine) {
    const auto classes = probe::summarise(book, result.rows);
    probe::MinedClasses mined;
    for (const std::string& file : options.mined)
        if (auto ok = mine(file, mined); !ok) return print_error(ok.error(), options.json);
    if (options.json) {
        const probe::GuardComparison compared = probe::compare_guarded(result.rows);
        Json out = {{"file", options.file},        {"device", machine.device}, {"driver", machine.driver},
                    {"measured", result.measured}, {"left", result.left},      {"absent", result.absent},
                    {"ended_early", result.end},   {"classes", Json::array()}, {"rows", result.rows}};
        for (const ClassSummary& c : classes)
            out["classes"].push_back(to_json(c, mined));
        out["predicated"] = {{"pairs", compared.pairs},
                             {"same", compared.same},
                             {"less", compared.less},
                             {"more", compared.more}};
        return print_document(out);
    }
    print_text(probe::matrix_markdown(classes, mined) + "\n");
    print_text(probe::classes_markdown(classes, mined) + "\n");
    print_guarded(result.rows);
    print_questions(result.rows);
    print_line(fmt::format("{} {}: {} measured, {} left, {} pairs not on this architecture{}", machine.device,
                           machine.driver, result.measured, result.left, result.absent,
                           result.end.empty() ? "" : "; ended early: " + result.end));
    return 0;
}

}  // namespace

int run_probe_synthesis(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin) {
    if (options.summary) {
        if (options.log.empty())
            return print_error({ErrorCode::BadUse, "needs the log to sum up: give --log FILE", "--summary"},
                               options.json);
        auto book = probe::WordBook::create(*cubin);
        if (!book) return print_error(book.error(), options.json);
        auto rows = probe::read_log(options.log);
        if (!rows) return print_error(rows.error(), options.json);
        probe::StudyResult result;
        result.rows = std::move(*rows);
        return report(options, *book, result, {});
    }
    StopOnSignal stop;
    auto bench = open_bench(std::move(cubin), options.gpu);
    if (!bench) return print_error(bench.error(), options.json);
    probe::StudySettings settings;
    settings.log = options.log;
    settings.only = options.only;
    settings.seconds = options.seconds;
    settings.trials = options.trials;
    settings.question_trials = options.question_trials;
    settings.pairs = !options.no_pairs;
    settings.questions = !options.no_questions;
    auto result = probe::run_study(**bench, settings, stop.token());
    if (!result) return print_error(result.error(), options.json);
    return report(options, (*bench)->book(), *result, (*bench)->machine());
}

}  // namespace cubinlab::cli
