// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-state samples of the shown schedules beside each other and beside the model. It is `cubinlab profile` in a
// process of its own, on copies in a temporary folder: nothing of the user's is written, and Stop ends it.
#pragma once
#include <QDialog>
#include <QJsonObject>
#include <QString>
#include <memory>

#include "core/base/result.h"
#include "core/gpu/client/profile_csv.h"
#include "ui/base/child_program.h"
#include "ui/document/document.h"
#include "ui/settings/window_access.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace cubinlab::ui {

class ProfileDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ProfileDialog(const WindowAccess& window);
    ~ProfileDialog() override;
    // The program that takes `profile`; this one where nothing was said.
    void set_program(const QString& program) { program_ = program; }
    bool running() const { return preparing_ || child_->running(); }

  Q_SIGNALS:
    // Samples of the schedule on the right, for the listings: each line with the reason that the table names.
    void profiled(const cubinlab::ProfilePtr& profile);

  public Q_SLOTS:
    void profile();  // the original and, where it differs, the schedule on the right
    void stop();

  private:
    struct Inputs;  // the files of the temporary folder, which goes with it
    struct Answer {
        QJsonObject json;
        ProfilePtr profile;  // null: the answer has none
    };
    static Result<std::shared_ptr<Inputs>> write_inputs(const SchedulePtr& candidate,
                                                        const Workload& workload, const KernelPtr& kernel);
    static Answer read(const QByteArray& output, std::size_t instructions, const std::string& title);
    QTableView* make_table(const char* name, const QString& accessible, QStandardItemModel* model);
    void start(const std::shared_ptr<Inputs>& inputs);
    void finished(int code, bool normally, const QByteArray& output);
    void show_answer(const Answer& answer);
    void fill_reasons(const QJsonObject& answer);
    void fill_lines(const QJsonObject& answer);
    void go_to(const QModelIndex& row);
    void end(const QString& state);  // nothing runs any more
    void forget();                   // of the kernel that was open
    void show_tables();
    void update_buttons();

    WindowAccess window_;
    QString program_;
    QString right_;  // title of the schedule beside the original; empty: the original alone
    KernelPtr kernel_;
    ChildProgram* child_ = new ChildProgram(this);
    bool preparing_ = false, stopped_ = false;
    QStandardItemModel *reasons_ = nullptr, *lines_ = nullptr;
    QTableView *reason_table_ = nullptr, *line_table_ = nullptr;
    QLabel* state_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton *again_ = nullptr, *stop_ = nullptr;
};

}  // namespace cubinlab::ui
