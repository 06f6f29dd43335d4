// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above the curves of RewardChart, and their export.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSaveFile>
#include <QSlider>
#include <QString>
#include <QSvgGenerator>
#include <QTextStream>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/qcp.h"
#include "ui/run/axis_tickers.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_curves.h"

namespace cubinlab::ui {
namespace {

struct Words {
    const char* name;
    const char* title;
};

// core/search: auto, group tests, list schedules, annealing; core/agent: learning_metrics.h; run_curves.h.
const Words kWords[] = {{"phase", "remaining starts"},
                        {"method", "method number"},
                        {"race", "race number"},
                        {"estimate", "estimated log gain"},
                        {"from", "log gain, start"},
                        {"since_better", "since better"},
                        {"brought_group", "log gain, groups"},
                        {"brought_climb", "log gain, hill climbing"},
                        {"brought_list", "log gain, lists"},
                        {"brought_greedy", "log gain, greedy"},
                        {"brought_given", "log gain, starts"},
                        {"temperature", "temperature"},
                        {"step_length", "step length"},
                        {"explained", "explained by fit"},
                        {"taken", "edits applied"},
                        {"policy_loss", "policy loss"},
                        {"value_loss", "value loss"},
                        {"entropy", "entropy"},
                        {"approx_kl", "approximate KL"},
                        {"clip_fraction", "clipped fraction"},
                        {"gradient_norm", "gradient norm"},
                        {"learning_rate", "learning rate"},
                        {kEpisodeReturn, "episode return"},
                        {kRateMetric, "candidates/s"},
                        {kGpuMetrics[0], "GPU SM clock, MHz"},
                        {kGpuMetrics[1], "GPU temperature, C"},
                        {kGpuMetrics[2], "GPU power, W"}};

// An unknown name is shown with spaces for underscores.
QString metric_title(const QString& name) {
    const auto* known = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const Words& one) { return name == QLatin1String(one.name); });
    if (known != std::end(kWords)) return QLatin1String(known->title);
    return QString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace

void RewardChart::build_toolbar() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    tools_bar_ = new QWidget(this);
    auto* row = new FlowLayout(tools_bar_);
    row->setContentsMargins(8, 4, 8, 2);
    row->setSpacing(6);
    const QString names[kPanels] = {tr("Gain"), tr("Measured"), tr("Reward"), tr("Agent")};
    const QString tips[kPanels] = {
        tr("Gain of each candidate, and the best so far"), tr("Re-measured steps (F8), against the original"),
        tr("Reward of each step, raw and smoothed"), tr("Episode return and the agent's own metrics")};
    for (int p = 0; p < kPanels; ++p) {
        show_[p] = new QCheckBox(names[p]);
        show_[p]->setChecked(true);
        show_[p]->setToolTip(tips[p]);
        show_[p]->setAccessibleName(tips[p]);
        connect(show_[p], &QCheckBox::clicked, this, [this, p] { metric_asked_ |= p == Metric; });
        connect(show_[p], &QCheckBox::toggled, this, &RewardChart::update_panels);
        row->addWidget(show_[p]);
    }
    metric_ = new QComboBox;
    metric_->setAccessibleName(tr("Agent metric to show"));
    metric_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(metric_, &QComboBox::currentIndexChanged, this, &RewardChart::refresh_now);
    connect(metric_, &QComboBox::activated, this, &RewardChart::ask_for_metric);
    row->addWidget(metric_);
    QWidget* smooth = build_smoothing();
    row->addWidget(smooth);
    keep_ = text_button(tr("Compare"), tr("Keep this run's curves when another run is shown"));
    keep_->setCheckable(true);
    connect(keep_, &QToolButton::toggled, this, [this](bool on) {
        if (!on) kept_.clear();
        refresh_now();
    });
    row->addWidget(keep_);
    auto* all = text_button(tr("Fit"), tr("Show all steps and follow new ones (F)"));
    connect(all, &QToolButton::clicked, this, &RewardChart::show_all);
    row->addWidget(all);
    log_ = text_button(tr("Log"), tr("Steps on a logarithmic axis"));
    log_->setCheckable(true);
    log_->setObjectName(QStringLiteral("chart-log"));
    connect(log_, &QToolButton::toggled, this, &RewardChart::set_log_steps);
    row->addWidget(log_);
    QToolButton* save = build_export();
    row->addWidget(save);
    more_ = build_more(save->menu());
    row->addWidget(more_);
    tools_row_ = row;
    tools_ = {smooth, keep_, all, log_, save};
    connect(show_[Metric], &QCheckBox::toggled, this, &RewardChart::fit_toolbar);
    column->addWidget(tools_bar_);
    readout_ = new FittingLabel;
    readout_->setAccessibleName(tr("Values under the cursor"));
    readout_->setContentsMargins(8, 0, 8, 2);
    readout_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(readout_);
    column->addWidget(plot_, 1);
    update_metric_names();
}

// All tools as a menu, for a dock that is too narrow for them in one line.
QToolButton* RewardChart::build_more(const QMenu* exports) {
    auto* more = text_button(tr("More"), tr("Smoothing, comparing, axis and export of the curves"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    connect(menu->addAction(tr("Fit")), &QAction::triggered, this, &RewardChart::show_all);
    const auto mirror = [menu](QToolButton* button) {
        QAction* action = menu->addAction(button->text());
        action->setCheckable(true);
        action->setToolTip(button->toolTip());
        connect(action, &QAction::toggled, button, &QToolButton::setChecked);
        connect(button, &QToolButton::toggled, action, &QAction::setChecked);
    };
    mirror(log_);
    mirror(keep_);
    QMenu* smoothing = menu->addMenu(tr("Smoothing"));
    for (const int thousandths : {0, 600, 900, 950, 990, 999}) {
        QAction* action =
            smoothing->addAction(thousandths == 0 ? tr("none") : QString::number(thousandths / 1000.0));
        connect(action, &QAction::triggered, this,
                [this, thousandths] { smoothing_->setValue(thousandths); });
    }
    metrics_menu_ = menu->addMenu(tr("Curve of the agent"));
    connect(metrics_menu_, &QMenu::aboutToShow, this, &RewardChart::list_metrics);
    menu->addSeparator();
    menu->addActions(exports->actions());
    more->setMenu(menu);
    return more;
}

// The tools are in one line or in the menu "More": a second line would be taken from the curves, and in a low
// dock there is no place for one.
void RewardChart::fit_toolbar() {
    if (tools_row_ == nullptr) return;
    const bool any = current_ && current_->has_metrics();
    const QMargins margins = tools_row_->contentsMargins();
    const auto wide_as = [&](const QWidget* widget) {
        return widget->sizeHint().width() + tools_row_->spacing();
    };
    int boxes = margins.left() + margins.right();
    for (int p = 0; p < kPanels; ++p)
        if ((p != Metric || any) && (p != Measured || measured_ != nullptr)) boxes += wide_as(show_[p]);
    const int chooser = any ? wide_as(metric_) : 0;
    int all = boxes + chooser;
    for (const QWidget* tool : tools_)
        all += wide_as(tool);
    const bool wide = all <= width();
    for (QWidget* tool : tools_)
        tool->setVisible(wide);
    more_->setVisible(!wide);
    metric_->setVisible(
        any && (wide || (show_[Metric]->isChecked() && boxes + chooser + wide_as(more_) <= width())));
    metrics_menu_->menuAction()->setVisible(any && metric_->isHidden());
    // In a low dock the curves take the room of the tools.
    const int others = tools_row_->heightForWidth(width()) + readout_->sizeHint().height();
    tools_bar_->setVisible(height() >= others + kPanelHeight);
}

void RewardChart::ask_for_metric() {
    metric_wanted_ = metric_->currentData().toString();
    show_[Metric]->setChecked(true);
}

void RewardChart::list_metrics() {
    metrics_menu_->clear();
    for (int i = 0; i < metric_->count(); ++i) {
        QAction* action = metrics_menu_->addAction(metric_->itemText(i));
        action->setCheckable(true);
        action->setChecked(show_[Metric]->isChecked() && i == metric_->currentIndex());
        connect(action, &QAction::triggered, this, [this, i] {
            metric_->setCurrentIndex(i);
            ask_for_metric();
        });
    }
}

QWidget* RewardChart::build_smoothing() {
    auto* smooth = new QWidget;  // the slider stays with its name
    auto* smooth_row = new QHBoxLayout(smooth);
    smooth_row->setContentsMargins(0, 0, 0, 0);
    smooth_row->setSpacing(5);
    auto* label = new QLabel(tr("Smoothing"));
    smoothing_ = new QSlider(Qt::Horizontal);
    smoothing_->setRange(0, 999);
    smoothing_->setValue(950);
    smoothing_->setFixedWidth(64);
    smoothing_->setAccessibleName(tr("Smoothing"));
    smoothing_->setToolTip(tr("Exponential mean over all steps; 0 shows the raw values only"));
    label->setBuddy(smoothing_);
    connect(smoothing_, &QSlider::valueChanged, this, [this](int value) {
        if (current_) current_->set_smoothing(value / 1000.0);
        for (const auto& run : kept_)
            run->set_smoothing(value / 1000.0);
        schedule_refresh();
    });
    smooth_row->addWidget(label);
    smooth_row->addWidget(smoothing_);
    return smooth;
}

QToolButton* RewardChart::build_export() {
    auto* save = text_button(tr("Export"), tr("Save the values as CSV, the picture as SVG or PNG"));
    save->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(save);
    for (const char* suffix : {"csv", "svg", "png"}) {
        const QString s = QString::fromLatin1(suffix);
        connect(menu->addAction(tr("%1 file...").arg(s.toUpper())), &QAction::triggered, this,
                [this, s] { ask_and_export(s); });
    }
    save->setMenu(menu);
    plot_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(plot_, &QWidget::customContextMenuRequested, this,
            [this, menu](const QPoint& at) { menu->popup(plot_->mapToGlobal(at)); });
    return save;
}

void RewardChart::ask_and_export(const QString& suffix) {
    ask_for_file(this,
                 {.what = Ask::NewFile,
                  .title = tr("Export curves"),
                  .filters = QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix),
                  .name = QStringLiteral("run.") + suffix,
                  .suffix = suffix},
                 [this](const QString& path) { export_to(path, Replace::Confirmed); });
}

bool RewardChart::export_to(const QString& path, Replace replace) {
    const Status free = make_way(path, replace);
    if (free && (path.endsWith(QLatin1String(".csv")) ? export_csv(path) : export_image(path))) return true;
    show_warning(this, tr("Export curves"),
                 !free      ? QString::fromStdString(free.error().message())
                 : current_ ? tr("Cannot write %1. Choose a writable folder.").arg(path)
                            : tr("No run to export. Start an agent or open a session first."));
    return false;
}

void RewardChart::set_log_steps(bool on) {
    log_steps_ = on;
    for (QCPAxisRect* rect : rects_) {
        QCPAxis* x = rect->axis(QCPAxis::atBottom);
        const QSignalBlocker block(x);
        x->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        if (on)
            x->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        else
            x->setTicker(QSharedPointer<WholeTicker>::create());
    }
    show_all();
}

void RewardChart::update_metric_names() {
    const QSignalBlocker block(metric_);
    metric_->clear();
    if (current_ && !current_->episodes.empty())
        metric_->addItem(metric_title(QLatin1String(kEpisodeReturn)), QLatin1String(kEpisodeReturn));
    if (current_)
        for (const auto& [name, curve] : current_->metrics)
            metric_->addItem(metric_title(QString::fromStdString(name)), QString::fromStdString(name));
    // The requested metric, else the agent's own curves before those of every run.
    int index = metric_wanted_.isEmpty() ? -1 : metric_->findData(metric_wanted_);
    if (index < 0 && current_ && current_->agent_metrics() && current_->episodes.empty())
        for (int i = metric_->count() - 1; i >= 0; --i)
            if (metric_->itemData(i).toString() != QLatin1String(kRateMetric) &&
                !metric_->itemData(i).toString().startsWith(QLatin1String("GPU ")))
                index = i;
    metric_->setCurrentIndex(std::max(0, index));
    const bool any = current_ && current_->has_metrics();
    show_[Metric]->setVisible(any);
    show_[Measured]->setVisible(measured_ != nullptr);
    if (!metric_asked_) {
        const QSignalBlocker quiet(show_[Metric]);
        show_[Metric]->setChecked(any && current_->agent_metrics());
    }
    fit_toolbar();
    update_panels();
}

bool RewardChart::export_csv(const QString& path) const {
    if (!current_) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    QTextStream out(&file);
    const RunCurves& run = *current_;
    out << "step,evaluator,gain_percent,best_percent,reward,reward_smoothed,episode_return";
    for (const auto& [name, curve] : run.metrics)
        out << ",\"" << QString::fromStdString(name) << '"';
    out << '\n';
    const auto put_at = [&](const CurveStore& curve, StepId step) {
        out << ',';
        const std::size_t at = curve.index_of(step);
        if (at < curve.size() && curve.step_at(at) == step) out << curve.value_at(at);
    };
    for (std::size_t i = 0; i < run.reward.size(); ++i) {
        const StepId step = run.reward.step_at(i);
        const float gain = run.speed.value_at(i);  // appended together: the same index
        out << step << (run.measured() ? ",gpu," : ",model,");
        if (!std::isnan(gain)) out << gain;
        out << ',' << percent_of(run.best_at(step)) << ',' << run.reward.value_at(i) << ','
            << run.reward.smoothed_at(i);
        put_at(run.episodes, step);
        for (const auto& [name, curve] : run.metrics)
            put_at(curve, step);
        out << '\n';
    }
    out.flush();
    return out.status() == QTextStream::Ok && file.commit();
}

bool RewardChart::export_image(const QString& path) const {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    if (path.endsWith(QLatin1String(".png")))
        return plot_->toPixmap(0, 0, 2).save(&file, "PNG") && file.commit();
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(plot_->size());
    svg.setViewBox(plot_->rect());
    QCPPainter painter(&svg);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot_->toPainter(&painter, plot_->width(), plot_->height());
    return painter.end() && file.commit();
}

}  // namespace cubinlab::ui
