// SPDX-License-Identifier: GPL-3.0-or-later
// Shows one placed graph: zoom (wheel, + and -), pan (drag, Shift+arrows), fit (F), arrow keys along edges
// and layers, Home and End, C for the critical path, and a minimap if not everything is in view. It knows
// nodes only; GraphView and FlowView map them to instructions.
#pragma once
#include <QPixmap>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/graph/graph_painter.h"

namespace cubinlab::ui {

class GraphCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit GraphCanvas(QWidget* parent = nullptr);
    ~GraphCanvas() override;

    // Null: nothing to show; `message` says why (empty, busy, error).
    void set_graph(PlacedGraphPtr graph, bool keep_view = false);
    void set_message(const QString& message, bool busy = false);
    PlacedGraphPtr graph() const { return painter_ ? painter_->graph() : nullptr; }

    std::uint32_t selected() const { return state_.selected; }
    void set_selected(std::uint32_t node, bool reveal = true);
    void set_kinds(std::uint32_t mask);
    std::uint32_t kinds() const { return state_.kinds; }
    void set_loop_carried(bool on);
    void set_only_neighbourhood(bool on);
    bool only_neighbourhood() const { return state_.only_neighbourhood; }

    double zoom() const { return zoom_; }
    QPointF to_graph(QPointF widget) const;
    QPointF to_widget(QPointF graph) const;
    QRectF node_rect(std::uint32_t node) const;  // in widget pixels
    QRectF minimap_rect() const;                 // empty: everything is in view, or no room
    void reveal(std::uint32_t node);

    // Writes the whole graph; false: the file could not be written.
    bool export_svg(const QString& path) const;
    bool export_png(const QString& path, double scale = 2) const;
    bool export_dot(const QString& path) const;

    QSize sizeHint() const override { return {520, 420}; }

  public Q_SLOTS:
    void fit();
    void zoom_in() { zoom_about(1.25, rect().center()); }
    void zoom_out() { zoom_about(0.8, rect().center()); }
    void actual_size();
    void go_to_critical_path();

  Q_SIGNALS:
    void node_chosen(quint32 node);  // by the user

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void show_readable();  // the whole graph if its text is readable then, else the most important part
    void zoom_about(double factor, QPointF centre);
    void keep_in_view();
    void fill_view();
    void choose(std::uint32_t node);
    bool walk(int key);
    std::uint32_t along_edges(bool down) const;
    std::uint32_t along_layer(int direction) const;
    // A corner where a box of this size covers no visible node; empty: none.
    QRectF free_corner(const QSizeF& size) const;
    bool is_free(const QRectF& box) const;
    void paint_minimap(QPainter& painter);
    void paint_message(QPainter& painter) const;
    void centre_on_minimap(QPointF at);
    void describe_for_accessibility();

    std::unique_ptr<GraphPainter> painter_;
    PaintState state_;
    QString message_;
    bool busy_ = false;
    bool fitted_ = true;          // stays fitted when the widget is resized
    bool chosen_for_me_ = false;  // the user has not moved the view: recompute it for another size
    double text_scale_ = 1;       // chosen text size relative to the default
    double zoom_ = 1;
    QPointF origin_;  // graph point at the widget's top left
    std::optional<QPointF> drag_from_;
    QPointF press_at_;
    bool dragged_ = false;
    bool on_minimap_ = false;
    QRectF held_map_;  // minimap position at the start of a drag in it
    QPixmap minimap_;
};

}  // namespace cubinlab::ui
