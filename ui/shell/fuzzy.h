// SPDX-License-Identifier: GPL-3.0-or-later
// How well typed text matches a name: its letters in order, contiguous or at word starts. "mvup" and "move
// up" both match "Edit: Move up to the next legal position".
#pragma once
#include <QString>
#include <optional>
#include <vector>

namespace cubinlab::ui {

struct FuzzyMatch {
    int score = 0;        // higher is better; comparable for one pattern only
    std::vector<int> at;  // positions in the text, ascending; for highlighting
};

// Ignores case and blanks of the pattern. An empty pattern matches everything with score 0. Empty result: no
// match.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text);

}  // namespace cubinlab::ui
