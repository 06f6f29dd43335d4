// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/fuzzy.h"

#include <algorithm>
#include <limits>

namespace cubinlab::ui {
namespace {

constexpr int kNo = std::numeric_limits<int>::min() / 2;
constexpr int kLetter = 4;
constexpr int kWordStart = 12;
constexpr int kRun = 10;  // directly after the letter before
constexpr int kGap = -1;  // each skipped letter between two hits, at most kGapLimit of them
constexpr int kGapLimit = 8;
constexpr qsizetype kLongest = 200;  // of either; names are shorter

bool starts_word(const QString& text, qsizetype i) {
    if (i == 0) return true;
    const QChar before = text[i - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[i].isUpper());
}

}  // namespace

// Best score with letter p of the pattern at t in the text, over all positions of the letters before.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text) {
    QString wanted;
    for (const QChar c : pattern)
        if (!c.isSpace()) wanted += c.toLower();
    if (wanted.isEmpty()) return FuzzyMatch{};
    const QString low = text.left(kLongest).toLower();
    const auto rows = static_cast<std::size_t>(std::min(wanted.size(), kLongest));
    const auto columns = static_cast<std::size_t>(low.size());
    if (rows > columns) return {};
    std::vector<std::vector<int>> best(rows, std::vector<int>(columns, kNo));
    std::vector<std::vector<int>> from(rows, std::vector<int>(columns, -1));
    for (std::size_t p = 0; p < rows; ++p)
        for (std::size_t t = p; t < columns; ++t) {
            if (low[static_cast<qsizetype>(t)] != wanted[static_cast<qsizetype>(p)]) continue;
            const int own = kLetter + (starts_word(text, static_cast<qsizetype>(t)) ? kWordStart : 0);
            if (p == 0) {
                best[p][t] = own - static_cast<int>(std::min<std::size_t>(t, kGapLimit));
                continue;
            }
            for (std::size_t before = p - 1; before < t; ++before) {
                if (best[p - 1][before] == kNo) continue;
                const int gap = static_cast<int>(t - before) - 1;
                const int step = gap == 0 ? kRun : kGap * std::min(gap, kGapLimit);
                const int score = best[p - 1][before] + own + step;
                if (score <= best[p][t]) continue;
                best[p][t] = score;
                from[p][t] = static_cast<int>(before);
            }
        }
    const auto end = std::max_element(best.back().begin(), best.back().end());
    if (*end == kNo) return {};
    FuzzyMatch match;
    match.score = *end;
    match.at.resize(rows);
    int at = static_cast<int>(end - best.back().begin());
    for (std::size_t p = rows; p-- > 0;) {
        match.at[p] = at;
        at = from[p][static_cast<std::size_t>(at)];
    }
    return match;
}

}  // namespace cubinlab::ui
