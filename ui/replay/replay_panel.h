// SPDX-License-Identifier: GPL-3.0-or-later
// The replay dock: scrub, step and play through the shown run; what each step changed and gained; notes on
// steps; essential edits; edit patterns.
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/base/job_runner.h"
#include "ui/replay/minimised_run.h"
#include "ui/replay/step_details.h"
#include "ui/run/mutation_model.h"

class QDockWidget;
class QLineEdit;
class QStackedWidget;
class QTabBar;
class QTextBrowser;
class QToolButton;

namespace cubinlab::ui {

class Commands;
class Document;
class FittingLabel;
class EditsPage;
class PatternsPage;
class RunController;
class Selection;
class StepFilterBar;
class StepFocus;
class StepPanel;

class ReplayPanel : public QWidget {
    Q_OBJECT

  public:
    ReplayPanel(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
                MutationModel* model, QWidget* parent = nullptr);

    StepPanel* steps() const { return steps_; }
    PatternsPage* patterns() const { return patterns_; }
    EditsPage* edits() const { return edits_; }
    QTextBrowser* details() const { return details_; }
    const std::optional<StepDetails>& shown_details() const { return shown_; }
    const std::optional<MinimisedRun>& minimised() const { return minimised_; }
    QSize sizeHint() const override { return {760, 320}; }

  Q_SIGNALS:
    void export_minimal_asked();  // the schedule in the slot Minimal

  public Q_SLOTS:
    void minimise();
    void show_patterns();  // brings the page to the front

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* build_steps_page();
    QWidget* build_note_row();
    void show_in_short();
    void say_beside_tabs(const QString& text, const QStringList& shorter = {});
    void connect_all();
    void run_reset();
    void step_in_view();
    QString no_step_text() const;
    void load_step(StepId step);
    void show_details();
    void show_message(const QString& message);
    void save_note();
    void minimised_came(Result<MinimisedRun> result);
    void offer_minimal();
    void show_ranking();
    void use_first_edits(int count, bool to_export);
    void update_minimise();
    void count_patterns();
    void mark_carrying();

    Document* document_;
    Selection* selection_;
    RunController* runs_;
    JobRunner* jobs_;
    MutationModel* model_;
    QTabBar* tabs_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    StepFilterBar* filters_ = nullptr;
    StepPanel* steps_ = nullptr;
    QTextBrowser* details_ = nullptr;
    FittingLabel* in_short_ = nullptr;  // summary, if there is no room for all
    QLineEdit* note_ = nullptr;
    QWidget* note_bar_ = nullptr;
    QToolButton* save_note_ = nullptr;
    QToolButton* write_note_ = nullptr;  // shows the row of the note
    QToolButton* minimise_ = nullptr;
    FittingLabel* minimised_text_ = nullptr;
    PatternsPage* patterns_ = nullptr;
    EditsPage* edits_ = nullptr;
    QTimer patterns_timer_;
    QElapsedTimer counting_since_;
    std::optional<StepDetails> shown_;
    StepId wanted_ = 0;  // its details are shown or pending
    std::optional<MinimisedRun> minimised_;
    bool minimising_ = false;
    bool patterns_stale_ = true;
};

// Registers the commands of Agent > Replay with their submenus. Each brings the dock to the front. `runs` must outlive them.
void add_replay_commands(Commands& commands, ReplayPanel* replay, StepFocus* focus, const RunController* runs,
                         QDockWidget* dock);

}  // namespace cubinlab::ui
