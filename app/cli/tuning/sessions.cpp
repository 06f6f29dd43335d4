// SPDX-License-Identifier: GPL-3.0-or-later
// `runs SESSION`: one line per run of a session. `compare SESSION...`: the runs by kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/shape_lines.h"
#include "core/binary/kernel_label.h"
#include "core/evidence/best_figure.h"
#include "core/evidence/claim_parts.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/model/assumed_passes.h"
#include "core/store/session.h"

namespace cubinlab::cli {

struct SessionsOptions : Common {
    std::vector<std::string> sessions;
};

namespace {

struct Line {
    std::string session, kernel, arch;
    RunInfo run;
    std::string state;   // how it ended; "running", "interrupted"
    std::string damage;  // what is missing from its log
    BestFigure best;
    CodeKind code = CodeKind::Original;  // of the best
};

std::string state_of(const RunInfo& run, bool written) {
    if (!run.end.empty()) return run.end;
    return written ? "running" : "interrupted";
}

// Reads the log of each run once: its best step, and the measurements of that step.
Result<std::vector<Line>> lines_of(const std::string& session) {
    auto reader = TRY(SessionReader::open(session));
    auto kernel = TRY(reader->kernel());
    auto runs = TRY(reader->runs());
    const bool written = reader->writer_process().has_value();
    // A writer adds only to the newest run of an agent or of hand edits: earlier runs have ended.
    const auto is_newest = [&](const RunInfo& run) {
        return std::ranges::none_of(runs, [&](const RunInfo& other) {
            return other.id > run.id && (other.agent == "hand") == (run.agent == "hand");
        });
    };
    std::vector<Line> out;
    for (const RunInfo& run : runs) {
        Line line{session, kernel->name(), kernel->arch().name(), run, {}, {}, {}, {}};
        if (auto whole = reader->whole(run.id); !whole) line.damage = whole.error().what;
        line.state = state_of(run, written && is_newest(run));
        line.best = best_figure(*reader, run);
        if (line.best.step != 0)
            if (auto best = reader->schedule_at(kernel, run.id, line.best.step))
                line.code = code_kind_of(*kernel, *best);
        out.push_back(std::move(line));
    }
    return out;
}

std::string slower_note(const ShapeFigures& shapes) {
    const std::string slower = slower_words(shapes);
    return slower.empty() ? "" : ", " + slower;
}

std::string gain_text(const Line& line) {
    const BestFigure& best = line.best;
    if (best.step == 0) return line.run.steps == 0 ? "no step" : "none";
    if (!best.failed.empty()) return best.failed + " when re-measured";
    const Speedup& speedup = best.speedup();
    if (!best.measured()) return percent_text(speedup.log) + " modelled";
    if (speedup == Speedup::exactly(speedup.log)) return percent_text(speedup.log) + " as its row says";
    const std::string open =
        best.without_figure.empty() ? "" : ", UNCLEAR: no figure of " + best.without_figure;
    return fmt::format("{}{}{}", percent_text(speedup),
                       best.again ? " again" + slower_note(best.again->shapes) : "", open);
}

std::string evaluator_text(const Line& line) {
    const BestFigure& best = line.best;
    return (best.measured() && !best.device.empty() ? best.device : to_string(best.by)) +
           cache_words(best.cache);
}

// A template name may have thousands of characters; only the document has all of them.
std::string shown_name(const std::string& kernel) {
    constexpr std::size_t kMost = 160;
    std::string label = kernel_label(kernel);
    if (label.size() > kMost) label = label.substr(0, kMost) + "...";
    return label;
}

constexpr const char* kGains = "logged or re-measured gains";

// A best that failed in fresh processes ranks last.
double rank(const Line& line) {
    return line.best.failed.empty() ? line.best.speedup().log : -1;
}

std::size_t seed_width(const std::vector<Line>& lines) {
    std::size_t width = 4;
    for (const Line& line : lines)
        width = std::max(width, std::to_string(line.run.seed).size());
    return width;
}

// "  runs 1, 3: assuming 16 iterations of each loop"
void print_assumed(const std::vector<Line>& lines) {
    std::map<std::string, std::vector<RunId>> runs;
    for (const Line& line : lines)
        if (const std::string words = assumed_passes(line.run.evaluator); !words.empty())
            runs[words].push_back(line.run.id);
    for (const auto& [words, ids] : runs)
        print_line(fmt::format("  modelled in run{} {}: {}", ids.size() == 1 ? "" : "s", fmt::join(ids, ", "),
                               words));
}

Json line_json(const Line& line) {
    Json out = {{"run", line.run.id},
                {"agent", line.run.agent},
                {"seed", line.run.seed},
                {"budget", line.run.budget},
                {"evaluator", to_string(line.run.evaluator.kind)},
                {"device", evaluator_of(line.run, line.run.best_step).device},
                {"assumed", assumed_passes(line.run.evaluator)},
                {"cache", to_string(cache_of(line.run.evaluator))},
                {"started", line.run.started},
                {"version", line.run.version},
                {"start", {{"run", line.run.start_run}, {"step", line.run.start_parent}}},
                {"tuning", line.run.tuning},
                {"chosen", line.run.chosen},
                {"steps", line.run.steps},
                {"best_step", line.run.best_step},
                {"code", to_string(line.code)},
                {"best", nullptr},
                {"end", line.state},
                {"damage", line.damage}};
    const BestFigure& best = line.best;
    if (best.step == 0) return out;
    out["best"] = {{"log_speedup", best.logged.speedup.log},
                   {"low", best.logged.speedup.low},
                   {"high", best.logged.speedup.high},
                   {"cost", best.logged.cost},
                   {"measured_again", nullptr},
                   {"failed_again", best.failed},
                   {"without_figure", best.without_figure}};
    if (best.again)
        out["best"]["measured_again"] = {{"log_speedup", best.again->speedup.log},
                                         {"low", best.again->speedup.low},
                                         {"high", best.again->speedup.high},
                                         {"verdict", to_string(best.again->verdict)},
                                         {"loads", best.again->loads},
                                         {"device", best.again->device},
                                         {"cache", to_string(best.again->cache)},
                                         {"shapes", shapes_document(best.again->shapes)}};
    return out;
}

}  // namespace

Result<int> run_runs(const SessionsOptions& options) {
    auto lines = TRY(lines_of(options.sessions.front()));
    const int code = std::ranges::all_of(lines, &std::string::empty, &Line::damage) ? 0 : 1;
    if (options.json) {
        Json rows = Json::array();
        for (const Line& line : lines)
            rows.push_back(line_json(line));
        return print_document({{"session", options.sessions.front()},
                               {"kernel", lines.empty() ? "" : lines.front().kernel},
                               {"runs", rows}},
                              code);
    }
    if (lines.empty()) {
        print_line("no run yet: `cubinlab tune FILE --session " + options.sessions.front() + "` starts one");
        return 0;
    }
    print_line(fmt::format("{} ({}), {}", shown_name(lines.front().kernel), lines.front().arch, kGains));
    const std::size_t seed = seed_width(lines);
    for (const Line& line : lines)
        print_line(fmt::format("  run {:>3}  {:<12} seed {:<{}} {:<9} {:>8} {:<5}  {:<40} {:<12} {}  {}{}",
                               line.run.id, line.run.agent, line.run.seed, seed, line.run.budget,
                               line.run.steps, line.run.steps == 1 ? "step" : "steps", gain_text(line),
                               evaluator_text(line), line.state, line.run.started,
                               line.run.chosen ? "  winner of its tuning" : ""));
    print_assumed(lines);
    for (const Line& line : lines)
        if (!line.damage.empty()) print_line("  DAMAGED: " + line.damage);
    return code;
}

Result<int> run_compare(const SessionsOptions& options) {
    std::vector<Line> all;
    std::vector<std::string> seen;
    for (const std::string& session : options.sessions) {
        std::error_code none;
        const std::string file = std::filesystem::canonical(session, none).string();
        if (!file.empty() && std::ranges::find(seen, file) != seen.end()) {
            print_progress("note: " + printable(session) + " was given before and is listed once");
            continue;
        }
        seen.push_back(file);
        auto lines = TRY(lines_of(session));
        std::move(lines.begin(), lines.end(), std::back_inserter(all));
    }
    // Measured before modelled, hot before cold: they are never compared with each other.
    std::stable_sort(all.begin(), all.end(), [](const Line& a, const Line& b) {
        if (a.kernel != b.kernel) return a.kernel < b.kernel;
        if (a.best.measured() != b.best.measured()) return a.best.measured();
        if (a.best.cache != b.best.cache) return listed_before(a.best.cache, b.best.cache);
        return rank(a) > rank(b);
    });
    if (options.json) {
        Json rows = Json::array();
        for (const Line& line : all) {
            Json row = {{"session", line.session}, {"kernel", line.kernel}, {"arch", line.arch}};
            row.update(line_json(line));
            rows.push_back(std::move(row));
        }
        return print_document({{"runs", rows}});
    }
    std::string kernel;
    const std::size_t seed = seed_width(all);
    for (const Line& line : all) {
        if (line.kernel != kernel)
            print_line(fmt::format("{}, {}", shown_name(kernel = line.kernel), kGains));
        print_line(fmt::format("  {:<40} {:<12} seed {:<{}} {:<9} {:<16} {}, run {}", gain_text(line),
                               line.run.agent, line.run.seed, seed, line.run.budget, evaluator_text(line),
                               line.session, line.run.id));
    }
    return 0;
}

void add_sessions(CommandTable& table) {
    {
        auto [sub, options] = table.add("runs", "the runs of a session, one per line", run_runs);
        sub->add_option("SESSION", options.sessions, "session file")->required()->expected(1);
        add_common(sub, options, false);
    }
    {
        auto [sub, options] =
            table.add("compare", "the runs of several sessions, by kernel and gain", run_compare);
        sub->add_option("SESSION", options.sessions, "session files")->required();
        add_common(sub, options, false);
    }
}

}  // namespace cubinlab::cli
