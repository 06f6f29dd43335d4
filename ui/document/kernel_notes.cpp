// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/kernel_notes.h"

#include <QSettings>

#include "core/store/instruction_ranges.h"

namespace cubinlab::ui {
namespace {

QString group_of(const Kernel& kernel) {
    return QStringLiteral("kernels/%1/").arg(QString::fromStdString(kernel.hash().hex()));
}

QString text_of(const std::set<InstrId>& ids) {
    const std::vector<InstrId> list(ids.begin(), ids.end());
    return QString::fromStdString(ranges_text(list));
}

// A damaged file has none.
std::set<InstrId> ids_of(const QString& text, std::size_t size) {
    const auto ids = ranges_from(text.toStdString(), size);
    return ids ? std::set<InstrId>(ids->begin(), ids->end()) : std::set<InstrId>{};
}

}  // namespace

KernelNotes::KernelNotes(QObject* parent) : QObject(parent) {}

void KernelNotes::load(const KernelPtr& kernel) {
    kernel_ = kernel;
    bookmarks_.clear();
    locked_.clear();
    scope_.clear();
    if (kernel_) {
        const QSettings settings;
        const QString group = group_of(*kernel_);
        bookmarks_ = ids_of(settings.value(group + QStringLiteral("bookmarks")).toString(), kernel_->size());
        locked_ = ids_of(settings.value(group + QStringLiteral("locked")).toString(), kernel_->size());
        scope_ = ids_of(settings.value(group + QStringLiteral("scope")).toString(), kernel_->size());
    }
    Q_EMIT changed();
}

void KernelNotes::save() {
    if (!kernel_) return;
    QSettings settings;
    const QString group = group_of(*kernel_);
    const auto put = [&](const char* name, const std::set<InstrId>& ids) {
        const QString key = group + QLatin1String(name);
        if (ids.empty())
            settings.remove(key);
        else
            settings.setValue(key, text_of(ids));
    };
    put("bookmarks", bookmarks_);
    put("locked", locked_);
    put("scope", scope_);
    Q_EMIT changed();
}

void KernelNotes::toggle_bookmark(InstrId id) {
    if (!kernel_ || id >= kernel_->size()) return;
    if (bookmarks_.erase(id) == 0) bookmarks_.insert(id);
    save();
}

void KernelNotes::clear_bookmarks() {
    bookmarks_.clear();
    save();
}

InstrId KernelNotes::next_bookmark(const Schedule& schedule, InstrId from, int direction) const {
    const auto size = static_cast<long>(schedule.size());
    if (bookmarks_.empty() || size == 0) return kNone;
    long p = from < schedule.size() ? static_cast<long>(schedule.position_of(from))
             : direction > 0        ? -1
                                    : size;
    for (long i = 0; i < size; ++i) {
        p = (p + direction + size) % size;
        if (const InstrId id = schedule.at(static_cast<Position>(p)); bookmarked(id)) return id;
    }
    return kNone;
}

void KernelNotes::set_locked(const std::vector<InstrId>& ids, bool on) {
    for (const InstrId id : ids) {
        if (on)
            locked_.insert(id);
        else
            locked_.erase(id);
    }
    save();
}

void KernelNotes::set_scope(const std::vector<InstrId>& ids) {
    scope_ = std::set<InstrId>(ids.begin(), ids.end());
    save();
}

void KernelNotes::clear_locks() {
    locked_.clear();
    scope_.clear();
    save();
}

std::vector<InstrId> KernelNotes::closed_to_agents() const {
    std::vector<InstrId> closed;
    if (!kernel_) return closed;
    for (InstrId id = 0; id < kernel_->size(); ++id)
        if (locked(id) || !in_scope(id)) closed.push_back(id);
    return closed;
}

}  // namespace cubinlab::ui
