// SPDX-License-Identifier: GPL-3.0-or-later
// The seed of a run: any 64-bit number, as on the command line.
#pragma once
#include <QAbstractSpinBox>
#include <cstdint>

namespace cubinlab::ui {

class SeedBox : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(qulonglong value READ seed)  // for screen readers

  public:
    explicit SeedBox(QWidget* parent = nullptr);
    std::uint64_t seed() const { return text().toULongLong(); }
    void set_seed(std::uint64_t seed);
    QValidator::State validate(QString& input, int& at) const override;
    void fixup(QString& input) const override;
    void stepBy(int steps) override;

  protected:
    StepEnabled stepEnabled() const override;
};

}  // namespace cubinlab::ui
