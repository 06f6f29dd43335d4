// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/after_export.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QObject>
#include <QRegularExpression>
#include <QUrl>

namespace cubinlab::ui {
namespace {

// As one word of a shell.
QString quoted(QString path) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./+-]+$"));
    if (plain.match(path).hasMatch()) return path;
    return QLatin1Char('\'') + path.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QString path_of(const QString& cubin) {
    return quoted(QFileInfo(cubin).absoluteFilePath());
}

MessageAction show_file(const QString& cubin) {
    return {QObject::tr("Show file"),
            [cubin] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(cubin).absolutePath())); }};
}

MessageAction copy_command(const QString& text, const QString& command) {
    return {text, [command] { QGuiApplication::clipboard()->setText(command); }};
}

}  // namespace

std::vector<MessageAction> ways_to_use_recompiled(const QString& cubin) {
    return {show_file(cubin), copy_command(QObject::tr("Copy run command"),
                                           QStringLiteral("cubinlab run --with %1 -- PROGRAM ARGS").arg(path_of(cubin)))};
}

std::vector<MessageAction> ways_to_use(const QString& cubin, const std::filesystem::path& original) {
    std::vector<MessageAction> out = ways_to_use_recompiled(cubin);
    out.push_back(copy_command(QObject::tr("Copy install command"),
                               QStringLiteral("cubinlab install %1 --into PROGRAM").arg(path_of(cubin))));
    const QString from = QString::fromStdString(original.string());
    if (QFileInfo::exists(from))
        out.push_back(copy_command(QObject::tr("Copy patch command"),
                                   QStringLiteral("cubinlab patch make %1 %2").arg(quoted(from), path_of(cubin))));
    return out;
}

}  // namespace cubinlab::ui
