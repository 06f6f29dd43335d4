// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab bench`: tests how reliable the measurement is on this GPU.
#include <cstdio>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/study/measurement_study.h"

namespace cubinlab::cli {
namespace {

Json row_of(const FalseVerdicts& v) {
    return {{"comparisons", v.comparisons},
            {"faster", v.faster},
            {"slower", v.slower},
            {"same", v.same},
            {"failed", v.failed},
            {"pairs", v.pairs},
            {"false_rate_upper_95", rate_upper_bound(v.wrong(), v.comparisons)}};
}

Json row_of(const SameStudy& s) {
    return {{"kernel", s.kernel},
            {"original_us", s.original_us},
            {"screen", row_of(s.rungs[0])},
            {"promote", row_of(s.rungs[1])},
            {"confirm", row_of(s.rungs[2])},
            {"predicted_deviation", s.predicted_deviation},
            {"seen_deviation", s.seen_deviation},
            {"predicted_detectable", s.predicted_detectable},
            {"seen_detectable", s.seen_detectable},
            {"seconds", s.seconds}};
}

Json row_of(const PhaseShare& s) {
    return {{"load_us", s.load_us},     {"check_us", s.check_us},       {"timing_us", s.timing_us},
            {"unload_us", s.unload_us}, {"protocol_us", s.protocol_us}, {"rest_us", s.rest_us}};
}

Json row_of(const RateStudy& s) {
    return {{"kernel", s.kernel},
            {"cache", to_string(s.cache)},
            {"by_noise", s.by_noise},
            {"original_us", s.original_us},
            {"candidates", s.candidates},
            {"failed", s.failed},
            {"seconds", s.seconds},
            {"per_second", s.per_second()},
            {"pairs", s.pairs},
            {"phases", row_of(s.phases)},
            {"first_restart_ms", s.first_restart_ms},
            {"restart_ms", s.restart_ms}};
}

Json row_of(const PaddedStudy& s) {
    return {{"kernel", s.kernel},
            {"cache", to_string(s.cache)},
            {"original_us", s.original_us},
            {"wanted", s.target > 0 ? -s.target : 0.0},
            {"edits", s.edits},
            {"estimate", s.estimate.log},
            {"estimate_low", s.estimate.low},
            {"estimate_high", s.estimate.high},
            {"estimate_pairs", s.estimate_pairs},
            {"estimate_loads", s.estimate_loads},
            {"comparisons", s.comparisons},
            {"failed", s.failed},
            {"covered", s.covered},
            {"right", s.right},
            {"unclear", s.unclear},
            {"wrong", s.wrong},
            {"mean_error", s.mean_error},
            {"median_half_width", s.median_half_width}};
}

Json row_of(const HostileStudy& s) {
    Json rows = Json::array();
    for (const HostileRow& row : s.hostile) {
        Json honest = Json::array();
        for (const OutcomeKind kind : row.candidate.honest)
            honest.push_back(to_string(kind));
        rows.push_back({{"kind", row.candidate.kind},
                        {"what", row.candidate.what},
                        {"outcome", row.logged ? to_string(row.outcome.kind) : "none"},
                        {"honest_outcomes", honest},
                        {"honest", row.honest()},
                        {"detail", row.outcome.detail}});
    }
    return {{"kernel", s.kernel},
            {"candidates", rows},
            {"good", s.good},
            {"good_same", s.good_same},
            {"good_called_bad", s.good_called_bad},
            {"false_screenings", s.false_screenings},
            {"false_verdicts", s.false_verdicts},
            {"lost", s.lost},
            {"workers", s.workers},
            {"seconds", s.seconds}};
}

template <class Row>
Json rows_of(const std::vector<Row>& rows) {
    Json out = Json::array();
    for (const Row& row : rows)
        out.push_back(row_of(row));
    return out;
}

}  // namespace

int run_study_bench(const StudyBenchOptions& options) {
    StopOnSignal stop;
    StudySettings settings;
    settings.gpu = options.gpu.settings(options.seed);
    settings.seconds = options.seconds;
    if (!options.folder.empty()) settings.folder = options.folder;
    if (!options.parts.empty()) settings.parts = options.parts;
    if (options.parts == std::vector<std::string>{"all"}) settings.parts = StudySettings::all_parts();
    settings.probe = options.probe;
    auto study = study_measurement(
        settings, [](const std::string& what) { print_progress(printable(what)); }, stop.token());
    if (!study) return print_error(study.error(), options.json);
    bool wrong = !study->notes.empty();
    for (const SameStudy& s : study->same)
        for (const FalseVerdicts& v : s.rungs)
            wrong = wrong || v.failed > 0;
    for (const HostileStudy& s : study->hostile)
        wrong = wrong || s.good_called_bad > 0 || s.false_verdicts > 0 || s.lost > 0;
    for (const PaddedStudy& s : study->cold)
        wrong = wrong || s.failed > 0;
    const int code = wrong ? 1 : 0;
    if (options.json)
        return print_document({{"suite", options.suite},
                               {"machine", study->machine.device},
                               {"same", rows_of(study->same)},
                               {"cold", rows_of(study->cold)},
                               {"rate", rows_of(study->rate)},
                               {"hostile", rows_of(study->hostile)},
                               {"notes", study->notes},
                               {"markdown", markdown(*study)}},
                              code);
    print_text(markdown(*study));
    return code;
}

}  // namespace cubinlab::cli
