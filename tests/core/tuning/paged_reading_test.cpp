// SPDX-License-Identifier: GPL-3.0-or-later
// What reads a whole run takes its rows by the page, so that its memory does not grow with the steps. Shown by the rows
// that it asks for, not by how long it takes.
#include <algorithm>

#include "core/evidence/run_report.h"
#include "core/evidence/stored_figures.h"
#include "core/model/sm_model.h"
#include "core/search/engine/tune_run.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/resumed_run.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// A reader that notes the largest page and how many whole rows it gave.
class CountedReader final : public SessionReader {
  public:
    explicit CountedReader(std::shared_ptr<SessionReader> from) : from_(std::move(from)) {}

    std::size_t largest = 0, rows = 0;

    Result<std::vector<StepRecord>> steps(RunId run, StepId after, std::size_t count) override {
        return whole_rows(from_->steps(run, after, asked(count)));
    }
    Result<std::vector<StepRecord>> steps_at(RunId run, std::span<const StepId> wanted) override {
        return from_->steps_at(run, wanted);
    }
    Result<std::vector<StepRecord>> best_steps(RunId run, StepId after, std::size_t count) override {
        return whole_rows(from_->best_steps(run, after, asked(count)));
    }
    Result<std::vector<StepFigure>> figures(RunId run, StepId after, std::size_t count) override {
        return from_->figures(run, after, asked(count));
    }
    Result<std::vector<std::pair<StepId, Hash128>>> hashes(RunId run, StepId after, StepId last,
                                                           std::size_t count) override {
        return from_->hashes(run, after, last, asked(count));
    }

    Result<KernelPtr> kernel() override { return from_->kernel(); }
    Result<std::string> workload_json(RunId run) override { return from_->workload_json(run); }
    Result<std::string> listing_text() override { return from_->listing_text(); }
    Result<std::vector<RunInfo>> runs() override { return from_->runs(); }
    Result<RunInfo> run(RunId id) override { return from_->run(id); }
    Result<std::uint64_t> confirmations(RunId run, StepId after, StepId last, double most) override {
        return from_->confirmations(run, after, last, most);
    }
    Result<std::vector<MetricPoint>> metrics(RunId run, StepId after) override {
        return from_->metrics(run, after);
    }
    Result<KernelPtr> run_kernel(const KernelPtr& kernel, RunId run) override {
        return from_->run_kernel(kernel, run);
    }
    Result<std::optional<StartRecord>> start(const KernelPtr& kernel, RunId run, const std::string& name) override {
        return from_->start(kernel, run, name);
    }
    Result<std::optional<StartRecord>> start_with_code(const KernelPtr& kernel,
                                                       const Hash128& code) override {
        return from_->start_with_code(kernel, code);
    }
    Result<Schedule> schedule_at(const KernelPtr& kernel, RunId run, StepId step) override {
        return from_->schedule_at(kernel, run, step);
    }
    Result<StepId> best_step(RunId run) override { return from_->best_step(run); }
    Status whole(RunId run) override { return from_->whole(run); }
    Result<std::uint64_t> verify(const KernelPtr& kernel, RunId run) override {
        return from_->verify(kernel, run);
    }
    Result<std::vector<MeasurementRecord>> measurements(RunId run) override {
        return from_->measurements(run);
    }
    Result<std::vector<NoteRecord>> notes(RunId run) override { return from_->notes(run); }
    std::optional<int> writer_process() override { return from_->writer_process(); }

  private:
    // 0 asks for all there are.
    std::size_t asked(std::size_t count) {
        largest = std::max(largest, count == 0 ? SIZE_MAX : count);
        return count;
    }
    Result<std::vector<StepRecord>> whole_rows(Result<std::vector<StepRecord>> page) {
        if (page) rows += page->size();
        return page;
    }

    std::shared_ptr<SessionReader> from_;
};

// The newest state is that of step 1,000: the budget cuts the last batch short, so that there is none at the end.
constexpr std::uint64_t kSteps = 1033;

struct RunOfSteps {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("softmax");
    const CheckerPtr checker = *HazardChecker::create(kernel);
    const std::filesystem::path file = folder / "s.db";
    const std::unique_ptr<Evaluator> evaluator = make_model_evaluator(kernel, {});
    const SearchContext context{kernel, checker, 9, "{}", {}, {}, Schedule(kernel)};

    RunOfSteps() {
        auto session = required(SessionWriter::open(file, kernel, "", ""));
        RunHeader header;
        header.agent = "greedy";
        header.agent_settings = "{}";
        header.seed = 9;
        header.evaluator = evaluator->info();
        header.start_hash = kernel->hash();
        header.batch = 5;
        auto sink = required((*session)->begin_run(header, context.start, nullptr));
        RunSettings settings;
        settings.agent = "greedy";
        settings.batch = 5;
        settings.budget.steps = kSteps;
        TuneRun tune(context, settings, *make_searcher("greedy", context), *evaluator, sink->get(), nullptr);
        REQUIRE(tune.run({}));
        sink->reset();
        REQUIRE((*session)->close());
    }
    std::shared_ptr<CountedReader> reader() const {
        return std::make_shared<CountedReader>(*SessionReader::open(file));
    }
};

}  // namespace

TEST_CASE(
    "a report of a run takes its rows by the page, and whole rows of the best steps and the chart's edges "
    "only") {
    const RunOfSteps log;
    const auto reader = log.reader();
    const auto data = required(read_report_data(*reader, log.file, 1));
    CHECK(data->curve.steps == kSteps);
    CHECK(reader->largest <= kStepsAtOnce);
    CHECK(reader->rows < 2 * RunCurve::kColumns + kSteps / 4);
}

TEST_CASE("the figures of a whole run are checked by the page") {
    const RunOfSteps log;
    const auto reader = log.reader();
    const auto checked =
        required(check_run_figures(*reader, log.kernel, *reader->run(1), FiguresOf::EveryStep, {}));
    CHECK(reader->rows >= kSteps);
    CHECK(reader->largest <= kStepsAtOnce);
}

TEST_CASE("a resumed run reads each step of its log once, by the page") {
    const RunOfSteps log;
    const auto reader = log.reader();
    const auto resumed = required(open_resumed_run(log.file, log.kernel, 1, {}));
    const auto history = history_of(reader, resumed->run, log.kernel);
    const RunInfo& run = resumed->run;
    const SearchContext context{log.kernel, log.checker, run.seed,      run.agent_settings,
                                run.locked, {},          resumed->start};
    TuneRun tune(context, resumed->settings({.steps = 10, .time = {}}), *make_searcher("greedy", log.context),
                 *log.evaluator, nullptr, nullptr);
    REQUIRE(tune.resume_from(*history));
    CHECK(reader->largest > 0);
    CHECK(reader->largest <= kStepsAtOnce);
    CHECK(reader->rows == kSteps);
}
