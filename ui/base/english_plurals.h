// SPDX-License-Identifier: GPL-3.0-or-later
// The plural of texts with a number: tr("%n place(s)", nullptr, n) is "1 place" or "3 places". A program installs it once,
// before it makes the first text.
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
