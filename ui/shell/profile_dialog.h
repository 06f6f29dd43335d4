// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of the shown schedules next to each other and to the model (core/tuning/profile_schedules.h), taken of
// copies in a temporary folder: nothing of the user's is written. Stop and closing end it.
#pragma once
#include <QDialog>
#include <QString>

#include "core/tuning/profile_schedules.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/run/window_context.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace cubinlab::ui {

class ProfileDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ProfileDialog(const WindowContext& window);
    ~ProfileDialog() override;
    bool running() const { return job_.running(); }

  Q_SIGNALS:
    // Samples of the schedule on the right, for the listings: each line with the reason that the table names.
    void profiled(const cubinlab::ProfilePtr& profile);

  public Q_SLOTS:
    void profile();  // the original and, where it differs, the schedule on the right
    void stop();

  private:
    QTableView* make_table(const char* name, const QString& accessible, QStandardItemModel* model);
    void finished(const Result<ProfiledSchedules>& answer);
    void show_answer(const ProfiledSchedules& answer);
    void fill_reasons(const ProfiledSchedules& answer);
    void fill_lines(const ProfiledSchedules& answer);
    void go_to(const QModelIndex& row);
    void end(const QString& state);  // nothing runs any more
    void forget();                   // of the kernel that was open
    void show_tables();
    void update_buttons();

    WindowContext window_;
    QString right_;  // title of the schedule beside the original; empty: the original alone
    KernelPtr kernel_;
    bool stopped_ = false;
    QStandardItemModel *reasons_ = nullptr, *lines_ = nullptr;
    QTableView *reason_table_ = nullptr, *line_table_ = nullptr;
    QLabel* state_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton *again_ = nullptr, *stop_ = nullptr;
    DialogJob job_;
};

}  // namespace cubinlab::ui
