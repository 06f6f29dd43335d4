// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace cubinlab::ui {
namespace {

constexpr int kRecentLimit = 10;
constexpr int kLayoutVersion = 1;  // raised when docks are renamed; an older layout is dropped then

QSettings store() {
    return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("cubinlab"),
                     QStringLiteral("cubinlab"));
}

QVariant value(const char* key, const QVariant& otherwise = {}) {
    return store().value(QLatin1String(key), otherwise);
}
void put(const char* key, const QVariant& what) {
    store().setValue(QLatin1String(key), what);
}

}  // namespace

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

int Settings::mono_points() const {
    return value("look/listing_points", 9).toInt();
}
void Settings::set_mono_points(int points) {
    put("look/listing_points", points);
}

QStringList Settings::recent() const {
    return value("files/recent").toStringList();
}

void Settings::add_recent(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
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
    request.evaluator = value("agent/evaluator", request.evaluator).toString();
    request.budget = value("agent/budget", request.budget).toString();
    request.seed = value("agent/seed", QVariant::fromValue<qulonglong>(request.seed)).toULongLong();
    return request;
}

void Settings::set_last_request(const RunRequest& request) {
    put("agent/name", request.agent);
    put("agent/evaluator", request.evaluator);
    put("agent/budget", request.budget);
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

QString Settings::last_folder() const {
    return value("files/folder", QDir::homePath()).toString();
}
void Settings::set_last_folder(const QString& folder) {
    put("files/folder", folder);
}

}  // namespace cubinlab::ui
