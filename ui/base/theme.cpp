// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QTableView>
#include <algorithm>

#include "ui/base/theme_colors.h"

namespace cubinlab::ui {

namespace {

// Dialog buttons have text only, also on desktops where Qt would add icons.
class PlainButtons : public QProxyStyle {
  public:
    using QProxyStyle::QProxyStyle;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons
                   ? 0
                   : QProxyStyle::styleHint(hint, option, widget, data);
    }
    // Between a number at the right of its column and a word at the left of the next.
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        const int pixels = QProxyStyle::pixelMetric(metric, option, widget);
        const bool cell =
            metric == PM_FocusFrameHMargin && qobject_cast<const QTableView*>(widget) != nullptr;
        return cell ? pixels + 2 : pixels;
    }
};

}  // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

Theme::Theme() : colors_(light_colors()) {
    mono_font_ = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    // Tables of code need an upright, wide-range family; "monospace" alone may resolve to a bitmap font.
    for (const char* family : {"JetBrains Mono", "Cascadia Mono", "Source Code Pro", "DejaVu Sans Mono"})
        if (QFontDatabase::hasFamily(QLatin1String(family))) {
            mono_font_ = QFont(QLatin1String(family));
            break;
        }
    mono_font_.setStyleHint(QFont::Monospace);
    mono_font_.setPointSize(9);
    ui_font_ = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (ui_font_.pointSize() < 9) ui_font_.setPointSize(9);
    default_ui_points_ = ui_font_.pointSize();
}

QFont Theme::small_font() const {
    QFont font = ui_font_;
    font.setPointSizeF(std::max(7.5, ui_font_.pointSizeF() - 1));
    return font;
}

void Theme::apply_to(QApplication& app, ThemeMode mode) {
    startup_dark_ = app.palette().color(QPalette::Window).lightness() < 128;
    app.setStyle(new PlainButtons(QStyleFactory::create(QStringLiteral("Fusion"))));
    app.setFont(ui_font_);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(app.styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
        if (mode_ == ThemeMode::System) rebuild();
    });
#endif
    mode_ = mode;
    rebuild();
}

bool Theme::system_is_dark() const {
    if (told_dark_) return *told_dark_;
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return qApp->styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    return startup_dark_;
#endif
}

void Theme::set_mode(ThemeMode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    rebuild();
}

void Theme::set_mono_points(int points) {
    points = std::clamp(points, 6, 24);
    if (points == mono_font_.pointSize()) return;
    mono_font_.setPointSize(points);
    Q_EMIT changed();
}

void Theme::set_ui_points(int points) {
    points = points <= 0 ? default_ui_points_ : std::clamp(points, 7, 20);
    if (points == ui_font_.pointSize()) return;
    ui_font_.setPointSize(points);
    if (qApp != nullptr) QApplication::setFont(ui_font_);
    rebuild();  // a style sheet keeps the fonts it was polished with
}

void Theme::set_system_dark(bool dark) {
    if (told_dark_ == dark) return;
    told_dark_ = dark;
    if (mode_ == ThemeMode::System) rebuild();
}

void Theme::rebuild() {
    dark_ = mode_ == ThemeMode::Dark || (mode_ == ThemeMode::System && system_is_dark());
    colors_ = dark_ ? dark_colors() : light_colors();
    if (qApp != nullptr) {
        qApp->setPalette(palette_of(colors_));
        qApp->setStyleSheet(style_sheet_of(colors_));
    }
    Q_EMIT changed();
}

}  // namespace cubinlab::ui
