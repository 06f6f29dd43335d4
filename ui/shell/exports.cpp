// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/exports.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <fstream>

#include "core/base/file.h"
#include "core/base/version.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/text_export.h"
#include "core/tuning/session_report.h"
#include "ui/base/file_dialog.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/shell/main_window.h"

namespace cubinlab::ui {
namespace {

constexpr QLatin1String kMakingReport{"making-report"};  // Message::about

struct Kind {
    const char *suffix, *filter, *title;
};

// In the order of ExportKind.
const Kind kKinds[] = {{"listing.txt", "Text (*.txt)", "Export the listing"},
                       {"diff.txt", "Text (*.txt *.diff)", "Export the differences"},
                       {"mutations.csv", "Tables (*.csv)", "Export the mutation log"},
                       {"report.html", "Web pages (*.html)", "Create a report"}};

// The first line identifies an earlier export of the same kind.
Status check_text_output(OutputFile file, std::string_view text) {
    const std::string first(text.substr(0, std::min(text.find('\n'), text.size())));
    file.own = [first](const std::filesystem::path& path) {
        auto start = read_start(path, first.size());
        return start && *start == first ? std::string("an earlier export") : std::string();
    };
    TRY(check_output(file));
    return {};
}

Status write_own_text(const OutputFile& file, std::string_view text) {
    TRY(check_text_output(file, text));
    return write_text(file.path, text);
}

// Row by row, so that a run of millions of steps needs no more memory than one of thousands. The file gets
// its name when it is whole.
Result<QString> write_csv(const OutputFile& file, const std::filesystem::path& session,
                          const KernelPtr& kernel, RunId run, std::stop_token stop) {
    TRY(check_text_output(file, mutation_csv_header()));
    auto reader = TRY(SessionReader::open(session));
    const RunInfo info = TRY(reader->run(run));
    std::string part = file.path.string() + ".part";
    std::error_code ignored;
    for (int n = 2;
         std::filesystem::symlink_status(part, ignored).type() != std::filesystem::file_type::not_found; ++n)
        part = file.path.string() + ".part" + std::to_string(n);
    std::ofstream out(part, std::ios::binary);
    if (!out) return fail(ErrorCode::Io, "cannot be written", file.path.string());
    out << mutation_csv_header();
    StepId last = 0;
    std::uint64_t rows = 0;
    while (true) {
        auto steps = reader->steps(run, last, kStepsAtOnce);
        if (!steps || stop.stop_requested()) {
            std::filesystem::remove(part, ignored);
            return steps ? fail(ErrorCode::Cancelled, "stopped") : fail(steps.error());
        }
        for (const StepRecord& record : *steps)
            out << mutation_csv_row(*kernel, record, evaluator_of(info, record.step));
        rows += steps->size();
        if (steps->size() < kStepsAtOnce) break;
        last = steps->back().step;
    }
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(part, file.path, error);
    if (!out || error) {
        std::filesystem::remove(part, ignored);
        return fail(ErrorCode::Io, "cannot be written", file.path.string());
    }
    return Exports::tr("%1 steps of run %2, one row each.").arg(grouped(static_cast<qint64>(rows))).arg(run);
}

}  // namespace

Exports::Exports(MainWindow& window, QObject* parent) : QObject(parent), window_(window) {}

bool Exports::can_export(ExportKind kind) const {
    if (!window_.document().is_open()) return false;
    if (kind == ExportKind::Listing || kind == ExportKind::Diff) return true;
    return window_.controller().has_session() && window_.controller().shown_run() &&
           window_.controller().shown_run()->id != 0;
}

void Exports::ask_and_export(ExportKind kind) {
    if (!can_export(kind)) return;
    const Kind& facts = kKinds[static_cast<std::size_t>(kind)];
    const QString stem =
        QFileInfo(QString::fromStdString(window_.document().path().string())).completeBaseName();
    ask_for_file(&window_,
                 {.what = Ask::NewFile,
                  .title = facts.title,
                  .folder = window_.settings().last_folder(),
                  .filters = facts.filter,
                  .name = QStringLiteral("%1.%2").arg(stem, QLatin1String(facts.suffix))},
                 [this, kind](const QString& path) {
                     window_.settings().last_folder.set(QFileInfo(path).absolutePath());
                     export_to(kind, path, Replace::Confirmed);
                 });
}

void Exports::export_to(ExportKind kind, const QString& path, Replace replace) {
    if (!can_export(kind)) {
        const QString why = tr("Nothing to export. Open a kernel; for logs, run an agent.");
        say_failed(why);
        return;
    }
    const OutputFile file = output_file(path, replace, 1 << 20);
    switch (kind) {
        case ExportKind::Listing:
            return export_listing(path, file);
        case ExportKind::Diff:
            return export_diff(path, file);
        case ExportKind::Csv:
            return export_csv(path, file);
        case ExportKind::Report:
            return export_report(path, file);
    }
}

void Exports::say_failed(const QString& why) {
    window_.messages().post({MessageKind::Error, tr("Not exported"), why, {}, 0, kOfExport});
    Q_EMIT failed(why);
}

void Exports::start(ExportKind kind, const QString& path,
                    std::function<Result<QString>(std::stop_token)> work) {
    window_.jobs().run<Result<QString>>(
        QStringLiteral("export-text"), std::move(work),
        [this, kind, path](Result<QString> done) {
            window_.messages().clear_about(kMakingReport);
            if (!done) return say_failed(QString::fromStdString(done.error().message()));
            window_.messages().clear_about(kOfExport);
            std::vector<MessageAction> actions;
            if (kind == ExportKind::Report)
                actions.push_back({tr("Open in the browser"),
                                   [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }});
            window_.messages().post(MessageKind::Done, tr("Wrote %1").arg(QFileInfo(path).fileName()), *done,
                                    20, actions);
            Q_EMIT exported(path);
        },
        JobRunner::Scope::Window);
}

void Exports::export_listing(const QString& path, const OutputFile& file) {
    Document& document = window_.document();
    start(ExportKind::Listing, path,
          [file, schedule = document.pair().right(), lines = document.listing().lines,
           name = document.pair().title(document.pair().right_slot())](std::stop_token) -> Result<QString> {
              TRY(write_own_text(file, listing_text(*schedule, lines)));
              return tr("%1: %2 instructions.").arg(name, grouped(static_cast<qint64>(schedule->size())));
          });
}

void Exports::export_diff(const QString& path, const OutputFile& file) {
    Document& document = window_.document();
    start(ExportKind::Diff, path,
          [file, left = document.pair().left(), right = document.pair().right(),
           lines = document.listing().lines, from = document.pair().title(document.pair().left_slot()),
           to = document.pair().title(document.pair().right_slot())](std::stop_token) -> Result<QString> {
              const std::string text = diff_text(*left, *right, lines, from.toStdString(), to.toStdString());
              TRY(write_own_text(file, text));
              return tr("From %1 to %2.").arg(from, to);
          });
}

void Exports::export_csv(const QString& path, const OutputFile& file) {
    start(ExportKind::Csv, path,
          [file, session = window_.controller().session_path(), kernel = window_.document().kernel(),
           run = window_.controller().shown_run()->id](std::stop_token stop) {
              return write_csv(file, session, kernel, run, stop);
          });
}

void Exports::export_report(const QString& path, const OutputFile& file) {
    window_.messages().post({MessageKind::Info,
                             tr("Creating the report"),
                             tr("Finding essential edits."),
                             {},
                             30,
                             kMakingReport});
    start(ExportKind::Report, path,
          [file, session = window_.controller().session_path(), kernel = window_.document().kernel()->hash(),
           run = window_.controller().shown_run()->id](std::stop_token stop) -> Result<QString> {
              TRY(check_report_output(file, kernel));
              auto data = TRY(report_of_session(session, run, stop));
              TRY(check_report_output(file, kernel));
              auto written = TRY(write_report(std::move(data), file.path, version_number()));
              return tr("One self-contained file, %1 kB.")
                  .arg(grouped(static_cast<qint64>((written + 999) / 1000)));
          });
}

}  // namespace cubinlab::ui
