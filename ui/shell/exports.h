// SPDX-License-Identifier: GPL-3.0-or-later
// Exports as text or HTML file: listing, diff, mutation log, report. For cubins see
// ui/shell/schedule_actions.h. All run off the GUI thread and report in the message bar.
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <stop_token>

#include "core/base/result.h"
#include "ui/run/output_gate.h"

namespace cubinlab::ui {

class MainWindow;

// Message::about of a failed export: the next successful one clears it.
inline constexpr QLatin1String kOfExport{"export"};

enum class ExportKind { Listing, Diff, Csv, Report };

class Exports : public QObject {
    Q_OBJECT

  public:
    Exports(MainWindow& window, QObject* parent);
    void ask_and_export(ExportKind kind);
    // Checks the path (ui/run/output_gate.h). Own files: reports of this kernel, texts with the same first line.
    void export_to(ExportKind kind, const QString& path, Replace replace = Replace::OwnOnly);
    bool can_export(ExportKind kind) const;

  Q_SIGNALS:
    void exported(const QString& path);
    void failed(const QString& why);

  private:
    void say_failed(const QString& why);
    void start(ExportKind kind, const QString& path, std::function<Result<QString>(std::stop_token)> work);
    void export_listing(const QString& path, const OutputFile& file);
    void export_diff(const QString& path, const OutputFile& file);
    void export_csv(const QString& path, const OutputFile& file);
    void export_report(const QString& path, const OutputFile& file);

    MainWindow& window_;
};

}  // namespace cubinlab::ui
