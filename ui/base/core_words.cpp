// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/core_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

namespace cubinlab::ui {
namespace {

const char* const kWords[] = {
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "preparing"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "confirming"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "running"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "paused"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "finished"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "reading what was logged"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "preparing the evaluator"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "loading the agent"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "feeding the agent what it has logged"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "budget"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "stopped"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "exhausted"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waiting"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "done"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "failed"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "interrupted"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "skipped"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "stored listing"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "built-in"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "program"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "shared library"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "static library"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "folder of cubins"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Triton cache"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "file with device code inside"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "PTX text, no SASS in it"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "LTO-IR, no SASS in it: the device linker makes it"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "no kernels in it (a stub, or functions alone)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "issues"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "stall counts"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "scoreboards"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "barrier"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "unit busy"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "memory queue"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "register port"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "not selected"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "A race of methods"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Random walk"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "PPO over all edits (an experiment)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "PPO as in CuAsmRL (an experiment)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Simulated annealing"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Greedy hill climbing"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "List scheduling"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Evolution"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Group tests")};

}  // namespace

QString core_word(const QString& word) {
    const auto* known = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const char* one) { return word == QLatin1String(one); });
    return known == std::end(kWords) ? word : QCoreApplication::translate("cubinlab::ui::CoreWords", *known);
}

}  // namespace cubinlab::ui
