// SPDX-License-Identifier: GPL-3.0-or-later
// Words of core that the window shows by themselves, in its language: what a run is at and how it ended, what became of
// a kernel of a campaign, where a listing's text came from, what holds kernels, reasons to wait. A sentence of core stays as it is.
#pragma once
#include <QString>
#include <string>

namespace cubinlab::ui {

QString core_word(const QString& word);  // one that is not known: itself
inline QString core_word(const std::string& word) {
    return core_word(QString::fromStdString(word));
}

}  // namespace cubinlab::ui
