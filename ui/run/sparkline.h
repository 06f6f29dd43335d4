// SPDX-License-Identifier: GPL-3.0-or-later
// Two small charts of a run strip: a series of readings with its newest value, and a bar of shares.
#pragma once
#include <QColor>
#include <QWidget>
#include <vector>

namespace cubinlab::ui {

class Sparkline : public QWidget {
    Q_OBJECT

  public:
    Sparkline(const QString& name, const QString& unit, QWidget* parent = nullptr);
    // Values below 0 are gaps; values with `alarm` are drawn red.
    void set_values(std::vector<float> values, std::vector<bool> alarm);
    QString text() const;  // "SM clock 1 980 MHz"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString name_, unit_;
    std::vector<float> values_;
    std::vector<bool> alarm_;
};

struct Share {
    QString name;
    double count = 0;
    QColor color;
};

class OutcomeBar : public QWidget {
    Q_OBJECT

  public:
    explicit OutcomeBar(QWidget* parent = nullptr);
    void set_shares(std::vector<Share> shares);
    const std::vector<Share>& shares() const { return shares_; }
    QSize sizeHint() const override { return {160, 10}; }
    QSize minimumSizeHint() const override { return {60, 10}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<Share> shares_;
};

}  // namespace cubinlab::ui
