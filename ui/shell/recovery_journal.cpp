// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recovery_journal.h"

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <atomic>
#include <limits>

namespace cubinlab::ui {
namespace {

const char* const kFormat = "cubinlab-recovery 1";
constexpr qint64 kMostBytes = 64 << 20;

QString base64(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}
QByteArray bytes_of(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}
// Every write replaces the journal, so the owner locks a separate file.
QString lock_of(const QString& journal) {
    return journal + QStringLiteral(".lock");
}

}  // namespace

QByteArray WindowMemory::to_json() const {
    QJsonArray list;
    for (const Edit& edit : edits)
        list.append(QJsonArray{edit.mutation, edit.label});
    const QJsonObject object{{QStringLiteral("format"), QLatin1String(kFormat)},
                             {QStringLiteral("file"), file},
                             {QStringLiteral("session"), session},
                             {QStringLiteral("kernel"), kernel},
                             {QStringLiteral("hash"), hash},
                             {QStringLiteral("image"), image},
                             {QStringLiteral("edits"), list},
                             {QStringLiteral("cursor"), cursor},
                             {QStringLiteral("hand_run"), hand_run},
                             {QStringLiteral("left"), left},
                             {QStringLiteral("right"), right},
                             {QStringLiteral("selected"), selected},
                             {QStringLiteral("geometry"), base64(geometry)},
                             {QStringLiteral("docks"), base64(docks)},
                             {QStringLiteral("agent_was_running"), agent_was_running},
                             {QStringLiteral("saved"), saved}};
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

bool WindowMemory::from_json(const QByteArray& text, WindowMemory* memory) {
    const QJsonObject object = QJsonDocument::fromJson(text).object();
    if (object.value(QLatin1String("format")).toString() != QLatin1String(kFormat)) return false;
    WindowMemory m;
    m.file = object.value(QLatin1String("file")).toString();
    m.session = object.value(QLatin1String("session")).toString();
    m.kernel = object.value(QLatin1String("kernel")).toString();
    m.hash = object.value(QLatin1String("hash")).toString();
    m.image = object.value(QLatin1String("image")).toString();
    if (m.file.isEmpty() && m.session.isEmpty()) return false;
    for (const QJsonValue& value : object.value(QLatin1String("edits")).toArray())
        m.edits.push_back({value.toArray().at(0).toString(), value.toArray().at(1).toString()});
    m.cursor = std::clamp<qint64>(object.value(QLatin1String("cursor")).toInteger(), 0,
                                  static_cast<qint64>(m.edits.size()));
    m.hand_run = object.value(QLatin1String("hand_run")).toInteger();
    m.left = object.value(QLatin1String("left")).toInt();
    m.right = object.value(QLatin1String("right")).toInt();
    m.selected = object.value(QLatin1String("selected")).toInteger(-1);
    m.geometry = bytes_of(object.value(QLatin1String("geometry")));
    m.docks = bytes_of(object.value(QLatin1String("docks")));
    m.agent_was_running = object.value(QLatin1String("agent_was_running")).toBool();
    m.saved = object.value(QLatin1String("saved")).toString();
    *memory = std::move(m);
    return true;
}

QString recovery_folder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/cubinlab/recovery");
}

void remove_journal(const QString& path) {
    QFile::remove(path);
    QFile::remove(lock_of(path));
}

std::vector<StaleJournal> find_stale_journals() {
    std::vector<StaleJournal> stale;
    const QDir folder(recovery_folder());
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("window-*.json")}, QDir::Files, QDir::Time | QDir::Reversed)) {
        if (SessionLock::holder(lock_of(file.filePath()).toStdString())) continue;
        QFile text(file.filePath());
        StaleJournal journal{file.filePath(), {}};
        if (file.size() <= kMostBytes && text.open(QIODevice::ReadOnly) &&
            WindowMemory::from_json(text.readAll(), &journal.memory))
            stale.push_back(std::move(journal));
        else
            QFile::rename(file.filePath(), file.filePath() + QStringLiteral(".damaged"));  // may hold work
    }
    return stale;
}

RecoveryJournal::RecoveryJournal() {
    static std::atomic<int> count = 0;
    path_ = QStringLiteral("%1/window-%2-%3.json")
                .arg(recovery_folder(), QString::number(::getpid()), QString::number(++count));
}

RecoveryJournal::~RecoveryJournal() {
    const std::lock_guard guard(mutex_);
    if (locked_ && !kept_) remove_journal(path_);
}

void RecoveryJournal::write(const WindowMemory& memory, quint64 number) {
    const std::lock_guard guard(mutex_);
    if (kept_ || number < newest_) return;
    newest_ = number;
    if (!locked_) {
        if (!QDir().mkpath(recovery_folder())) return;
        auto lock = SessionLock::acquire(lock_of(path_).toStdString(), {});
        if (!lock) return;  // autosave is optional: the session's log has every edit
        lock_ = std::move(*lock);
        locked_ = true;
    }
    QSaveFile file(path_);
    if (!file.open(QIODevice::WriteOnly)) return;
    file.write(memory.to_json());
    file.commit();
}

void RecoveryJournal::forget(quint64 number) {
    const std::lock_guard guard(mutex_);
    if (kept_ || number < newest_) return;
    newest_ = number;
    QFile::remove(path_);
}

void RecoveryJournal::keep(const WindowMemory& memory) {
    write(memory, std::numeric_limits<quint64>::max());
    const std::lock_guard guard(mutex_);
    kept_ = true;
}

}  // namespace cubinlab::ui
