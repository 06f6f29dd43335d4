// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/seed_box.h"

#include <QLineEdit>
#include <algorithm>
#include <cstdlib>
#include <limits>

namespace cubinlab::ui {
namespace {
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
}

SeedBox::SeedBox(QWidget* parent) : QAbstractSpinBox(parent) {
    set_seed(1);
}

void SeedBox::set_seed(std::uint64_t seed) {
    lineEdit()->setText(QString::number(seed));
    lineEdit()->setCursorPosition(0);
}

QValidator::State SeedBox::validate(QString& input, int&) const {
    if (input.isEmpty()) return QValidator::Intermediate;
    bool fits = false;
    input.toULongLong(&fits);
    const bool digits = std::ranges::all_of(input, [](QChar c) { return c >= u'0' && c <= u'9'; });
    return fits && digits ? QValidator::Acceptable : QValidator::Invalid;
}

void SeedBox::fixup(QString& input) const {
    if (input.isEmpty()) input = QLatin1Char('0');
}

void SeedBox::stepBy(int steps) {
    const std::uint64_t by = static_cast<std::uint64_t>(std::abs(steps)), now = seed();
    set_seed(steps < 0 ? now - std::min(by, now) : now + std::min(by, kMost - now));
    Q_EMIT editingFinished();
}

QAbstractSpinBox::StepEnabled SeedBox::stepEnabled() const {
    return (seed() > 0 ? StepDownEnabled : StepNone) | (seed() < kMost ? StepUpEnabled : StepNone);
}

}  // namespace cubinlab::ui
