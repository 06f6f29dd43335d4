// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window's texts: the first of the desktop's languages (LANGUAGE, LC_ALL, LC_MESSAGES, LANG) that is
// English or that there is a catalogue of (resources/translations), else English. Texts that come from core (why something
// failed, why a move is refused), the command line and what is written into files are English in every language.
#pragma once
#include <QStringList>

class QCoreApplication;

namespace cubinlab::ui {

QStringList catalogues();                                 // "de"; those built in, without English
QString language_among(const QStringList& ui_languages);  // "de" of {"de-AT", "de", "en"}; empty: English
// Once, before the first text is made. Qt's own texts (OK, Cancel) come from Qt's catalogues, where they are installed.
void install_language(QCoreApplication& app, const QString& language);

}  // namespace cubinlab::ui
