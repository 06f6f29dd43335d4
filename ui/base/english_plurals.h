// SPDX-License-Identifier: GPL-3.0-or-later
// Plurals in texts with a number: tr("%n edit(s)", nullptr, n) gives "1 edit" or "3 edits". Install it once,
// before the first text is created.
#pragma once
#include <QTranslator>

namespace cubinlab::ui {

class EnglishPlurals : public QTranslator {
  public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int n) const override {
        if (n < 0 || source == nullptr) return {};
        QString text = QString::fromUtf8(source);
        const auto mark = QStringLiteral("(s)");
        if (!text.contains(mark)) return {};  // as it stands
        return text.replace(mark, n == 1 ? QString() : QStringLiteral("s"));
    }
};

}  // namespace cubinlab::ui
