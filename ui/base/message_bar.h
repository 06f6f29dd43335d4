// SPDX-License-Identifier: GPL-3.0-or-later
// Messages above the listings that never take the keyboard and never block: errors, refusals, notices, each
// with what can be done about it. The newest of a kind replaces the older one, unless that lasts; three are shown at
// most, fewer where the window has no room for them.
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
    DisabledReason why_not{};  // asked when it is shown, and by update_actions()
};

struct Message {
    MessageKind kind = MessageKind::Info;
    QString title;  // a few words, bold
    QString text;   // sentences
    std::vector<MessageAction> actions;
    int seconds = 0;  // goes by itself after that, unless the pointer is on the bar; 0: stays
    // What it speaks of ("run"), for whoever knows when that is no longer so: clear_about. Empty: it stays true.
    QString about{};
    // True until its `about` is cleared, and said once: what comes later, however much of its kind, leaves it there.
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
    void clear(MessageKind kind);  // but what lasts
    void clear_about(const QString& about);
    void clear_all();
    void clear_all_but(const QStringList& abouts);
    void update_actions();        // asks why_not of each; whenever something changed that one asks for
    QString newest_text() const;  // title and text, for tests and screen readers
    int count() const;

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int room() const;
    void fit();
    QWidget* make(const Message& message);
    void let_go(QWidget* item);
    void remove(QWidget* item);

    QVBoxLayout* layout_;
    std::vector<QWidget*> items_;  // oldest first
};

}  // namespace cubinlab::ui
