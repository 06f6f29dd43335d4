// SPDX-License-Identifier: GPL-3.0-or-later
// `replay` rebuilds a step and writes it; `export` does the same for the schedules that have a name (best, minimal).
#include <fmt/format.h>

#include <charconv>

#include "app/cli/output.h"
#include "core/workflow/export_cubin.h"

namespace cubinlab::cli {
namespace {

Result<StepId> parse_step(const std::string& text, SessionReader& reader, RunId run) {
    if (text == "best") return reader.best_step(run);
    StepId step = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    if (error != std::errc{} || end != text.data() + text.size() || step < 0)
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not a step number or 'best'", text), "--step");
    return step;
}

struct Rebuilt {
    KernelPtr kernel;
    RunInfo run;
    StepRecord record;
    Schedule schedule;
};

Result<Rebuilt> rebuild(SessionReader& reader, RunId wanted, const std::string& step_text) {
    auto kernel = reader.kernel();
    if (!kernel) return fail(kernel.error());
    auto run = reader.run(wanted);
    if (!run) return fail(run.error());
    auto step = parse_step(step_text, reader, run->id);
    if (!step) return fail(step.error());
    auto schedule = reader.schedule_at(*kernel, run->id, *step);
    if (!schedule) return fail(schedule.error());
    StepRecord record;
    if (*step > 0) {
        auto rows = reader.steps(run->id, *step - 1, 1);
        if (!rows) return fail(rows.error());
        if (rows->size() != 1 || rows->front().step != *step)
            return fail(ErrorCode::NotFound, fmt::format("run {} has no step {}", run->id, *step));
        record = rows->front();
    }
    return Rebuilt{*kernel, *run, record, std::move(*schedule)};
}

int write_out(SessionReader& reader, const std::string& session, RunId run, const std::string& step, const std::string& out, bool verify, bool json) {
    auto rebuilt = rebuild(reader, run, step);
    if (!rebuilt) return print_error(rebuilt.error(), json);
    Json document = {{"session", session}, {"run", rebuilt->run.id}, {"agent", rebuilt->run.agent}, {"step", rebuilt->record.step},
                     {"code_hash", rebuilt->schedule.hash().hex()}, {"result", to_json(rebuilt->record.outcome)}};
    if (verify) {
        auto checked = reader.verify(rebuilt->kernel, rebuilt->run.id);
        if (!checked) return print_error(checked.error(), json);
        document["verified_steps"] = *checked;
    }
    if (!out.empty()) {
        auto report = export_cubin(rebuilt->schedule, out, provenance_of(rebuilt->run, rebuilt->record, session));
        if (!report) return print_error(report.error(), json);
        document["out"] = out;
        document["stamp"] = report->stamp;
        document["moved"] = report->moved;
        document["control_changed"] = report->control_changed;
    }
    if (json) return print_document(document);
    print_line(fmt::format("run {} ({}), step {}: {}", rebuilt->run.id, rebuilt->run.agent, rebuilt->record.step, rebuilt->schedule.hash().hex()));
    if (verify) print_line(fmt::format("  {} steps rebuilt, every hash matches", document["verified_steps"].get<std::uint64_t>()));
    if (!out.empty()) print_line(fmt::format("  wrote {}: {}", out, document["stamp"].get<std::string>()));
    return 0;
}

}  // namespace

int run_replay(const ReplayOptions& options) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return print_error(reader.error(), options.json);
    return write_out(**reader, options.session, options.run, options.step, options.out, options.verify, options.json);
}

int run_export(const ExportOptions& options) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return print_error(reader.error(), options.json);
    const std::string step = options.what.starts_with("step:") ? options.what.substr(5) : options.what;
    return write_out(**reader, options.session, options.run, step, options.out, false, options.json);
}

}  // namespace cubinlab::cli
