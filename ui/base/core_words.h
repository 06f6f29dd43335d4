// SPDX-License-Identifier: GPL-3.0-or-later
// Words of core that the window shows by themselves, in its language: what a run is at and how it ended, what became of
// a kernel of a campaign, where a listing's text came from, what holds kernels, reasons to wait. Of sentences those that
// the Kernel dock says of every kernel; others stay as they are.
#pragma once
#include <QString>
#include <string>

namespace cubinlab::ui {

QString core_word(const QString& word);  // one that is not known: itself
inline QString core_word(const std::string& word) {
    return core_word(QString::fromStdString(word));
}

// A sentence, part by part (parts end at "; "), with what stands in it. A part that is not known: itself.
QString core_sentence(const QString& sentence);
inline QString core_sentence(const std::string& sentence) {
    return core_sentence(QString::fromStdString(sentence));
}

}  // namespace cubinlab::ui
