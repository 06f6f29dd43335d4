// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the desktop is dark, and when that changes: the setting that desktops publish over the session bus
// (XDG desktop portal, org.freedesktop.appearance color-scheme). Qt supports it from 6.5; this serves older
// versions. It never blocks; without a bus or portal it reports nothing.
#pragma once
#include <QObject>

class QDBusMessage;

namespace cubinlab::ui {

class SystemAppearance : public QObject {
    Q_OBJECT

  public:
    static SystemAppearance& instance();
    // 0: no preference, 1: dark, 2: light (org.freedesktop.appearance). Also for tests.
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
