// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/session_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <stdlib.h>

#include <algorithm>
#include <stdexcept>

namespace cubinlab::testing {

TempFolder::TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cubinlab-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
}

TempFolder::~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

KernelPtr sample_kernel(const std::string& name) {
    auto cubin = Cubin::open(std::filesystem::path(CUBINLAB_SAMPLES) / (name + ".cubin"));
    if (!cubin) throw std::runtime_error(cubin.error().message());
    auto kernel = Kernel::load(*cubin);
    if (!kernel) throw std::runtime_error(kernel.error().message());
    return *kernel;
}

KernelPtr other_kernel() {
    const KernelPtr kernel = sample_kernel();
    const auto bytes = kernel->cubin().bytes();
    std::vector<std::byte> changed(bytes.begin(), bytes.end());
    const std::size_t offset = kernel->info().code_offset;
    for (InstrId id = 0; id + 1 < kernel->size(); ++id) {
        if (kernel->block_of(id) != kernel->block_of(id + 1) || kernel->pinned(id) || kernel->pinned(id + 1))
            continue;
        if (kernel->instruction(id).word == kernel->instruction(id + 1).word) continue;
        const auto at = changed.begin() + static_cast<std::ptrdiff_t>(offset + id * kWordBytes);
        std::swap_ranges(at, at + kWordBytes, at + kWordBytes);
        break;
    }
    auto cubin = Cubin::parse(std::move(changed), "changed");
    if (!cubin) throw std::runtime_error(cubin.error().message());
    auto loaded = Kernel::load(*cubin);
    if (!loaded) throw std::runtime_error(loaded.error().message());
    return *loaded;
}

LogMaker::LogMaker(KernelPtr kernel, std::uint64_t seed, StepId reach)
    : kernel_(kernel), random_(seed), reach_(reach) {
    schedules_.emplace(0, Schedule(kernel));
}

Mutation LogMaker::random_mutation(const Schedule& schedule) {
    while (true) {
        const auto id = static_cast<InstrId>(random_() % kernel_->size());
        if (random_() % 4 == 0) {
            ControlCode control = schedule.control(id);
            control.stall = static_cast<std::uint8_t>((control.stall + 1 + random_() % 15) % 16);
            control.yield = random_() % 2 == 0;
            return Mutation::control(schedule, id, control);
        }
        const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
        const auto to = static_cast<Position>(block.first + random_() % block.count);
        if (to != schedule.position_of(id)) return Mutation::move_to(schedule, id, to);
    }
}

StepRecord LogMaker::next() {
    const StepId far = std::min<StepId>(reach_, last_ + 1);
    return next_on(last_ - static_cast<StepId>(random_() % static_cast<std::uint64_t>(far)));
}

StepRecord LogMaker::next_on(StepId parent) {
    StepRecord record;
    record.step = ++last_;
    record.parent = parent;
    Schedule schedule = schedules_.at(parent);
    record.mutation = random_mutation(schedule);
    if (auto status = record.mutation.apply(schedule); !status)
        throw std::runtime_error(status.error().message());
    record.schedule_hash = schedule.hash();
    schedules_.emplace(record.step, std::move(schedule));
    record.outcome.kind = OutcomeKind::Ok;
    record.outcome.verdict = random_() % 2 == 0 ? Verdict::Faster : Verdict::Unclear;
    record.outcome.speedup.log = static_cast<double>(random_() % 1000) / 1e5;
    record.outcome.speedup.low = record.outcome.speedup.log - 0.001;
    record.outcome.speedup.high = record.outcome.speedup.log + 0.001;
    record.outcome.cost = 21.5;
    record.outcome.pairs = 10;
    record.outcome.samples = {0.5f, -0.25f, static_cast<float>(record.step)};
    record.reward = record.outcome.speedup.log * 100;
    record.accepted = random_() % 3 == 0;
    record.time_us = record.step * 1000;
    return record;
}

void LogMaker::forget_before(StepId step) {
    if (step > 1) schedules_.erase(schedules_.upper_bound(0), schedules_.lower_bound(step));
}

void LogMaker::replayed(const StepRecord& record) {
    Schedule schedule = schedules_.at(record.parent);
    if (auto status = record.mutation.apply(schedule); !status)
        throw std::runtime_error(status.error().message());
    schedules_.emplace(record.step, std::move(schedule));
    last_ = record.step;
}

RunHeader header_for_tests(const std::string& agent) {
    RunHeader header;
    header.agent = agent;
    header.agent_settings = "{\"temperature\":1}";
    header.seed = 0xfedcba9876543210ull;
    header.budget = "2000steps";
    header.evaluator.kind = EvaluatorKind::Model;
    header.evaluator.device = "SM model sm_90";
    header.evaluator.unit = "modelled cycles";
    header.evaluator.original_cost = 1234.5;
    header.version = "test";
    return header;
}

std::shared_ptr<SessionWriter> open_or_fail(const std::filesystem::path& path, const KernelPtr& kernel,
                                            SessionOptions options) {
    auto session = SessionWriter::open(path, kernel, "{\"kernel\":\"k\"}", "listing text\n", options);
    if (!session) throw std::runtime_error(session.error().message());
    return *session;
}

static void must(const Status& done) {
    if (!done) throw std::runtime_error(done.error().message());
}

OpenRun::OpenRun(std::uint64_t seed, StepId reach)
    : log(kernel, seed, reach),
      session(open_or_fail(file, kernel)),
      sink(session->begin_run(header_for_tests(), log.start(), &run).value()) {}

RunId log_run(SessionWriter& session, LogMaker& log, int steps) {
    RunId run = 0;
    const auto sink = session.begin_run(header_for_tests(), log.start(), &run).value();
    for (int i = 0; i < steps; ++i)
        must(sink->append(log.next()));
    must(sink->flush());
    return run;
}

RunId write_session(const std::filesystem::path& path, const KernelPtr& kernel, int steps) {
    LogMaker log(kernel, 1, 4);
    const auto session = open_or_fail(path, kernel);
    const RunId run = log_run(*session, log, steps);
    must(session->close());
    return run;
}

void write_and_die(const std::filesystem::path& path, const KernelPtr& kernel, int steps, int each) {
    const pid_t child = ::fork();
    if (child == 0) {
        auto session = SessionWriter::open(path, kernel, "{}", "");
        if (!session) ::_exit(1);
        LogMaker log(kernel, 1, 4);
        auto sink = (*session)->begin_run(header_for_tests(), log.start(), nullptr);
        bool good = sink.has_value();
        for (int i = 1; good && i <= steps; ++i)
            good = (*sink)->append(log.next()) && (i % each != 0 || (*sink)->flush());
        ::_exit(good && (*sink)->flush() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) throw std::runtime_error("the writer of " + path.string() + " failed");
}

}  // namespace cubinlab::testing
