// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include "core/result/budget.h"

namespace cubinlab::ui {
namespace {

constexpr int kRecentLimit = 10;
constexpr int kLayoutVersion = 1;  // raised when docks are renamed; an older layout is dropped then

QSettings store() {
    return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("cubinlab"),
                     QStringLiteral("cubinlab"));
}

bool is_budget(const QString& text) {
    return Budget::parse(text.toStdString()).has_value();
}

}  // namespace

QVariant Settings::value(const char* key, const QVariant& otherwise) {
    return store().value(QLatin1String(key), otherwise);
}

void Settings::put(const char* key, const QVariant& what) {
    store().setValue(QLatin1String(key), what);
}

ThemeMode theme_from(const QString& name) {
    if (name == QLatin1String("light")) return ThemeMode::Light;
    if (name == QLatin1String("dark")) return ThemeMode::Dark;
    return ThemeMode::System;
}

ThemeMode Settings::theme() const {
    return theme_from(value("look/theme").toString());
}

void Settings::set_theme(ThemeMode mode) {
    put("look/theme", mode == ThemeMode::Light ? "light" : mode == ThemeMode::Dark ? "dark" : "system");
}

QStringList Settings::recent() const {
    return value("files/recent").toStringList();
}

void Settings::add_recent(const QString& path) {
    // Lines after the path may name the kernel in the file.
    const qsizetype line = path.count(QLatin1Char('\n')) < 2
                               ? path.size()
                               : path.lastIndexOf(QLatin1Char('\n'), path.lastIndexOf(QLatin1Char('\n')) - 1);
    const QString absolute = QFileInfo(path.left(line)).absoluteFilePath() + path.mid(line);
    QStringList list = recent();
    list.removeAll(absolute);
    list.prepend(absolute);
    put("files/recent", list.mid(0, kRecentLimit));
}

void Settings::forget_recent() {
    put("files/recent", QStringList{});
}

RunRequest Settings::last_request() const {
    RunRequest request;
    request.agent = value("agent/name", request.agent).toString();
    request.evaluator =
        parse_evaluator_policy(value("agent/evaluator").toString().toStdString()).value_or(request.evaluator);
    if (const QString budget = value("agent/budget").toString(); is_budget(budget)) request.budget = budget;
    request.only_reschedules = value("agent/only_reschedules").toBool();
    request.seed = value("agent/seed", QVariant::fromValue<qulonglong>(request.seed)).toULongLong();
    return request;
}

void Settings::set_last_request(const RunRequest& request) {
    put("agent/name", request.agent);
    put("agent/evaluator", QString::fromLatin1(to_string(request.evaluator)));
    // A mistyped budget would become the default of the next start.
    if (is_budget(request.budget)) put("agent/budget", request.budget);
    put("agent/only_reschedules", request.only_reschedules);
    put("agent/seed", QVariant::fromValue<qulonglong>(request.seed));
}

QByteArray Settings::geometry() const {
    return value("window/geometry").toByteArray();
}

QByteArray Settings::dock_state() const {
    if (value("window/layout_version").toInt() != kLayoutVersion) return {};
    return value("window/docks").toByteArray();
}

void Settings::set_layout(const QByteArray& geometry, const QByteArray& dock_state) {
    put("window/geometry", geometry);
    put("window/docks", dock_state);
    put("window/layout_version", kLayoutVersion);
}

void Settings::forget_layout() {
    store().remove(QStringLiteral("window"));
}

QVariantMap Settings::shortcuts() const {
    QSettings file = store();
    file.beginGroup(QStringLiteral("shortcuts"));
    QVariantMap keys;
    for (const QString& command : file.childKeys())
        keys[command] = file.value(command).toString();
    return keys;
}

void Settings::set_shortcuts(const QVariantMap& keys) {
    QSettings file = store();
    file.remove(QStringLiteral("shortcuts"));
    file.beginGroup(QStringLiteral("shortcuts"));
    for (auto it = keys.begin(); it != keys.end(); ++it)
        file.setValue(it.key(), it.value());
}

GpuSettings Settings::gpu() const {
    GpuSettings settings;
    settings.worker_command = value("gpu/worker").toString().toStdString();
    const QStringList more = value("gpu/more_workers").toStringList();
    if (!more.isEmpty()) {
        settings.worker_commands.push_back(settings.worker_command.empty() ? "local"
                                                                           : settings.worker_command);
        for (const QString& command : more)
            settings.worker_commands.push_back(command.toStdString());
    }
    settings.gpus_each = value("gpu/each", 1).toInt();
    settings.device = value("gpu/device", 0).toInt();
    const auto cache = parse_cache(value("gpu/cache").toString().toStdString());
    settings.cache = cache.value_or(Cache::Hot);
    settings.cache_given = cache.has_value();
    return settings;
}

void Settings::set_gpu(const GpuSettings& settings) {
    put("gpu/worker", QString::fromStdString(settings.worker_command));
    QStringList more;
    for (std::size_t i = 1; i < settings.worker_commands.size(); ++i)
        more << QString::fromStdString(settings.worker_commands[i]);
    put("gpu/more_workers", more);
    put("gpu/each", settings.gpus_each);
    put("gpu/device", settings.device);
    if (settings.cache_given) put("gpu/cache", QString::fromLatin1(to_string(settings.cache)));
}

QString Settings::default_sessions_folder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/cubinlab/sessions");
}
QString Settings::sessions_folder() const {
    const QString folder = value("files/sessions").toString();
    return folder.isEmpty() ? default_sessions_folder() : folder;
}
void Settings::set_sessions_folder(const QString& folder) {
    put("files/sessions", folder == default_sessions_folder() ? QString() : folder);
}

QStringList Settings::layouts() const {
    QSettings file = store();
    file.beginGroup(QStringLiteral("layouts"));
    QStringList names = file.childKeys();
    names.sort(Qt::CaseInsensitive);
    return names;
}
QByteArray Settings::layout(const QString& name) const {
    return store().value(QStringLiteral("layouts/") + name).toByteArray();
}
void Settings::save_layout(const QString& name, const QByteArray& state) {
    store().setValue(QStringLiteral("layouts/") + name, state);
}
void Settings::remove_layout(const QString& name) {
    store().remove(QStringLiteral("layouts/") + name);
}

}  // namespace cubinlab::ui
