// SPDX-License-Identifier: GPL-3.0-or-later
// The content of a window in a small file while it is open, so that a killed program loses no work. A lock
// that the system releases when the process dies marks the owner; an unlocked journal is left over from a
// crash.
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
    QString file;     // cubin; for a session, the file of its kernel
    QString session;  // empty: nothing logged yet
    QString kernel;
    QString hash;   // of the kernel that the edits belong to
    QString image;  // in the file, if it has several
    struct Edit {
        QString mutation;  // Mutation::encode()
        QString label;
    };
    std::vector<Edit> edits;  // of the hand schedule, from the original
    qint64 cursor = 0;        // number of applied edits; the rest can be redone
    qint64 hand_run = 0;      // of the session
    int left = 0, right = 0;  // shown slots
    qint64 selected = -1;     // instruction
    QByteArray geometry, docks;
    bool agent_was_running = false;
    QString saved;  // ISO 8601, UTC

    QByteArray to_json() const;
    static bool from_json(const QByteArray& text, WindowMemory* memory);  // false: damaged or another format
};

struct StaleJournal {
    QString path;
    WindowMemory memory;
};

QString recovery_folder();
// Journals without a process, oldest first. Renames damaged ones to NAME.damaged. Not for the GUI thread.
std::vector<StaleJournal> find_stale_journals();
void remove_journal(const QString& path);

// One window's journal. Job threads write it; the newest snapshot wins in any order of jobs.
class RecoveryJournal {
  public:
    RecoveryJournal();
    ~RecoveryJournal();  // normal close: deletes the file
    void write(const WindowMemory& memory, quint64 number);
    void forget(quint64 number);            // no open kernel
    void keep(const WindowMemory& memory);  // the last snapshot: the file stays for the next start
    const QString& path() const { return path_; }

  private:
    std::mutex mutex_;
    QString path_;
    SessionLock lock_;
    bool locked_ = false, kept_ = false;
    quint64 newest_ = 0;
};

}  // namespace cubinlab::ui
