// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a window's journal up to date and restores it after a crash: file or session, hand schedule with undo
// history, selection and layout. Every restored edit is re-verified.
#pragma once
#include <QObject>
#include <memory>
#include <vector>

#include "ui/shell/recovery_journal.h"

class QTimer;

namespace cubinlab::ui {

class MainWindow;

inline constexpr QLatin1String kOfLost{"lost"};  // Message::about of the windows of a crashed program

class Recovery : public QObject {
    Q_OBJECT

  public:
    explicit Recovery(MainWindow& window, QObject* parent);
    ~Recovery() override;

    void look_for_crashes();  // offers to restore; asynchronous
    bool has_offer() const { return !stale_.empty(); }
    void restore_all();  // the first into this window if it is empty, others into new ones
    void discard_all();
    void restore(const WindowMemory& memory, const QString& journal = {});  // deletes `journal` afterwards
    void offer();
    void offer_after_opening();
    void keep();  // the window ends without being closed: offers its content at the next start

  Q_SIGNALS:
    void offer_changed();
    void restored(int edits);

  private:
    void schedule_save();
    void save_now();
    WindowMemory snapshot() const;
    void restore_edits();
    void finish_restore(const QString& problem, int edits);

    MainWindow& window_;
    QTimer* timer_;
    std::shared_ptr<RecoveryJournal> journal_;
    quint64 number_ = 0;
    std::vector<StaleJournal> stale_;
    std::unique_ptr<WindowMemory> pending_;  // being restored
    QString pending_journal_;
};

}  // namespace cubinlab::ui
