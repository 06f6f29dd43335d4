// SPDX-License-Identifier: GPL-3.0-or-later
// Agent > Replay > What sessions learned: what `cubinlab learn` says of all sessions of a folder, with the lines of the
// kernel at hand where each kind of edit could be tried; a click on one shows it in the listing.
#pragma once
#include <QDialog>
#include <memory>

#include "ui/sessions/learned_model.h"
#include "ui/settings/window_access.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTableView;

namespace cubinlab::ui {

class LearnedWindow : public QDialog {
    Q_OBJECT

  public:
    explicit LearnedWindow(const WindowAccess& window);
    void look();  // reads all sessions of the folder; asynchronous
    const LearnedModel& model() const { return *model_; }

  Q_SIGNALS:
    void looked();  // the table is there

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Read {
        TriedEdits tried;
        std::size_t sessions = 0;
        std::vector<std::string> unread;  // why
    };
    static Result<Read> read_folder(const std::string& folder, const std::stop_token& stop);
    void show_read(Result<Read> read);
    void find_places();  // of what was read, in the schedule at hand; asynchronous
    void show_patterns(std::vector<LearnedPattern> patterns);
    void take_row();
    void show_places();
    const LearnedPattern* chosen() const;

    WindowAccess window_;
    std::shared_ptr<const Read> read_;  // null: nothing yet
    PatternKey chosen_;                 // stays chosen while the schedule at hand changes
    LearnedModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLineEdit *folder_, *filter_;
    QSpinBox* least_;
    QLabel *note_, *places_, *empty_;
    QPushButton* again_;
};

}  // namespace cubinlab::ui
