// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/text_contrast.h"

#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/base/qcp.h"
#include "ui/base/qsci.h"

namespace cubinlab::ui::test {
namespace {

struct DrawnText {
    QString text;
    QRect place;
    QString font;
    double contrast;  // as it was drawn; what is painted later may cover it
};

// Of the strongest pixel of ink.
TextRun strongest(const QImage& with, const QImage& without, const QRect& place) {
    TextRun run;
    run.place = place;
    for (int y = place.top(); y <= place.bottom(); ++y) {
        const auto* a = reinterpret_cast<const QRgb*>(with.constScanLine(y));
        const auto* b = reinterpret_cast<const QRgb*>(without.constScanLine(y));
        for (int x = place.left(); x <= place.right(); ++x) {
            if (a[x] == b[x]) continue;
            ++run.pixels;
            if (const double ratio = contrast_of(a[x], b[x]); ratio > run.contrast) {
                run.contrast = ratio;
                run.ink = a[x];
                run.ground = b[x];
            }
        }
    }
    return run;
}

// Hands everything to two pictures, texts to the first alone.
class TwinEngine : public QPaintEngine {
  public:
    TwinEngine(QImage& with, QImage& without) : QPaintEngine(AllFeatures), with_(with), without_(without) {}

    bool begin(QPaintDevice*) override { return a_.begin(&with_) && b_.begin(&without_); }
    bool end() override { return a_.end() && b_.end(); }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& now) override {
        for (QPainter* p : {&a_, &b_}) {
            p->setTransform(now.transform());
            p->setPen(now.pen());
            p->setBrush(now.brush());
            p->setBrushOrigin(now.brushOrigin());
            p->setBackground(now.backgroundBrush());
            p->setBackgroundMode(now.backgroundMode());
            p->setOpacity(now.opacity());
            p->setCompositionMode(now.compositionMode());
            p->setRenderHints(p->renderHints(), false);
            p->setRenderHints(now.renderHints(), true);
        }
    }

    void drawRects(const QRectF* r, int n) override {
        both([&](QPainter& p) { p.drawRects(r, n); });
    }
    void drawRects(const QRect* r, int n) override {
        both([&](QPainter& p) { p.drawRects(r, n); });
    }
    void drawLines(const QLineF* l, int n) override {
        both([&](QPainter& p) { p.drawLines(l, n); });
    }
    void drawLines(const QLine* l, int n) override {
        both([&](QPainter& p) { p.drawLines(l, n); });
    }
    void drawEllipse(const QRectF& r) override {
        both([&](QPainter& p) { p.drawEllipse(r); });
    }
    void drawEllipse(const QRect& r) override {
        both([&](QPainter& p) { p.drawEllipse(r); });
    }
    void drawPath(const QPainterPath& path) override {
        both([&](QPainter& p) { p.drawPath(path); });
    }
    void drawPoints(const QPointF* at, int n) override {
        both([&](QPainter& p) { p.drawPoints(at, n); });
    }
    void drawPoints(const QPoint* at, int n) override {
        both([&](QPainter& p) { p.drawPoints(at, n); });
    }
    void drawPolygon(const QPointF* at, int n, PolygonDrawMode mode) override { polygon(at, n, mode); }
    void drawPolygon(const QPoint* at, int n, PolygonDrawMode mode) override { polygon(at, n, mode); }
    void drawPixmap(const QRectF& r, const QPixmap& pixmap, const QRectF& from) override {
        both([&](QPainter& p) { p.drawPixmap(r, pixmap, from); });
    }
    void drawTiledPixmap(const QRectF& r, const QPixmap& pixmap, const QPointF& s) override {
        both([&](QPainter& p) { p.drawTiledPixmap(r, pixmap, s); });
    }
    void drawImage(const QRectF& r, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags flags) override {
        both([&](QPainter& p) { p.drawImage(r, image, from, flags); });
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        clip(a_);
        a_.drawTextItem(at, item);
        const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        QRect place = a_.transform().mapRect(box).toAlignedRect() & with_.rect();
        if (!systemClip().isEmpty()) place &= systemClip().boundingRect();
        texts.push_back({item.text(), place,
                         QStringLiteral("%1 %2pt").arg(item.font().family()).arg(item.font().pointSizeF()),
                         strongest(with_, without_, place).contrast});
    }

    std::vector<DrawnText> texts;

  private:
    // What the painter clips and what the window clips.
    void clip(QPainter& p) {
        const QTransform transform = p.transform();
        p.resetTransform();
        const QRegion system = systemClip();
        if (system.isEmpty())
            p.setClipping(false);
        else
            p.setClipRegion(system);
        p.setTransform(transform);
        if (painter()->hasClipping())
            p.setClipPath(painter()->clipPath(), system.isEmpty() ? Qt::ReplaceClip : Qt::IntersectClip);
    }
    template <class Draw>
    void both(const Draw& draw) {
        for (QPainter* p : {&a_, &b_}) {
            clip(*p);
            draw(*p);
        }
    }
    template <class Point>
    void polygon(const Point* at, int n, PolygonDrawMode mode) {
        both([&](QPainter& p) {
            if (mode == PolylineMode)
                p.drawPolyline(at, n);
            else if (mode == ConvexMode)
                p.drawConvexPolygon(at, n);
            else
                p.drawPolygon(at, n, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        });
    }

    QImage &with_, &without_;
    QPainter a_, b_;
};

class TwinDevice : public QPaintDevice {
  public:
    TwinDevice(QSize size, double scale, int dpi)
        : scale_(scale), dpi_(dpi), with(size, QImage::Format_RGB32), engine(with, without) {
        with.setDotsPerMeterX(qRound(dpi / 0.0254));
        with.setDotsPerMeterY(qRound(dpi / 0.0254));
        with.fill(Qt::white);
        without = with.copy();
    }
    QPaintEngine* paintEngine() const override { return const_cast<TwinEngine*>(&engine); }

  protected:
    int metric(PaintDeviceMetric m) const override {
        switch (m) {
            case PdmWidth:
                return with.width();
            case PdmHeight:
                return with.height();
            case PdmWidthMM:
                return qRound(with.width() * 25.4 / dpi_);
            case PdmHeightMM:
                return qRound(with.height() * 25.4 / dpi_);
            case PdmNumColors:
                return 1 << 24;
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return qRound(scale_);
            case PdmDevicePixelRatioScaled:
                return qRound(scale_ * devicePixelRatioFScale());
            default:
                return dpi_;
        }
    }

  private:
    double scale_;
    int dpi_;

  public:
    QImage with, without;
    TwinEngine engine;
};

double luminance(QRgb colour) {
    const auto linear = [](int part) {
        const double v = part / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

bool legible(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetterOrNumber(); });
}

TextAudit judged(const TwinDevice& device, double scale) {
    TextAudit audit;
    audit.picture = device.with;
    for (const DrawnText& text : device.engine.texts) {
        if (!legible(text.text)) continue;
        TextRun run = strongest(device.with, device.without, text.place);
        run.text = text.text;
        run.font = text.font;
        // Nearly nothing left of a text that was drawn well: something lies over it, as a label over a listing's line.
        if (run.contrast < 1.5 && text.contrast > 3) continue;
        // Fewer than eight pixels of a plain screen are the edge of a text that is cut or covered.
        if (run.pixels >= 8 * scale * scale) audit.runs.push_back(run);
    }
    return audit;
}

void append(TextAudit& audit, const TextAudit& part, QPoint at) {
    for (TextRun run : part.runs) {
        run.place.translate(at);
        audit.runs.push_back(run);
    }
}

}  // namespace

double TextAudit::lowest() const {
    double least = 21;
    for (const TextRun& run : runs)
        least = std::min(least, run.contrast);
    return least;
}

QString TextAudit::below(double ratio) const {
    QString lines;
    std::set<std::pair<QRgb, QRgb>> told;  // one line for a pair of colours
    for (const TextRun& run : runs) {
        if (run.contrast >= ratio || !told.insert({run.ink, run.ground}).second) continue;
        lines += QStringLiteral("%1 '%2' at %3,%4: #%5 on #%6, %7\n")
                     .arg(run.contrast, 0, 'f', 2)
                     .arg(run.text)
                     .arg(run.place.x())
                     .arg(run.place.y())
                     .arg(run.ink & 0xffffff, 6, 16, QLatin1Char('0'))
                     .arg(run.ground & 0xffffff, 6, 16, QLatin1Char('0'))
                     .arg(run.font);
    }
    return lines;
}

double contrast_of(QRgb a, QRgb b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TextAudit audit_painting(QSize size, double scale, int dpi, const std::function<void(QPaintDevice*)>& paint) {
    TwinDevice device(size * scale, scale, dpi);
    paint(&device);
    return judged(device, scale);
}

TextAudit audit_text(QWidget& widget) {
    std::vector<QsciScintilla*> listings;
    for (auto* listing : widget.findChildren<QsciScintilla*>())
        listings.push_back(listing);
    for (QsciScintilla* listing : listings)
        listing->SendScintilla(QsciScintillaBase::SCI_SETBUFFEREDDRAW, 0L);
    const double scale = widget.devicePixelRatioF();
    TextAudit audit = audit_painting(widget.size(), scale, widget.logicalDpiX(), [&](QPaintDevice* device) {
        QPainter painter(device);
        widget.render(&painter, {}, {}, QWidget::DrawWindowBackground | QWidget::DrawChildren);
    });
    for (QsciScintilla* listing : listings)
        listing->SendScintilla(QsciScintillaBase::SCI_SETBUFFEREDDRAW, 1L);
    for (auto* plot : widget.findChildren<QCustomPlot*>()) {
        if (!plot->isVisibleTo(&widget)) continue;
        const TextAudit chart =
            audit_painting(plot->size(), scale, plot->logicalDpiX(), [&](QPaintDevice* device) {
                QCPPainter painter;
                painter.begin(device);
                plot->toPainter(&painter, plot->width(), plot->height());
            });
        append(audit, chart, plot->mapTo(&widget, QPoint(0, 0)) * scale);
    }
    return audit;
}

}  // namespace cubinlab::ui::test
