// SPDX-License-Identifier: GPL-3.0-or-later
// How GraphCanvas looks: the graph, the minimap, and what is shown when there is no graph;
// export.
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "ui/graph/graph_canvas.h"

namespace cubinlab::ui {
namespace {
constexpr int kMapWidth = 150, kMapHeight = 120, kMargin = 10;
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.window);
    if (painter_) {
        painter.save();
        painter.scale(zoom_, zoom_);
        painter.translate(-origin_);
        PaintState state = state_;
        state.zoom = zoom_;
        state.exposed = QRectF(origin_, QSizeF(width(), height()) / zoom_);
        painter_->paint(painter, state, colors, Theme::instance().mono_font());
        painter.restore();
        paint_minimap(painter);
    }
    if (!message_.isEmpty()) paint_message(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GraphCanvas::paint_message(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (painter_) {  // a newer graph is pending: the old one stays readable
        const QFontMetrics metrics(font());
        const QRect box(kMargin, kMargin, metrics.horizontalAdvance(message_) + 20, metrics.height() + 10);
        painter.setPen(colors.border);
        painter.setBrush(colors.raised);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(colors.text_dim);
        painter.drawText(box, Qt::AlignCenter, message_);
        return;
    }
    painter.setPen(busy_ ? colors.text_dim : colors.text_faint);
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, message_);
}

QRectF GraphCanvas::free_corner(const QSizeF& size) const {
    const double right = width() - kMargin - size.width(), below = height() - kMargin - size.height();
    const QPointF corners[] = {{right, below}, {kMargin, below}, {right, kMargin}, {kMargin, kMargin}};
    for (const QPointF& corner : corners)
        if (const QRectF box(corner, size); is_free(box)) return box;
    return {};
}

bool GraphCanvas::is_free(const QRectF& box) const {
    bool free = true;
    const auto count = static_cast<std::uint32_t>(painter_->graph()->layout.nodes.size());
    for (std::uint32_t node = 0; free && node < count; ++node)
        free = !box.intersects(node_rect(node));
    return free;
}

QRectF GraphCanvas::minimap_rect() const {
    if (!painter_ || width() < 380 || height() < 260) return {};
    if (on_minimap_) return held_map_;
    const QRectF all = painter_->bounds();
    const QRectF view(origin_, QSizeF(width(), height()) / zoom_);
    if (view.contains(all)) return {};
    const double scale = std::min(kMapWidth / all.width(), kMapHeight / all.height());
    const QSizeF size(std::max(24.0, all.width() * scale), std::max(24.0, all.height() * scale));
    return free_corner(size);
}

void GraphCanvas::paint_minimap(QPainter& painter) {
    const QRectF box = minimap_rect();
    if (box.isEmpty()) return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF all = painter_->bounds();
    const double sx = box.width() / all.width(), sy = box.height() / all.height();
    if (minimap_.isNull()) {
        minimap_ = QPixmap((box.size() * devicePixelRatioF()).toSize());
        minimap_.setDevicePixelRatio(devicePixelRatioF());
        minimap_.fill(colors.raised);
        QPainter map(&minimap_);
        map.scale(sx, sy);
        map.translate(-all.topLeft());
        painter_->paint_overview(map, colors);
    }
    painter.drawPixmap(box.topLeft(), minimap_);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(colors.border);
    painter.drawRect(box);
    const QRectF view(origin_, QSizeF(width(), height()) / zoom_);
    const QRectF frame((view.left() - all.left()) * sx, (view.top() - all.top()) * sy, view.width() * sx,
                       view.height() * sy);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawRect(frame.translated(box.topLeft()).intersected(box));
}

void GraphCanvas::centre_on_minimap(QPointF at) {
    const QRectF box = minimap_rect();
    if (box.isEmpty()) return;
    const QRectF all = painter_->bounds();
    const QPointF in = at - box.topLeft();
    const QPointF centre(all.left() + in.x() / box.width() * all.width(),
                         all.top() + in.y() / box.height() * all.height());
    origin_ = centre - QPointF(width(), height()) / zoom_ / 2;
    fitted_ = chosen_for_me_ = false;
    keep_in_view();
    update();
}

bool GraphCanvas::export_svg(const QString& path) const {
    if (!painter_) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    const QRectF all = painter_->bounds();
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(all.size().toSize());
    svg.setViewBox(QRectF(QPointF(0, 0), all.size()));
    svg.setTitle(painter_->graph()->picture.title);
    QPainter painter(&svg);
    painter.fillRect(QRectF(QPointF(0, 0), all.size()), Theme::instance().colors().window);
    painter.translate(-all.topLeft());
    PaintState state = state_;
    state.zoom = 1;
    painter_->paint(painter, state, Theme::instance().colors(), Theme::instance().mono_font());
    return painter.end() && file.commit();
}

bool GraphCanvas::export_png(const QString& path, double scale) const {
    if (!painter_) return false;
    const QRectF all = painter_->bounds();
    // Image libraries and viewers give up above 32767 pixels a side; large graphs are scaled down to fit.
    scale = std::min({scale, 32000 / all.width(), 32000 / all.height()});
    scale = std::min(scale, std::sqrt(1.5e8 / (all.width() * all.height())));
    QImage image((all.size() * scale).toSize(), QImage::Format_RGB32);
    image.fill(Theme::instance().colors().window);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-all.topLeft());
    PaintState state = state_;
    state.zoom = 1;
    painter_->paint(painter, state, Theme::instance().colors(), Theme::instance().mono_font());
    painter.end();
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && image.save(&file, "PNG") && file.commit();
}

bool GraphCanvas::export_dot(const QString& path) const {
    if (!painter_) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    const std::string text = picture_to_dot(painter_->graph()->picture);
    return file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) &&
           file.commit();
}

}  // namespace cubinlab::ui
