// SPDX-License-Identifier: GPL-3.0-or-later
// What a window has besides its views: command palette, settings, layouts, session browser, exports,
// recovery. Registers their commands and puts them into the menus.
#pragma once
#include <QObject>
#include <QPointer>
#include <QStringList>

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
    explicit Shell(MainWindow& window);  // once the window has its commands, menus and docks

    CommandPalette& palette() { return *palette_; }
    Layouts& layouts() { return *layouts_; }
    Exports& exports() { return *exports_; }
    Recovery& recovery() { return *recovery_; }
    SettingsDialog* show_settings(const QString& page);
    SessionBrowser* show_sessions();
    CampaignWindow* show_campaign();
    ProfileDialog* show_profile();
    // True: the window stays until the agent's last evaluation is logged, then closes by itself. A second
    // close does not wait.
    bool closing_waits();
    bool evaluating() const;  // an agent, a measurement or a trial of places: closing waits for it

  private:
    void add_file_commands();
    void add_export_commands();
    void add_agent_commands();
    void add_view_commands();
    void add_dock_commands();
    void add_help_commands();
    WindowAccess access();
    void show_palette();
    void change_text_size(int by);  // 0: as it was at first
    void follow_system_colours();
    void continue_run();
    void close_when_idle();
    void tell_tools();
    template <class Dialog>
    Dialog* bring(QPointer<Dialog>& dialog, bool goes_when_closed);  // made where there is none

    MainWindow& window_;
    CommandPalette* palette_ = nullptr;
    Layouts* layouts_ = nullptr;
    Exports* exports_ = nullptr;
    Recovery* recovery_ = nullptr;
    bool closing_ = false;
    QPointer<SettingsDialog> settings_;
    QPointer<SessionBrowser> sessions_;
    QPointer<CampaignWindow> campaign_;  // stays when it is closed: a campaign may be running
    QPointer<ProfileDialog> profile_;
    QStringList lately_;
};

}  // namespace cubinlab::ui
