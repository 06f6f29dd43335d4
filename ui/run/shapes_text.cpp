// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/shapes_text.h"

#include <QCoreApplication>

namespace cubinlab::ui {

QString slower_text(const ShapeFigures& shapes, double mean) {
    const auto names = slower_shapes(shapes);
    if (names.empty()) return {};
    const QString text = mean > 0 ? QCoreApplication::translate(
                                        "measured", "SLOWER in %1, %2 of %3 shapes, while the mean gains.")
                                  : QCoreApplication::translate("measured", "SLOWER in %1, %2 of %3 shapes.");
    return text.arg(QString::fromStdString(names_in_short(names)), QString::number(names.size()),
                    QString::number(shapes.size()));
}

}  // namespace cubinlab::ui
