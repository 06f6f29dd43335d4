// SPDX-License-Identifier: GPL-3.0-or-later
// The window's features besides its views: command palette, settings, layouts, session browser, exports,
// recovery. Registers their commands and adds them to the menus.
#pragma once
#include <QObject>
#include <QPointer>
#include <QStringList>

#include "core/base/result.h"

class QMenu;

namespace cubinlab::ui {

class CampaignWindow;
class CommandPalette;
class Exports;
class Layouts;
class Recovery;
class SessionBrowser;
class SettingsDialog;
class MainWindow;
class ProfileDialog;
struct WindowAccess;

class Shell : public QObject {
    Q_OBJECT

  public:
    explicit Shell(MainWindow& window);  // after the window has its commands, menus and docks

    CommandPalette& palette() { return *palette_; }
    Layouts& layouts() { return *layouts_; }
    Exports& exports() { return *exports_; }
    Recovery& recovery() { return *recovery_; }
    SettingsDialog* show_settings(const QString& page);
    SessionBrowser* show_sessions();
    CampaignWindow* show_campaign();
    ProfileDialog* show_profile();
    // True: the window stays until the agent's last evaluation is logged, then closes. A second close does
    // not wait.
    bool closing_waits();
    bool open_as_source(const QString& path);  // compiles and opens .cu and .ptx; false: another type
    void stop_opening_source();                // another file is opened before the compiler has finished
    const QString& source() const { return source_; }  // the last compiled source; empty: none
    void say_not_compiled(Error error, const QString& path);
    // The file that the user opened: the source of a cubin compiled here, else the file itself.
    const QString& as_opened(const QString& path) const { return path == compiled_ ? source_ : path; }
    // An agent, a measurement, a trial of positions, or the job of a dialog is active: closing waits.
    bool evaluating() const;

  private:
    void add_file_commands();
    void add_export_commands();
    void add_agent_commands();
    void add_view_commands();
    void add_dock_commands();
    void add_help_commands();
    WindowAccess access();
    void show_palette();
    void change_text_size(int by);  // 0: default size
    void follow_system_colours();
    void continue_run();
    void close_when_idle();
    void tell_tools();
    template <class Dialog>
    Dialog* bring(QPointer<Dialog>& dialog, bool goes_when_closed);  // created if needed

    MainWindow& window_;
    CommandPalette* palette_ = nullptr;
    Layouts* layouts_ = nullptr;
    Exports* exports_ = nullptr;
    Recovery* recovery_ = nullptr;
    bool closing_ = false;
    QPointer<SettingsDialog> settings_;
    QPointer<SessionBrowser> sessions_;
    QPointer<CampaignWindow> campaign_;  // survives a close: a campaign may be running
    QPointer<ProfileDialog> profile_;
    QStringList lately_;
    QString source_;
    QString compiled_;  // the cubin of source_
};

}  // namespace cubinlab::ui
