// SPDX-License-Identifier: GPL-3.0-or-later
// The window: puts document, selection, run controller, views, docks and commands together.
//
//   main_window.cpp      the parts, and how they are connected
//   window_files.cpp     what is opened, and what is left
//   window_messages.cpp  what the message bar says
//   window_commands.cpp  commands, tool bars, status bar, menus
//   window_docks.cpp     which view is in which dock
//   window_starts.cpp    the PTX of the kernel, and other compilations of it
//   window_tools.cpp     palette, settings, layouts, sessions, exports, recovery; closing
#pragma once
#include <QMainWindow>
#include <QPointer>
#include <QStringList>
#include <memory>

#include "ui/base/commands.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/run/opener.h"
#include "ui/run/run_controller.h"
#include "ui/shell/closed_kernel.h"

class QComboBox;
class QDockWidget;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;

namespace cubinlab::ui {

class AgentBar;
class CampaignWindow;
class CaptureDialog;
class ScheduleTransfer;
class CommandPalette;
class CompareView;
class Exports;
class FittingLabel;
class HandTools;
class HelpWindow;
class KernelInfoPanel;
class NarrowDocks;
class DockRoom;
class Layouts;
class SourceEdit;
class SourceView;
struct WindowContext;
class MessageBar;
class ProfileDialog;
class Recovery;
class ScheduleActions;
class SessionBrowser;
class SettingsDialog;
class StartPage;

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // Opens a file with a kernel, or a session, detected by content. `text`: a path or the text of a Place.
    void open_path(const QString& text, const QString& kernel = {});
    void open_kernel_here(const QString& name);  // another one of the file that is open
    void start_agent(const RunRequest& request);

    Document& document() { return document_; }
    Selection& selection() { return selection_; }
    RunController& controller() { return *controller_; }
    Opener& opener() { return *opener_; }
    SourceEdit& source_edit() const;
    Commands& commands() { return commands_; }
    CompareView& compare_view() { return *compare_; }
    MessageBar& messages() { return *messages_; }
    ScheduleActions& actions() { return *actions_; }
    HandTools& hand_tools() { return *hand_; }
    JobRunner& jobs() { return jobs_; }
    Settings& settings() { return settings_; }
    StartPage& start_page() { return *start_; }
    AgentBar& agent_bar() { return *agent_bar_; }
    CaptureDialog& capture_dialog();  // made when it is first asked for
    CommandPalette& command_palette() { return *palette_; }
    Layouts& layouts() { return *layouts_; }
    Exports& exports() { return *exports_; }
    Recovery& recovery() { return *recovery_; }
    SettingsDialog* show_settings(const QString& page);
    SessionBrowser* show_sessions();
    CampaignWindow* show_campaign();
    ProfileDialog* show_profile();
    // An agent, a measurement, a trial of positions, or the job of a dialog is active: closing waits.
    bool evaluating() const;

    const std::vector<QDockWidget*>& docks() const { return docks_; }
    QDockWidget* dock(const QString& name) const;  // "dock_graph"; null: unknown name
    static void bring_forward(QDockWidget* dock);
    void place_inside(const QRect& wanted);  // moved and cut to the screen it is on, frame included
    QByteArray dock_layout() const { return layout_to_keep(); }
    QByteArray default_layout() const { return default_layout_; }
    bool set_dock_layout(const QByteArray& state);  // false: saved by an incompatible version
    // `ways`: additional actions, before those of every error.
    void show_error(const Error& error, const QString& title, const QString& about = {},
                    std::vector<MessageAction> ways = {});
    void say_not_opened(const Error& error, const OpenRequest& request);
    MessageAction way_to_log(const Error& read_only);
    void say_read_only(const Error& why);
    void show_help(const QString& page);  // a page of resources/docs by its name
    void refresh_recent() { fill_recent(); }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void make_central();
    void make_commands();
    void make_file_commands();
    void make_agent_commands();
    void make_edit_commands();
    void make_view_commands();
    void make_tools();
    void make_window_commands();
    void make_export_commands();
    void make_run_commands();
    void make_layout_commands();
    void make_dock_commands();
    void make_help_commands();
    void make_starts_commands();
    QWidget* make_starts_view();
    void ask_for_ptx();
    void take_ptx(const QString& file);
    void say_what_is_missed(const RunRequest& wanted);
    void make_menus();
    void make_view_menu();
    void make_toolbars();
    void make_docks();
    void make_status_bar();
    void connect_all();

    void ask_open();
    void ask_open_folder();
    void ask_which_kernel(const KernelChoicesPtr& choices);
    void fill_recent();
    OpenRequest request_for(const Place& place) const;
    void say_opening(const OpenRequest& request);
    void say_not_compiled(Error error, const OpenRequest& request);
    void document_opened(const OpenRequest& request);
    void document_closed();
    // What the user opened: the source of a cubin that this window compiled, else the file itself.
    const QString& as_opened(const QString& path) const { return path == compiled_ ? source_ : path; }
    void close_kernel();
    void report_closed_kernel();
    bool asks_before_leaving(const std::function<void()>& leave_anyway);
    ClosedKernel closing_kernel() const;
    void update_enabled();
    void say_other_code();
    void say_what_check_found();
    void say_words_only();
    void update_title();
    void update_selection_text();
    void show_refusal(const Refusal& refusal);
    void run_finished(const RunSummary& summary);
    void say_what_agent_does(const RunRequest& wanted);
    void show_find_state();
    void ask_offset();
    void reset_layout();
    void show_docks(bool on);
    void size_docks();
    void size_docks_now();
    void give_curves_room();
    void show_hot_loop(bool select);
    void go_to_next_wait();
    void update_dock_titles();
    void let_rest(QDockWidget* dock);
    void float_tab(int index);
    QByteArray layout_to_keep() const;
    WindowContext context();
    void change_text_size(int by);  // 0: as it was at first
    void continue_run();
    void tell_tools();
    // True: the window stays until the agent's last evaluation is logged, then closes by itself. A second
    // close does not wait.
    bool closing_waits();
    void close_when_idle();
    template <class Dialog>
    Dialog* bring(QPointer<Dialog>& dialog, bool goes_when_closed);  // made where there is none

    JobRunner jobs_;  // first: every other part gives it work
    Document document_{jobs_};
    Selection selection_;
    std::unique_ptr<RunController> controller_;
    Opener* opener_ = nullptr;
    Settings settings_;
    Commands commands_{this};

    QStackedWidget* pages_ = nullptr;
    StartPage* start_ = nullptr;
    CompareView* compare_ = nullptr;
    // Message::about
    static constexpr QLatin1String kOfOpening{"opening"}, kOfClosed{"closed"}, kOfSession{"session"},
        kOfFile{"file"};

    DockRoom* dock_room_ = nullptr;
    NarrowDocks* narrow_ = nullptr;
    KernelInfoPanel* kernel_info_ = nullptr;
    MessageBar* messages_ = nullptr;
    ScheduleActions* actions_ = nullptr;
    HandTools* hand_ = nullptr;
    AgentBar* agent_bar_ = nullptr;
    SourceView* source_view_ = nullptr;
    HelpWindow* help_ = nullptr;
    CaptureDialog* capture_ = nullptr;
    CommandPalette* palette_ = nullptr;
    Layouts* layouts_ = nullptr;
    Exports* exports_ = nullptr;
    Recovery* recovery_ = nullptr;
    QPointer<SettingsDialog> settings_dialog_;
    QPointer<SessionBrowser> sessions_;
    QPointer<CampaignWindow> campaign_;  // stays when it is closed: a campaign may be running
    QPointer<ProfileDialog> profile_;
    QStringList recent_commands_;  // ids, the newest first
    QComboBox* kernels_ = nullptr;
    QLineEdit* find_ = nullptr;
    QLabel* find_count_ = nullptr;  // inside the field
    QMenu* recent_menu_ = nullptr;
    QMenu* row_menu_ = nullptr;
    FittingLabel* selection_text_ = nullptr;
    FittingLabel* session_text_ = nullptr;
    std::vector<QDockWidget*> docks_;
    QByteArray default_layout_;
    ScheduleTransfer* transfer_ = nullptr;
    QString source_, compiled_;      // what was compiled last, and its cubin
    ClosedKernel closed_;            // of the kernel before the one that is open
    QString closed_session_;         // of what was told last to be left behind
    bool closing_ = false;           // closing waits for an evaluation
    bool drop_hand_edits_ = false;   // of a read-only session: said so
    bool drop_source_text_ = false;  // said so when the window was closed
    QByteArray docks_state_;         // while the start page is shown
    bool docks_shown_ = true;
    bool docks_seen_ = false;        // since the program started
    Hash128 missed_said_;            // the kernel of which it was said what is missed without PTX
    bool curves_have_room_ = false;  // given once: later sizes are the user's
};

}  // namespace cubinlab::ui
