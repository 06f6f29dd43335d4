// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_entries.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>

#include "ui/document/kernel_name.h"
#include "ui/document/place.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("cubinlab::ui", text);
}

QString group_of(const QString& id) {
    const QString first = id.section(QLatin1Char('.'), 0, 0);
    if (first == QLatin1String("file")) return tr("File");
    if (first == QLatin1String("edit")) return tr("Edit");
    if (first == QLatin1String("go")) return tr("Go");
    if (first == QLatin1String("view")) return tr("View");
    if (first == QLatin1String("layout")) return tr("Layout");
    if (first == QLatin1String("agent")) return tr("Agent");
    if (first == QLatin1String("help")) return tr("Help");
    QString name = first;
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

QString also_called(const QString& id) {
    if (id == QLatin1String("agent.start")) return tr("tune optimise optimize search run");
    if (id == QLatin1String("file.measure")) return tr("benchmark time");
    return {};
}

void add_commands(std::vector<PaletteEntry>& entries, MainWindow& window, const QStringList& lately) {
    Commands& commands = window.commands();
    for (QAction* action : commands.all()) {
        PaletteEntry entry;
        entry.id = action->objectName();
        if (entry.id == QLatin1String("view.palette")) continue;
        entry.group = group_of(entry.id);
        entry.text = Commands::plain_text(action);
        entry.key = action->shortcut().toString(QKeySequence::NativeText);
        entry.also = also_called(entry.id);
        entry.enabled = action->isEnabled();
        entry.on = action->isCheckable() && action->isChecked();
        entry.detail = entry.enabled ? action->statusTip() : commands.why_disabled(action);
        entry.run = [action] { action->trigger(); };
        if (const qsizetype place = lately.indexOf(entry.id); place >= 0)
            entry.bonus = static_cast<int>(8 - std::min<qsizetype>(place, 7));
        entries.push_back(std::move(entry));
    }
}

void add_offset(std::vector<PaletteEntry>& entries, MainWindow& window, const QString& typed) {
    const auto offset = parse_offset(typed);
    if (!offset) return;
    PaletteEntry entry;
    entry.id = QStringLiteral("offset");
    entry.group = tr("Go to offset");
    entry.text = QStringLiteral("0x%1").arg(*offset, 4, 16, QLatin1Char('0'));
    entry.bonus = 1000;
    Document& document = window.document();
    if (!document.is_open()) {
        entry.enabled = false;
        entry.detail = tr("No kernel is open.");
    } else if (const SchedulePtr right = document.pair().right(); *offset / kWordBytes >= right->size()) {
        entry.enabled = false;
        entry.detail =
            tr("The kernel ends at 0x%1.").arg(right->size() * kWordBytes, 4, 16, QLatin1Char('0'));
    } else {
        const InstrId id = right->at(static_cast<Position>(*offset / kWordBytes));
        entry.detail = document.text_of(id);
        entry.run = [&window, id] { window.selection().select(id); };
    }
    entries.push_back(std::move(entry));
}

// Entries that open or show something. A negative bonus puts them after commands with the same score.
void offer(std::vector<PaletteEntry>& entries, const QString& id, const QString& group, const QString& text,
           const QString& detail, int bonus, std::function<void()> run) {
    entries.push_back({id, group, text, detail, {}, true, false, std::move(run), bonus});
}

void add_files(std::vector<PaletteEntry>& entries, MainWindow& window) {
    for (const QString& path : window.settings().recent()) {
        const Place place = Place::from(path);
        offer(entries, QStringLiteral("recent:") + path, tr("Open recent"), place.name(), place.folder(), -2,
              [&window, path] { window.open_path(path); });
    }
    for (const SampleInfo& sample : window.start_page().samples())
        offer(entries, QStringLiteral("sample:") + sample.name, tr("Open sample"), sample.name, sample.about,
              -3, [&window, path = sample.path] { window.open_path(path); });
}

void add_kernels_and_windows(std::vector<PaletteEntry>& entries, MainWindow& window) {
    Document& document = window.document();
    const QStringList kernels = document.kernel_names(), shown = called(kernels);
    for (qsizetype i = 0; i < kernels.size(); ++i)
        if (const QString& name = kernels[i];
            kernels.size() > 1 && name != QString::fromStdString(document.kernel()->name()))
            offer(entries, QStringLiteral("kernel:") + name, tr("Kernel of this file"), shown[i],
                  QString::fromStdString(document.path().string()), -2,
                  [&window, name] { window.open_kernel_here(name); });
    for (MainWindow* other : Windows::instance().all())
        if (other != &window)
            offer(entries, QStringLiteral("window"), tr("Switch to window"), other->windowTitle(),
                  tr("Another CubinLab window"), -2, [other] { Windows::bring_up(other); });
}

}  // namespace

std::optional<unsigned> parse_offset(const QString& text) {
    QString digits = text.trimmed();
    const bool marked = digits.startsWith(QLatin1Char(':')) || digits.startsWith(QLatin1Char('@'));
    if (marked) digits = digits.mid(1);
    const bool prefixed = digits.startsWith(QLatin1String("0x"), Qt::CaseInsensitive);
    if (prefixed) digits = digits.mid(2);
    // Letters alone are words: "add" and "face" are offsets only with a prefix.
    const bool has_digit = std::any_of(digits.begin(), digits.end(), [](QChar c) { return c.isDigit(); });
    if (!marked && !prefixed && !has_digit) return {};
    bool ok = false;
    const uint offset = digits.toUInt(&ok, 16);
    return ok ? std::optional<unsigned>(offset) : std::nullopt;
}

std::vector<PaletteEntry> palette_entries(MainWindow& window, const QString& typed,
                                          const QStringList& lately) {
    std::vector<PaletteEntry> entries;
    add_offset(entries, window, typed);
    add_commands(entries, window, lately);
    add_files(entries, window);
    add_kernels_and_windows(entries, window);
    return entries;
}

}  // namespace cubinlab::ui
