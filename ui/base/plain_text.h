// SPDX-License-Identifier: GPL-3.0-or-later
// Names and texts come from files of others and must not be rendered as HTML. Qt guesses for every label and
// tooltip whether a text is HTML; this class turns that off:
//
//   a label          is plain, unless setTextFormat(Qt::RichText) was called and its text is escaped
//   a toolTip()      of a widget, and ToolTipRole of a model, is plain
//   plain_tip(text)  is for QToolTip::showText(), which has no format of its own
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
