// SPDX-License-Identifier: GPL-3.0-or-later
// measure SESSION: compares a logged step with its original, over fresh loads. The session keeps the result
// and pools it with earlier measurements of this step on the same GPU.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/tuning/shape_lines.h"
#include "core/base/parse_number.h"
#include "core/store/session.h"
#include "core/evidence/step_measurement.h"
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
    const auto measured =
        TRY(measure_in_one_cache(subject.kernel, subject.schedule, subject.workload, settings, stop.token()));
    TRY(store_measurement(*reader, options.a, subject.kernel,
                          measured.record(subject.run.id, subject.step, "measure")));
    const ShapesComparison& all = measured.comparison;
    auto records = TRY(reader->measurements(subject.run.id));
    const auto pooled = pool_measurements(records, subject.step);
    const Comparison& c = all.first();
    const Outcome& o = all.outcome;
    const int code = o.ok() ? 0 : 1;
    if (options.json)
        return print_document({{"session", options.a},
                               {"run", subject.run.id},
                               {"step", subject.step},
                               {"result", to_json(o, EvaluatorKind::Gpu)},
                               {"outputs_equal", all.outputs_equal()},
                               {"energy", energy_json(c.energy)},
                               {"pooled", pooled_json(pooled)},
                               {"shapes", shapes_document(all)},
                               {"machine", to_json(c.machine)},
                               {"log_ratio_samples_by_load", c.samples_by_load}},
                              code);
    if (code != 0) {
        print_line(no_figure_line(all));
        for (const std::string& line : shape_lines(all))
            print_line(line);
        return code;
    }
    print_line(fmt::format("run {}, step {}: {}  {}{}, {} fresh loads of each; logged", subject.run.id,
                           subject.step, to_string(o.verdict), percent_text(o.speedup),
                           over_words(all.figures()), c.loads));
    for (const std::string& line : shape_lines(all))
        print_line(line);
    for (const std::string& line : condition_lines(c))
        print_line("  " + line);
    for (const PooledMeasurement& p : pooled)
        if (p.measurements > 1) print_pooled(p);
    return code;
}

}  // namespace cubinlab::cli
