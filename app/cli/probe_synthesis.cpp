// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab probe` on a cubin with a frame and a word book: instruction sequences put together from its
// words.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/workflow/probe_study.h"

namespace cubinlab::cli {
namespace {

using probe::ClassSummary;
using probe::Row;

std::string share(std::uint64_t wrong, std::uint64_t trials) {
    return fmt::format("{}/{}", wrong, trials);
}

std::string range(int low, int high) {
    if (high == 0) return "-";
    return low == high ? std::to_string(high) : fmt::format("{}-{}", low, high);
}

// Operand slots of a class that need the same are one line.
std::vector<ClassSummary> by_unit(const std::vector<ClassSummary>& classes) {
    std::vector<ClassSummary> out;
    for (ClassSummary c : classes) {
        const std::size_t space = c.second.rfind(' ');
        const std::string slot = space == std::string::npos ? "" : c.second.substr(space + 1);
        const bool slotted = slot == "a" || slot == "b" || slot == "c";
        if (slotted && !out.empty()) {
            ClassSummary& last = out.back();
            const std::string unit = c.second.substr(0, space);
            if (last.kind == c.kind && last.file == c.file && last.first == c.first && last.need == c.need &&
                last.table_low == c.table_low && last.table_high == c.table_high &&
                (last.second == unit + " a" || last.second == unit + " b" || last.second == unit + " a,b")) {
                last.second += "," + slot;
                last.pairs += c.pairs;
                last.need_low = std::min(last.need_low, c.need_low);
                last.wrong_below += c.wrong_below, last.trials_below += c.trials_below;
                last.wrong_at += c.wrong_at, last.trials_at += c.trials_at;
                last.above_table = last.above_table || c.above_table;
                continue;
            }
        }
        out.push_back(std::move(c));
    }
    return out;
}

void print_pairs(const std::vector<ClassSummary>& classes) {
    print_line(
        "| kind | first | second | file | pairs | table | needs | wrong/trials one cycle below | at and "
        "above | |");
    print_line("|---|---|---|---|---|---|---|---|---|---|");
    for (const ClassSummary& c : by_unit(classes))
        print_line(fmt::format(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |", c.kind, c.first, c.second, c.file, c.pairs,
            range(c.table_low, c.table_high), c.need > 1 ? range(c.need_low, c.need) : "no break",
            c.need > 1 ? share(c.wrong_below, c.trials_below) : "-", share(c.wrong_at, c.trials_at),
            c.above_table ? "**more than the table**" : ""));
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

Json to_json(const ClassSummary& c) {
    return {{"kind", c.kind},
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

int report(const ProbeOptions& options, const probe::WordBook& book, const probe::StudyResult& result,
           const probe::Machine& machine) {
    const auto classes = probe::summarise(book, result.rows);
    if (options.json) {
        Json out = {{"file", options.file},        {"device", machine.device}, {"driver", machine.driver},
                    {"measured", result.measured}, {"left", result.left},      {"ended_early", result.end},
                    {"classes", Json::array()},    {"rows", result.rows}};
        for (const ClassSummary& c : classes)
            out["classes"].push_back(to_json(c));
        return print_document(out);
    }
    print_pairs(classes);
    print_questions(result.rows);
    print_line(fmt::format("{} {}: {} measured, {} left{}", machine.device, machine.driver, result.measured,
                           result.left, result.end.empty() ? "" : "; ended early: " + result.end));
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
    const std::string command = options.gpu.workers.empty() || options.gpu.workers.front() == "local"
                                    ? default_worker_command()
                                    : options.gpu.workers.front();
    auto words = split_command(command);
    if (!words) return print_error(words.error(), options.json);
    auto bench = probe::Bench::create(std::move(cubin), std::move(*words));
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
