// SPDX-License-Identifier: GPL-3.0-or-later
// What people call a kernel, in titles and choices: "demo::saxpy<float, 4>" for _ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i.
#pragma once
#include <QString>
#include <QStringList>

namespace cubinlab::ui {

QString called(const QString& name);  // the name itself where it is none of C++'s

// The same of each; those that are called alike with as much more as tells them apart.
QStringList called(const QStringList& names);

// For a tooltip: the whole name, and the one in the file where that is another.
QString whole_name(const QString& name);

}  // namespace cubinlab::ui
