// SPDX-License-Identifier: GPL-3.0-or-later
// Non-modal messages below the listings: errors, refusals and notices, each with its actions. They never take
// the keyboard focus. The newest of a kind replaces the older one unless that is lasting. At most three are
// kept. They take at most a sixth of the window's height or one message; a button of the newest shows the others.
#pragma once
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/base/commands.h"

class QVBoxLayout;

namespace cubinlab::ui {

enum class MessageKind { Info, Done, Warning, Error, Refused };

struct MessageAction {
    QString text;
    std::function<void()> run;
    DisabledReason why_not{};  // evaluated when the message is shown, and by update_actions()
};

struct Message {
    MessageKind kind = MessageKind::Info;
    QString title;  // a few words, bold
    QString text;   // sentences
    std::vector<MessageAction> actions;
    int seconds = 0;  // hides after this time, unless the pointer is on the bar; 0: stays
    // Its subject ("run"), for clear_about() when it no longer holds. Empty: it always holds.
    QString about{};
    // Holds until its `about` is cleared; later messages of its kind do not replace it.
    bool lasts = false;
};

class MessageBar : public QWidget {
    Q_OBJECT

  public:
    explicit MessageBar(QWidget* parent = nullptr);
    void post(const Message& message);
    void post(MessageKind kind, const QString& title, const QString& text, int seconds = 0,
              std::vector<MessageAction> actions = {}) {
        post({kind, title, text, std::move(actions), seconds, {}, false});
    }
    void clear(MessageKind kind);  // except lasting ones
    void clear_about(const QString& about);
    void clear_all();
    void clear_all_but(const QStringList& abouts);
    void update_actions();        // evaluates each why_not; call it after a change that affects one
    QString newest_text() const;  // title and text, for tests and screen readers
    int count() const;

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int room() const;
    void fit();
    void show_all_kept();
    QWidget* make(const Message& message);
    void let_go(QWidget* item);
    void remove(QWidget* item);

    QVBoxLayout* layout_;
    std::vector<QWidget*> items_;  // oldest first
    bool all_ = false;             // the user asked for those that are kept back
};

}  // namespace cubinlab::ui
