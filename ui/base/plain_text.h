// SPDX-License-Identifier: GPL-3.0-or-later
// Names and texts come out of files that others wrote: none of them is a page to be laid out. Qt guesses, for
// every label and tool tip, whether a text looks like HTML. Here it does not guess:
//
//   a label          is plain unless it was told setTextFormat(Qt::RichText), with what it shows escaped
//   a toolTip()      of a widget, and ToolTipRole of a model, is plain
//   plain_tip(text)  for QToolTip::showText(), which has no format of its own
#pragma once
#include <QObject>
#include <QString>

namespace cubinlab::ui {

// What QToolTip shows exactly as `text`, tags and all.
QString plain_tip(const QString& text);

class PlainText : public QObject {
  public:
    static void keep();  // from now on, in the whole application

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    using QObject::QObject;
};

}  // namespace cubinlab::ui
