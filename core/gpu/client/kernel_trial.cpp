// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/kernel_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/base/bounded_json.h"
#include "core/gpu/client/worker_process.h"
#include "core/gpu/protocol/protocol.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

Result<TrialAnswer> trial_answer_from(const nlohmann::json& message) {
    const std::string type = type_of(message);
    if (type == "error") {
        Error error = error_from(message);
        if (error.code == ErrorCode::NoGpu) return fail(std::move(error));
        return TrialAnswer{{}, error.message()};
    }
    if (type == "hang") return TrialAnswer{{}, "the kernel does not end"};
    TrialAnswer out;
    if (type != "trial" || !message.contains("words") || !message["words"].is_array())
        return fail(ErrorCode::Worker, "the worker answered a trial with '" + type + "'");
    for (const nlohmann::json& word : message["words"]) {
        const auto value = whole_number_in<std::uint32_t>(word);
        if (!value) return fail(ErrorCode::Worker, "the worker answered a trial with what is no 32-bit word");
        out.words.push_back(*value);
    }
    if (out.words.size() != kTrialWords)
        return fail(ErrorCode::Worker, fmt::format("the worker answered a trial with {} words instead of {}",
                                                   out.words.size(), kTrialWords));
    return out;
}

}  // namespace

Result<TrialAnswer> run_trial(const GpuSettings& settings, const KernelTrial& trial,
                              const std::stop_token& stop) {
    const std::string& given = settings.worker_command;
    auto words = TRY(split_command(given.empty() || given == "local" ? default_worker_command() : given));
    auto worker = TRY(WorkerProcess::start(words));
    TRY(worker->send({{"type", "trial"},
                      {"id", 1},
                      {"device", settings.device},
                      {"cubin", binary(trial.cubin)},
                      {"kernel", trial.kernel},
                      {"number", trial.number}}));
    for (const auto deadline = Clock::now() + settings.start_within; Clock::now() < deadline;) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped on request", "edit test");
        auto message = TRY(worker->receive(std::chrono::milliseconds(100)));
        if (!message || type_of(*message) == "heartbeat") continue;
        return trial_answer_from(*message);
    }
    return fail(ErrorCode::Worker,
                fmt::format("the worker did not answer within {} s", settings.start_within.count() / 1000));
}

}  // namespace cubinlab
