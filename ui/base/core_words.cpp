// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/core_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <iterator>
#include <vector>

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
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "Group tests"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "ALU pipe"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "FMA pipe"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "half pipe"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "FP64 pipe"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "tensor pipe"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "XU pipe (MUFU, conversions)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "constant loads"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "uniform datapath"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "issue slots"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "tensor core (wgmma)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "memory path, shared memory and shuffles"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "memory path, L1 and global memory"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "memory path of the SM"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "L2 to SM, if nothing hits in L1"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "DRAM, if nothing hits in L2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "a pass of the hot loop"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the path"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "a tensor group"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "groups of the tensor core"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "scoreboards and groups of the tensor core"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "warps"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "registers"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "blocks"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "shared memory"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the grid"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "an assumption"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "assumed"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the cubin's own"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the cubin"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the workload"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "more passes than are looked at"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "the code"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "a parameter or a dimension that no workload gives"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "a value from memory"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "a value of the pass of a loop"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "which way a branch before it goes"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "what a function returns"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "an instruction that is not evaluated")};

// More special ones first: the first that fits is taken. What stands for %1 is a word, or such a part itself.
const char* const kParts[] = {
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "%1 cycle"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "%1 cycles"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "limited by %1: busy %2 % of %3"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords",
                      "limited by %1: all warps together take at least %2 cycles for %3"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords",
                      "a warp's own is shorter (%1), since here the warps take turns"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "limited by barriers: %1 % of %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "limited by stall counts: %1 % of %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "limited by latency: %1 take %2 % of %3"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "no resource is busy more than %1 % (%2)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "room for %1 warp on a sub-core, limited by %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "room for %1 warps on a sub-core, limited by %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords",
                      "no workload lies beside the cubin: the model takes %1 threads a block (%2)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "nothing is issued"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for the stall count of %2 (%3)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "keeps its warp for %1 by its own stall count (%2)"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for its unit, busy with %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for the register ports, which serve %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for a place in the memory queue, behind %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "is ready for %1 in which another warp issues"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for the other warps at %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords",
                      "waits %1 for a tensor group, issued by %2, %3 after its issue"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for %2, set by %3, %4 after its issue"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords",
                      "waits %1 for %2, until %3 has read its operands, %4 after its issue"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for %2, until %3 has read its operands"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for %2, set by %3"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "waits %1 for %2"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "issue it %1 earlier, then another wait holds it"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "issue it %1 earlier"),
    QT_TRANSLATE_NOOP("cubinlab::ui::CoreWords", "others are released in the same cycle")};

QString translated(const char* text) {
    return QCoreApplication::translate("cubinlab::ui::CoreWords", text);
}

// "waits %1 for %2" as an expression, made once.
QRegularExpression expression_of(const char* part) {
    QString text = QRegularExpression::escape(QLatin1String(part));
    for (int n = 1; n <= 4; ++n)
        text.replace(QStringLiteral("\\%%1").arg(n), QStringLiteral("(.+)"));
    return QRegularExpression(QRegularExpression::anchoredPattern(text));
}

QString core_part(const QString& text) {
    static const auto known = [] {
        std::vector<QRegularExpression> out;
        for (const char* part : kParts)
            out.push_back(expression_of(part));
        return out;
    }();
    for (std::size_t i = 0; i < known.size(); ++i) {
        const QRegularExpressionMatch found = known[i].match(text);
        if (!found.hasMatch()) continue;
        QString out = translated(kParts[i]);
        // From the last on: what was put in may have a "%" of its own.
        for (int n = found.lastCapturedIndex(); n > 0; --n) {
            const QString word = found.captured(n);
            const qsizetype at = out.indexOf(QStringLiteral("%%1").arg(n));
            if (at >= 0) out.replace(at, 2, core_word(word) == word ? core_part(word) : core_word(word));
        }
        return out;
    }
    return text;
}

}  // namespace

QString core_word(const QString& word) {
    const auto* known = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const char* one) { return word == QLatin1String(one); });
    return known == std::end(kWords) ? word : QCoreApplication::translate("cubinlab::ui::CoreWords", *known);
}

QString core_sentence(const QString& sentence) {
    // English is what it is in already.
    if (translated(kParts[0]) == QLatin1String(kParts[0])) return sentence;
    QStringList parts = sentence.split(QStringLiteral("; "));
    for (QString& part : parts)
        part = core_part(part);
    return parts.join(QStringLiteral("; "));
}

}  // namespace cubinlab::ui
