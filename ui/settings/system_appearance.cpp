// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/system_appearance.h"

#ifdef CUBINLAB_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QVariant>
#endif

namespace cubinlab::ui {
namespace {

constexpr uint kDark = 1;
#ifdef CUBINLAB_DBUS
const char* const kGroup = "org.freedesktop.appearance";
const char* const kKey = "color-scheme";

// The value comes wrapped in one variant by ReadOne and in two by the older Read.
uint unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>() && value.userType() == qMetaTypeId<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}
#endif

}  // namespace

SystemAppearance& SystemAppearance::instance() {
    static auto* appearance = new SystemAppearance;  // never ends: the bus outlives the program's statics
    return *appearance;
}

SystemAppearance::SystemAppearance() {
    ask_portal();
}

void SystemAppearance::take_scheme(uint scheme) {
    Q_EMIT changed(scheme == kDark);
}

void SystemAppearance::portal_changed(const QDBusMessage& message) {
#ifdef CUBINLAB_DBUS
    const QList<QVariant> values = message.arguments();
    if (values.size() == 3 && values[0].toString() == QLatin1String(kGroup) &&
        values[1].toString() == QLatin1String(kKey))
        take_scheme(unwrapped(values[2]));
#else
    (void)message;
#endif
}

void SystemAppearance::ask_portal() {
#ifdef CUBINLAB_DBUS
    // Without a bus address Qt would try to launch one, which takes time and leaves a process behind.
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
    const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
    const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
    // From any sender: naming one would make Qt ask the bus who that is, and wait for the answer.
    bus.connect(QString(), path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(portal_changed(QDBusMessage)));
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    call << QString::fromLatin1(kGroup) << QString::fromLatin1(kKey);
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 3000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError()) take_scheme(unwrapped(QVariant::fromValue(reply.value())));
        done->deleteLater();
    });
#endif
}

}  // namespace cubinlab::ui
