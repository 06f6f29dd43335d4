// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_canvas.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/base/plain_text.h"

namespace cubinlab::ui {
namespace {
constexpr double kMinZoom = 0.02, kMaxZoom = 4;
constexpr double kFitMax = 1.25;  // a graph of three nodes is not blown up to fill the dock
constexpr int kUsualPoints = 9;   // text size at which a graph's texts are as large as its painter draws them
constexpr double kReach = 6;      // pixels around an edge that count as on it

// Texts are drawn at one size and zoomed: a graph whose texts are larger is one that is shown larger.
double letter_scale() {
    return static_cast<double>(Theme::instance().mono_points()) / kUsualPoints;
}
}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 90);
    setAccessibleName(tr("Graph"));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        minimap_ = {};
        if (const double scale = letter_scale(); scale != text_scale_) {
            const double factor = scale / text_scale_;
            text_scale_ = scale;
            if (painter_ && chosen_for_me_)
                show_readable();
            else
                zoom_about(factor, rect().center());
        }
        update();
    });
    text_scale_ = letter_scale();
}

GraphCanvas::~GraphCanvas() = default;

void GraphCanvas::set_graph(PlacedGraphPtr graph, bool keep_view) {
    busy_ = false;
    minimap_ = {};
    state_.hovered_edge = kNoNode;
    if (!graph || graph->picture.nodes.empty()) {
        painter_.reset();
        state_.selected = kNoNode;
        if (graph) message_ = graph->picture.error;
        update();
        return;
    }
    message_.clear();
    painter_ = std::make_unique<GraphPainter>(std::move(graph));
    if (state_.selected >= painter_->graph()->picture.nodes.size()) state_.selected = kNoNode;
    if (!keep_view) show_readable();
    describe_for_accessibility();
    update();
}

void GraphCanvas::set_message(const QString& message, bool busy) {
    message_ = message;
    busy_ = busy;
    if (!busy) {
        painter_.reset();
        state_.selected = kNoNode;
    }
    setAccessibleDescription(message);
    update();
}

void GraphCanvas::set_selected(std::uint32_t node, bool reveal_it) {
    if (!painter_ || node >= painter_->graph()->picture.nodes.size()) node = kNoNode;
    if (node == state_.selected) return;
    state_.selected = node;
    if (node != kNoNode && reveal_it) reveal(node);
    describe_for_accessibility();
    update();
}

void GraphCanvas::set_kinds(std::uint32_t mask) {
    state_.kinds = mask;
    update();
}

void GraphCanvas::set_loop_carried(bool on) {
    state_.loop_carried = on;
    update();
}

void GraphCanvas::set_only_neighbourhood(bool on) {
    state_.only_neighbourhood = on;
    update();
}

QPointF GraphCanvas::to_graph(QPointF widget) const {
    return origin_ + widget / zoom_;
}
QPointF GraphCanvas::to_widget(QPointF graph) const {
    return (graph - origin_) * zoom_;
}

QRectF GraphCanvas::node_rect(std::uint32_t node) const {
    if (!painter_ || node >= painter_->graph()->layout.nodes.size()) return {};
    const LayoutRect& r = painter_->graph()->layout.nodes[node];
    return {to_widget({r.x, r.y}), QSizeF(r.width * zoom_, r.height * zoom_)};
}

void GraphCanvas::fit() {
    fitted_ = true;
    if (!painter_) return;
    const QRectF all = painter_->bounds();
    zoom_ =
        std::clamp(std::min(width() / all.width(), height() / all.height()), kMinZoom, kFitMax * text_scale_);
    origin_ = all.center() - QPointF(width(), height()) / zoom_ / 2;
    update();
}

void GraphCanvas::show_readable() {
    fit();
    chosen_for_me_ = true;
    if (zoom_ >= 0.5 * text_scale_) return;
    fitted_ = false;
    zoom_ = 0.75 * text_scale_;
    const auto& nodes = painter_->graph()->picture.nodes;
    std::uint32_t important = state_.selected != kNoNode ? state_.selected : 0;
    if (state_.selected == kNoNode)
        while (important + 1 < nodes.size() && !nodes[important].emphasised)
            ++important;
    if (!nodes[important].emphasised && state_.selected == kNoNode) important = 0;
    const LayoutRect& r = painter_->graph()->layout.nodes[important];
    origin_ = QPointF(r.centre_x(), r.centre_y()) - QPointF(width(), height() * 0.6) / zoom_ / 2;
    fill_view();
}

void GraphCanvas::actual_size() {
    zoom_about(1 / zoom_, rect().center());
}

void GraphCanvas::zoom_about(double factor, QPointF centre) {
    if (!painter_) return;
    fitted_ = chosen_for_me_ = false;
    const QPointF fixed = to_graph(centre);
    zoom_ = std::clamp(zoom_ * factor, kMinZoom, kMaxZoom);
    origin_ = fixed - centre / zoom_;
    keep_in_view();
    update();
}

// At least a corner of the graph stays on screen.
void GraphCanvas::keep_in_view() {
    if (!painter_) return;
    const QRectF all = painter_->bounds();
    const double w = width() / zoom_, h = height() / zoom_,
                 margin = std::min({60.0, width() / 3.0, height() / 3.0}) / zoom_;
    origin_.setX(std::clamp(origin_.x(), all.left() - w + margin, all.right() - margin));
    origin_.setY(std::clamp(origin_.y(), all.top() - h + margin, all.bottom() - margin));
}

void GraphCanvas::reveal(std::uint32_t node) {
    const QRectF r = node_rect(node);
    if (r.isEmpty() || QRectF(rect()).adjusted(20, 20, -20, -20).contains(r)) return;
    origin_ += (r.center() - QPointF(rect().center())) / zoom_;
    fill_view();
    fitted_ = false;
    update();
}

// No empty canvas beyond the ends of a graph that is larger than the view; a smaller one lies in the middle.
void GraphCanvas::fill_view() {
    const QRectF all = painter_->bounds();
    const auto kept = [](double at, double low, double high, double span) {
        return high - low < span ? (low + high - span) / 2 : std::clamp(at, low, high - span);
    };
    origin_ = {kept(origin_.x(), all.left(), all.right(), width() / zoom_),
               kept(origin_.y(), all.top(), all.bottom(), height() / zoom_)};
}

void GraphCanvas::choose(std::uint32_t node) {
    if (node == kNoNode) return;
    set_selected(node);
    Q_EMIT node_chosen(node);
}

void GraphCanvas::go_to_critical_path() {
    if (!painter_) return;
    const auto& nodes = painter_->graph()->picture.nodes;
    for (std::uint32_t v = 0; v < nodes.size(); ++v)
        if (nodes[v].emphasised) return choose(v);
}

bool GraphCanvas::event(QEvent* e) {
    if (e->type() != QEvent::ToolTip || !painter_) return QWidget::event(e);
    auto* help = static_cast<QHelpEvent*>(e);
    const QPointF at = to_graph(help->pos());
    const std::uint32_t node = painter_->node_at(at);
    QString text;
    if (node != kNoNode) {
        text = painter_->graph()->picture.nodes[node].tooltip;
    } else {
        const std::uint32_t edge = painter_->edge_at(at, kReach / zoom_, state_);
        if (edge != kNoNode) {
            const GraphPicture& picture = painter_->graph()->picture;
            text = picture.text(picture.edges[edge].tooltip);
        }
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
        e->ignore();
    } else {
        QToolTip::showText(help->globalPos(), plain_tip(text), this);
    }
    return true;
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    if (fitted_ || chosen_for_me_) return painter_ ? show_readable() : fit();
    keep_in_view();
}

void GraphCanvas::wheelEvent(QWheelEvent* e) {
    if (e->modifiers() & Qt::ShiftModifier) {
        origin_ -= QPointF(e->angleDelta().y(), 0) / zoom_ / 2;
        fitted_ = chosen_for_me_ = false;
        keep_in_view();
        update();
    } else {
        zoom_about(std::pow(1.0015, e->angleDelta().y()), e->position());
    }
    e->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* e) {
    if (!painter_) return;
    press_at_ = e->position();
    dragged_ = false;
    held_map_ = minimap_rect();
    on_minimap_ = e->button() == Qt::LeftButton && held_map_.contains(e->position());
    if (on_minimap_) return centre_on_minimap(e->position());
    if (e->button() == Qt::LeftButton || e->button() == Qt::MiddleButton) drag_from_ = e->position();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* e) {
    if (!painter_) return;
    if (on_minimap_) return centre_on_minimap(e->position());
    if (drag_from_) {
        if (!dragged_ && (e->position() - press_at_).manhattanLength() < QApplication::startDragDistance())
            return;
        dragged_ = true;
        fitted_ = chosen_for_me_ = false;
        setCursor(Qt::ClosedHandCursor);
        origin_ -= (e->position() - *drag_from_) / zoom_;
        drag_from_ = e->position();
        keep_in_view();
        update();
        return;
    }
    const QPointF at = to_graph(e->position());
    const std::uint32_t node = painter_->node_at(at);
    const std::uint32_t edge = node == kNoNode ? painter_->edge_at(at, kReach / zoom_, state_) : kNoNode;
    setCursor(node != kNoNode ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (edge == state_.hovered_edge) return;
    state_.hovered_edge = edge;
    update();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* e) {
    const bool click = drag_from_ && !dragged_ && !on_minimap_ && e->button() == Qt::LeftButton;
    drag_from_.reset();
    on_minimap_ = false;
    unsetCursor();
    if (click && painter_) choose(painter_->node_at(to_graph(e->position())));
}

void GraphCanvas::keyPressEvent(QKeyEvent* e) {
    if (!painter_) return QWidget::keyPressEvent(e);
    const int step = 60;
    if (e->modifiers() & Qt::ShiftModifier) {
        switch (e->key()) {
            case Qt::Key_Left:
                origin_.rx() -= step / zoom_;
                break;
            case Qt::Key_Right:
                origin_.rx() += step / zoom_;
                break;
            case Qt::Key_Up:
                origin_.ry() -= step / zoom_;
                break;
            case Qt::Key_Down:
                origin_.ry() += step / zoom_;
                break;
            case Qt::Key_Plus:
                return zoom_in();
            default:
                return QWidget::keyPressEvent(e);
        }
        fitted_ = chosen_for_me_ = false;
        keep_in_view();
        return update();
    }
    if (e->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(e);
    switch (e->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom_in();
        case Qt::Key_Minus:
            return zoom_out();
        case Qt::Key_1:
            return actual_size();
        case Qt::Key_F:
        case Qt::Key_0:
            return fit();
        case Qt::Key_C:
            return go_to_critical_path();
        default:
            if (!walk(e->key())) QWidget::keyPressEvent(e);
    }
}

bool GraphCanvas::walk(int key) {
    const auto last = static_cast<std::uint32_t>(painter_->graph()->picture.nodes.size()) - 1;
    const bool none = state_.selected == kNoNode;
    switch (key) {
        case Qt::Key_Home:
            choose(0);
            return true;
        case Qt::Key_End:
            choose(last);
            return true;
        case Qt::Key_Up:
            choose(none ? last : along_edges(false));
            return true;
        case Qt::Key_Down:
            choose(none ? 0 : along_edges(true));
            return true;
        case Qt::Key_Left:
            choose(none ? 0 : along_layer(-1));
            return true;
        case Qt::Key_Right:
            choose(none ? 0 : along_layer(+1));
            return true;
        default:
            return false;
    }
}

// The neighbour on the critical path if there is one, else the nearest layer, then the nearest in x.
std::uint32_t GraphCanvas::along_edges(bool down) const {
    const PlacedGraph& graph = *painter_->graph();
    const std::uint32_t here = state_.selected;
    std::uint32_t best = kNoNode;
    std::tuple<bool, std::uint32_t, float> best_key;
    for (const std::uint32_t e : painter_->edges_of(here)) {
        const PictureEdge& edge = graph.picture.edges[e];
        if (!painter_->shown(e, state_) || edge.loop_carried || (down ? edge.from : edge.to) != here)
            continue;
        const std::uint32_t other = down ? edge.to : edge.from;
        const std::uint32_t a = graph.layout.layer[other], b = graph.layout.layer[here];
        const std::tuple key{
            !edge.emphasised, a > b ? a - b : b - a,
            std::abs(graph.layout.nodes[other].centre_x() - graph.layout.nodes[here].centre_x())};
        if (other == here || (best != kNoNode && key >= best_key)) continue;
        best = other;
        best_key = key;
    }
    return best;
}

std::uint32_t GraphCanvas::along_layer(int direction) const {
    const GraphLayout& layout = painter_->graph()->layout;
    const std::uint32_t here = state_.selected;
    std::uint32_t best = kNoNode;
    for (std::uint32_t v = 0; v < layout.nodes.size(); ++v) {
        const float dx = (layout.nodes[v].x - layout.nodes[here].x) * static_cast<float>(direction);
        if (layout.layer[v] != layout.layer[here] || dx <= 0) continue;
        if (best == kNoNode ||
            dx < (layout.nodes[best].x - layout.nodes[here].x) * static_cast<float>(direction))
            best = v;
    }
    return best;
}

void GraphCanvas::describe_for_accessibility() {
    if (!painter_) return;
    const GraphPicture& picture = painter_->graph()->picture;
    QString text = picture.title;
    if (state_.selected != kNoNode)
        text = tr("%1, selected: %2, %3")
                   .arg(picture.title, picture.nodes[state_.selected].title,
                        picture.nodes[state_.selected].detail);
    setAccessibleDescription(text);
}

}  // namespace cubinlab::ui
