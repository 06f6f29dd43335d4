// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

class SvgEngine : public QIconEngine {
  public:
    explicit SvgEngine(QByteArray svg) : svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const ThemeColors& c = Theme::instance().colors();
        QByteArray svg = svg_;
        svg.replace("currentColor", (mode == QIcon::Disabled ? c.text_faint : c.text).name().toLatin1());
        QSvgRenderer renderer(svg);
        renderer.render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SvgEngine(svg_); }

  private:
    QByteArray svg_;
};

}  // namespace

QIcon themed_icon(const QString& name) {
    QFile file(QStringLiteral(":/cubinlab/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new SvgEngine(file.readAll()));
}

QIcon app_icon() {
    return QIcon(QStringLiteral(":/cubinlab/cubinlab.svg"));
}

}  // namespace cubinlab::ui
