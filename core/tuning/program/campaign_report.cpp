// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/utc_text.h"
#include "core/binary/kernel_label.h"
#include "core/binary/kernel_list.h"
#include "core/evidence/claim.h"
#include "core/store/session.h"
#include "core/evidence/run_report_parts.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shape_figures.h"
#include "core/store/session_lock.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

Result<CampaignFigures> read_figures(const fs::path& session) {
    auto reader = TRY(SessionReader::open(session));
    const RunInfo run = TRY(run_with_steps(*reader, 0, session.string()));
    const EvaluatorInfo& evaluator = evaluator_of(run, run.best_step);
    CampaignFigures out;
    out.unit = evaluator.unit;
    out.device = evaluator.device;
    out.cache = cache_of(evaluator);
    out.measured = evaluator.kind == EvaluatorKind::Gpu;
    out.original_cost = evaluator.original_cost;
    const auto kernel = TRY(reader->kernel());
    const Claim claim = TRY(claim_of(*reader, kernel, run, run.best_step, session.string()));
    out.stamp = claim.stamp();
    if (run.best_step == 0) return out;
    const StepRecord best = TRY(reader->step(run.id, run.best_step));
    out.best_cost = best.outcome.cost;
    // Where it was measured again, of the GPU that did.
    if (claim.level() == ClaimLevel::Measured) out.device = claim.parts().device;
    out.speedup = claim.parts().speedup;
    out.slower = slower_words(claim.parts().shapes);
    out.gain =
        claim.level() == ClaimLevel::Measured && out.speedup.low > 0 && claim.parts().without_figure.empty();
    return out;
}

// Changes whenever something is written into the session, by whomever.
std::string times_and_sizes(const fs::path& session) {
    std::string out;
    for (const char* suffix : {"", "-wal"}) {
        std::error_code error;
        const fs::path file = session.string() + suffix;
        const auto time = fs::last_write_time(file, error).time_since_epoch().count();
        const auto size = error ? 0 : fs::file_size(file, error);
        out += error ? " none" : fmt::format(" {} {}", time, size);
    }
    return out;
}

// A campaign that was killed left "running" behind; nobody holds the kernel, and nobody writes its session.
bool is_abandoned(const CampaignPlan& plan, const CampaignKernel& kernel, const CampaignState& state) {
    return state.state == "running" && !SessionLock::holder(campaign_file(plan, kernel, ".log")) &&
           !SessionLock::holder(campaign_file(plan, kernel, ".cubinlab.db"));
}

CampaignRow row_of(const CampaignPlan& plan, const CampaignKernel& kernel, SeenSessions& seen) {
    CampaignRow out;
    out.kernel = kernel;
    out.demangled = demangled(kernel.kernel.empty() ? kernel.name : kernel.kernel);
    out.state = read_campaign_state(plan, kernel);
    if (!kernel.skipped.empty()) out.state.state = "skipped";
    if (is_abandoned(plan, kernel, out.state)) out.state.state = "interrupted";
    if (out.state.allotted > 0)
        out.kernel.allotted = out.state.allotted;  // of several machines each knows its own
    if (!out.state.result.is_null()) {
        auto figures = seen.figures_of(campaign_file(plan, kernel, ".cubinlab.db"));
        if (figures)
            static_cast<CampaignFigures&>(out) = std::move(*figures);
        else
            out.state.error = "nothing is said of its result: " + figures.error().message();
    } else if (out.state.state == "interrupted") {
        // What it had found, if anything. No cubin of it was written, so that it is nothing to run with yet.
        if (auto figures = seen.figures_of(campaign_file(plan, kernel, ".cubinlab.db")))
            static_cast<CampaignFigures&>(out) = std::move(*figures);
        out.gain = false;
    }
    std::error_code error;
    if (const fs::path best = campaign_file(plan, kernel, ".best.cubin"); fs::exists(best, error)) {
        out.best = best;
        if (const auto bytes = read_file(best)) out.best_hash = hash_bytes(*bytes).hex();
    }
    if (const fs::path page = campaign_file(plan, kernel, ".html"); fs::exists(page, error))
        out.report = page;
    return out;
}

void drop_from(CampaignReport& report) {
    auto seen = read_in_program(report.plan.out);
    if (!seen) return;
    std::map<std::string, std::string> gain;
    for (CampaignRow& row : report.rows) {
        const auto dropped = seen->dropped.find(row.kernel.name);
        if (row.gain && dropped != seen->dropped.end() && dropped->second.hash == row.best_hash) {
            row.dropped = dropped->second.why;
            row.gain = false;
        }
        if (row.gain) gain[row.kernel.name] = row.best_hash;
    }
    if (gain == seen->kept) report.in_program = std::move(seen);
}

// Two files may hold kernels of one name.
void tell_apart(std::vector<CampaignRow>& rows) {
    std::vector<std::string> names;
    for (const CampaignRow& row : rows)
        names.push_back(row.demangled);
    const std::vector<std::string> labels = kernel_labels(names);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].alike = std::count(names.begin(), names.end(), names[i]) > 1;
        rows[i].label = labels[i] + (rows[i].alike ? " (" + rows[i].kernel.name + ")" : "");
    }
}

std::string amount(const CampaignPlan& plan, std::uint64_t value) {
    return plan.budget.time ? fmt::format("{:.1f} s", static_cast<double>(value) / 1000)
                            : fmt::format("{} steps", value);
}

std::string link(const fs::path& file, const std::string& name) {
    return file.empty() ? "" : "<a href=\"" + html_escaped(file.filename().string()) + "\">" + name + "</a>";
}

}  // namespace

Result<CampaignFigures> SeenSessions::figures_of(const fs::path& session) {
    const std::lock_guard lock(mutex_);
    std::string as = times_and_sizes(session);
    const auto known = seen_.find(session.string());
    if (known != seen_.end() && known->second.as == as) return known->second.figures;
    auto figures = read_figures(session);
    seen_.insert_or_assign(session.string(), Seen{std::move(as), figures});
    return figures;
}

std::string name_among(const CampaignRow& row) {
    return row.alike ? fmt::format("{} ({})", row.demangled, row.kernel.name) : row.demangled;
}

std::string share_text(const CampaignReport& report, const CampaignRow& row) {
    const bool known = std::ranges::any_of(
        report.rows, [](const CampaignRow& one) { return one.kernel.times.launches > 0; });
    return known ? fmt::format("{:.1f} %", row.kernel.share * 100) : "";
}

std::string gain_text(const CampaignRow& row) {
    if (row.best_cost <= 0)
        return row.state.result.is_null() || row.stamp.empty() ? "" : "nothing beat the original";
    const std::string so_far = row.state.result.is_null() ? " so far" : "";
    if (!row.measured) return percent_text(row.speedup.log) + " modelled" + so_far;
    return fmt::format("{}{}{}{}{}", percent_text(row.speedup), row.slower.empty() ? "" : ", ", row.slower,
                       cache_words(row.cache), so_far);
}

CampaignReport report_campaign(const CampaignPlan& plan, SeenSessions* seen) {
    CampaignReport out{plan, {}, {}, {}};
    SeenSessions fresh;
    for (const CampaignKernel& kernel : plan.kernels)
        out.rows.push_back(row_of(plan, kernel, seen ? *seen : fresh));
    drop_from(out);
    double before = 0, after = 0;
    bool gain = false;
    for (const CampaignRow& row : out.rows) {
        const double us = row.kernel.times.mean_us * static_cast<double>(row.kernel.times.launches);
        before += us;
        after += us * (row.gain ? (-row.speedup).factor() : 1);
        gain = gain || (row.gain && us > 0);
    }
    tell_apart(out.rows);
    if (gain) out.log_speedup_of_captured = std::log(before / after);
    return out;
}

nlohmann::ordered_json campaign_json(const CampaignReport& report) {
    using Json = nlohmann::ordered_json;
    const CampaignPlan& plan = report.plan;
    Json rows = Json::array(), with = Json::array();
    for (const CampaignRow& row : report.rows) {
        const CampaignKernel& kernel = row.kernel;
        Json one = {{"name", kernel.name},
                    {"kernel", kernel.kernel},
                    {"demangled", row.demangled},
                    {"launches", kernel.times.launches},
                    {"mean_us", kernel.times.mean_us},
                    {"share", kernel.share},
                    {plan.budget.time ? "allotted_ms" : "allotted_steps", kernel.allotted},
                    {plan.budget.time ? "spent_ms" : "spent_steps", row.state.spent},
                    {"state", row.state.state},
                    {"error", kernel.skipped.empty() ? row.state.error : kernel.skipped},
                    {"seconds", row.state.seconds},
                    {"device", row.device},
                    {"cache", to_string(row.cache)},
                    {"measured", row.measured},
                    {"best", nullptr},
                    {"gain", row.gain},
                    {"dropped", row.dropped},
                    {"slower", row.slower},
                    {"stamp", row.stamp},
                    {"session", campaign_file(plan, kernel, ".cubinlab.db").string()},
                    {"cubin", row.best.string()},
                    {"report", row.report.string()}};
        if (row.best_cost > 0)
            one["best"] = {{"log_speedup", row.speedup.log}, {"low", row.speedup.low},
                           {"high", row.speedup.high},       {"original_cost", row.original_cost},
                           {"cost", row.best_cost},          {"unit", row.unit}};
        if (row.gain) with.push_back(row.best.string());
        rows.push_back(std::move(one));
    }
    return {{"folder", plan.folder.string()},
            {"out", plan.out.string()},
            {"budget", plan.budget.text()},
            {"kernels", rows},
            {"with", with},
            {"estimated_log_speedup_of_captured",
             report.log_speedup_of_captured ? Json(*report.log_speedup_of_captured) : Json(nullptr)},
            {"program", report.in_program && report.in_program->all ? to_json(*report.in_program->all) : Json(nullptr)}};
}

std::string seconds_text(const CampaignReport& report) {
    std::map<std::string, double> all;
    for (const CampaignRow& row : report.rows)
        for (const auto& [phase, time] : row.state.seconds)
            all[phase] += time;
    std::string out;
    for (const auto& [phase, time] : all)
        if (time >= 0.05) out += fmt::format("{}{} {:.1f}", out.empty() ? "" : ", ", phase, time);
    return out;
}

std::string campaign_html(const CampaignReport& report, const std::string& version) {
    const CampaignPlan& plan = report.plan;
    std::string rows;
    for (const CampaignRow& row : report.rows) {
        const std::string badge = row.stamp.empty() ? ""
                                  : row.measured    ? "<span class=\"badge gpu\">measured</span>"
                                                    : "<span class=\"badge model\">modelled</span>";
        const std::string why = !row.kernel.skipped.empty() ? row.kernel.skipped
                                : !row.dropped.empty()      ? "dropped: " + row.dropped
                                                            : row.state.error;
        rows += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} of {}</td><td>{}{}</td><td>{}</td>"
            "<td>{}</td><td>{} {}</td></tr>\n",
            html_escaped(name_among(row)), row.kernel.times.launches,
            row.kernel.times.mean_us > 0 ? fmt::format("{:.2f} us", row.kernel.times.mean_us) : "",
            share_text(report, row), amount(plan, row.state.spent), amount(plan, row.kernel.allotted),
            html_escaped(row.state.state), why.empty() ? "" : ": " + html_escaped(why), badge,
            html_escaped(gain_text(row)), link(row.report, "report"), link(row.best, "cubin"));
    }
    const std::string program =
        report.in_program && report.in_program->all
            ? "<p class=\"verdict\">" + html_escaped(percent_text(report.in_program->all->speedup)) +
                  " on the GPU time of all kernels of the program</p>\n<p class=\"dim\">" +
                  html_escaped("Measured in the program by alternating the original and the tuned kernels: " +
                               text_of(*report.in_program->all)) +
                  ".</p>\n"
            : std::string();
    const std::string sum =
        report.log_speedup_of_captured
            ? fmt::format(
                  "<p class=\"verdict\">{} on the captured kernels' time</p>\n<p class=\"dim\">An estimate: "
                  "what "
                  "each kernel's own measurement says, weighted by its time in the program. "
                  "<code>cubinlab run --ab</code> measures it there.</p>\n",
                  percent_text(*report.log_speedup_of_captured))
            : std::string("<p class=\"verdict\">no gain yet that a measurement supports</p>\n");
    const bool any =
        std::any_of(report.rows.begin(), report.rows.end(), [](const CampaignRow& row) { return row.gain; });
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\">\n<title>Campaign - CubinLab report</title>\n" +
           report_style() + "</head>\n<body>\n<h1>Campaign</h1>\n<p class=\"dim\">" +
           html_escaped(fmt::format("{} captured kernels of {}, budget {}", report.rows.size(),
                                    plan.folder.string(), plan.budget.text())) +
           "</p>\n" + program + sum +
           "<div "
           "class=\"wide\"><table>\n<tr><th>kernel</th><th>launches</th><th>mean</th><th>share</"
           "th><th>spent</th>"
           "<th>state</th><th></th><th>best against the original</th><th></th></tr>\n" +
           rows + "</table></div>\n" +
           (seconds_text(report).empty()
                ? ""
                : "<p class=\"dim\">" + html_escaped("Seconds of all processes: " + seconds_text(report)) +
                      "</p>\n") +
           (any ? "<h2>Run with it</h2>\n<p><code>" +
                      html_escaped("cubinlab run --with " + plan.out.string() + " -- PROGRAM ARGS") +
                      "</code></p>\n"
                : "") +
           "<p class=\"dim\">" + html_escaped(fmt::format("CubinLab {}, {}", version, utc_text())) +
           "</p>\n</body>\n</html>\n";
}

}  // namespace cubinlab
