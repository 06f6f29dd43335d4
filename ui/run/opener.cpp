// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/opener.h"

#include <QCoreApplication>
#include <utility>

#include "core/start/compile_source.h"
#include "core/tuning/session_copy.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

const auto kOpenTag = QStringLiteral("open");

// Why nothing can be logged there now. Another process holds the session until its run ends; this one releases it.
Status check_free(SessionReader& reader, const std::filesystem::path& path) {
    TRY(check_session_writable(path));
    const auto writer = reader.writer_process();
    if (!writer || *writer == QCoreApplication::applicationPid()) return {};
    return fail(ErrorCode::Busy, "is being written by process " + std::to_string(*writer), path.string());
}

Result<Opened> read_session(const std::filesystem::path& path, std::stop_token stop) {
    auto reader = TRY(SessionReader::open(path));
    auto kernel = TRY(reader->kernel());
    auto listing = TRY(reader->listing_text());
    const auto workload = TRY(reader->workload_json());
    Opened out;
    out.kernel = describe_kernel(kernel, kernel->cubin().where(),
                                 listing.empty() ? std::nullopt : std::optional(std::move(listing)), stop);
    if (!workload.empty()) {
        auto parsed = Workload::parse(workload);
        const Status valid = parsed ? parsed->validate_against(kernel->info()) : Status(fail(parsed.error()));
        if (valid)
            out.kernel->workload = std::move(*parsed);
        else
            out.kernel->workload_problem = QString::fromStdString(valid.error().message());
    }
    OpenSession session;
    if (const Status writable = check_free(*reader, path); !writable) session.read_only = writable.error();
    session.writer = static_cast<qint64>(reader->writer_process().value_or(0));
    session.hub = std::make_shared<SessionHub>(
        path, kernel, out.kernel->workload ? out.kernel->workload->json : std::string{}, std::string{},
        reader);
    session.runs = TRY(read_runs(*session.hub, true));
    out.session = std::move(session);
    return out;
}

}  // namespace

Result<SessionRuns> read_runs(SessionHub& session, bool with_best) {
    SessionRuns out;
    out.runs = TRY(session.runs());
    if (!with_best || out.runs.empty() || out.runs.back().best_step == 0) return out;
    const RunInfo& newest = out.runs.back();
    if (auto best = session.schedule_at(newest.id, newest.best_step))
        out.best = std::make_shared<const Schedule>(std::move(*best));
    else
        out.best_problem = best.error();
    return out;
}

Result<Opened> read_opened(const OpenRequest& request, std::stop_token stop) {
    std::filesystem::path path = request.path;
    if (!request.arch.empty())
        path = TRY(compile_source(path, request.arch, request.folder, request.nvcc, stop));
    else if (is_session_file(path))
        return read_session(path, stop);
    Opened out;
    auto found = TRY(open_kernel_of(path, {request.kernel, {}, request.image}, stop));
    out.kernel = std::move(found.kernel);
    out.choices = std::move(found.choices);
    return out;
}

Opener::Opener(Document& document, Selection& selection, RunController& runs, JobRunner& jobs,
               QObject* parent)
    : QObject(parent), document_(document), selection_(selection), runs_(runs), jobs_(jobs) {}

void Opener::open(const OpenRequest& request) {
    Q_EMIT opening(request);
    jobs_.run<Result<Opened>>(
        kOpenTag, [request](std::stop_token stop) { return read_opened(request, stop); },
        [this, request](Result<Opened> next) {
            if (!next) return Q_EMIT failed(next.error(), request);
            if (next->choices) return Q_EMIT choice_wanted(next->choices);
            adopt(std::move(*next));
            Q_EMIT opened(request);
        },
        JobRunner::Scope::Window);
}

void Opener::close() {
    jobs_.cancel(kOpenTag);
    if (!document_.is_open()) return;
    leave(0);
    document_.close();
}

void Opener::leave(std::size_t next_size) {
    if (document_.is_open()) {
        Q_EMIT leaving();
        runs_.forget_session();
    }
    selection_.begin(next_size);
}

void Opener::adopt(Opened next) {
    leave(next.kernel->kernel->size());
    document_.adopt(std::move(*next.kernel));
    if (next.session) runs_.adopt(std::move(*next.session));
}

}  // namespace cubinlab::ui
