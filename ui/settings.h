// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers between starts, by type and name rather than by key strings spread over the code.
#pragma once
#include <QByteArray>
#include <QString>
#include <QStringList>

#include "ui/run_controller.h"
#include "ui/theme.h"

class QSettings;

namespace cubinlab::ui {

class Settings {
  public:
    ThemeMode theme() const;
    void set_theme(ThemeMode mode);
    int mono_points() const;
    void set_mono_points(int points);

    QStringList recent() const;  // newest first
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
};

ThemeMode theme_from(const QString& name);  // "light", "dark"; anything else: system

}  // namespace cubinlab::ui
