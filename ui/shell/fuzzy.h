// SPDX-License-Identifier: GPL-3.0-or-later
// How well what was typed fits a name: its letters in order, in one run or at the starts of words. "mvup" and
// "move up" both find "Edit: Move up to the next legal place".
#pragma once
#include <QString>
#include <optional>
#include <vector>

namespace cubinlab::ui {

struct FuzzyMatch {
    int score = 0;        // higher fits better; comparable for one pattern only
    std::vector<int> at;  // positions in the text, ascending; for highlighting
};

// Case and blanks of the pattern do not count. An empty pattern fits everything with score 0. Empty result:
// a letter is missing.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text);

}  // namespace cubinlab::ui
