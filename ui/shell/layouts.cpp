// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/layouts.h"

#include <QDockWidget>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QResizeEvent>
#include <QTimer>
#include <algorithm>
#include <set>
#include <utility>

#include "ui/base/message_bar.h"
#include "ui/shell/main_window.h"

namespace cubinlab::ui {
namespace {

struct BuiltIn {
    const char* id;
    std::set<QString> hidden;           // docks that this work does not need
    std::vector<const char*> in_front;  // of their tabs
    double below;                       // share of the window's height for the docks below the listings
    double right;                       // share of its width for the docks at the right
    double rewards;                     // share of the lower docks' width for the rewards
};

const std::vector<BuiltIn>& all_built_in() {
    static const std::vector<BuiltIn> list = {
        {"hand", {QStringLiteral("dock_rewards")}, {"dock_graph", "dock_history"}, 0.24, 0.30, 0},
        {"agent", {}, {"dock_graph", "dock_rewards", "dock_mutations"}, 0.46, 0.22, 0.55},
        {"audit", {}, {"dock_flow", "dock_replay"}, 0.44, 0.24, 0.34}};
    return list;
}

void size_built_in(MainWindow& window, const BuiltIn& layout) {
    QList<QDockWidget*> right, below;
    QList<int> widths, heights;
    for (QDockWidget* dock : window.docks()) {
        if (!dock->isVisible() || dock->isFloating()) continue;
        if (window.dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
            right << dock;
            widths << static_cast<int>(window.width() * layout.right);
        } else if (window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea) {
            below << dock;
            heights << static_cast<int>(window.height() * layout.below);
        }
    }
    if (!right.isEmpty()) window.resizeDocks(right, widths, Qt::Horizontal);
    if (!below.isEmpty()) window.resizeDocks(below, heights, Qt::Vertical);
    QDockWidget* rewards = window.dock(QStringLiteral("dock_rewards"));
    QDockWidget* log = window.dock(QStringLiteral("dock_mutations"));
    if (layout.rewards > 0 && rewards != nullptr && log != nullptr) {
        const int width = window.width() - static_cast<int>(window.width() * layout.right);
        const int part = static_cast<int>(width * layout.rewards);
        window.resizeDocks({rewards, log}, {part, width - part}, Qt::Horizontal);
    }
}

int extent(const QSize& size, Qt::Orientation along) {
    return along == Qt::Vertical ? size.height() : size.width();
}

constexpr int kNearLeast = 24;

}  // namespace

int rows_of(int window) {
    return std::clamp(window / 3, 180, 380);
}

QStringList built_in_layouts() {
    QStringList ids;
    for (const BuiltIn& layout : all_built_in())
        ids << QString::fromLatin1(layout.id);
    return ids;
}

QString title_of_layout(const QString& id) {
    if (id == QLatin1String("hand")) return Layouts::tr("Hand tuning");
    if (id == QLatin1String("agent")) return Layouts::tr("Watch agent");
    if (id == QLatin1String("audit")) return Layouts::tr("Replay and audit");
    return id;
}

void apply_built_in_layout(MainWindow& window, const QString& id) {
    const auto found = std::find_if(all_built_in().begin(), all_built_in().end(),
                                    [&](const BuiltIn& layout) { return id == QLatin1String(layout.id); });
    if (found == all_built_in().end() || !window.document().is_open()) return;
    window.set_dock_layout(window.default_layout());
    for (QDockWidget* dock : window.docks())
        if (found->hidden.count(dock->objectName()) != 0) dock->hide();
    for (const char* name : found->in_front)
        if (QDockWidget* dock = window.dock(QString::fromLatin1(name))) MainWindow::bring_forward(dock);
    // Sizes take effect once the restored layout has settled.
    QTimer::singleShot(0, &window, [&window, layout = *found] { size_built_in(window, layout); });
}

Layouts::Layouts(MainWindow& window, QObject* parent) : QObject(parent), window_(window) {}

QString Layouts::clean_name(const QString& name) {
    QString clean = name.simplified().left(40);
    clean.replace(QLatin1Char('/'), QLatin1Char('-')).replace(QLatin1Char('\\'), QLatin1Char('-'));
    return clean;
}

void Layouts::fill_menu(QMenu* menu) {
    menu->clear();
    Commands& commands = window_.commands();
    for (const QString& id : built_in_layouts())
        menu->addAction(commands[QStringLiteral("layout.") + id]);
    const QStringList own = window_.settings().layouts();
    if (!own.isEmpty()) menu->addSeparator();
    for (const QString& name : own)
        menu->addAction(name, this, [this, name] { apply(name); });
    menu->addSeparator();
    menu->addAction(commands[QStringLiteral("layout.save")]);
    if (!own.isEmpty()) {
        QMenu* remove_menu = menu->addMenu(tr("&Delete"));
        for (const QString& name : own)
            remove_menu->addAction(name, this, [this, name] { remove(name); });
    }
    menu->addAction(commands[QStringLiteral("view.reset")]);
}

bool Layouts::apply(const QString& name) {
    const QByteArray state = window_.settings().layout(name);
    if (state.isEmpty() || !window_.set_dock_layout(state)) {
        window_.messages().post(MessageKind::Warning, tr("Cannot use the layout \"%1\"").arg(name),
                                tr("It was saved by another version. Arrange the docks and save it again."),
                                10);
        return false;
    }
    return true;
}

void Layouts::save(const QString& name) {
    const QString clean = clean_name(name);
    if (clean.isEmpty()) return;
    window_.settings().save_layout(clean, window_.dock_layout());
    window_.messages().post(MessageKind::Done, tr("Layout saved"),
                            tr("View > Layout > %1 restores it.").arg(clean), 6);
}

void Layouts::remove(const QString& name) {
    const QByteArray state = window_.settings().layout(name);
    window_.settings().remove_layout(name);
    window_.messages().post(
        MessageKind::Info, tr("Layout deleted"), name, 10,
        {{tr("Undo"), [this, name, state] { window_.settings().save_layout(name, state); }}});
}

void Layouts::ask_and_save() {
    auto* dialog = new QInputDialog(&window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save the layout"));
    dialog->setLabelText(tr("Name of this dock layout (an existing name is replaced):"));
    connect(dialog, &QInputDialog::textValueSelected, this, &Layouts::save);
    dialog->open();
}

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
        for (Side* side : {&rows_, &columns_})
            side->window = side->least = 0, side->most = QWIDGETSIZE_MAX;
    }
    return QObject::eventFilter(watched, event);
}

// The largest: beside tabs a dock is as high as they and their bar together, which is what a resize counts.
QDockWidget* DockRoom::dock_along(Qt::Orientation along) const {
    QDockWidget* largest = nullptr;
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!dock->isVisible() || dock->isFloating() || dock->visibleRegion().isEmpty()) continue;
        const Qt::DockWidgetArea area = window_->dockWidgetArea(dock);
        const bool bottom = area == Qt::BottomDockWidgetArea || area == Qt::TopDockWidgetArea;
        if (bottom != (along == Qt::Vertical)) continue;
        if (largest == nullptr || extent(dock->size(), along) > extent(largest->size(), along))
            largest = dock;
    }
    return largest;
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
    side.least = 0;
    side.most = QWIDGETSIZE_MAX;
    if (side.window == 0) return;
    const bool back = now >= side.window;
    if (back) side.window = 0;
    // In a narrower window the listings need the width.
    if (!back && side.along == Qt::Horizontal) return;
    side.least = back ? side.docks : std::min(side.docks, rows_of(now));
    // Likewise, not only the listings lose height.
    if (!back) side.most = std::max(side.least, side.docks * now / side.window);
    QTimer::singleShot(0, this, [this, &side] { keep_within(side); });
}

// Docks that changed their places have the sizes that Qt gave them there.
void DockRoom::docks_moved() {
    QTimer::singleShot(0, this, [this] {
        for (const Side* side : {&rows_, &columns_})
            keep_within(*side);
    });
}

void DockRoom::keep_within(const Side& side) {
    widen(side.along, side.least);
    QDockWidget* dock = dock_along(side.along);
    if (dock != nullptr && extent(dock->size(), side.along) > side.most)
        window_->resizeDocks({dock}, {side.most}, side.along);
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
