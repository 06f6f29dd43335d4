// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of text as it stands in the pixels. A view is painted twice at once, with its texts and without them; where
// the two pictures differ there is ink, and the second picture has what lies below it. A text's contrast is that of
// its strongest pixel of ink (thin strokes are blended, so a text that reaches a ratio here has at least that ratio)
// by WCAG 2's formula, 1 to 21. Nothing is taken from the theme's tables.
#pragma once
#include <QImage>
#include <QRect>
#include <QString>
#include <functional>
#include <vector>

class QPainter;
class QWidget;

namespace cubinlab::ui::test {

struct TextRun {
    QString text;
    QRect place;  // device pixels of the view
    double contrast = 0;
    QRgb ink = 0, ground = 0;  // of the strongest pixel
    int pixels = 0;            // of ink
    QString font;
};

struct TextAudit {
    QImage picture;
    std::vector<TextRun> runs;  // with a letter or a digit, and visible
    double lowest() const;
    QString below(double ratio) const;  // each text under it, a line; empty if none is
};

double contrast_of(QRgb a, QRgb b);

// A widget with all that lies in it, as it is shown; charts and listings paint without their buffers.
TextAudit audit_text(QWidget& widget);

// What `paint` paints on a surface of this size.
TextAudit audit_painting(QSize size, double scale, int dpi, const std::function<void(QPaintDevice*)>& paint);

}  // namespace cubinlab::ui::test
