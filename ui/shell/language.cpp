// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QTranslator>

#include "ui/base/english_plurals.h"
#include "ui/shell/words_of_qt.h"

#ifdef CUBINLAB_TRANSLATIONS
// Resources of a static library are linked in by naming them, outside of any namespace.
static void init_translations() {
    Q_INIT_RESOURCE(translations);
}
#endif

namespace cubinlab::ui {
namespace {

const auto kStart = QStringLiteral("cubinlab_");

void install(QCoreApplication& app, const QString& file, const QString& folder) {
    auto* translator = new QTranslator(&app);
    if (translator->load(file, folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

}  // namespace

QStringList catalogues() {
#ifdef CUBINLAB_TRANSLATIONS
    init_translations();
#endif
    QStringList found;
    for (const QString& name :
         QDir(QStringLiteral(":/translations")).entryList({kStart + QStringLiteral("*.qm")}))
        found << name.mid(kStart.size()).chopped(3);
    return found;
}

QString language_among(const QStringList& ui_languages) {
    const QStringList known = catalogues();
    for (const QString& wanted : ui_languages) {
        const QString language = wanted.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0);
        if (language == QLatin1String("en") || language == QLatin1String("C")) return {};
        if (known.contains(language)) return language;
    }
    return {};
}

void install_language(QCoreApplication& app, const QString& language) {
    QCoreApplication::installTranslator(new EnglishPlurals(&app));
    if (language.isEmpty()) return;
    const QString of_qt = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    install(app, QStringLiteral("qtbase_") + language, of_qt);
    install(app, QStringLiteral("qscintilla_") + language, of_qt);
    install(app, kStart + language, QStringLiteral(":/translations"));
}

}  // namespace cubinlab::ui
