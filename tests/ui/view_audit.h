// SPDX-License-Identifier: GPL-3.0-or-later
// What every view owes to people who do not see it well, or not at all: names, an order for Tab, contrast.
#pragma once
#include <QString>
#include <QStringList>

class QWidget;

namespace cubinlab::ui::test {

// Widgets that take the keyboard or the mouse and have neither a name nor a text.
QStringList nameless(const QWidget& root);

// Steps of Tab inside the view that go against reading: up, or to the left in a row.
QStringList against_reading(const QWidget& root);

// Of a window: widgets that Tab does not come to, pressed again and again from the first one (a widget that gives the
// keyboard back to the one before it catches Tab between the two). Of a part of one: widgets that Tab does not leave.
QStringList not_reached(QWidget& root);

// Widgets that look the same with the keyboard and without it, and so does all beside them.
QStringList unseen_focus(QWidget& root);

// All of these, and the contrast of its texts in both themes, at the scale of this process. Fails the case with what is wrong;
// with CUBINLAB_ACCESS_TABLE=FILE a row of a table is added to it, with CUBINLAB_ACCESS_PICTURES=FOLDER the pictures.
void audit_view(const QString& name, QWidget& view);
void audit_contrast(const QString& name, QWidget& view);

}  // namespace cubinlab::ui::test
