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

}  // namespace

std::vector<MessageAction> ways_to_use(const QString& cubin, const std::filesystem::path& original) {
    std::vector<MessageAction> out{
        {QObject::tr("Show file"),
         [cubin] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(cubin).absolutePath())); }}};
    const auto copy = [&](const QString& text, const QString& command) {
        out.push_back({text, [command] { QGuiApplication::clipboard()->setText(command); }});
    };
    const QString path = quoted(QFileInfo(cubin).absoluteFilePath());
    copy(QObject::tr("Copy run command"), QStringLiteral("cubinlab run --with %1 -- PROGRAM ARGS").arg(path));
    copy(QObject::tr("Copy install command"), QStringLiteral("cubinlab install %1 --into PROGRAM").arg(path));
    const QString from = QString::fromStdString(original.string());
    if (QFileInfo::exists(from))
        copy(QObject::tr("Copy patch command"),
             QStringLiteral("cubinlab patch make %1 %2").arg(quoted(from), path));
    return out;
}

}  // namespace cubinlab::ui
