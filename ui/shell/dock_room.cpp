// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/dock_room.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QResizeEvent>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace cubinlab::ui {
namespace {

int extent(const QSize& size, Qt::Orientation along) {
    return along == Qt::Vertical ? size.height() : size.width();
}

constexpr int kNearLeast = 24;

// Default height of the docks below in a window of this height (MainWindow::size_docks).
int rows_of(int window) {
    return std::clamp(window / 3, 230, 380);
}

}  // namespace

DockRoom::DockRoom(QMainWindow* window) : QObject(window), window_(window), size_(window->size()) {
    window->installEventFilter(this);
    for (QDockWidget* dock : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        dock->installEventFilter(this);
}

// A layout receives its window's resize before any filter, so the docks already have the new size here.
bool DockRoom::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == window_) {
        const QSize before = std::exchange(size_, window_->size());
        for (Side* side : {&rows_, &columns_})
            window_resized(*side, extent(before, side->along), extent(size_, side->along));
        look();
    } else if (event->type() == QEvent::Resize && window_->size() == size_) {
        look();
    } else if (event->type() == QEvent::MouseButtonPress && watched == window_) {
        // On the window itself and not on a child: on a splitter between docks.
        rows_.window = columns_.window = 0;
    }
    return QObject::eventFilter(watched, event);
}

QDockWidget* DockRoom::dock_along(Qt::Orientation along) const {
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!dock->isVisible() || dock->isFloating() || dock->visibleRegion().isEmpty()) continue;
        const Qt::DockWidgetArea area = window_->dockWidgetArea(dock);
        const bool bottom = area == Qt::BottomDockWidgetArea || area == Qt::TopDockWidgetArea;
        if (bottom == (along == Qt::Vertical)) return dock;
    }
    return nullptr;
}

int DockRoom::size_of_docks(Qt::Orientation along) const {
    const QDockWidget* dock = dock_along(along);
    return dock == nullptr ? 0 : extent(dock->size(), along);
}

void DockRoom::window_resized(Side& side, int before, int now) {
    // Without docks, on the start page, there is no room to give back.
    if (now < before && side.window == 0 && side.seen > 0) {
        side.window = before;
        side.docks = side.seen;
    }
    if (side.window == 0) return;
    const bool back = now >= side.window;
    if (back) side.window = 0;
    // In a narrower window the listings need the width.
    if (!back && side.along == Qt::Horizontal) return;
    const int least = back ? side.docks : std::min(side.docks, rows_of(now));
    // Likewise, not only the listings lose height.
    const int most = back ? QWIDGETSIZE_MAX : std::max(least, side.docks * now / side.window);
    QTimer::singleShot(0, this, [this, along = side.along, least, most] { keep_within(along, least, most); });
}

void DockRoom::keep_within(Qt::Orientation along, int least, int most) {
    widen(along, least);
    QDockWidget* dock = dock_along(along);
    if (dock != nullptr && extent(dock->size(), along) > most) window_->resizeDocks({dock}, {most}, along);
}

void DockRoom::widen(Qt::Orientation along, int wanted) {
    QDockWidget* dock = dock_along(along);
    if (dock != nullptr && extent(dock->size(), along) < wanted)
        window_->resizeDocks({dock}, {wanted}, along);
}

void DockRoom::give_share() {
    const QDockWidget* dock = dock_along(Qt::Vertical);
    if (dock != nullptr && dock->height() <= dock->minimumSizeHint().height() + kNearLeast)
        widen(Qt::Vertical, rows_of(window_->height()));
}

void DockRoom::look() {
    for (Side* side : {&rows_, &columns_})
        side->seen = size_of_docks(side->along);
}

}  // namespace cubinlab::ui
