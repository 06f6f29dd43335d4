// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parts/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/parts/shape_lines.h"
#include "core/base/json_text.h"
#include "core/base/number_of.h"
#include "core/evidence/claim_parts.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/model/assumed_passes.h"
#include "core/result/all_candidates_failed.h"
#include "core/result/waits_json.h"
#include "core/store/instruction_ranges.h"

namespace cubinlab::cli {
namespace {

// Shortens a group of a hundred edits to one line; `log --best` prints all of it.
std::string first_changes(const std::string& text) {
    constexpr std::size_t kMost = 160;
    const std::size_t cut = text.size() <= kMost ? std::string::npos : text.find_last_of(";,", kMost);
    if (cut == std::string::npos) return text;
    const auto rest = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(cut), text.end(),
                                    [](char c) { return c == ';' || c == ','; });
    return fmt::format("{} ... and {} more", text.substr(0, cut), rest);
}

void print_final(const TuneResult& result, const TunePlan& plan) {
    const RunSummary& s = result.summary;
    for (const Measured& a : result.final) {
        const Outcome& o = a.comparison.outcome;
        const std::string cache = result.final.size() > 1 ? cache_words(a.cache) : "";
        if (!o.ok()) {
            print_line(fmt::format(
                "re-measured in fresh processes{}: {}; {}", cache, no_figure_line(a.comparison),
                seen_to_fail(o.kind) ? "do not use it" : "`cubinlab measure SESSION` tries again"));
            for (const std::string& line : shape_lines(a.comparison))
                print_line(line);
            continue;
        }
        print_line(fmt::format("re-measured in {} fresh processes{}{}: {}  {}{}{}",
                               a.comparison.first().details.loads,
                               a.comparison.several() ? " for each shape" : "", cache, to_string(o.verdict),
                               percent_text(o.speedup), plan.against_start ? " of the original" : "",
                               over_words(a.comparison.figures())));
        for (const std::string& line : shape_lines(a.comparison))
            print_line(line);
        if (!plan.against_start && result.final.size() == 1 && s.best.low > o.speedup.high)
            print_line(
                fmt::format("  the run's own figure, {} [{}, {}], comes from the one process that searched: "
                            "use this one",
                            percent_text(s.best.log), percent_text(s.best.low), percent_text(s.best.high)));
    }
    if (!result.final_problem.empty())
        print_line(fmt::format("not re-measured in fresh processes: {}", result.final_problem));
}

// Why this part of the run found no better schedule; empty: it found one.
std::string none_better(const TuneOptions& options, const RunSummary& s, const TunePlan& plan,
                        const char* against) {
    if (all_candidates_failed(s))
        return "none of these candidates ran well; `cubinlab log " + printable(options.session) +
               " --last 1` says what became of the last one";
    if (s.evaluated == 0 && s.end == RunEnd::Exhausted)
        return plan.locked.empty()
                   ? "this agent finds no legal schedule to try here; another may (--agent auto)"
                   : "this agent finds no legal schedule to try among the unlocked instructions";
    if (s.evaluated == 0) return "nothing was tried";
    return s.best_step == 0 ? fmt::format("nothing beat the {}", against) : std::string();
}

std::string best_text(const RunSummary& s, const TunePlan& plan, const char* against) {
    const EvaluatorInfo& evaluator = plan.evaluator;
    if (plan.against_start)
        return fmt::format("best: step {}, {}, {} of the {} (the original: {})", s.best_step,
                           cost_text(s.best_cost, evaluator.unit), percent_text(s.best.log), against,
                           cost_text(s.original_cost, evaluator.unit));
    return fmt::format("best: step {}, {} -> {} ({})", s.best_step,
                       cost_text(s.original_cost, evaluator.unit), cost_text(s.best_cost, evaluator.unit),
                       percent_text(s.best.log));
}

Json final_json(const TuneResult& result) {
    Json measured = Json::array();
    for (const Measured& a : result.final)
        measured.push_back({{"result", to_json(a.comparison.outcome, EvaluatorKind::Gpu)},
                            {"cache", to_string(a.cache)},
                            {"loads", a.comparison.first().details.loads},
                            {"outputs_equal", a.comparison.outputs_equal()},
                            {"shapes", shapes_document(a.comparison)}});
    return {{"measured", measured}, {"problem", result.final_problem}};
}

Json summary_json(const RunSummary& s) {
    const double rate = s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0;
    return {{"steps", s.steps},
            {"evaluated", s.evaluated},
            {"repeated", s.repeated},
            {"failed", s.failed},
            {"best_step", s.best_step},
            {"best_log_speedup", s.best.log},
            {"best_low", s.best.low},
            {"best_high", s.best.high},
            {"best_speedup", s.best.factor()},
            {"original_cost", s.original_cost},
            {"best_cost", s.best_cost},
            {"seconds", s.seconds},
            {"waited_seconds", s.waited.all()},
            {"waited_for", waits_json(s.waited)},
            {"candidates_per_second", rate},
            {"end", s.end_text()}};
}

Json seconds_json(const TuningSeconds& seconds) {
    Json out = Json::object();
    visit_fields(seconds, [&](const char* phase, double time) { out[phase] = time; });
    return out;
}

std::string seconds_text(const TuningSeconds& seconds) {
    std::string out;
    visit_fields(seconds, [&](const char* phase, double time) {
        if (time >= 0.05) out += fmt::format("{}{} {:.1f}", out.empty() ? "" : ", ", phase, time);
    });
    return out;
}

// Why --out was not written though nothing failed.
std::string nothing_to_export(const TuneOptions& options, const TuneResult& result) {
    return !options.out.empty() && result.run == 0 ? "nothing was evaluated, so nothing was written" : "";
}

}  // namespace

void ProgressStream::on_step(const StepRecord& r, const Schedule&) {
    now_ = r.time_us;
    if (!lines_) return;
    std::string line = fmt::format(
        "{{\"step\":{},\"parent\":{},\"outcome\":\"{}\",\"log_speedup\":{:.9g},\"reward\":{:.9g},"
        "\"best\":{},\"hash\":\"{}\"}}",
        r.step, r.parent, to_string(r.outcome.kind), r.outcome.speedup.log, r.reward, r.best,
        r.schedule_hash.hex());
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(r.step, std::move(line));
    print_committed();
}

void ProgressStream::on_durable(StepId step) {
    const std::lock_guard lock(mutex_);
    kept_ = std::max(kept_, step);
    print_committed();
}

// Called with `mutex_` held. A commit may precede its line, so adding a line also calls this.
void ProgressStream::print_committed() {
    for (; !waiting_.empty() && waiting_.front().first <= kept_; waiting_.pop_front()) {
        if (lines_) {
            print_progress(waiting_.front().second);
        } else {
            print_line(waiting_.front().second);
            std::fflush(stdout);
        }
    }
}

void ProgressStream::on_best(const StepRecord& r, const Schedule& s) {
    if (lines_ || quiet_) return;
    std::string line = fmt::format("step {:6d}  best {}  {}", r.step, percent_text(r.outcome.speedup.log),
                                   first_changes(r.mutation.text(*s.kernel())));
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(r.step, std::move(line));
    print_committed();
}

void ProgressStream::on_doing(const std::string& doing) {
    if (lines_) return queue_json({{"doing", doing}});
    if (quiet_ || now_ - shown_ < kBetween) return;
    shown_ = now_;
    queue_line(fmt::format("{:9.1f} s  {}", static_cast<double>(now_) / 1e6, doing));
}

void ProgressStream::on_phase(RunPhase phase) {
    if (lines_) queue_json({{"state", to_string(phase)}});
}

void ProgressStream::queue_json(const Json& what) {
    queue_line(json_text(what, -1));
}

// Prints the line after the steps before it.
void ProgressStream::queue_line(std::string line) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(waiting_.empty() ? StepId{0} : waiting_.back().first, std::move(line));
    print_committed();
}

void print_start(const TuneOptions& options, const Kernel& kernel, const TunePlan& plan,
                 const std::string& note) {
    const EvaluatorInfo& evaluator = plan.evaluator;
    const std::size_t gpus = gpus_of(evaluator);
    print_line(fmt::format("{}: {} on {}{} (original: {}), budget {}, seed {}", options.file,
                           plan.settings.agent, gpus > 1 ? fmt::format("a pool of {}, ", gpus) : "",
                           evaluator.device + cache_words(cache_of(evaluator)),
                           cost_text(evaluator.original_cost, evaluator.unit), plan.settings.budget.text(),
                           plan.settings.seed));
    if (!note.empty()) print_line(note);
    if (!plan.ptx.empty()) print_line("also searches other compilations of " + printable(plan.ptx));
    if (!plan.locked.empty())
        print_line(
            fmt::format("{} of {} locked", plan.locked.size(), number_of(kernel.size(), "instruction")));
    if (!plan.schedules) return;
    const std::size_t count = plan.schedules->count;
    print_line(count == 0
                   ? "no earlier schedule to start from"
                   : fmt::format("the race also starts from {}", number_of(count, "earlier schedule")));
    for (const std::string& why : plan.schedules->left_out)
        print_line("left out: " + printable(why));
}

Json tune_document(const TuneOptions& options, const Kernel& kernel, const TunePlan& plan,
                   const TuneResult& result, const std::string& note) {
    return {{"file", options.file},
            {"kernel", kernel.name()},
            {"agent", plan.settings.agent},
            {"seed", plan.settings.seed},
            {"budget", plan.settings.budget.text()},
            {"evaluator", to_json(plan.evaluator)},
            {"note", note},
            {"session", options.session},
            {"run", result.run},
            {"ptx", plan.ptx},
            {"code", to_string(result.code)},
            {"locked", ranges_text(plan.locked)},
            {"from_schedules", plan.schedules ? plan.schedules->count : 0},
            {"schedules_left_out", plan.schedules ? plan.schedules->left_out : std::vector<std::string>{}},
            {"against", plan.against_start ? "the start of the run" : "the original"},
            {"summary", summary_json(result.summary)},
            {"seconds", seconds_json(result.seconds)},
            {"again", final_json(result)},
            {"out", result.stamp.empty() ? "" : options.out},
            {"replaced", result.replaced},
            {"kept", result.kept},
            {"stamp", result.stamp}};
}

void print_summary(const TuneOptions& options, const TunePlan& plan, const TuneResult& result) {
    const RunSummary& s = result.summary;
    const EvaluatorInfo& evaluator = plan.evaluator;
    const double rate = s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0;
    const char* against = plan.against_start ? "schedule that the run started from" : "original";
    const std::string waited = evaluator.kind == EvaluatorKind::Gpu && s.seconds > 0
                                   ? fmt::format("; the GPU waited for the agent {:.0f} % of the time",
                                                 100 * s.waited.all() / s.seconds)
                                   : std::string();
    print_line(fmt::format("{} in {:.1f} s ({:.{}f} a second{}), {}, {} failed; ended: {}",
                           number_of(s.evaluated, "candidate"), s.seconds, rate, rate < 10 ? 1 : 0, waited,
                           number_of(s.repeated, "repeat"), s.failed, s.end_text()));
    if (evaluator.kind == EvaluatorKind::Gpu) print_line("seconds: " + seconds_text(result.seconds));
    if (const std::string none = none_better(options, s, plan, against); !none.empty()) print_line(none);
    if (s.best_step != 0) print_line(best_text(s, plan, against));
    print_final(result, plan);
    if (s.best_step != 0 && result.code == CodeKind::Recompiled)
        print_line("the best is recompiled code: `run --with` takes it in any program, `install` in a file of its own");
    if (const auto cache = cache_of(evaluator); s.best_step != 0 && is_mean(cache))
        print_line(fmt::format("the gain is the mean of {} cache, the times are those of the {} one",
                               state_names(*cache), to_string(measured_states(*cache).front())));
    if (const std::string assumed = assumed_passes(evaluator); !assumed.empty())
        print_line("model: " + assumed);
    print_line(options.session.empty() ? "no session was written: nothing was evaluated"
                                       : "session: " + options.session);
    if (!result.stamp.empty()) print_line(wrote_text(options.out, result.replaced) + ": " + result.stamp);
    if (!result.kept.empty())
        print_line(fmt::format("{}: {} stays, because nothing better was found", options.out, result.kept));
    if (const std::string none = nothing_to_export(options, result); !none.empty())
        print_line(options.out + ": " + none);
}

}  // namespace cubinlab::cli
