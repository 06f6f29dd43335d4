// SPDX-License-Identifier: GPL-3.0-or-later
// All sessions of a folder: kernel, agent, progress, date, and whether the run is resumable. Opens them here
// or in a new window, shows the file, deletes after confirmation.
#pragma once
#include <QDialog>
#include <vector>

#include "core/tuning/session_summary.h"
#include "ui/base/rows_model.h"
#include "ui/run/window_context.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace cubinlab::ui {

// Sessions of a folder as a table: kernel, agents, steps, best, date, state, file.
struct ShownSession {
    SessionSummary summary;
    QString kernel;  // display name
};

class SessionModel : public RowsModel<ShownSession> {
  public:
    enum Column {
        KernelColumn,
        AgentColumn,
        StepsColumn,
        BestColumn,
        DateColumn,
        StateColumn,
        SizeColumn,
        FileColumn,
        ColumnCount
    };

    static constexpr int kFilterRole = Qt::UserRole + 2;  // full file names, although short ones are shown

    explicit SessionModel(QObject* parent = nullptr);
    void set_sessions(std::vector<SessionSummary> sessions);

  protected:
    QVariant look(const ShownSession& session, int column, int role) const override;
};

QString agents_text(const SessionSummary& session);  // "greedy x2, hand"
QString best_text(const SessionSummary& session);    // "1.0883x modelled"
QString state_text(const SessionSummary& session);

class SessionBrowser : public QDialog {
    Q_OBJECT

  public:
    explicit SessionBrowser(const WindowContext& window);
    void look();  // reloads the folder; asynchronous
    const SessionModel& model() const { return *model_; }
    const SessionSummary* chosen() const;
    void ask_and_delete();

  Q_SIGNALS:
    void looked();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void show_sessions(Result<std::vector<SessionSummary>> found);
    void update_buttons();
    void open_chosen(bool new_window);
    void reveal();
    void delete_files(const SessionSummary& session);
    QPushButton* button(const QString& text, const QString& about, void (SessionBrowser::*run)());
    void open_here() { open_chosen(false); }
    void open_new() { open_chosen(true); }

    WindowContext window_;
    SessionModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLineEdit* filter_;
    QLineEdit* folder_;
    QLabel* note_;
    QPushButton *open_, *open_new_, *reveal_, *delete_;
};

}  // namespace cubinlab::ui
