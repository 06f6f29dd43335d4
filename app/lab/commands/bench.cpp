// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab bench`: how far the measurement can be trusted, on the GPU at hand.
#include <cstdio>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/study/measurement_study.h"
#include "core/measure/statistics.h"

namespace cubinlab::cli {
namespace {

Json to_json(const FalseVerdicts& v) {
    return {{"comparisons", v.comparisons},
            {"faster", v.faster},
            {"slower", v.slower},
            {"same", v.same},
            {"failed", v.failed},
            {"pairs", v.pairs},
            {"false_rate_upper_95", rate_upper_bound(v.wrong(), v.comparisons)}};
}

Json to_json(const SameStudy& s) {
    return {{"kernel", s.kernel},
            {"original_us", s.original_us},
            {"screen", to_json(s.rungs[0])},
            {"promote", to_json(s.rungs[1])},
            {"confirm", to_json(s.rungs[2])},
            {"predicted_deviation", s.predicted_deviation},
            {"seen_deviation", s.seen_deviation},
            {"predicted_detectable", s.predicted_detectable},
            {"seen_detectable", s.seen_detectable},
            {"seconds", s.seconds}};
}

Json to_json(const KnownStudy& s) {
    return {{"kernel", s.kernel},
            {"launches", s.launches},
            {"extra", s.extra},
            {"truth", s.truth},
            {"comparisons", s.comparisons},
            {"covered", s.covered},
            {"right", s.right},
            {"wrong", s.wrong},
            {"excludes_zero", s.excludes_zero},
            {"failed", s.failed},
            {"mean_error", s.mean_error},
            {"median_half_width", s.median_half_width}};
}

Json to_json(const PhaseShare& s) {
    return {{"load_us", s.load_us},     {"check_us", s.check_us},       {"timing_us", s.timing_us},
            {"unload_us", s.unload_us}, {"protocol_us", s.protocol_us}, {"rest_us", s.rest_us}};
}

Json to_json(const RateStudy& s) {
    return {
        {"kernel", s.kernel},        {"original_us", s.original_us}, {"candidates", s.candidates},
        {"failed", s.failed},        {"seconds", s.seconds},         {"per_second", s.per_second()},
        {"pairs", s.pairs},          {"phases", to_json(s.phases)},  {"first_restart_ms", s.first_restart_ms},
        {"restart_ms", s.restart_ms}};
}

Json to_json(const SampleLengthStudy& s) {
    Json rows = Json::array();
    for (const SampleLengthRow& row : s.rows)
        rows.push_back({{"launches", row.launches},
                        {"pair_us", row.pair_us},
                        {"loads", row.loads},
                        {"pairs", row.pairs},
                        {"failed", row.failed},
                        {"pair_deviation", row.pair_deviation},
                        {"load_deviation", row.load_deviation},
                        {"neighbours", row.neighbours},
                        {"far", row.far},
                        {"sample_noise_us", row.sample_noise_us()},
                        {"millisecond_deviation", row.millisecond_deviation()}});
    return {{"kernel", s.kernel}, {"original_us", s.original_us}, {"rows", rows}};
}

Json to_json(const LookWay& w) {
    return {{"at_most", w.at_most}, {"phases", to_json(w.phases)},
            {"looks", w.looks},     {"failed", w.failed},
            {"seconds", w.seconds}, {"deviation", w.deviation},
            {"mean_at", w.mean_at}, {"error_at", w.error_at},
            {"slower", w.slower},   {"slower_error", w.slower_error}};
}

Json to_json(const LookStudy& s) {
    Json ways = Json::array();
    for (const LookWay& way : s.ways)
        ways.push_back(to_json(way));
    return {{"kernel", s.kernel},
            {"original_us", s.original_us},
            {"launches", s.shape.launches},
            {"pairs", s.shape.pairs},
            {"ways", std::move(ways)}};
}

Json to_json(const PaddedStudy& s) {
    return {{"kernel", s.kernel},
            {"cache", s.cold ? "cold" : "hot"},
            {"original_us", s.original_us},
            {"wanted", s.target > 0 ? -s.target : 0.0},
            {"edits", s.edits},
            {"estimate", s.estimate},
            {"estimate_low", s.low},
            {"estimate_high", s.high},
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

Json to_json(const HostileStudy& s) {
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

Json to_json(const PoolStudy& s) {
    Json rows = Json::array();
    for (const PoolStudy::Row& row : s.rows)
        rows.push_back({{"gpus", row.gpus},
                        {"candidates", row.candidates},
                        {"failed", row.failed},
                        {"seconds", row.seconds},
                        {"per_second", row.per_second()},
                        {"by_gpu", row.by_gpu}});
    return {{"kernel", s.kernel}, {"original_us", s.original_us}, {"rows", rows}};
}

template <class Row>
Json rows_of(const std::vector<Row>& rows) {
    Json out = Json::array();
    for (const Row& row : rows)
        out.push_back(to_json(row));
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
    if (!options.known.empty()) settings.known = options.known;
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
    for (const auto* studies : {&study->padded, &study->cold})
        for (const PaddedStudy& s : *studies)
            wrong = wrong || s.failed > 0;
    const int code = wrong ? 1 : 0;
    if (options.json)
        return print_document({{"suite", options.suite},
                               {"machine", study->machine.device},
                               {"same", rows_of(study->same)},
                               {"known", rows_of(study->known)},
                               {"padded", rows_of(study->padded)},
                               {"cold", rows_of(study->cold)},
                               {"rate", rows_of(study->rate)},
                               {"length", rows_of(study->length)},
                               {"looks", rows_of(study->looks)},
                               {"hostile", rows_of(study->hostile)},
                               {"pool", rows_of(study->pool)},
                               {"notes", study->notes},
                               {"markdown", markdown(*study)}},
                              code);
    print_text(markdown(*study));
    return code;
}

}  // namespace cubinlab::cli
