// SPDX-License-Identifier: GPL-3.0-or-later
// What a window has open, kept in a small file while it is open, so that a killed program loses nothing but
// time. The file belongs to a process by a lock that the system drops when the process dies, however it dies;
// a journal that nobody holds is what a crash has left behind.
//
//   DATA/cubinlab/recovery/window-PID-N.json
#pragma once
#include <QByteArray>
#include <QString>
#include <mutex>
#include <vector>

#include "core/store/session_lock.h"

namespace cubinlab::ui {

struct WindowMemory {
    QString file;     // cubin; of a session: where its kernel came from
    QString session;  // empty: nothing was logged yet
    QString kernel;
    QString hash;   // of the kernel: edits are of this one alone
    QString image;  // of the file, where it has several
    struct Edit {
        QString mutation;  // Mutation::encode()
        QString label;
    };
    std::vector<Edit> edits;  // of the hand schedule, from the original
    qint64 cursor = 0;        // edits that are in effect; the rest can be redone
    qint64 hand_run = 0;      // of the session
    int left = 0, right = 0;  // heads that were shown
    qint64 selected = -1;     // instruction
    QByteArray geometry, docks;
    bool agent_was_running = false;
    QString saved;  // ISO 8601, UTC

    QByteArray to_json() const;
    static bool from_json(const QByteArray& text, WindowMemory* memory);  // false: damaged or of another kind
};

struct StaleJournal {
    QString path;
    WindowMemory memory;
};

QString recovery_folder();
// Journals whose process is gone, oldest first. Damaged ones are put aside as NAME.damaged, as they may hold work. Reads the disk: off the GUI thread.
std::vector<StaleJournal> find_stale_journals();
void remove_journal(const QString& path);

// One window's journal. Writing happens on job threads; the last snapshot wins whatever order jobs end in.
class RecoveryJournal {
  public:
    RecoveryJournal();
    ~RecoveryJournal();  // the window closed as it should: the file goes
    void write(const WindowMemory& memory, quint64 number);
    void forget(quint64 number);  // nothing is open
    void keep(const WindowMemory& memory);  // the last word: the file stays for the next start
    const QString& path() const { return path_; }

  private:
    std::mutex mutex_;
    QString path_;
    SessionLock lock_;
    bool locked_ = false, kept_ = false;
    quint64 newest_ = 0;
};

}  // namespace cubinlab::ui
