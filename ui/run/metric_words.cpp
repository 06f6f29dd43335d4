// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/metric_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

#include "ui/run/run_curves.h"

namespace cubinlab::ui {
namespace {

struct Words {
    const char* name;
    const char* title;
};

// core/search: auto, group tests, list schedules, annealing; core/agent: learning_metrics.h; run_curves.h.
const Words kWords[] = {{"phase", QT_TRANSLATE_NOOP("metrics", "starts left")},
                        {"method", QT_TRANSLATE_NOOP("metrics", "method number")},
                        {"race", QT_TRANSLATE_NOOP("metrics", "race number")},
                        {"estimate", QT_TRANSLATE_NOOP("metrics", "estimated log gain")},
                        {"from", QT_TRANSLATE_NOOP("metrics", "log gain, start")},
                        {"since_better", QT_TRANSLATE_NOOP("metrics", "since better")},
                        {"brought_group", QT_TRANSLATE_NOOP("metrics", "log gain, groups")},
                        {"brought_climb", QT_TRANSLATE_NOOP("metrics", "log gain, climb")},
                        {"brought_list", QT_TRANSLATE_NOOP("metrics", "log gain, lists")},
                        {"brought_greedy", QT_TRANSLATE_NOOP("metrics", "log gain, greedy")},
                        {"brought_given", QT_TRANSLATE_NOOP("metrics", "log gain, starts")},
                        {"temperature", QT_TRANSLATE_NOOP("metrics", "temperature")},
                        {"step_length", QT_TRANSLATE_NOOP("metrics", "step length")},
                        {"explained", QT_TRANSLATE_NOOP("metrics", "explained by fit")},
                        {"taken", QT_TRANSLATE_NOOP("metrics", "edits applied")},
                        {"policy_loss", QT_TRANSLATE_NOOP("metrics", "policy loss")},
                        {"value_loss", QT_TRANSLATE_NOOP("metrics", "value loss")},
                        {"entropy", QT_TRANSLATE_NOOP("metrics", "entropy")},
                        {"approx_kl", QT_TRANSLATE_NOOP("metrics", "approximate KL")},
                        {"clip_fraction", QT_TRANSLATE_NOOP("metrics", "clipped fraction")},
                        {"gradient_norm", QT_TRANSLATE_NOOP("metrics", "gradient norm")},
                        {"learning_rate", QT_TRANSLATE_NOOP("metrics", "learning rate")},
                        {kEpisodeReturn, QT_TRANSLATE_NOOP("metrics", "episode return")},
                        {kRateMetric, QT_TRANSLATE_NOOP("metrics", "candidates a second")},
                        {kGpuMetrics[0], QT_TRANSLATE_NOOP("metrics", "GPU SM clock, MHz")},
                        {kGpuMetrics[1], QT_TRANSLATE_NOOP("metrics", "GPU temperature, C")},
                        {kGpuMetrics[2], QT_TRANSLATE_NOOP("metrics", "GPU power, W")}};

}  // namespace

QString metric_title(const QString& name) {
    const auto* known = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const Words& one) { return name == QLatin1String(one.name); });
    if (known != std::end(kWords)) return QCoreApplication::translate("metrics", known->title);
    return QString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace cubinlab::ui
