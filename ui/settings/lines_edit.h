// SPDX-License-Identifier: GPL-3.0-or-later
// A plain text field of a few lines in a form: Tab leaves it, and leaving it emits that it was edited.
#pragma once
#include <QFocusEvent>
#include <QPlainTextEdit>
#include <QTextDocument>

namespace cubinlab::ui {

class LinesEdit : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit LinesEdit(QWidget* parent = nullptr) : QPlainTextEdit(parent) {
        setTabChangesFocus(true);
        setLineWrapMode(NoWrap);
        setFixedHeight(fontMetrics().lineSpacing() * 3 + 14);
    }

  Q_SIGNALS:
    void edited();

  protected:
    void focusOutEvent(QFocusEvent* event) override {
        QPlainTextEdit::focusOutEvent(event);
        if (!document()->isModified()) return;
        document()->setModified(false);
        Q_EMIT edited();
    }
};

}  // namespace cubinlab::ui
