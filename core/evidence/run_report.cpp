// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/run_report.h"

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/number_of.h"
#include "core/base/utc_text.h"
#include "core/binary/kernel_list.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/run_report_parts.h"
#include "core/evidence/step_measurement.h"
#include "core/evidence/stored_figures.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/legality/hazard_checker.h"
#include "core/model/assumed_passes.h"
#include "core/sass/disassembler.h"
#include "core/search/agents/race_schedules.h"
#include "core/store/instruction_ranges.h"
#include "core/store/session.h"

namespace cubinlab {
namespace {

class Facts {
  public:
    void add(const std::string& name, const std::string& value) {
        if (!value.empty())
            rows_ += "<tr><th>" + html_escaped(name) + "</th><td>" + html_escaped(value) + "</td></tr>\n";
    }
    std::string table() const { return "<table class=\"facts\">\n" + rows_ + "</table>\n"; }

  private:
    std::string rows_;
};

bool measured(const ReportData& data) {
    return data.run.evaluator.kind == EvaluatorKind::Gpu;
}

std::string verdict_part(const ReportData& data) {
    const bool gpu = measured(data);
    const EvaluatorInfo& evaluator = evaluator_of(data.run, data.run.best_step);
    std::string html = gpu ? fmt::format("<span class=\"badge gpu\">GPU &middot; {}</span>",
                                         html_escaped(evaluator.device + cache_words(cache_of(evaluator))))
                           : fmt::format("<span class=\"badge model\">MODEL &middot; {}{}</span>",
                                         html_escaped(evaluator.device),
                                         data.measurements.empty() ? " &middot; unmeasured" : "");
    if (!data.best_record)
        return html +
               "<p class=\"verdict\">Nothing beat the start</p>\n<p class=\"dim\">The result below is the "
               "start "
               "schedule.</p>\n";
    if (!data.refused.empty())
        return html + "<p class=\"verdict\">No claim</p>\n<p class=\"dim\">" + html_escaped(data.refused) +
               "</p>\n";
    const Outcome& o = data.best_record->outcome;
    const ClaimParts& claim = data.claim.parts();
    // The cost of a step judged in several cache states is that of the first, which its mean gain says nothing of.
    const std::string cost = is_mean(claim.cache)
                                 ? fmt::format("{:.4g} us a launch with the {} cache", o.cost,
                                               to_string(measured_states(*claim.cache).front()))
                                 : fmt::format("{:.4g} us against {:.4g} us a launch of the start", o.cost,
                                               o.cost * claim.speedup.factor());
    if (gpu) {
        html += fmt::format(
            "<p class=\"verdict\">{} {}</p>\n<p class=\"dim\">{}; interval of the step's own "
            "measurement, {} pairs.</p>\n",
            to_string(claim.verdict), factor_text(claim.speedup), cost, o.pairs);
        if (is_over_shapes(o))
            html += fmt::format("<p class=\"dim\">The figure is the mean of {} shapes: {}.</p>\n",
                                o.shape_count, html_escaped(o.detail));
    } else {
        html += fmt::format(
            "<p class=\"verdict\">{} in modelled cycles</p>\n<p class=\"dim\">{:.0f} modelled cycles of "
            "one sub-core{}. {}</p>\n",
            factor_text(claim.speedup.log), o.cost,
            claim.assumed.empty() ? "" : ", " + html_escaped(claim.assumed),
            data.measurements.empty()
                ? "No GPU has run this schedule in this session; whether it is faster is not known."
                : "What a GPU measured of this schedule since stands under Measurements of the result.");
    }
    html += fmt::format("<p class=\"dim\">Kind of code: {}.</p>\n", to_string(data.claim.code()));
    if (data.claim.level() == ClaimLevel::Screened)
        html +=
            "<p class=\"dim\">Screened, not confirmed: the figure was made on data that helped to choose "
            "this schedule.</p>\n";
    if (!claim.unchecked.empty())
        html += "<p class=\"dim\">Not checked against what it was made of: " + html_escaped(claim.unchecked) +
                ".</p>\n";
    return html;
}

// A measurement of several shapes: their mean, a row for each, and in words where it is slower.
std::string shapes_rows(const MeasurementRecord& m, const std::string& purpose) {
    const auto pooled = pool_measurements({m}, m.step);
    if (pooled.empty() || pooled.front().shapes.empty()) return {};
    const PooledMeasurement& all = pooled.front();
    const auto row = [](const std::string& what, const char* verdict, const ShapeFigure& f,
                        const std::string& pairs, const std::string& made) {
        return fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>[{}, {}]</td><td>{}</td><td>{}</td></tr>\n",
            html_escaped(what), verdict, factor_text(f.speedup.log), factor_text(f.speedup.low),
            factor_text(f.speedup.high), pairs, html_escaped(made));
    };
    const ShapeFigure mean{{}, all.verdict, all.speedup};
    std::string html = row(fmt::format("{}, mean of {} shapes", purpose, all.shapes.size()),
                           to_string(all.verdict), mean, std::to_string(all.pairs), m.made);
    for (const ShapeFigure& shape : all.shapes)
        html += row("shape " + shape.name, to_string(shape.verdict), shape, "", "");
    if (const std::string slower = slower_words(all.shapes); !slower.empty())
        html += fmt::format("<tr><td colspan=\"6\"><b>{}</b>{}</td></tr>\n", html_escaped(slower),
                            all.speedup.log > 0 ? ", while the mean gains" : "");
    return html;
}

std::string measurements_part(const ReportData& data) {
    if (data.measurements.empty()) return {};
    std::string html =
        "<h2>Measurements of the result</h2>\n<table><tr><th>Purpose</th><th>Verdict</th><th>Speed-up"
        "</th><th>Interval</th><th>Pairs</th><th>Made</th></tr>\n";
    for (const MeasurementRecord& m : data.measurements) {
        const std::string purpose = m.purpose + cache_words(m.details.cache);
        if (const std::string rows = shapes_rows(m, purpose); !rows.empty()) {
            html += rows;
            continue;
        }
        html += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>[{}, {}]</td><td>{}</td><td>{}</td></tr>\n",
            html_escaped(purpose), m.outcome.ok() ? to_string(m.outcome.verdict) : to_string(m.outcome.kind),
            factor_text(m.outcome.speedup.log), factor_text(m.outcome.speedup.low),
            factor_text(m.outcome.speedup.high),
            m.outcome.ok() && pool_measurements({m}, m.step).empty() ? "not checked: no samples"
                                                                     : std::to_string(m.outcome.pairs),
            html_escaped(m.made));
    }
    return html + "</table>\n";
}

std::string facts_part(const ReportData& data) {
    const KernelInfo& info = data.kernel->info();
    const EvaluatorInfo& e = evaluator_of(data.run, data.run.best_step);
    Facts kernel;
    kernel.add("Kernel", info.name);
    kernel.add("Architecture", data.kernel->arch().name());
    kernel.add("File", std::filesystem::path(data.kernel->cubin().where()).filename().string());
    kernel.add("Instructions", std::to_string(data.kernel->size()));
    kernel.add("Registers", std::to_string(info.registers));
    kernel.add("Original code hash", data.kernel->hash().hex());
    if (const auto own = self_check(data.kernel); own && !own->text().empty())
        kernel.add("Checked on its own", own->text());
    Facts machine;
    machine.add("Evaluator", to_string(e.kind));
    machine.add("Device", e.device);
    machine.add("Start schedule's cost",
                e.original_cost > 0 ? fmt::format("{:.6g} {}", e.original_cost, e.unit) : "");
    machine.add("Loops", assumed_passes(e));
    if (measured(data)) {
        machine.add("Timer step", fmt::format("{:.3g} us", e.timer_step_us));
        machine.add("Original against itself",
                    fmt::format("{:.3f} % standard deviation of a pair", 100 * e.aa_spread));
        machine.add("Smallest gain it finds", fmt::format("{:.3f} %", 100 * e.detectable));
        machine.add("Original deterministic", e.deterministic ? "yes, bit for bit" : "no");
    }
    Facts run;
    run.add("Agent", data.run.agent);
    run.add("Settings", data.run.agent_settings == "{}" ? "" : settings_in_short(data.run.agent_settings));
    run.add("Seed and budget", fmt::format("{}, {}", data.run.seed, data.run.budget));
    run.add("Started from", data.run.start_run == 0
                                ? "the original"
                                : fmt::format("run {}, step {}, which the figures are against",
                                              data.run.start_run, data.run.start_parent));
    if (!data.run.locked.empty())
        run.add("Locked", fmt::format("{} of {} instructions: {}", data.run.locked.size(),
                                      data.kernel->size(), ranges_text(data.run.locked)));
    run.add("Steps", fmt::format("{} logged, {} accepted, {} failed", data.curve.steps, data.curve.accepted,
                                 data.curve.failed));
    run.add("Started", data.run.started);
    run.add("Ended", data.run.end.empty() ? "not yet, or the program was killed" : data.run.end);
    return "<h2>Kernel</h2>\n" + kernel.table() + "<h2>Machine</h2>\n" + machine.table() + "<h2>Run</h2>\n" +
           run.table();
}

std::string notes_part(const ReportData& data) {
    if (data.notes.empty()) return {};
    std::string html = "<h2>Notes</h2>\n<table><tr><th>Step</th><th>Note</th><th>Made</th></tr>\n";
    for (const NoteRecord& note : data.notes)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", note.step,
                            html_escaped(note.text), html_escaped(note.made));
    return html + "</table>\n";
}

std::string provenance_part(const ReportData& data) {
    const std::string session = data.session.filename().string();
    Facts facts;
    facts.add("Session", session);
    facts.add("Run and step",
              fmt::format("{}, {}", data.run.id, data.best_record ? data.best_record->step : 0));
    facts.add("Start hash", data.start.hash().hex());
    facts.add("Result hash", data.best.hash().hex());
    facts.add("Listing text", data.listing_origin);
    facts.add("Logged by", "CubinLab " + data.run.version);
    facts.add("Report by", "CubinLab " + data.version + ", " + data.made);
    return "<h2>Provenance</h2>\n" + facts.table() +
           fmt::format(
               "<p>To check it: <code>cubinlab replay {0} --run {1} --verify</code> rebuilds every step and "
               "checks every hash; <code>cubinlab export {0} --run {1} --out result.cubin</code> writes the "
               "result, proven legal again.</p>\n",
               html_escaped(session), data.run.id);
}

// What the listing says to people: the session's stored text, else what can be had without waiting.
void read_lines(ReportData& data, SessionReader& reader) {
    DisassemblerSettings quick;
    quick.allow_nvdisasm = false;
    std::optional<std::string> stored;
    if (auto text = reader.listing_text(); text && !text->empty()) stored = std::move(*text);
    Listing listing = list_kernel(data.kernel->cubin(), data.kernel->info(), quick, std::move(stored));
    data.lines = std::move(listing.lines);
    data.listing_origin = fmt::format("{}, {}", to_string(listing.source), listing.origin);
}

// What the chart's band ends at.
std::set<StepId> drawn_steps(const RunCurve& curve) {
    std::set<StepId> out;
    for (const RunCurve::Column& column : curve.columns)
        if (column.least <= column.greatest) out.insert({column.least_step, column.greatest_step});
    return out;
}

}  // namespace

Result<ReportData> read_report_data(SessionReader& reader, const std::filesystem::path& session, RunId id,
                                    std::stop_token stop) {
    auto run = TRY(run_with_steps(reader, id, session.string()));
    auto original = TRY(reader.kernel());
    auto kernel = TRY(reader.run_kernel(original, run.id));
    std::optional<StepRecord> best_record;
    auto curve = TRY(read_curve(reader, run, run.best_step, &best_record, stop));
    auto start = TRY(reader.schedule_at(kernel, run.id, 0));
    const StepId best_step = TRY(reader.best_step(run.id));
    auto best = TRY(reader.schedule_at(kernel, run.id, best_step));
    if (best.kernel() != kernel)
        return fail(ErrorCode::Unsupported,
                    fmt::format("run {} searched other compilations; a report is about the schedules of one: choose a run "
                                "that begins at one of its steps",
                                run.id),
                    session.string());
    ReportData data{session,
                    run,
                    kernel,
                    {},
                    {},
                    std::move(curve),
                    std::move(start),
                    std::move(best),
                    std::move(best_record),
                    {},
                    {},
                    {},
                    0.95,
                    {},
                    utc_text(),
                    {}};
    if (auto measurements = reader.measurements(run.id))
        for (MeasurementRecord& m : *measurements)
            if (m.step == best_step) data.measurements.push_back(std::move(m));
    if (auto notes = reader.notes(run.id)) data.notes = std::move(*notes);
    TRY(check_run_figures(reader, kernel, run, FiguresOf::BestSteps, stop));
    TRY(check_step_figures(reader, kernel, run, drawn_steps(data.curve), stop));
    auto claim = own_claim_of(reader, kernel, run, best_step, session.string());
    if (claim)
        data.claim = std::move(*claim);
    else if (claim.error().code == ErrorCode::Refused)
        data.refused = claim.error().what;
    else
        return fail(claim.error());
    if (auto legal = check_best_is_legal(run, data.best); !legal) {
        if (legal.error().code != ErrorCode::Refused) return fail(legal.error());
        data.refused = legal.error().what;
    }
    read_lines(data, reader);
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    return data;
}

std::string report_html(const ReportData& data) {
    const std::string name = demangled(data.kernel->name());
    const std::string mangled = name == data.kernel->name() ? "" : data.kernel->name() + ": ";
    const std::string title = html_escaped(name) + " - CubinLab report";
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\">\n" +
           report_mark(data.kernel->hash()) + "\n<title>" + title + "</title>\n" + report_style() +
           "</head>\n<body>\n<h1>" + html_escaped(name) + "</h1>\n<p class=\"dim\">" +
           html_escaped(fmt::format("{}{}, {}: what agent {} found in {}", mangled,
                                    std::filesystem::path(data.kernel->cubin().where()).filename().string(),
                                    data.kernel->arch().name(), data.run.agent,
                                    number_of(data.curve.steps, "step"))) +
           "</p>\n" + verdict_part(data) + "<h2>Steps</h2>\n" + report_chart(data) +
           "<h2>What was changed</h2>\n" + report_edits(data) + measurements_part(data) +
           "<h2>Before and after</h2>\n" + report_listing(data) + facts_part(data) + notes_part(data) +
           provenance_part(data) + "</body>\n</html>\n";
}

Result<std::size_t> write_report(ReportData data, const std::filesystem::path& out,
                                 const std::string& version) {
    data.version = version;
    const std::string html = report_html(data);
    TRY(write_text(out, html));
    return html.size();
}

}  // namespace cubinlab
