// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/hand_tools.h"

#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
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

HandTools::HandTools(HandParts parts, QObject* parent) : QObject(parent), p_(std::move(parts)) {
    editor_ = new ControlEditor(p_.document, p_.jobs, p_.compare);
    notes_ = new KernelNotes(this);
    Pane* right = p_.compare->pane(Side::Right);
    SassView* listing = right->view();
    drag_ = new InstrDrag(p_.document, p_.jobs, listing, right->gutter(), right->overlay(),
                          &p_.compare->rows(), this);
    drag_->set_guard([this](InstrId id) {
        p_.selection->select(id);
        return p_.edit_target(&id);
    });
    const auto back_to_listing = [listing] { listing->setFocus(); };
    connect(editor_, &ControlEditor::committed, listing, back_to_listing);
    connect(editor_, &ControlEditor::dismissed, listing, back_to_listing);
    connect(editor_, &ControlEditor::go_to_asked, p_.selection, &Selection::select);
    connect(p_.selection, &Selection::changed, this, [this](InstrId id) {
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
    connect(p_.compare, &CompareView::edit_asked, this, &HandTools::open_control_editor);
    connect(p_.compare, &CompareView::columns_changed, this, &HandTools::request_arrows);
    connect(p_.document, &Document::opened, this, &HandTools::document_opened);
    connect(p_.document, &Document::closed, this, [this] { notes_->load({}); });
    connect(&p_.document->pair(), &ComparedPair::changed, this, [this] {
        request_arrows();
        request_legal_places();
    });
    trial_ = new PlaceTrial(this);
    connect(trial_, &PlaceTrial::changed, this, &HandTools::show_trial);
    connect(trial_, &PlaceTrial::finished, this, &HandTools::trial_over);
    connect(trial_, &PlaceTrial::failed, this, [this](const Error& error) {
        p_.controller->set_gpu_taken({});
        p_.messages->clear_about(kOfTrial);
        p_.messages->post(MessageKind::Error, tr("The places were not tried"),
                          QString::fromStdString(error.message()));
        trial_->clear();
    });
    connect(p_.document, &Document::leaving, trial_, &PlaceTrial::clear);
    connect(p_.controller, &RunController::hand_step_logged, this, [this](const StepRecord& record) {
        const Outcome& o = record.outcome;
        p_.document->hand().note_figure(
            record.schedule_hash,
            {EvaluatorKind::Model, o.kind, o.verdict, o.log_speedup, o.low, o.high, {}});
    });
    connect(p_.document, &Document::checker_ready, this, &HandTools::request_legal_places);
    connect(notes_, &KernelNotes::changed, this, [this] { p_.compare->set_notes(notes_); });
}

void HandTools::document_opened() {
    notes_->load(p_.document->kernel());
    // Line tables: of nvcc -lineinfo; most cubins have none.
    p_.jobs->run<SourcePlaces>(
        QStringLiteral("source-lines"),
        [kernel = p_.document->kernel()](std::stop_token) -> SourcePlaces {
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
        [this](SourcePlaces places) { p_.compare->set_source(places); });
    const KernelInfo& info = p_.document->kernel()->info();
    int threads = 128;
    if (p_.document->workload())
        threads = static_cast<int>(p_.document->workload()->threads());
    else if (info.required_block)
        threads = static_cast<int>((*info.required_block)[0] * (*info.required_block)[1] *
                                   (*info.required_block)[2]);
    p_.compare->set_occupancy(occupancy_steps(p_.document->kernel()->arch(), threads));
}

std::vector<InstrId> HandTools::closed_to_agents() const {
    return notes_->closed_to_agents();
}

void HandTools::attach_search(QLineEdit* field) {
    connect(field, &QLineEdit::textChanged, this, [this, field](const QString& text) {
        const QString found = p_.compare->set_query(text);
        if (!found.isEmpty()) p_.say(found);
        field->setAccessibleDescription(found);
    });
}

QWidget* HandTools::make_history(QWidget* parent) {
    return new HistoryPanel(p_.document, parent);
}

void HandTools::open_control_editor() {
    InstrId id = kNone;
    if (!p_.edit_target(&id)) return;
    if (!p_.document->hand().can_edit()) {
        p_.say(p_.document->hand().why_not_editable());
        return;
    }
    editor_->edit(id);
    editor_->show();
    place_editor();
    editor_->raise();
    editor_->stall_box()->setFocus(Qt::ShortcutFocusReason);
    editor_->stall_box()->selectAll();
}

// Under the row of the instruction, above it where there is no room below.
void HandTools::place_editor() {
    if (!editor_->isVisible()) return;
    editor_->adjustSize();
    SassView* view = p_.compare->pane(Side::Right)->view();
    const int row = std::max(0, p_.compare->rows().row_of(editor_->instr(), Side::Right));
    const int line = view->row_height();
    const QPoint top = view->mapTo(p_.compare, QPoint(0, (row - view->first_visible_row()) * line));
    int y = top.y() + line + 2;
    if (y + editor_->height() > p_.compare->height()) y = top.y() - editor_->height() - 2;
    const int most = std::max(0, p_.compare->height() - editor_->height());
    const int x = std::min(top.x(), std::max(0, p_.compare->width() - editor_->width() - 20));
    editor_->move(x, std::clamp(y, 0, most));
}

// ---- dependences of the selected instruction ----

void HandTools::request_arrows() {
    const InstrId id = p_.selection->instr();
    const auto tag = QStringLiteral("arrows");
    if (!p_.document->is_open() || id == kNone || !p_.document->pair().right() ||
        !p_.compare->column(CompareView::Column::Arrows)) {
        p_.jobs->cancel(tag);
        p_.compare->set_arrows(Side::Left, {});
        p_.compare->set_arrows(Side::Right, {});
        return;
    }
    struct Both {
        ArrowsPtr left, right;
    };
    const bool both_sides = p_.compare->pane(Side::Left)->gutter()->columns().arrows;
    p_.jobs->run<Both>(
        tag,
        [left = p_.document->pair().left(), right = p_.document->pair().right(), id,
         both_sides](std::stop_token stop) {
            Both both;
            both.right = std::make_shared<const DependencyArrows>(arrows_of(*right, id));
            if (both_sides && !stop.stop_requested())
                both.left = *left == *right ? both.right
                                            : std::make_shared<const DependencyArrows>(arrows_of(*left, id));
            return both;
        },
        [this](Both both) {
            p_.compare->set_arrows(Side::Left, both.left);
            p_.compare->set_arrows(Side::Right, both.right);
        });
}

// ---- legal places of the selected instruction ----

void HandTools::show_legal_places(bool on) {
    legal_places_ = on;
    request_legal_places();
}

void HandTools::request_legal_places() {
    const auto tag = QStringLiteral("legal-places");
    const InstrId id = p_.selection->instr();
    if (!legal_places_ || id == kNone || !p_.document->hand().can_edit()) {
        p_.jobs->cancel(tag);
        p_.compare->set_legal_places({}, {}, false);
        return;
    }
    const SchedulePtr shown = p_.document->pair().right();
    p_.jobs->run<SlotRange>(
        tag,
        [checker = p_.document->checker(), shown, id](std::stop_token) { return checker->slots(*shown, id); },
        [this, shown, id](SlotRange range) {
            if (p_.selection->instr() != id || !p_.document->is_open()) return;
            p_.compare->set_legal_places(shown, range, true);
            const std::size_t others = range.count() - 1;
            p_.say(others == 0 ? tr("%1 has no other legal place").arg(p_.document->name_of(id, *shown))
                               : tr("%n other legal place(s)", "", static_cast<int>(others)));
        });
}

}  // namespace cubinlab::ui
