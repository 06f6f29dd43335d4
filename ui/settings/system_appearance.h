// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the desktop is dark, and when it changes: the setting that desktops publish for programs (XDG
// desktop portal, org.freedesktop.appearance color-scheme) over the session bus. Qt tells of it itself
// from 6.5 on; this serves the versions before. Asks and listens without waiting; with no bus or no portal it
// stays silent.
#pragma once
#include <QObject>

class QDBusMessage;

namespace cubinlab::ui {

class SystemAppearance : public QObject {
    Q_OBJECT

  public:
    static SystemAppearance& instance();
    // 0: no wish, 1: dark, 2: light (org.freedesktop.appearance). Also for tests.
    void take_scheme(uint scheme);

  Q_SIGNALS:
    void changed(bool dark);

  private Q_SLOTS:
    void portal_changed(const QDBusMessage& message);

  private:
    SystemAppearance();
    void ask_portal();
};

}  // namespace cubinlab::ui
