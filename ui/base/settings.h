// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers between starts, by type and name rather than by key strings spread over the code.
#pragma once
#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "core/measure/gpu_evaluator.h"
#include "ui/base/run_request.h"
#include "ui/base/theme.h"

class QSettings;

namespace cubinlab::ui {

class Settings {
  public:
    ThemeMode theme() const;
    void set_theme(ThemeMode mode);
    static constexpr int kMonoPoints = 9;  // of the listings, at first
    int mono_points() const;
    void set_mono_points(int points);

    QStringList recent() const;  // newest first; each the text of a Place (ui/document/place.h)
    void add_recent(const QString& path);
    void forget_recent();

    RunRequest last_request() const;  // agent, evaluator, budget, seed of the agent bar
    void set_last_request(const RunRequest& request);

    QByteArray geometry() const;
    QByteArray dock_state() const;
    void set_layout(const QByteArray& geometry, const QByteArray& dock_state);
    void forget_layout();

    QString last_folder() const;
    void set_last_folder(const QString& folder);

    int ui_points() const;  // 0: as the desktop has it
    void set_ui_points(int points);
    QVariantMap shortcuts() const;  // command -> key in portable text, only what was changed
    void set_shortcuts(const QVariantMap& keys);

    QString nvdisasm() const;  // program; empty: looked for
    void set_nvdisasm(const QString& path);
    QString nvcc() const;
    void set_nvcc(const QString& path);
    GpuSettings gpu() const;  // worker commands, device, GPUs of each, cold; the rest as it is by default
    void set_gpu(const GpuSettings& settings);

    bool autosave() const;  // what is open is kept for the next start should the program be killed
    void set_autosave(bool on);
    QString sessions_folder() const;                  // never empty
    void set_sessions_folder(const QString& folder);  // empty: the data folder of the user
    static QString default_sessions_folder();

    QStringList layouts() const;  // names, as saved by the user
    QByteArray layout(const QString& name) const;
    void save_layout(const QString& name, const QByteArray& state);
    void remove_layout(const QString& name);

    bool tour_offered() const;  // the first-run hint was closed or used
    void set_tour_offered(bool offered);
};

ThemeMode theme_from(const QString& name);  // "light", "dark"; anything else: system

}  // namespace cubinlab::ui
