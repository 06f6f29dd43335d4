// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and fonts of every view, in a dark and a light set that can be switched at run time. Views read
// colours here when they paint and repaint on `changed()`; no view has its own colours.
//
//   painter.setPen(Theme::instance().colors().text_dim);
//   connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
#pragma once
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QScreen>
#include <QSize>
#include <QString>
#include <QWidget>
#include <algorithm>
#include <array>
#include <optional>

class QApplication;
class QLabel;

namespace cubinlab::ui {

enum class ThemeMode { System, Light, Dark };

struct ThemeColors {
    // Surfaces, back to front.
    QColor window, surface, surface_alt, raised, border, grid;
    QColor text, text_dim, text_faint;
    QColor accent, accent_soft, on_accent;
    QColor selection, hover;       // row backgrounds
    QColor good, warn, bad, info;  // always together with a word or a sign
    QColor good_soft, warn_soft, bad_soft, info_soft;
    // Listing.
    QColor mnemonic, memory_op, control_flow, math_op, reg, uniform_reg, predicate, number, constant, label,
        guard;
    QColor moved, moved_soft, control_changed, control_soft, blank_row;
    std::array<QColor, 4> loop;  // block bar by loop depth 0..3 (deeper: the last)
    // Dependence kinds, in the order of DependenceKind: Raw, War, Waw, Memory, Fence, Scoreboard, Order.
    std::array<QColor, 7> dependence;
    // Curves of charts, distinguishable from each other, also with red-green colour blindness.
    std::array<QColor, 8> series;
};

class Theme : public QObject {
    Q_OBJECT

  public:
    static Theme& instance();

    void apply_to(QApplication& app, ThemeMode mode);  // at start
    ThemeMode mode() const { return mode_; }
    bool dark() const { return dark_; }
    const ThemeColors& colors() const { return colors_; }
    QFont ui_font() const { return ui_font_; }
    QFont mono_font() const { return mono_font_; }  // listings, tables of code
    QFont small_font() const;                       // captions, axis labels
    int mono_points() const { return mono_font_.pointSize(); }
    int ui_points() const { return ui_font_.pointSize(); }
    int default_ui_points() const { return default_ui_points_; }

  public Q_SLOTS:
    void set_mode(cubinlab::ui::ThemeMode mode);
    void set_mono_points(int points);
    void set_ui_points(int points);  // 0: desktop default
    // Called by ui/settings/system_appearance.h, because Qt reports no changes before 6.5.
    void set_system_dark(bool dark);

  Q_SIGNALS:
    void changed();

  private:
    Theme();
    void rebuild();
    bool system_is_dark() const;

    ThemeMode mode_ = ThemeMode::System;
    bool dark_ = false;
    bool startup_dark_ = false;
    std::optional<bool> told_dark_;
    int default_ui_points_ = 9;
    ThemeColors colors_;
    QFont ui_font_;
    QFont mono_font_;
};

inline QColor with_alpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

// Line icons of resources/icons in the theme's text colour, at any scale.
// "play" -> resources/icons/play.svg. Ask again when the theme changes. An unknown name gives no icon.
QIcon themed_icon(const QString& name);
QIcon app_icon();

// The tone of a line of text: a hint or an error. Uses the style sheet only: a palette would keep the colours of the theme in which it was created.
void set_bad(QLabel& label, bool bad);

// Sizes of dialogs and columns scale with the text size, so that larger text still fits. Relative to the
// desktop's text size, at least 1.
inline double text_scale() {
    const Theme& theme = Theme::instance();
    return std::max(1.0, static_cast<double>(theme.ui_points()) / std::max(1, theme.default_ui_points()));
}

// Resizes `widget`, given its `size` at the desktop's text size; never larger than the screen or the window
// below.
inline QSize for_text(const QWidget& widget, const QSize& size) {
    constexpr double kShareOfScreen = 0.94;
    QSize most = widget.screen()->availableGeometry().size();
    if (const QWidget* below = widget.parentWidget()) most = most.expandedTo(below->window()->size());
    return (size * text_scale()).boundedTo(most * kShareOfScreen);
}

// The two colour sets, and the style sheet built from one of them.
ThemeColors light_colors();
ThemeColors dark_colors();
// For lines and marks, not for text: contrast 3:1 on surfaces.
QColor rule_of(const ThemeColors& colors);
QPalette palette_of(const ThemeColors& colors);
QString style_sheet_of(const ThemeColors& colors);

}  // namespace cubinlab::ui
