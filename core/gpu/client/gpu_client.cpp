// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/gpu_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A failure costs two workers in a batch and one alone. After kFailing more requests with a failure than
// without, candidates are measured alone until the balance falls again.
constexpr int kFailing = 3, kMostFailing = 6;

Error cancelled() {
    return {ErrorCode::Cancelled, "stopped on request", "measurement"};
}

BenchOutcome hang(milliseconds after) {
    BenchOutcome out;
    out.kind = OutcomeKind::Hang;
    out.detail = fmt::format("no end within {} ms", after.count());
    return out;
}

Result<std::unique_ptr<WorkerProcess>> spawn(const ClientSettings& settings) {
    auto words = TRY(split_command(settings.command.empty() ? default_worker_command() : settings.command));
    return WorkerProcess::start(words);
}

}  // namespace

void ProbedWorker::keep(std::string command, std::unique_ptr<WorkerProcess> worker) {
    const std::lock_guard lock(mutex_);
    command_ = std::move(command);
    worker_ = std::move(worker);
}

std::unique_ptr<WorkerProcess> ProbedWorker::take(const std::string& command) {
    const std::lock_guard lock(mutex_);
    return command == command_ ? std::move(worker_) : nullptr;
}

GpuClient::GpuClient(ClientSettings settings, PrepareRequest prepare)
    : settings_(std::move(settings)), prepare_(std::move(prepare)) {}

milliseconds GpuClient::patience() const {
    int longest = 0;
    for (const Calibration& one : calibrations())
        longest = std::max(longest, one.longest_wait_ms());
    return settings_.hang_after + settings_.grace + milliseconds(longest);
}

void GpuClient::drop_worker() {
    worker_.reset();
    done_by_worker_ = 0;
}

GpuProbe GpuClient::probe(const ClientSettings& settings, int device, const std::stop_token& stop) {
    GpuProbe out;
    auto worker = spawn(settings);
    if (!worker) {
        out.reason = worker.error().message();
        return out;
    }
    if (auto status = (*worker)->send({{"type", "probe"}, {"id", 1}, {"device", device}}); !status) {
        out.reason = status.error().message();
        return out;
    }
    const auto deadline = Clock::now() + settings.start_within;
    while (Clock::now() < deadline) {
        if (stop.stop_requested()) {
            out.reason = "stopped before the worker answered";
            return out;
        }
        auto message = (*worker)->receive(milliseconds(100));
        if (!message) {
            out.reason = message.error().message();
            return out;
        }
        if (!*message) continue;
        const nlohmann::json& answer = **message;
        if (type_of(answer) == "error") {
            out.reason = error_from(answer).message();
            return out;
        }
        if (type_of(answer) != "probe") continue;
        out.present = json_or(answer, "present", false);
        out.device = json_or(answer, "device", "");
        out.driver = json_or(answer, "driver", "");
        out.reason = json_or(answer, "reason", "");
        out.uuid = json_or(answer, "uuid", "");
        out.sm = static_cast<int>(integer_of(answer, "sm", 0));
        out.devices = static_cast<int>(integer_of(answer, "devices", out.present ? 1 : 0));
        if (out.present && settings.probed) settings.probed->keep(settings.command, std::move(*worker));
        return out;
    }
    out.reason = fmt::format("the worker did not answer within {} s", settings.start_within.count() / 1000);
    return out;
}

// The next message that answers request `id`. Heartbeats only update the progress.
GpuClient::Heard GpuClient::hear(std::int64_t id, milliseconds patience, milliseconds silence,
                                 const std::stop_token& stop) {
    auto heard_at = Clock::now();
    auto moved_at = heard_at;
    std::int64_t progress = -1;
    for (;;) {
        if (stop.stop_requested()) return {Wait::Stopped, {}, cancelled()};
        auto message = worker_->receive(milliseconds(20));
        if (!message) return {Wait::Lost, {}, message.error()};
        const auto now = Clock::now();
        if (*message) {
            answered_ = true;
            heard_at = now;
            nlohmann::json& content = **message;
            if (type_of(content) == "heartbeat") {
                const std::int64_t seen = integer_of(content, "progress", 0);
                if (seen != progress) moved_at = now;
                progress = seen;
            } else if (integer_of(content, "id", 0) == id) {
                return {Wait::Message, std::move(content), {}};
            } else if (type_of(content) == "error") {
                return {Wait::Lost, {}, error_from(content)};  // an error of the stream, not of a request
            }
        }
        if (now - heard_at > silence) {
            const std::string what = fmt::format("the worker was silent for {} ms", silence.count());
            worker_->log(what);
            return {Wait::Silent, {}, {ErrorCode::Worker, what, "worker"}};
        }
        if (now - moved_at > patience && progress >= 0) {
            worker_->log(fmt::format("the worker makes no progress for {} ms", patience.count()));
            return {Wait::Stuck, {}, {ErrorCode::Worker, "the worker makes no progress", "worker"}};
        }
    }
}

void GpuClient::start_spare() {
    if (spares_refused_ || !settings_.spare.value_or(settings_.command.empty())) return;
    auto worker = spawn(settings_);
    const nlohmann::json request = {{"type", "warm"}, {"id", 0}, {"device", prepare_.settings.device}};
    if (!worker || !(*worker)->send(request)) return;
    spare_ = std::move(*worker);
    spare_settled_ = false;
}

void GpuClient::settle_spare(const std::stop_token& stop) {
    const auto deadline = Clock::now() + milliseconds(5000);
    while (spare_ && !spare_settled_ && !stop.stop_requested()) {
        auto message = spare_->receive(milliseconds(20));
        if (message && *message && type_of(**message) == "warm") {
            spare_settled_ = true;
        } else if (!message || (*message && type_of(**message) == "error") || Clock::now() > deadline) {
            spare_.reset();
            spares_refused_ = true;  // a GPU in exclusive mode, for example
        }
    }
}

Status GpuClient::start_once(const std::stop_token& stop) {
    const auto start = Clock::now();
    drop_worker();
    if (settings_.probed) worker_ = std::exchange(settings_.probed, nullptr)->take(settings_.command);
    if (worker_) {
        // It is the one that answered the probe.
    } else if (spare_) {
        worker_ = std::move(spare_);
    } else {
        worker_ = TRY(spawn(settings_));
    }
    ++workers_started_;
    nlohmann::json request = to_message(prepare_);
    const std::int64_t id = next_id_++;
    request["id"] = id;
    TRY(worker_->send(request, settings_.start_within));
    if (known_) start_spare();  // nothing is timed now
    // Starting may be slow: login, queue, driver, inputs.
    const milliseconds long_wait = std::max(settings_.silence, settings_.start_within);
    Heard heard = hear(id, std::max(long_wait, milliseconds(60000)), long_wait, stop);
    if (heard.kind != Wait::Message) return fail(std::move(heard.error));
    if (type_of(heard.message) == "error") return fail(error_from(heard.message));
    if (type_of(heard.message) == "hang")
        return fail(ErrorCode::Worker, "the original kernel does not finish with this workload", "workload");
    if (type_of(heard.message) != "prepared")
        return fail(ErrorCode::Worker, "unexpected answer to 'prepare'", "protocol");
    auto facts = TRY(facts_from(heard.message.value("facts", nlohmann::json::object())));
    auto calibrations = TRY(calibrations_from(heard.message.value("calibrations", nlohmann::json::array())));
    if (calibrations.size() != measured_states(prepare_.settings.cache).size())
        return fail(ErrorCode::Worker, "the worker has not calibrated each cache state", "protocol");
    if (known_ && calibrations.front().deterministic && facts.expected != facts_.expected)
        return fail(
            ErrorCode::Corrupt,
            "the original gives other results on a fresh worker than before; measurements cannot be trusted",
            "worker");
    if (known_ && facts.uuid != facts_.uuid)
        return fail(
            ErrorCode::Worker,
            fmt::format("the fresh worker has another GPU ({}); one run never mixes two", facts.device),
            "worker");
    // The run keeps the facts of its first worker, which warmed up and calibrated.
    if (!known_) {
        facts_ = facts;
        start_times_ = TRY(start_times_from(heard.message.value("seconds", nlohmann::json::object())));
    }
    prepare_.calibrations = std::move(calibrations);
    if (known_) restart_seconds_.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    known_ = true;
    return {};
}

Status GpuClient::ready(const std::stop_token& stop) {
    if (worker_ && done_by_worker_ < settings_.recycle_after) return {};
    Status last;
    // A captured launch may need addresses that the context of the probed worker has: that is no attempt.
    for (int attempt = settings_.probed ? -1 : 0; attempt < settings_.start_attempts; ++attempt) {
        last = start_once(stop);
        if (last) return {};
        drop_worker();
        // Only a lost worker is worth another attempt.
        if (last.error().code != ErrorCode::Worker) return last;
    }
    return last;
}

Result<std::vector<BenchOutcome>> GpuClient::evaluate(Effort effort, const WireImage& reference,
                                                      const std::vector<WireImage>& candidates,
                                                      const std::stop_token& stop, double alpha,
                                                      const OutcomeListener& on_outcome,
                                                      const Sampling& sampling, std::optional<Cache> state) {
    std::vector<BenchOutcome> outcomes(candidates.size());
    std::vector<int> losses(candidates.size(), 0);
    std::size_t next = 0;  // candidates before it have their outcome
    // A batch that fails gives no outcomes; its candidates are then requested one at a time.
    const bool may_share = effort != Effort::Confirm && sampling.by_noise;
    const bool batched = may_share && failing_ < kFailing;
    bool failed = false;
    std::size_t apart_until = 0;
    auto settle = [&](BenchOutcome outcome) {
        failed = failed || outcome.kind != OutcomeKind::Ok;
        outcomes[next] = std::move(outcome);
        if (on_outcome) on_outcome(next, outcomes[next]);
        ++next;
    };
    while (next < candidates.size()) {
        TRY(ready(stop));
        // A starting spare worker may disturb a screening, but no other measurement.
        if (effort != Effort::Screen) settle_spare(stop);
        const bool together = batched && next >= apart_until;
        const std::size_t end =
            batched && !together ? std::min(apart_until, candidates.size()) : candidates.size();
        EvaluateRequest request{effort,
                                reference,
                                {candidates.begin() + static_cast<std::ptrdiff_t>(next),
                                 candidates.begin() + static_cast<std::ptrdiff_t>(end)},
                                alpha,
                                sampling,
                                state,
                                together,
                                kTogetherAtMost};
        const std::size_t first = next;
        const std::int64_t id = next_id_++;
        nlohmann::json message = to_message(request);
        message["id"] = id;
        auto lose = [&](const Error& error) {
            drop_worker();
            if (++losses[next] < settings_.tries_per_candidate) return;
            BenchOutcome lost;
            lost.kind = OutcomeKind::WorkerLost;
            lost.detail =
                fmt::format("{} ({} workers were lost on this candidate)", error.message(), losses[next]);
            settle(std::move(lost));
        };
        if (auto status = worker_->send(message); !status) {
            lose(status.error());
            continue;
        }
        while (worker_ && next < end) {
            Heard heard = hear(id, patience(), settings_.silence, stop);
            if (heard.kind == Wait::Stopped) {
                drop_worker();
                return fail(cancelled());
            }
            const bool answered = heard.kind == Wait::Message && type_of(heard.message) == "outcome";
            if (together && !answered && type_of(heard.message) != "error") {
                drop_worker();
                apart_until = next + kTogetherAtMost;
                continue;
            }
            if (heard.kind == Wait::Stuck) {
                drop_worker();
                settle(hang(settings_.hang_after));
            } else if (heard.kind == Wait::Silent && losses[next] > 0) {
                drop_worker();  // twice silent on the same candidate: not a fault of the connection
                settle(hang(settings_.hang_after));
            } else if (heard.kind != Wait::Message) {
                lose(heard.error);
            } else if (type_of(heard.message) == "hang") {
                drop_worker();
                settle(hang(settings_.hang_after));
            } else if (type_of(heard.message) == "outcome") {
                auto outcome = outcome_from(heard.message);
                const bool in_order =
                    integer_of(heard.message, "index", -1) == static_cast<std::int64_t>(next - first);
                if (!outcome || !in_order) {
                    lose(outcome ? Error{ErrorCode::Worker, "outcomes out of order", "protocol"}
                                 : outcome.error());
                    continue;
                }
                ++done_by_worker_;
                const bool fatal = outcome->fatal;
                settle(std::move(*outcome));
                if (fatal) drop_worker();
            } else if (type_of(heard.message) == "error") {
                drop_worker();
                return fail(error_from(heard.message));
            } else {
                lose({ErrorCode::Worker, "unexpected message '" + type_of(heard.message) + "'", "protocol"});
            }
        }
        if (!worker_) continue;
        Heard heard = hear(id, patience(), settings_.silence, stop);  // "done"
        if (heard.kind == Wait::Message && type_of(heard.message) == "done") {
            if (auto times = times_from(heard.message.value("times", nlohmann::json::object())))
                times_ = *times;
        } else {
            drop_worker();
        }
    }
    if (may_share) failing_ = failed ? std::min(failing_ + 1, kMostFailing) : std::max(failing_ - 1, 0);
    return outcomes;
}

Result<BenchComparison> GpuClient::compare(const CompareRequest& request, const std::stop_token& stop,
                                           const std::function<void(int, int)>& progress) {
    Error last;
    for (int attempt = 0; attempt < settings_.tries_per_candidate; ++attempt) {
        TRY(ready(stop));
        settle_spare(stop);
        const std::int64_t id = next_id_++;
        nlohmann::json message = to_message(request);
        message["id"] = id;
        if (auto status = worker_->send(message); !status) {
            last = status.error();
            drop_worker();
            continue;
        }
        while (worker_) {
            Heard heard = hear(id, patience(), settings_.silence, stop);
            const std::string type = heard.kind == Wait::Message ? type_of(heard.message) : "";
            if (heard.kind == Wait::Stopped) {
                drop_worker();
                return fail(cancelled());
            }
            if (heard.kind == Wait::Stuck || type == "hang") {
                drop_worker();
                BenchComparison out;
                out.outcome = hang(settings_.hang_after);
                return out;
            }
            if (heard.kind != Wait::Message) {
                last = heard.error;
                drop_worker();
            } else if (type == "progress") {
                if (progress)
                    progress(static_cast<int>(integer_of(heard.message, "done", 0)),
                             static_cast<int>(integer_of(heard.message, "total", 0)));
            } else if (type == "comparison") {
                auto out = comparison_from(heard.message);
                if (!out || out->outcome.fatal) drop_worker();
                return out;
            } else if (type == "error") {
                drop_worker();
                return fail(error_from(heard.message));
            }
        }
    }
    return fail(std::move(last));
}

}  // namespace cubinlab
