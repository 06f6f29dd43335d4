// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "tests/support/catch.h"
#include "ui/base/english_plurals.h"

TEST_CASE("numbers choose the English form") {
    cubinlab::ui::EnglishPlurals plurals;
    CHECK(plurals.translate("x", "%n place(s)", nullptr, 1) == QStringLiteral("%n place"));
    CHECK(plurals.translate("x", "%n place(s)", nullptr, 0) == QStringLiteral("%n places"));
    CHECK(plurals.translate("x", "no number(s)", nullptr, -1).isNull());
    CHECK(QCoreApplication::translate("x", "%n other legal position(s)", nullptr, 3) ==
          QStringLiteral("3 other legal positions"));
}
