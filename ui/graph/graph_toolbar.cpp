// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_toolbar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_painter.h"

namespace cubinlab::ui {

GraphToolbar::GraphToolbar(GraphCanvas& canvas, bool dependences, QWidget* parent)
    : QWidget(parent), canvas_(canvas) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(2);
    tools_row_ = new FlowLayout;
    tools_row_->setSpacing(2);
    title_ = new FittingLabel;
    title_->setAccessibleName(tr("Shown graph"));
    column->addWidget(title_);
    column->addLayout(tools_row_);
    kinds_row_ = new FlowLayout;
    kinds_row_->setSpacing(2);
    column->addLayout(kinds_row_);

    if (dependences) {
        whole_loop_ = add_button(tr("Loop"), tr("Show all blocks of the loop around the block"), true);
        whole_loop_->setObjectName(QStringLiteral("graph-whole-loop"));
        connect(whole_loop_, &QToolButton::toggled, this, &GraphToolbar::whole_loop_changed);
        all_nodes_ = add_button(
            tr("All"),
            tr("Show all instructions of a large block, not only its critical path and the selection"), true);
        all_nodes_->setObjectName(QStringLiteral("graph-all-nodes"));
        connect(all_nodes_, &QToolButton::toggled, this, &GraphToolbar::all_nodes_changed);
        auto* loop =
            add_button(tr("Loop-carried"), tr("Show dependences carried to the next iteration"), true);
        loop->setObjectName(QStringLiteral("graph-loop-carried"));
        connect(loop, &QToolButton::toggled, &canvas, &GraphCanvas::set_loop_carried);
        auto* critical = add_button(tr("Critical path"), tr("Go to the critical path (C)"), false);
        connect(critical, &QToolButton::clicked, &canvas, &GraphCanvas::go_to_critical_path);
    }
    auto* near = add_button(tr("Focus neighbours"),
                            tr("Fade everything except the selection and its neighbours"), true);
    near->setObjectName(QStringLiteral("graph-neighbours"));
    connect(near, &QToolButton::toggled, &canvas, &GraphCanvas::set_only_neighbourhood);
    QToolButton* out = add_button(QStringLiteral("\u2212"), tr("Zoom out (-)"), false);
    QToolButton* in = add_button(QStringLiteral("+"), tr("Zoom in (+)"), false);
    QToolButton* fit = add_button(tr("Fit"), tr("Show the whole graph (F)"), false);
    connect(out, &QToolButton::clicked, &canvas, &GraphCanvas::zoom_out);
    connect(in, &QToolButton::clicked, &canvas, &GraphCanvas::zoom_in);
    connect(fit, &QToolButton::clicked, &canvas, &GraphCanvas::fit);
    keep_together({out, in, fit});
    auto* save = add_button(tr("Export"), tr("Save the whole graph as SVG, PNG or DOT"), false);
    auto* menu = new QMenu(save);
    for (const char* suffix : {"svg", "png", "dot"}) {
        const QString s = QString::fromLatin1(suffix);
        connect(menu->addAction(tr("%1 file...").arg(s.toUpper())), &QAction::triggered, this,
                [this, s] { ask_and_export(s); });
    }
    canvas.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&canvas, &QWidget::customContextMenuRequested, this, [this, menu](const QPoint& at) {
        if (canvas_.graph()) menu->popup(canvas_.mapToGlobal(at));
    });
    save->setMenu(menu);
    save->setPopupMode(QToolButton::InstantPopup);
    legend_ = new QLabel(this);
    legend_->setAccessibleName(tr("Colours of the graph"));
    legend_->setTextFormat(Qt::RichText);
    legend_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    legend_->setWordWrap(true);
    legend_->setContentsMargins(8, 1, 8, 2);
    connect(&Theme::instance(), &Theme::changed, this, &GraphToolbar::refresh_kinds);
}

bool GraphToolbar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) show_legend();
    return QWidget::eventFilter(watched, event);
}

// The height of a block tells the tones apart, too, as in the nodes.
void GraphToolbar::show_legend() {
    constexpr int kLow = 240;  // pixels of the view, below which the graph needs them all
    const PlacedGraphPtr graph = canvas_.graph();
    QStringList parts;
    if (graph)
        for (const auto& [tone, text] : graph->picture.legend) {
            const QChar block(tone == Tone::Tight ? 0x2585 : tone == Tone::Loose ? 0x2582 : 0x2588);
            parts << QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3")
                         .arg(color_of(tone, Theme::instance().colors()).name(), block,
                              QString(text).replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
        }
    legend_->setFont(Theme::instance().small_font());
    legend_->setText(parts.join(QStringLiteral(" &nbsp; ")));
    legend_->setVisible(!parts.isEmpty() && parentWidget() != nullptr && parentWidget()->height() >= kLow);
}

QToolButton* GraphToolbar::add_button(const QString& text, const QString& tip, bool checkable) {
    QToolButton* button = text_button(text, tip);
    button->setCheckable(checkable);
    tools_row_->addWidget(button);
    return button;
}

// Keeps them in one line when the row wraps.
void GraphToolbar::keep_together(const std::vector<QToolButton*>& buttons) {
    auto* group = new QWidget;
    auto* line = new QHBoxLayout(group);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(tools_row_->spacing());
    for (QToolButton* button : buttons) {
        tools_row_->removeWidget(button);
        line->addWidget(button);
    }
    tools_row_->addWidget(group);
}

void GraphToolbar::show_graph(const PlacedGraphPtr& graph) {
    setEnabled(graph != nullptr);
    if (!graph) legend_->hide();
    if (!graph) return title_->set_texts({});
    title_->set_texts(QStringList{graph->picture.title} + graph->picture.shorter);
    if (kinds_.size() != graph->picture.kinds.size()) add_kinds(graph->picture);
    std::vector<int> count(kinds_.size(), 0);
    for (const PictureEdge& e : graph->picture.edges)
        if (e.kind < count.size()) ++count[e.kind];
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        kind_buttons_[k]->setText(QStringLiteral("%1 %2").arg(kinds_[k].name).arg(count[k]));
        kind_buttons_[k]->setVisible(count[k] > 0);
    }
}

void GraphToolbar::add_kinds(const GraphPicture& picture) {
    for (QToolButton* button : kind_buttons_)
        button->deleteLater();
    while (QLayoutItem* item = kinds_row_->takeAt(0))
        delete item;
    kind_buttons_.clear();
    kinds_ = picture.kinds;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        auto* button = new QToolButton;
        button->setCheckable(true);
        button->setChecked(true);
        button->setAutoRaise(true);
        button->setProperty("compact", true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize({18, 12});
        button->setToolTip(kinds_[k].about);
        button->setAccessibleName(tr("Show %1 edges").arg(kinds_[k].name));
        button->setObjectName(QStringLiteral("graph-kind-") + kinds_[k].name);
        connect(button, &QToolButton::toggled, this, [this, k](bool on) {
            const std::uint32_t bit = 1U << k;
            canvas_.set_kinds(on ? canvas_.kinds() | bit : canvas_.kinds() & ~bit);
        });
        kinds_row_->addWidget(button);
        kind_buttons_.push_back(button);
    }
    if (QWidget* view = parentWidget()) tab_as_laid_out(*view);
    refresh_kinds();
}

void GraphToolbar::refresh_kinds() {
    show_legend();
    for (std::size_t k = 0; k < kinds_.size(); ++k)
        kind_buttons_[k]->setIcon(line_icon(kinds_[k]));
}

QIcon GraphToolbar::line_icon(const EdgeKind& kind) const {
    const double scale = devicePixelRatioF();
    QPixmap pixmap(QSize(18, 12) * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen_of(kind, Theme::instance().colors(), 1.8));
    painter.drawLine(QPointF(1, 6), QPointF(17, 6));
    return QIcon(pixmap);
}

bool GraphToolbar::all_nodes() const {
    return all_nodes_ != nullptr && all_nodes_->isChecked();
}

void GraphToolbar::set_large(bool large) {
    if (all_nodes_ != nullptr) all_nodes_->setEnabled(large);
}

bool GraphToolbar::whole_loop() const {
    return whole_loop_ != nullptr && whole_loop_->isChecked();
}

void GraphToolbar::ask_and_export(const QString& suffix) {
    const QString name = suggested_name.isEmpty() ? QStringLiteral("graph") : suggested_name;
    ask_for_file(this,
                 {.what = Ask::NewFile,
                  .title = tr("Export graph"),
                  .filters = QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix),
                  .name = name + QLatin1Char('.') + suffix,
                  .suffix = suffix},
                 [this](const QString& path) { export_to(path, Replace::Confirmed); });
}

bool GraphToolbar::export_to(const QString& path, Replace replace) {
    const Status free = make_way(path, replace);
    const bool ok = !free                                  ? false
                    : path.endsWith(QLatin1String(".svg")) ? canvas_.export_svg(path)
                    : path.endsWith(QLatin1String(".png")) ? canvas_.export_png(path)
                                                           : canvas_.export_dot(path);
    if (ok) return true;
    show_warning(this, tr("Export graph"),
                 !free             ? QString::fromStdString(free.error().message())
                 : canvas_.graph() ? tr("Cannot write %1. Choose a writable folder.").arg(path)
                                   : tr("No graph to export. Open a cubin first."));
    return false;
}

InstrId instr_of_node(const GraphCanvas& canvas, std::uint32_t node) {
    const PlacedGraphPtr graph = canvas.graph();
    return graph && node < graph->picture.nodes.size() ? graph->picture.nodes[node].instr : kNone;
}

GraphFrame build_graph_frame(QWidget* view, Selection* selection, const QString& name, bool dependences,
                             const QString& file_name, const QString& empty) {
    GraphFrame frame;
    view->setAccessibleName(name);
    frame.canvas = new GraphCanvas;
    GraphCanvas* canvas = frame.canvas;
    canvas->setAccessibleName(name);
    frame.toolbar = new GraphToolbar(*canvas, dependences);
    frame.toolbar->suggested_name = file_name;
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(frame.toolbar);
    column->addWidget(canvas, 1);
    column->addWidget(frame.toolbar->legend());
    view->installEventFilter(frame.toolbar);
    view->setFocusProxy(canvas);
    frame.toolbar->show_graph(nullptr);
    canvas->set_message(empty);
    QObject::connect(canvas, &GraphCanvas::node_chosen, view, [canvas, selection](quint32 node) {
        if (const InstrId id = instr_of_node(*canvas, node); id != kNone) selection->select(id);
    });
    return frame;
}

}  // namespace cubinlab::ui
