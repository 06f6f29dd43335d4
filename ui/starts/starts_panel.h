// SPDX-License-Identifier: GPL-3.0-or-later
// The starts of a tuning: their table, two of them side by side, and the curves of both players. It shows the tuning of the
// shown run, else the newest of the session, live and from a file.
#pragma once
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/tuning/tuning_log.h"
#include "ui/base/job_runner.h"

class QLabel;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace cubinlab::ui {

class ComparisonView;
class Document;
class EmptyNote;
class FittingLabel;
class RunController;
class StartsChart;
class StartTable;
struct StartComparison;

class StartsPanel : public QWidget {
    Q_OBJECT

  public:
    StartsPanel(Document* document, RunController* runs, JobRunner* jobs, QWidget* parent = nullptr);

    const StartTable& table() const { return *model_; }
    QTableView* view() const { return view_; }
    ComparisonView* comparison() const { return comparison_; }
    StartsChart* chart() const { return chart_; }
    QSize sizeHint() const override { return {860, 300}; }

  Q_SIGNALS:
    void starts_found();  // the session has a run over starts that this panel has not shown before

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Snapshot {
        RunId tuning = 0;
        std::vector<TunedStart> starts;
        std::vector<TuningPart> parts;
        EvaluatorInfo evaluator;
    };
    void build();
    void fit();
    void show_page();
    RunId wanted_tuning() const;
    void forget();
    void stale();
    void read();
    void take(Snapshot found);
    void say_state();
    void compare_chosen();
    void show_chosen(const QModelIndex& at);

    Document* document_;
    RunController* runs_;
    JobRunner* jobs_;
    StartTable* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTableView* view_ = nullptr;
    QSplitter* split_ = nullptr;
    QTabBar* tabs_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    ComparisonView* comparison_ = nullptr;
    FittingLabel *state_ = nullptr, *compared_ = nullptr;
    StartsChart* chart_ = nullptr;
    EmptyNote* empty_ = nullptr;
    QTimer timer_;
    std::shared_ptr<TuningLog> log_;  // used by one job at a time
    RunId known_ = 0;                 // the newest run over starts that starts_found() told of
    std::vector<TuningPart> parts_;
    bool reading_ = false, again_ = false;
    bool both_ = true;  // table and page are side by side
};

}  // namespace cubinlab::ui
