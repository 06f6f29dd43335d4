// SPDX-License-Identifier: GPL-3.0-or-later
// File > Campaign over a folder: all captured kernels of a folder, tuned by their share of the program's time
// (core/tuning/program/campaign_job.h). This window may be closed meanwhile, and what it shows is the report that the same folder
// gives the command line. Stop lets each kernel end with its best written; the same folder resumes later.
#pragma once
#include <QDialog>

#include "core/tuning/program/campaign_job.h"
#include "core/tuning/program/campaign_report.h"
#include "core/tuning/program/campaign_run.h"
#include "ui/base/job_runner.h"
#include "ui/base/rows_model.h"
#include "ui/run/window_context.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QTimer;

namespace cubinlab::ui {

class MessageBar;
class PathField;

// A campaign as a table that grows: a row for each captured kernel, as the core's report has it.
class CampaignModel : public RowsModel<CampaignRow> {
  public:
    enum Column { KernelName, Share, Launches, Mean, State, Spent, Gain, kColumns };

    explicit CampaignModel(QObject* parent = nullptr);
    // Rows that stay keep their selection.
    void set_report(CampaignReport report);
    const CampaignPlan& plan() const { return plan_; }
    std::optional<double> log_speedup_of_captured() const { return log_speedup_; }

  protected:
    QVariant look(const CampaignRow& row, int column, int role) const override;

  private:
    QString share(const CampaignRow& row) const;
    QString spent(const CampaignRow& row) const;

    CampaignPlan plan_;
    std::optional<double> log_speedup_;
    bool timed_ = false;  // the program's launches were
};

class CampaignWindow : public QDialog {
    Q_OBJECT

  public:
    explicit CampaignWindow(const WindowContext& window);
    ~CampaignWindow() override;
    // The program that takes `tune`; this one where nothing was said.
    void set_program(const std::filesystem::path& program) { program_ = program; }
    void set_folder(const QString& folder);
    void look();  // at the folder; asynchronous
    bool running() const { return job_.running(); }
    const CampaignModel& model() const { return *model_; }
    MessageBar& messages() { return *messages_; }

  Q_SIGNALS:
    void looked();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Seen {
        CampaignReport report;
        std::optional<CampaignSettings> begun;
        QString budget;  // that it was given before, where nothing else was typed
    };
    struct Asked {
        std::string folder, out, budget, kernel;
        std::size_t gpus = 1;
        bool typed = false;
    };
    static Result<Seen> seen_in(const Asked& asked, SeenSessions& sessions);
    void make_choices();
    void make_table();
    QWidget* bottom();
    QPushButton* button(const char* name, const QString& text, const QString& about,
                        void (CampaignWindow::*run)());
    void show_seen(Result<Seen> seen);
    void give_reasons_room();
    void look_soon();
    void start();
    void stop();
    void finished(const Result<CampaignEnd>& end);
    void fail(const QString& title, const QString& text);
    void open_session();
    void open_report();
    void update_buttons();
    QString summary() const;
    QString out_folder() const;
    QString session_of_row() const;  // empty: none yet

    WindowContext window_;
    std::filesystem::path program_;
    bool stopped_ = false, again_ = false;
    bool typed_ = false;  // the budget is for this folder
    QTimer* timer_;
    CampaignModel* model_;
    std::shared_ptr<SeenSessions> sessions_ = std::make_shared<SeenSessions>();
    MessageBar* messages_;
    QTableView* table_ = nullptr;
    QLabel *note_ = nullptr, *empty_ = nullptr;
    PathField* path_ = nullptr;
    QLineEdit *folder_ = nullptr, *budget_ = nullptr, *kernel_ = nullptr;
    QComboBox *agent_ = nullptr, *evaluator_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton *start_ = nullptr, *stop_ = nullptr, *open_ = nullptr, *report_ = nullptr;
    DialogJob job_;
};

}  // namespace cubinlab::ui
