// SPDX-License-Identifier: GPL-3.0-or-later
// The tools for tuning by hand: the control editor below the selected row, dragging, dependency arrows, legal
// positions, moves with stall repair, scoreboards, bookmarks, locks, evaluation of positions, profiles.
// Connects the parts of ui/hand to document, selection and listings; the window creates one.
//
// hand_tools.cpp connects, hand_commands.cpp has the commands, hand_edits.cpp the edits of several fields and
// the file imports.
#pragma once
#include <QObject>
#include <functional>
#include <set>

#include "core/search/moves/reschedule.h"
#include "ui/document/document.h"
#include "ui/run/window_context.h"

class QLineEdit;
class QMenu;

namespace cubinlab::ui {

class CompareView;
class ControlEditor;
class InstrDrag;
class KernelNotes;
class PlaceTrial;

class HandTools : public QObject {
    Q_OBJECT

  public:
    HandTools(const WindowContext& window, CompareView* compare, QObject* parent);

    void make_commands();
    void add_scoreboard_menu(QMenu* menu);  // appends it to a menu of the selected row
    void attach_search(QLineEdit* field);   // marks matches while the user types

    ControlEditor* control_editor() const { return editor_; }
    InstrDrag* drag() const { return drag_; }
    KernelNotes* notes() const { return notes_; }
    std::vector<InstrId> closed_to_agents() const;  // locked, or outside the scope

    // The selected instruction if the hand schedule is shown; else says what to do and returns false.
    bool edit_target(InstrId* id);
    void open_control_editor(const char* field = nullptr);  // with this field of the control code focused
    void move_and_pay(int direction, bool along);           // along: with its dependencies
    void tighten_block();
    void reschedule_selected_block();
    void reassign(InstrId producer, bool write, std::uint8_t to);
    void move_wait_later(InstrId from, int scoreboard);
    void show_legal_places(bool on);
    void try_places();  // of the selected instruction; a second call stops it
    PlaceTrial* trial() const { return trial_; }
    QWidget* make_history(QWidget* parent);  // for a dock
    void ask_and_import_profile();
    void import_profile(const QString& path);
    void ask_and_compare_with();
    void compare_with(const QString& path);  // another cubin's schedule of this kernel, on the left

    static constexpr QLatin1String kOfShown{"shown"};  // Message::about: what the right side shows

  private:
    static constexpr QLatin1String kOfTrial{"trial"};  // Message::about
    using Rescheduling = std::function<Result<Rescheduled>(const HazardChecker&, const Schedule&, BlockId,
                                                           const std::stop_token&)>;
    void run_rescheduling(InstrId id, const QString& what, Rescheduling work);
    void make_move_commands();
    void make_edit_commands();
    void make_view_commands();
    void make_note_commands();
    void make_trial_commands();
    void change_stall(int by);
    void toggle_yield();
    void show_trial();
    void trial_over(bool cancelled);
    void place_editor();
    void request_arrows();
    void request_legal_places();
    void document_opened();
    void fill_scoreboard_menu();
    std::vector<InstrId> block_of_selected() const;
    std::set<BlockId> folding_of_selected(bool loop) const;

    WindowContext window_;
    CompareView* compare_;
    ControlEditor* editor_;
    InstrDrag* drag_;
    KernelNotes* notes_;
    PlaceTrial* trial_;
    QMenu* scoreboards_ = nullptr;
    bool legal_places_ = false;
};

}  // namespace cubinlab::ui
