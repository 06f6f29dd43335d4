// SPDX-License-Identifier: GPL-3.0-or-later
// measure SESSION: compares a logged step with its original, over fresh loads. The session keeps the result
// and pools it with earlier measurements of this step on the same GPU.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/parts/measure_step.h"
#include "app/cli/parts/shape_lines.h"
#include "core/base/parse_number.h"
#include "core/evidence/step_measurement.h"
#include "core/store/session.h"
#include "core/tuning/measure.h"
#include "core/tuning/session_workload.h"

namespace cubinlab::cli {
namespace {

struct Subject {
    KernelPtr kernel;
    Workload workload;
    RunInfo run;
    StepId step = 0;
    Schedule schedule;
};

Result<Subject> find(SessionReader& reader, const MeasureOptions& options) {
    auto kernel = TRY(reader.kernel());
    auto run = TRY(run_with_steps(reader, options.run, options.a));
    StepId step = 0;
    if (options.step == "best") {
        step = TRY(reader.best_step(run.id));
    } else {
        const auto number = parse_number<StepId>(options.step);
        if (!number || *number < 0)
            return fail(ErrorCode::BadUse, fmt::format("'{}' is not a step number or 'best'", options.step),
                        "--step");
        step = *number;
    }
    auto workload = TRY(workload_of_session(
        reader, options.a, options.allow_files ? InputFiles::Anywhere : InputFiles::Beside, run.id));
    if (!workload)
        return fail(ErrorCode::BadInput, "has no workload, so nothing in it can be measured", options.a);
    auto schedule = TRY(reader.schedule_at(kernel, run.id, step));
    return Subject{kernel, std::move(*workload), run, step, std::move(schedule)};
}

Json pooled_json(const std::vector<PooledMeasurement>& pooled) {
    Json out = Json::array();
    for (const PooledMeasurement& p : pooled)
        out.push_back({{"device", p.device},
                       {"cache", to_string(p.cache)},
                       {"measurements", p.measurements},
                       {"loads", p.loads},
                       {"pairs", p.pairs},
                       {"verdict", to_string(p.verdict)},
                       {"log_speedup", p.speedup.log},
                       {"low", p.speedup.low},
                       {"high", p.speedup.high},
                       {"shapes", shapes_document(p.shapes)}});
    return out;
}

void print_pooled(const PooledMeasurement& p) {
    print_line(fmt::format("  all {} measurements on {} ({} cache), {} loads: {}  {}{}", p.measurements,
                           p.device, to_string(p.cache), p.loads, to_string(p.verdict),
                           percent_text(p.speedup), over_words(p.shapes)));
    for (const std::string& line : shape_lines(p.shapes, p.speedup.log))
        print_line("  " + line);
}

Json document_of(const MeasureOptions& options, const Subject& subject, const Measured& measured,
                 const std::vector<PooledMeasurement>& pooled) {
    const ShapesComparison& all = measured.comparison;
    Json out = details_document(all);
    out["session"] = options.a;
    out["run"] = subject.run.id;
    out["step"] = subject.step;
    out["result"] = to_json(all.outcome, EvaluatorKind::Gpu);
    out["outputs_equal"] = all.outputs_equal();
    out["pooled"] = pooled_json(pooled);
    out["shapes"] = shapes_document(all);
    out["machine"] = to_json(all.first().machine);
    return out;
}

void print_measured(const Subject& subject, const Measured& measured) {
    const ShapesComparison& all = measured.comparison;
    const Outcome& o = all.outcome;
    if (!o.ok())
        print_line(no_figure_line(all));
    else
        print_line(fmt::format("run {}, step {}: {}  {}{}, {} cache, {} fresh loads of each; logged",
                               subject.run.id, subject.step, to_string(o.verdict), percent_text(o.speedup),
                               over_words(all.figures()), to_string(measured.cache),
                               all.first().details.loads));
    for (const std::string& line : shape_lines(all))
        print_line(line);
    if (!o.ok()) return;
    for (const std::string& line : condition_lines(all.first()))
        print_line("  " + line);
}

}  // namespace

Result<int> run_measure_step(const MeasureOptions& options) {
    StopOnSignal stop;
    if (!options.b.empty())
        return fail(ErrorCode::BadUse, "a session is compared with its own original; leave B out", options.b);
    auto reader = TRY(SessionReader::open(options.a));
    auto subject = TRY(find(*reader, options));
    const MeasureSettings settings{.gpu = options.gpu.settings(options.seed),
                                   .loads = options.loads,
                                   .alpha = kConfirmAlpha / options.candidates_tried,
                                   .energy = !options.no_energy};
    const auto measured = TRY(measure_schedule(subject.kernel, subject.schedule, subject.workload, settings, stop.token()));
    for (const Measured& one : measured)
        TRY(store_measurement(*reader, options.a, subject.kernel,
                              one.record(subject.run.id, subject.step, "measure")));
    auto records = TRY(reader->measurements(subject.run.id));
    const auto pooled = pool_measurements(records, subject.step);
    const bool usable =
        std::ranges::all_of(measured, [](const Measured& m) { return m.comparison.outcome.ok(); });
    Json documents = Json::array();
    for (const Measured& one : measured) {
        if (options.json)
            documents.push_back(document_of(options, subject, one, pooled));
        else
            print_measured(subject, one);
    }
    const int code = usable ? 0 : 1;
    if (options.json)
        return print_document(documents.size() == 1 ? documents.front() : Json{{"measured", documents}},
                              code);
    for (const PooledMeasurement& p : pooled)
        if (usable && p.measurements > 1) print_pooled(p);
    return code;
}

}  // namespace cubinlab::cli
