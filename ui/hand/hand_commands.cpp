// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: its commands and where they are found.
#include <QMenu>

#include "core/schedule/loops.h"
#include "ui/base/commands.h"
#include "ui/base/message_bar.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_notes.h"
#include "ui/document/selection.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"

namespace cubinlab::ui {

void HandTools::make_commands() {
    make_move_commands();
    make_edit_commands();
    make_view_commands();
    make_note_commands();
    make_trial_commands();
}

void HandTools::make_move_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    const auto move = [this](bool furthest, int direction) {
        InstrId id = kNone;
        if (!edit_target(&id)) return;
        if (furthest)
            window_.document->hand().move_furthest(id, direction);
        else
            window_.document->hand().move_by(id, direction);
    };
    c.add("edit.move_up", tr("Move &up"), "up", QKeySequence("Alt+Up"),
          tr("Move the instruction up to the next legal position"), {"edit/move", "row/move", "bar/edit"},
          rules.edited, [move] { move(false, -1); });
    c.add("edit.move_down", tr("Move &down"), "down", QKeySequence("Alt+Down"),
          tr("Move the instruction down to the next legal position"), {"edit/move", "row/move", "bar/edit"},
          rules.edited, [move] { move(false, 1); });
    c.add("edit.move_top", tr("Move up as &far as legal"), "up-far", QKeySequence("Alt+Shift+Up"),
          tr("Move the instruction to its highest legal position"), {"edit/move", "row/move", "bar/edit"},
          rules.edited, [move] { move(true, -1); });
    c.add("edit.move_bottom", tr("Move down as f&ar as legal"), "down-far", QKeySequence("Alt+Shift+Down"),
          tr("Move the instruction to its lowest legal position"), {"edit/move", "row/move", "bar/edit"},
          rules.edited, [move] { move(true, 1); });
    c.add("edit.stall_up", tr("&Increase stall"), "", QKeySequence("Ctrl+Up"),
          tr("Increase the stall count by one cycle"), {"edit/control", "row/control"}, rules.edited,
          [this] { change_stall(1); });
    c.add("edit.stall_down", tr("D&ecrease stall"), "", QKeySequence("Ctrl+Down"),
          tr("Decrease the stall count by one cycle"), {"edit/control", "row/control"}, rules.edited,
          [this] { change_stall(-1); });
    c.add("edit.yield", tr("Toggle &yield"), "", QKeySequence("Alt+Y"),
          tr("Toggle the yield request of this instruction"), {"edit/control", "row/control"}, rules.edited,
          [this] { toggle_yield(); });
}

bool HandTools::edit_target(InstrId* id) {
    const ComparedPair& pair = window_.document->pair();
    *id = window_.selection->instr();
    if (!window_.document->is_open() || *id == kNone) {
        window_.say(tr("Select an instruction first"));
        return false;
    }
    const ScheduleSlot shown = pair.right_slot();
    if (shown == ScheduleSlot::Hand || *pair.right() == *pair.schedule(ScheduleSlot::Hand)) return true;
    const QString name =
        shown == ScheduleSlot::Viewed ? tr("step %1").arg(pair.viewed_step().step) : title_of(shown);
    window_.messages->post(
        {MessageKind::Info,
         tr("The right side shows %1").arg(name),
         tr("Edits apply to the hand schedule. Nothing was changed."),
         {{tr("Show hand schedule"), [this] { window_.document->pair().show_right(ScheduleSlot::Hand); }},
          {tr("Copy to hand schedule"),
           [this, candidate = pair.right(), name] {
               window_.document->hand().reset_hand_to(candidate, tr("Copy %1 to hand schedule").arg(name));
           }}},
         0,
         kOfShown});
    return false;
}

void HandTools::change_stall(int by) {
    InstrId id = kNone;
    if (!edit_target(&id)) return;
    ControlCode control = window_.document->pair().schedule(ScheduleSlot::Hand)->control(id);
    const int stall = control.stall + by;
    if (stall < 0 || stall > 15) return window_.say(tr("The stall count must be 0 to 15 cycles"));
    control.stall = static_cast<std::uint8_t>(stall);
    window_.document->hand().set_control(id, control);
}

void HandTools::toggle_yield() {
    InstrId id = kNone;
    if (!edit_target(&id)) return;
    ControlCode control = window_.document->pair().schedule(ScheduleSlot::Hand)->control(id);
    control.yield = !control.yield;
    window_.document->hand().set_control(id, control);
}

void HandTools::make_edit_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    c.add("edit.control", tr("Edit &control code..."), "", QKeySequence("Ctrl+Return"),
          tr("Edit stall, yield, barriers, waits and reuse of the selected instruction"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { open_control_editor(); });
    c.add("edit.pay_up", tr("Move up, adjust &stalls"), "", QKeySequence("Alt+Ctrl+Up"),
          tr("Move the instruction up and raise stall counts as needed, in one edit"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { move_and_pay(-1, false); });
    c.add("edit.pay_down", tr("Move down, ad&just stalls"), "", QKeySequence("Alt+Ctrl+Down"),
          tr("Move the instruction down and raise stall counts as needed, in one edit"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { move_and_pay(1, false); });
    c.add("edit.along_up", tr("Move up &with dependencies"), "", QKeySequence("Alt+Ctrl+Shift+Up"),
          tr("Move the instruction up together with the instructions it depends on, and raise stall counts "
             "as needed, in one edit"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { move_and_pay(-1, true); });
    c.add("edit.along_down", tr("Move down wit&h dependents"), "", QKeySequence("Alt+Ctrl+Shift+Down"),
          tr("Move the instruction down together with the instructions that depend on it, and raise stall "
             "counts as needed, in one edit"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { move_and_pay(1, true); });
    c.add("edit.tighten", tr("&Tighten stalls of the block"), "", QKeySequence("Alt+T"),
          tr("Lower every stall count of the selected block to the legal minimum"), {"edit/hand"},
          rules.edited, [this] { tighten_block(); });
    c.add("edit.reschedule", tr("&Reschedule block"), "", QKeySequence("Alt+Shift+T"),
          tr("Apply the legal order of the selected block that takes the fewest modelled cycles"),
          {"edit/hand"}, rules.edited, [this] { reschedule_selected_block(); });
}

void HandTools::make_view_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    c.add_toggle("view.legal_places", tr("Show le&gal positions"), "", QKeySequence("Alt+L"),
                 tr("Mark every legal position of the selected instruction"), {"view/listing", "row/places"},
                 rules.open, false, [this](bool on) { show_legal_places(on); });
    using Column = CompareView::Column;
    struct Toggle {
        const char* id;
        QString text, tip;
        Column column;
    };
    const Toggle toggles[] = {
        {"view.arrows", tr("Dependency &arrows"),
         tr("Dependency arrows of the selected instruction next to the listing"), Column::Arrows},
        {"view.live", tr("Live &registers"), tr("Number and bar of live registers"), Column::Live},
        {"view.cycle", tr("&Issue cycle (model)"),
         tr("Estimated issue cycle of each instruction in its block"), Column::Cycle},
        {"view.source", tr("Source &line"), tr("Source line, if the cubin has line tables"), Column::Source},
        {"view.profile", tr("&Profile"), tr("Stall samples of an imported profile"), Column::Profile}};
    for (const Toggle& toggle : toggles) {
        QAction* action =
            c.add_toggle(toggle.id, toggle.text, "", kNoKey, toggle.tip, {"columns/all"}, rules.open,
                         compare_->column(toggle.column),
                         [this, column = toggle.column](bool on) { compare_->set_column(column, on); });
        connect(compare_, &CompareView::columns_changed, action,
                [this, action, column = toggle.column] { action->setChecked(compare_->column(column)); });
    }
    struct Style {
        const char* id;
        QString text, tip;
        QKeySequence key;
        bool (CompareView::*is)() const;
        void (CompareView::*set)(bool);
    };
    const Style styles[] = {
        {"view.only_changed", tr("&Changes only"), tr("Hide the rows that are the same on both sides"),
         QKeySequence("Alt+C"), &CompareView::only_changed, &CompareView::set_only_changed},
        {"view.compact", tr("Co&mpact comparison"),
         tr("Position by position without blank rows; ribbons only near the selection"), kNoKey,
         &CompareView::compact, &CompareView::set_compact}};
    for (const Style& style : styles) {
        QAction* action =
            c.add_toggle(style.id, style.text, "", style.key, style.tip, {}, kAlways, (compare_->*style.is)(),
                         [this, set = style.set](bool on) { (compare_->*set)(on); });
        connect(compare_, &CompareView::columns_changed, action,
                [this, action, is = style.is] { action->setChecked((compare_->*is)()); });
    }
    c.add("view.fold_block", tr("&Fold or unfold block"), "", QKeySequence("Ctrl+."),
          tr("Hide or show the block of the selected instruction"), {"folding/all", "row/notes"},
          rules.selected, [this] {
              const std::set<BlockId> blocks = folding_of_selected(false);
              if (!blocks.empty()) compare_->set_folded(blocks, !compare_->folded(*blocks.begin()));
          });
    c.add("view.fold_loop", tr("Fold or unfold &loop"), "", QKeySequence("Ctrl+Shift+."),
          tr("Hide or show every block of the innermost loop around the selected instruction"),
          {"folding/all", "row/notes"}, rules.selected, [this] {
              const std::set<BlockId> blocks = folding_of_selected(true);
              if (blocks.empty())
                  window_.say(tr("The selected instruction is in no loop"));
              else
                  compare_->set_folded(blocks, !compare_->folded(*blocks.begin()));
          });
    const auto fold_all = [this](bool folded) {
        std::set<BlockId> all;
        for (BlockId b = 0; b < window_.document->kernel()->flow().blocks.size(); ++b)
            all.insert(b);
        compare_->set_folded(all, folded);
    };
    c.add("view.fold_all", tr("Fold all &blocks"), "", kNoKey, tr("Show block headers only"), {"folding/all"},
          rules.open, [fold_all] { fold_all(true); });
    c.add("view.unfold_all", tr("&Unfold all blocks"), "", kNoKey, tr("Show every instruction"),
          {"folding/all"}, rules.open, [fold_all] { fold_all(false); });
}

void HandTools::make_note_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    c.add("go.bookmark", tr("Toggle boo&kmark"), "", QKeySequence("Ctrl+F2"),
          tr("Add or remove a bookmark at the selected instruction; saved for this kernel"),
          {"go/bookmark", "row/notes"}, rules.selected,
          [this] { notes_->toggle_bookmark(window_.selection->instr()); });
    const auto go = [this](int direction) {
        const InstrId id =
            notes_->next_bookmark(*window_.document->pair().right(), window_.selection->instr(), direction);
        if (id == kNone)
            window_.say(tr("This kernel has no bookmarks"));
        else
            window_.selection->select(id);
    };
    c.add("go.next_bookmark", tr("Next book&mark"), "", QKeySequence("F2"), tr("Go to the next bookmark"),
          {"go/bookmark"}, rules.open, [go] { go(1); });
    c.add("go.previous_bookmark", tr("Previous bookmar&k"), "", QKeySequence("Shift+F2"),
          tr("Go to the previous bookmark"), {"go/bookmark"}, rules.open, [go] { go(-1); });
    c.add("go.clear_bookmarks", tr("&Clear bookmarks"), "", kNoKey, tr("Remove all bookmarks of this kernel"),
          {"go/bookmark"}, rules.open, [this] { notes_->clear_bookmarks(); });
    c.add("agent.lock", tr("&Lock or unlock selection"), "", QKeySequence("Ctrl+K"),
          tr("Agents never move or edit locked instructions"), {"agent/scope", "row/notes"}, rules.selected,
          [this] {
              const std::vector<InstrId> ids = window_.selection->targets();
              if (!ids.empty()) notes_->set_locked(ids, !notes_->locked(ids.front()));
          });
    c.add("agent.lock_block", tr("Lock or unlock &block"), "", kNoKey,
          tr("Agents never move or edit instructions of this block"), {"agent/scope"}, rules.selected,
          [this] {
              const std::vector<InstrId> ids = block_of_selected();
              if (!ids.empty()) notes_->set_locked(ids, !notes_->locked(ids.front()));
          });
    c.add("agent.scope_selection", tr("Restrict agents to &selection"), "", kNoKey,
          tr("Let agents edit the selected instructions only"), {"agent/scope", "row/notes"}, rules.selected,
          [this] { notes_->set_scope(window_.selection->targets()); });
    c.add("agent.scope_block", tr("Restrict agents to this bloc&k"), "", kNoKey,
          tr("Let agents edit the selected block only"), {"agent/scope"}, rules.selected,
          [this] { notes_->set_scope(block_of_selected()); });
    c.add("agent.unlock_all", tr("&Unlock everything"), "", kNoKey, tr("Remove all locks and restrictions"),
          {"agent/scope"}, rules.open, [this] { notes_->clear_locks(); });
}

std::vector<InstrId> HandTools::block_of_selected() const {
    std::vector<InstrId> ids;
    if (!window_.document->is_open() || !window_.selection->has()) return ids;
    const Kernel& kernel = *window_.document->kernel();
    const BlockId block = kernel.block_of(window_.selection->instr());
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (kernel.block_of(id) == block) ids.push_back(id);
    return ids;
}

std::set<BlockId> HandTools::folding_of_selected(bool loop) const {
    if (!window_.document->is_open() || !window_.selection->has()) return {};
    const Kernel& kernel = *window_.document->kernel();
    const BlockId block = kernel.block_of(window_.selection->instr());
    if (!loop) return {block};
    const std::vector<BlockId> body = blocks_of_loop(kernel.flow(), block);
    return {body.begin(), body.end()};
}

void HandTools::add_scoreboard_menu(QMenu* menu) {
    scoreboards_ = menu->addMenu(tr("S&coreboards"));
    connect(menu, &QMenu::aboutToShow, this, &HandTools::fill_scoreboard_menu);
}

}  // namespace cubinlab::ui
