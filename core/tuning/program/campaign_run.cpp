// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/gpu/client/gpu_pool.h"
#include "core/result/work_time.h"
#include "core/store/session.h"
#include "core/store/session_lock.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLook{50},
    kKeep{1000};  // how often children are looked at, how often what they spent is kept
constexpr std::chrono::seconds kWaitForWriter{120};  // of a campaign that was killed a moment ago
constexpr std::uint64_t kLeastMs = 1000;             // of time less is nothing
constexpr std::chrono::minutes kShort{10};  // a budget in which fresh processes for each kernel cost too much
constexpr double kLate = 1.1;               // of a budget: then what still searches has to end
constexpr std::size_t kMostAnswer = 64u << 20;

struct Child {
    Process process;
    std::size_t kernel = 0, gpu = 0;
    CampaignState state;
    std::uint64_t before = 0;  // spent by earlier runs
    Clock::time_point start, kept;
    bool asked_to_end = false, late = false;  // late: the campaign's time is over, the kernel is done
};

std::uint64_t ms_since(Clock::time_point start) {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(Clock::now() - start).count());
}

// The runs of the kernel's tuning; none: there is nothing to resume.
std::vector<RunInfo> runs_in(const std::shared_ptr<SessionReader>& reader) {
    auto runs = reader->runs();
    if (!runs) return {};
    std::erase_if(*runs, [](const RunInfo& run) { return run.steps == 0; });
    return std::move(*runs);
}

std::optional<std::uint64_t> steps_in(const fs::path& session) {
    std::error_code error;
    if (!fs::exists(session, error)) return {};
    auto reader = SessionReader::open(session);
    if (!reader) return {};
    std::uint64_t steps = 0;
    for (const RunInfo& run : runs_in(*reader))
        steps += run.steps;
    return steps > 0 ? std::optional(steps) : std::nullopt;
}

// What these runs took, as far as they are logged: the budget counts no more than that.
std::uint64_t milliseconds_in(const fs::path& session) {
    std::error_code error;
    if (!fs::exists(session, error)) return 0;
    auto reader = SessionReader::open(session);
    if (!reader) return 0;
    double seconds = 0;
    for (const RunInfo& run : runs_in(*reader)) {
        WorkTime time;
        if (const auto figures = (*reader)->figures(run.id, 0, 0))
            for (const StepFigure& one : *figures)
                time.add(one.time_us);
        seconds += time.seconds();
    }
    return static_cast<std::uint64_t>(seconds * 1000);
}

// A campaign that was killed leaves a process that is just writing its best.
Status wait_for_writer(const fs::path& session, const std::stop_token& stop) {
    std::error_code error;
    if (!fs::exists(session, error)) return {};
    for (const auto end = Clock::now() + kWaitForWriter;; std::this_thread::sleep_for(kLook)) {
        auto reader = SessionReader::open(session);
        if (!reader || !(*reader)->writer_process()) return {};
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        if (Clock::now() > end)
            return fail(ErrorCode::Busy,
                        fmt::format("is still written by process {}", *(*reader)->writer_process()),
                        session.string());
    }
}

// Two campaigns over the same kernels would write the same files. Parts of one share no kernel, so it is kernels that are
// locked, by their logs: these are there for the whole of it and are never replaced. The lock goes with the process.
Result<std::vector<SessionLock>> lock_kernels(const CampaignPlan& plan, std::vector<std::size_t> wanted) {
    std::sort(wanted.begin(), wanted.end());  // who comes second meets the first one's first kernel
    std::vector<SessionLock> out;
    for (const std::size_t i : wanted) {
        const CampaignKernel& kernel = plan.kernels[i];
        if (!kernel.skipped.empty()) continue;
        const fs::path log = campaign_file(plan, kernel, ".log");
        auto lock = SessionLock::acquire(log, milliseconds{0});
        if (!lock && lock.error().code != ErrorCode::Busy)
            return fail(lock.error().code, "cannot be locked for this campaign", log.string());
        if (!lock) {
            const int by = SessionLock::holder(log).value_or(0);
            return fail(ErrorCode::Busy,
                        fmt::format("another campaign{} is tuning {} here; wait until it ends, or stop it "
                                    "where it was started, then resume",
                                    by > 0 ? fmt::format(" (process {})", by) : "", kernel.name),
                        plan.out.string());
        }
        out.push_back(std::move(*lock));
    }
    return out;
}

class Campaign {
  public:
    Campaign(const CampaignPlan& plan, const CampaignSettings& settings, std::stop_token stop)
        : plan_(plan), settings_(settings), stop_(std::move(stop)), busy_(settings.gpus.size()) {
        for (const CampaignKernel& kernel : plan.kernels)
            targets_.push_back(kernel.allotted);
    }

    // Of time: a fast pass over all kernels, the largest share first, then what is left by share and by what the pass found.
    Status run(const std::vector<std::size_t>& wanted) {
        std::vector<std::size_t> open;
        for (const std::size_t i : wanted)
            if (plan_.kernels[i].skipped.empty() && left_of(i) > 0 && !is_settled(i)) open.push_back(i);
        if (open.empty()) return {};
        if (settings_.on_begin) settings_.on_begin(open.size());
        if (!plan_.budget.time) {
            pass(open);
            return stop_.stop_requested() ? Status{} : keep_finished(plan_);
        }
        const std::uint64_t total = total_of(open);
        fast_pass(open, total);
        if (!stop_.stop_requested()) go_on(open, total);
        const bool untried = std::ranges::any_of(open, [&](std::size_t i) {
            const CampaignState state = read_campaign_state(plan_, plan_.kernels[i]);
            return state.state == "waiting";
        });
        return stop_.stop_requested() || untried ? Status{} : keep_finished(plan_);
    }

  private:
    bool is_settled(std::size_t i) const {
        return is_finished(plan_) && read_campaign_state(plan_, plan_.kernels[i]).state == "done";
    }
    std::uint64_t total_of(const std::vector<std::size_t>& open) const {
        std::uint64_t out = 0;
        for (const std::size_t i : open)
            out += plan_.kernels[i].allotted;
        return out;
    }

    // Wall clock of one GPU, without the reserve.
    std::uint64_t whole_ms() const {
        const auto all = static_cast<std::uint64_t>(plan_.budget.time->count());
        return all - std::min(all, static_cast<std::uint64_t>(settings_.reserve.count()));
    }
    // What a process takes besides its search, by those that have ended.
    std::uint64_t overhead_ms() const { return ended_ > 0 ? overhead_ms_ / ended_ : 0; }

    // The time of a kernel follows from what is left of three fifths of the whole; none begins in the last tenth.
    void fast_pass(const std::vector<std::size_t>& open, std::uint64_t total) {
        constexpr double kShare = 0.6, kLast = 0.9;
        fast_ = true;
        const std::uint64_t most = fast_pass_ms(total, open.size());
        std::size_t next = 0;
        drain([&]() -> std::optional<std::size_t> {
            if (next == open.size() ||
                static_cast<double>(ms_since(begun_)) > kLast * static_cast<double>(whole_ms()))
                return std::nullopt;
            const double left =
                kShare * static_cast<double>(whole_ms()) - static_cast<double>(ms_since(begun_));
            const double each =
                left * static_cast<double>(settings_.gpus.size()) / static_cast<double>(open.size() - next) -
                static_cast<double>(overhead_ms());
            const std::size_t i = open[next++];
            targets_[i] = std::max(kLeastMs, std::min({most, plan_.kernels[i].allotted,
                                                       static_cast<std::uint64_t>(std::max(each, 0.0))}));
            return i;
        });
        fast_ = false;
    }

    // The most promising kernel first; what is left is shared out again before each.
    void go_on(std::vector<std::size_t> open, std::uint64_t total) {
        std::erase_if(open, [&](std::size_t i) {
            const CampaignState state = read_campaign_state(plan_, plan_.kernels[i]);
            return state.state == "waiting" && state.result.is_null();  // not tried
        });
        drain([&]() -> std::optional<std::size_t> {
            if (open.empty()) return std::nullopt;
            allot_rest(open, total);
            const auto most = std::ranges::max_element(open, {}, [&](std::size_t i) {
                return static_cast<std::int64_t>(targets_[i]) - static_cast<std::int64_t>(spent_by(i));
            });
            const std::size_t i = *most;
            open.erase(most);
            if (left_of(i) == 0) settle(i);
            return i;
        });
    }
    std::uint64_t spent_by(std::size_t i) {
        const auto [at, fresh] = spent_.try_emplace(i, 0);
        if (fresh) at->second = spent_of(plan_.kernels[i], read_campaign_state(plan_, plan_.kernels[i]));
        return at->second;
    }

    // A kernel that gained in its first seconds gets more than one that did not; a failed one gets nothing.
    void allot_rest(const std::vector<std::size_t>& open, std::uint64_t total) {
        std::vector<RestOfKernel> rest;
        std::uint64_t spent = 0;
        for (const std::size_t i : open) {
            const CampaignState state = read_campaign_state(plan_, plan_.kernels[i]);
            const auto summary = state.result.is_object() ? state.result.value("summary", nlohmann::json()) : nlohmann::json();
            rest.push_back({plan_.kernels[i].share, json_or(summary, "best_log_speedup", 0.0), spent_by(i),
                            state.state == "failed"});
        }
        for (const RestOfKernel& one : rest)
            spent += one.spent_ms;
        const std::uint64_t most = whole_ms(), gone = ms_since(begun_);
        std::uint64_t left = most > gone ? (most - gone) * settings_.gpus.size() : 0;
        for (const Child& child : children_) {
            const std::uint64_t needs = std::max(targets_[child.kernel], child.before) - child.before +
                                        each_more_ms(),
                                had = ms_since(child.start);
            left -= std::min(left, needs > had ? needs - had : 0);
        }
        const std::vector<std::uint64_t> targets =
            targets_by_promise(rest, std::min(total, spent + left), most, kLeastMs, each_more_ms());
        for (std::size_t k = 0; k < open.size(); ++k)
            targets_[open[k]] = targets[k];
    }

    // A further process of a kernel, with its final measurement.
    std::uint64_t each_more_ms() const {
        const std::uint64_t of_finals = finals_ > 0 ? finals_ms_ / finals_ : 0;
        return overhead_ms() + of_finals;
    }
    // A kernel that was tried and gets no more.
    void settle(std::size_t i) {
        CampaignState state = read_campaign_state(plan_, plan_.kernels[i]);
        if (state.state != "waiting" || state.result.is_null()) return;
        state.state = "done";
        tell(plan_.kernels[i], state);
    }

    void pass(const std::vector<std::size_t>& open) {
        std::deque<std::size_t> waiting;
        for (const std::size_t i : open)
            if (left_of(i) > 0) waiting.push_back(i);
        drain([&]() -> std::optional<std::size_t> {
            if (waiting.empty()) return std::nullopt;
            const std::size_t i = waiting.front();
            waiting.pop_front();
            return i;
        });
    }

    // Runs what `next` gives on every GPU that is free, until it gives nothing.
    void drain(const std::function<std::optional<std::size_t>()>& next) {
        bool more = true;
        while (more || !children_.empty()) {
            for (std::size_t gpu = 0; gpu < busy_.size() && more && !stop_.stop_requested(); ++gpu) {
                if (busy_[gpu]) continue;
                const auto i = next();
                more = i.has_value();
                if (i) start(*i, gpu);
            }
            more = more && !stop_.stop_requested();
            if (!children_.empty()) std::this_thread::sleep_for(kLook);
            look();
        }
    }

    // What the pass gives a kernel and it has not spent; a little where it was killed before its best was written.
    std::uint64_t left_of(std::size_t i) const {
        const CampaignKernel& kernel = plan_.kernels[i];
        const CampaignState state = read_campaign_state(plan_, kernel);
        const std::uint64_t spent = spent_of(kernel, state), target = targets_[i];
        // An agent may have ended with less: it is asked again where it gets more than it was given then.
        if (state.state == "done" && target < state.allotted + least()) return 0;
        // Between the passes nothing was interrupted.
        if (state.state == "failed" && std::ranges::find(failed_, i) != failed_.end()) return 0;
        const bool tried = state.state == "waiting" && !state.result.is_null();
        if ((tried || fast_) && target < spent + least()) return 0;
        return target >= spent + least() ? target - spent : least();
    }
    std::uint64_t least() const { return plan_.budget.time ? kLeastMs : 1; }
    std::uint64_t spent_of(const CampaignKernel& kernel, const CampaignState& state) const {
        if (state.state == "done") return state.spent;
        const fs::path session = campaign_file(plan_, kernel, ".cubinlab.db");
        return plan_.budget.time ? milliseconds_in(session) : steps_in(session).value_or(0);
    }

    void tell(const CampaignKernel& kernel, const CampaignState& state) const {
        (void)write_campaign_state(plan_, kernel, state);
        if (settings_.on_state) settings_.on_state(kernel, state);
    }
    void fail_with(const CampaignKernel& kernel, CampaignState state, std::string error) {
        failed_.push_back(static_cast<std::size_t>(&kernel - plan_.kernels.data()));
        state.state = "failed";
        state.error = std::move(error);
        tell(kernel, state);
    }

    std::vector<std::string> words(const CampaignKernel& kernel, std::uint64_t budget, bool resume,
                                   std::size_t gpu) const {
        const PoolMember& member = settings_.gpus[gpu];
        std::vector<std::string> out = {
            settings_.program.string(),
            "tune",
            (plan_.folder / kernel.times.file).string(),
            "--evaluator",
            to_string(settings_.evaluator),
            "--budget",
            plan_.budget.time ? fmt::format("{}ms", budget) : fmt::format("{}steps", budget),
            "--session",
            campaign_file(plan_, kernel, ".cubinlab.db").string(),
            "--out",
            campaign_file(plan_, kernel, ".best.cubin").string(),
            "--device",
            std::to_string(member.device),
            "--json"};
        if (fast_) {
            out.insert(out.end(), {"--final-processes", "0"});
        } else if (plan_.budget.time && *plan_.budget.time < kShort) {
            out.insert(out.end(), {"--final-processes", "2"});  // the program itself is the last word
        }
        if (settings_.only_reschedules) out.emplace_back("--only-reschedules");
        if (!kernel.kernel.empty()) out.insert(out.end(), {"--kernel", kernel.kernel});
        if (resume) {
            out.insert(out.end(), {"--resume", "0"});
        } else {
            out.insert(out.end(), {"--agent", settings_.agent, "--seed", std::to_string(settings_.seed)});
        }
        if (settings_.cache != Cache::Hot || kernel.captured)
            out.insert(out.end(), {"--cache", to_string(settings_.cache)});
        if (!member.command.empty()) out.insert(out.end(), {"--worker", member.command});
        return out;
    }

    void start(std::size_t i, std::size_t gpu) {
        const CampaignKernel& kernel = plan_.kernels[i];
        CampaignState state = read_campaign_state(plan_, kernel);
        const fs::path session = campaign_file(plan_, kernel, ".cubinlab.db");
        if (auto free = wait_for_writer(session, stop_); !free) {
            if (free.error().code != ErrorCode::Cancelled) fail_with(kernel, state, free.error().message());
            return;
        }
        state.spent = spent_of(kernel, state);
        const std::uint64_t left = left_of(i);
        if (left == 0) return;
        const std::vector<std::string> command = words(kernel, left, steps_in(session).has_value(), gpu);
        const std::string answer = campaign_file(plan_, kernel, ".answer.json").string(),
                          log = campaign_file(plan_, kernel, ".log").string();
        auto process = spawn(command, answer, log);
        if (!process) return fail_with(kernel, state, process.error().what);
        state.state = "running";
        state.allotted = targets_[i];
        state.error.clear();
        busy_[gpu] = true;
        children_.push_back(
            {std::move(*process), i, gpu, state, state.spent, Clock::now(), Clock::now(), false});
        tell(kernel, state);
    }

    // What the terminal sends comes from us alone. Our end asks it to end as well.
    static Result<Process> spawn(const std::vector<std::string>& command, const std::string& answer,
                                 const std::string& log) {
        ::unlink(answer.c_str());  // a process that was just asked to end may still write into it
        const Descriptor out(::open(answer.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        const Descriptor err(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
        if (!out || !err)
            return fail(ErrorCode::Io, "cannot be started: " + std::string(std::strerror(errno)));
        return Process::start(command, {.out = out.get(), .err = err.get(), .ends_with_parent = true});
    }

    void look() {
        for (std::size_t i = 0; i < children_.size();) {
            Child& child = children_[i];
            if (stop_.stop_requested() && !child.asked_to_end) {
                child.process.signal(SIGTERM);
                child.asked_to_end = true;
            }
            if (plan_.budget.time) {
                child.state.spent = std::min(child.before + ms_since(child.start), targets_[child.kernel]);
                const double over = kLate * static_cast<double>(whole_ms());
                if (!child.asked_to_end && !child.late && static_cast<double>(ms_since(begun_)) > over) {
                    child.process.signal(SIGTERM);
                    child.late = true;
                }
            }
            if (!child.process.ended()) {
                if (Clock::now() - child.kept > kKeep) {
                    child.kept = Clock::now();
                    tell(plan_.kernels[child.kernel], child.state);
                }
                ++i;
                continue;
            }
            finish(child, child.process.wait());
            busy_[child.gpu] = false;
            children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    void finish(Child& child, const ProcessEnd& end) {
        const CampaignKernel& kernel = plan_.kernels[child.kernel];
        CampaignState& state = child.state;
        const fs::path file = campaign_file(plan_, kernel, ".answer.json");
        auto text = read_text(file, kMostAnswer);
        nlohmann::json answer = text ? parse_json_or_discard(*text) : nlohmann::json();
        std::error_code error;
        fs::remove(file, error);
        state.spent = spent_of(kernel, state);
        spent_[child.kernel] = state.spent;
        add_seconds(child, answer);
        if (!answer.is_object() || answer.contains("error")) {
            std::string why = end.text();
            if (answer.is_object() && answer["error"].is_object()) {
                why = Error{ErrorCode::Worker, json_or(answer["error"], "what", ""),
                            json_or(answer["error"], "where", "")}
                          .message();
            }
            return child.asked_to_end ? interrupted(kernel, state) : fail_with(kernel, state, why);
        }
        state.result = std::move(answer);
        if (child.asked_to_end) return interrupted(kernel, state);
        state.state = fast_ ? "waiting" : "done";
        if (child.late) state.state = "done";
        if (!end.by_signal && end.status != 0) {
            state.state = "failed";
            failed_.push_back(child.kernel);
            const auto summary = state.result.value("summary", nlohmann::json());
            state.error = json_or(summary, "end", end.text());
            if (parse_run_end(state.error) == RunEnd::Exhausted &&
                json_or(summary, "evaluated", std::uint64_t{0}) == 0)
                state.error = "the agent finds no legal schedule to try";
        }
        tell(kernel, state);
    }
    // Where the process spent its time; what it does not report is "other".
    void add_seconds(Child& child, const nlohmann::json& answer) {
        const double wall = static_cast<double>(ms_since(child.start)) / 1000;
        double reported = 0, finals = 0;
        const auto seconds = answer.is_object() ? answer.find("seconds") : answer.end();
        if (seconds != answer.end() && seconds->is_object())
            for (const auto& [phase, value] : seconds->items()) {
                const double time = value.is_number() ? value.get<double>() : 0;
                child.state.seconds[phase] += time;
                reported += time;
                if (phase == "choosing" || phase == "measuring") finals += time;
            }
        child.state.seconds["other"] += std::max(0.0, wall - reported);
        const double searched =
            static_cast<double>(child.state.spent - std::min(child.state.spent, child.before)) / 1000;
        overhead_ms_ += static_cast<std::uint64_t>(1000 * std::max(0.0, wall - finals - searched));
        ++ended_;
        if (finals <= 0) return;
        finals_ms_ += static_cast<std::uint64_t>(1000 * finals);
        ++finals_;
    }
    void interrupted(const CampaignKernel& kernel, CampaignState& state) const {
        state.state = "interrupted";
        tell(kernel, state);
    }

    const CampaignPlan& plan_;
    const CampaignSettings& settings_;
    std::stop_token stop_;
    std::vector<bool> busy_;
    std::vector<Child> children_;
    std::vector<std::uint64_t> targets_;  // by kernel: milliseconds or steps that it has spent after this pass
    std::vector<std::size_t> failed_;     // in this campaign
    std::map<std::size_t, std::uint64_t> spent_;  // by kernel: what its session has, as far as it was read
    bool fast_ = false;                           // the first pass
    Clock::time_point begun_ = Clock::now();
    // Of the processes that have ended: what they took besides their search, and what their final measurements took.
    std::uint64_t overhead_ms_ = 0, ended_ = 0, finals_ms_ = 0, finals_ = 0;
};

}  // namespace

Status run_campaign(const CampaignPlan& plan, const std::vector<std::size_t>& wanted,
                    const CampaignSettings& settings, std::stop_token stop) {
    std::error_code error;
    fs::create_directories(plan.out, error);
    if (error) return fail(ErrorCode::Io, "cannot be made: " + error.message(), plan.out.string());
    TRY(same_settings(plan, settings));
    const std::vector<SessionLock> locks = TRY(lock_kernels(plan, wanted));
    TRY(keep_budget(plan));
    return Campaign(plan, settings, std::move(stop)).run(wanted);
}

}  // namespace cubinlab
