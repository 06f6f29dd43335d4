// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/hand_tools.h"

#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_notes.h"
#include "ui/document/selection.h"
#include "ui/hand/control_editor.h"
#include "ui/hand/history_panel.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/instr_drag.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

QString who(const PlaceHeat& heat) {
    return heat.evaluator.kind == EvaluatorKind::Gpu
               ? HandTools::tr("measured on %1").arg(QString::fromStdString(heat.evaluator.device))
               : HandTools::tr("by the SM model, unmeasured");
}

// "fault at 0x0120, wrong-result at 0x0140": legal moves after which the kernel failed.
QString failures(const PlaceHeat& heat) {
    QStringList said;
    for (const Position p : heat.failed())
        said << HandTools::tr("%1 at 0x%2")
                    .arg(QLatin1String(to_string(heat.at(p)->kind)))
                    .arg(p * kWordBytes, 4, 16, QLatin1Char('0'));
    return said.join(QStringLiteral(", "));
}

}  // namespace

HandTools::HandTools(const WindowContext& window, CompareView* compare, QObject* parent)
    : QObject(parent), window_(window), compare_(compare) {
    editor_ = new ControlEditor(window_.document, window_.jobs, compare_);
    notes_ = new KernelNotes(this);
    Pane* right = compare_->pane(Side::Right);
    SassView* listing = right->view();
    drag_ = new InstrDrag(window_.document, window_.jobs, listing, right->gutter(), right->overlay(),
                          &compare_->rows(), this);
    drag_->set_guard([this](InstrId id) {
        window_.selection->select(id);
        return edit_target(&id);
    });
    const auto back_to_listing = [listing] { listing->setFocus(); };
    connect(editor_, &ControlEditor::committed, listing, back_to_listing);
    connect(editor_, &ControlEditor::dismissed, listing, back_to_listing);
    connect(editor_, &ControlEditor::go_to_asked, window_.selection, &Selection::select);
    connect(window_.selection, &Selection::changed, this, [this](InstrId id) {
        request_arrows();
        request_legal_places();
        if (!editor_->isVisible()) return;
        if (id == kNone)
            editor_->dismiss();
        else
            editor_->edit(id);
        place_editor();
    });
    connect(listing, &SassView::scrolled, this, &HandTools::place_editor);
    connect(listing, &SassView::resized, this, &HandTools::place_editor);
    connect(compare_, &CompareView::edit_asked, this, &HandTools::open_control_editor);
    connect(compare_, &CompareView::columns_changed, this, &HandTools::request_arrows);
    connect(window_.document, &Document::opened, this, &HandTools::document_opened);
    connect(window_.document, &Document::closed, this, [this] { notes_->load({}); });
    connect(&window_.document->pair(), &ComparedPair::changed, this, [this] {
        request_arrows();
        request_legal_places();
    });
    trial_ = new PlaceTrial(*window_.jobs, this);
    connect(trial_, &PlaceTrial::changed, this, &HandTools::show_trial);
    connect(trial_, &PlaceTrial::finished, this, &HandTools::trial_over);
    connect(trial_, &PlaceTrial::failed, this, [this](const Error& error) {
        window_.controller->set_gpu_taken({});
        window_.messages->clear_about(kOfTrial);
        window_.messages->post(MessageKind::Error, tr("Positions not evaluated"),
                               QString::fromStdString(error.message()));
        trial_->clear();
    });
    connect(window_.document, &Document::leaving, trial_, &PlaceTrial::clear);
    connect(window_.document, &Document::checker_ready, this, &HandTools::request_legal_places);
    connect(notes_, &KernelNotes::changed, this, [this] { compare_->set_notes(notes_); });
}

void HandTools::document_opened() {
    notes_->load(window_.document->kernel());
    // Line tables: of nvcc -lineinfo; most cubins have none.
    window_.jobs->run<SourcePlaces>(
        QStringLiteral("source-lines"),
        [kernel = window_.document->kernel()](std::stop_token) -> SourcePlaces {
            const std::vector<SourceLine> lines = kernel->cubin().source_lines(kernel->info());
            if (lines.empty()) return {};
            std::vector<SourcePlace> places(kernel->size());
            std::size_t at = 0;
            for (InstrId id = 0; id < kernel->size(); ++id) {
                while (at + 1 < lines.size() && lines[at + 1].offset <= id * kWordBytes)
                    ++at;
                if (lines[at].offset <= id * kWordBytes)
                    places[id] = {lines[at].line, QString::fromStdString(lines[at].file)};
            }
            return std::make_shared<const std::vector<SourcePlace>>(std::move(places));
        },
        [this](SourcePlaces places) { compare_->set_source(places); });
    const KernelInfo& info = window_.document->kernel()->info();
    int threads = 128;
    if (window_.document->workload())
        threads = static_cast<int>(window_.document->workload()->threads());
    else if (info.required_block)
        threads = static_cast<int>((*info.required_block)[0] * (*info.required_block)[1] *
                                   (*info.required_block)[2]);
    compare_->set_occupancy(occupancy_steps(window_.document->kernel()->arch(), threads));
}

std::vector<InstrId> HandTools::closed_to_agents() const {
    return notes_->closed_to_agents();
}

void HandTools::attach_search(QLineEdit* field) {
    connect(field, &QLineEdit::textChanged, this, [this, field](const QString& text) {
        const QString found = compare_->set_query(text);
        if (!found.isEmpty()) window_.say(found);
        field->setAccessibleDescription(found);
    });
}

QWidget* HandTools::make_history(QWidget* parent) {
    return new HistoryPanel(window_.document, parent);
}

void HandTools::open_control_editor(const char* field) {
    InstrId id = kNone;
    if (!edit_target(&id)) return;
    if (!window_.document->hand().can_edit()) {
        window_.say(window_.document->hand().why_not_editable());
        return;
    }
    editor_->edit(id);
    editor_->show();
    place_editor();
    editor_->raise();
    editor_->focus_field(field == nullptr ? "stall" : field);
}

// Below the row of the instruction, or above it if there is no room below.
void HandTools::place_editor() {
    if (!editor_->isVisible()) return;
    editor_->fit_height(compare_->height());
    SassView* view = compare_->pane(Side::Right)->view();
    const int row = std::max(0, compare_->rows().row_of(editor_->instr(), Side::Right));
    const int line = view->row_height();
    const QPoint top = view->mapTo(compare_, QPoint(0, (row - view->first_visible_row()) * line));
    int y = top.y() + line + 2;
    if (y + editor_->height() > compare_->height()) y = top.y() - editor_->height() - 2;
    const int most = std::max(0, compare_->height() - editor_->height());
    const int x = std::min(top.x(), std::max(0, compare_->width() - editor_->width() - 20));
    editor_->move(x, std::clamp(y, 0, most));
}

// ---- dependences of the selected instruction ----

void HandTools::request_arrows() {
    const InstrId id = window_.selection->instr();
    const auto tag = QStringLiteral("arrows");
    if (!window_.document->is_open() || id == kNone || !window_.document->pair().right() ||
        !compare_->column(CompareView::Column::Arrows)) {
        window_.jobs->cancel(tag);
        compare_->set_arrows(Side::Left, {});
        compare_->set_arrows(Side::Right, {});
        return;
    }
    struct Both {
        ArrowsPtr left, right;
    };
    const bool both_sides = compare_->pane(Side::Left)->gutter()->columns().arrows;
    window_.jobs->run<Both>(
        tag,
        [left = window_.document->pair().left(), right = window_.document->pair().right(), id,
         both_sides](std::stop_token stop) {
            Both both;
            both.right = std::make_shared<const DependencyArrows>(arrows_of(*right, id));
            if (both_sides && !stop.stop_requested())
                both.left = *left == *right ? both.right
                                            : std::make_shared<const DependencyArrows>(arrows_of(*left, id));
            return both;
        },
        [this](Both both) {
            compare_->set_arrows(Side::Left, both.left);
            compare_->set_arrows(Side::Right, both.right);
        });
}

// ---- legal positions of the selected instruction ----

void HandTools::show_legal_places(bool on) {
    legal_places_ = on;
    request_legal_places();
}

void HandTools::request_legal_places() {
    const auto tag = QStringLiteral("legal-places");
    const InstrId id = window_.selection->instr();
    if (!legal_places_ || id == kNone || !window_.document->hand().can_edit()) {
        window_.jobs->cancel(tag);
        compare_->set_legal_places({}, {}, false);
        compare_->pane(Side::Right)->overlay()->set_note(-1, {});
        return;
    }
    const SchedulePtr shown = window_.document->pair().right();
    window_.jobs->run<SlotRange>(
        tag,
        [checker = window_.document->checker(), shown, id](std::stop_token) {
            return checker->slots(*shown, id);
        },
        [this, shown, id](SlotRange range) {
            if (window_.selection->instr() != id || !window_.document->is_open()) return;
            compare_->set_legal_places(shown, range, true);
            const std::size_t others = range.count() - 1;
            const QString told = others == 0 ? tr("no other legal position")
                                             : tr("%n other legal position(s)", "", static_cast<int>(others));
            compare_->pane(Side::Right)->overlay()->set_note(compare_->rows().row_of(id, Side::Right), told);
            window_.say(others == 0
                            ? tr("%1 cannot move: %2").arg(window_.document->name_of(id, *shown), told)
                            : told);
        });
}

void HandTools::make_trial_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    c.add("edit.try_places", tr("E&valuate all legal positions"), "", QKeySequence("Shift+F8"),
          tr("Evaluate every legal position of the selected instruction, on the GPU if there is one; choose "
             "again to stop"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { try_places(); });
    c.add("edit.forget_places", tr("Clear results"), "", kNoKey,
          tr("Remove the column of evaluated positions"), {"edit/hand"}, kAlways,
          [this] { trial_->clear(); });
    c.add("file.import_profile", tr("&Import profile..."), "", kNoKey,
          tr("Show stall samples of `ncu --page source --csv` next to the listing"), {"file/beside"},
          rules.open, [this] { ask_and_import_profile(); });
    c.add("view.compare_file", tr("Compare with another &file..."), "", kNoKey,
          tr("Show another cubin's schedule of this kernel on the left"), {"view/compare"}, rules.open,
          [this] { ask_and_compare_with(); });
}

void HandTools::try_places() {
    if (trial_->running()) {
        trial_->cancel();
        return;
    }
    InstrId id = kNone;
    if (!edit_target(&id) || !window_.document->hand().can_edit()) return;
    if (window_.document->kernel()->pinned(id)) {
        window_.document->hand().refuse_edit(
            id,
            tr("Evaluate all positions of %1")
                .arg(window_.document->name_of(id, *window_.document->pair().schedule(ScheduleSlot::Hand))),
            tr("it cannot be moved: %1")
                .arg(QString::fromStdString(window_.document->kernel()->pin_reason(id))));
        return;
    }
    // Two at the same time would disturb both measurements.
    if (!window_.controller->gpu_taken().isEmpty()) {
        window_.messages->post(
            MessageKind::Info, tr("GPU busy"),
            tr("%1 is using the GPU. Try again when it has finished.").arg(window_.controller->gpu_taken()),
            8);
        return;
    }
    const bool busy = window_.controller->active();
    if (!busy) window_.controller->set_gpu_taken(tr("The evaluation of positions"));
    trial_->start(window_.document->pair().schedule(ScheduleSlot::Hand), window_.document->checker(), id,
                  window_.document->workload(), busy ? EvaluatorPolicy::Model : EvaluatorPolicy::Auto,
                  window_.controller->gpu_settings());
    window_.messages->post(
        {MessageKind::Info,
         tr("Evaluating all legal positions of %1")
             .arg(window_.document->name_of(id, *window_.document->pair().schedule(ScheduleSlot::Hand))),
         busy ? tr("Using the SM model: the agent is using the GPU.") : QString(),
         {{tr("Stop"), [this] { trial_->cancel(); }}},
         0,
         kOfTrial,
         true});
}

void HandTools::show_trial() {
    compare_->set_heat(trial_->heat());
    if (!trial_->running()) return;
    const PlaceHeat& heat = *trial_->heat();
    if (heat.wanted > 0) window_.say(tr("%1 of %2 positions evaluated").arg(heat.done).arg(heat.wanted));
}

void HandTools::trial_over(bool cancelled) {
    window_.controller->set_gpu_taken({});
    window_.messages->clear_about(kOfTrial);
    const HeatPtr heat = trial_->heat();
    if (!heat) return;
    const QString name = window_.document->name_of(heat->instr, *heat->schedule);
    if (heat->wanted == 0) {
        if (!cancelled)  // else they were not even counted
            window_.messages->post(MessageKind::Info, tr("%1 cannot move: no other legal position").arg(name),
                                   {}, 10);
        trial_->clear();  // a column with nothing but "now" takes the room of the text
        return;
    }
    QString text = tr("%1 of %2 positions evaluated, %3.").arg(heat->done).arg(heat->wanted).arg(who(*heat));
    if (!trial_->note().isEmpty()) text += QLatin1Char(' ') + trial_->note() + QLatin1Char('.');
    Message message{MessageKind::Done,
                    cancelled ? tr("Stopped: positions of %1").arg(name) : tr("Positions of %1").arg(name),
                    text,
                    {},
                    0};
    if (const auto best = heat->best()) {
        const Outcome& o = *heat->at(*best);
        const bool clear = o.speedup.low > 0;
        message.text += tr(" Best: 0x%1, %2%3.")
                            .arg(*best * kWordBytes, 4, 16, QLatin1Char('0'))
                            .arg(percent_interval_text(o.speedup))
                            .arg(clear ? QString() : tr(", not clearly better"));
        const InstrId id = heat->instr;
        message.actions.push_back({tr("Move here"), [this, id, place = *best, heat] {
                                       if (*window_.document->pair().schedule(ScheduleSlot::Hand) ==
                                           *heat->schedule)
                                           window_.document->hand().move_to(id, place);
                                       else
                                           window_.say(tr("The schedule has changed. Evaluate again"));
                                   }});
    } else {
        message.text += tr(" None is better than the current position.");
    }
    if (const int failed = static_cast<int>(heat->failed().size()); failed > 0) {
        message.kind = MessageKind::Warning;
        message.text += tr(" %n legal position(s) failed: %1.", "", failed).arg(failures(*heat));
    }
    window_.messages->post(message);
}

}  // namespace cubinlab::ui
