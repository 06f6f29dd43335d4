// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QIconEngine>
#include <QLabel>
#include <QPainter>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QSvgRenderer>
#include <QTableView>
#include <algorithm>

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

class SvgEngine : public QIconEngine {
  public:
    explicit SvgEngine(QByteArray svg) : svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const ThemeColors& c = Theme::instance().colors();
        QByteArray svg = svg_;
        svg.replace("currentColor", (mode == QIcon::Disabled ? c.text_faint : c.text).name().toLatin1());
        QSvgRenderer renderer(svg);
        renderer.render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SvgEngine(svg_); }

  private:
    QByteArray svg_;
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

QIcon themed_icon(const QString& name) {
    QFile file(QStringLiteral(":/cubinlab/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new SvgEngine(file.readAll()));
}

QIcon app_icon() {
    return QIcon(QStringLiteral(":/cubinlab/cubinlab.svg"));
}

void set_bad(QLabel& label, bool bad) {
    if (label.property("bad").toBool() == bad && label.property("dim").toBool() != bad) return;
    label.setProperty("dim", !bad);
    label.setProperty("bad", bad);
    label.style()->unpolish(&label);
    label.style()->polish(&label);
    label.update();
}

ThemeColors light_colors() {
    ThemeColors c;
    c.window = "#eef0f3";
    c.surface = "#ffffff";
    c.surface_alt = "#f6f7f9";
    c.raised = "#ffffff";
    c.border = "#d3d8df";
    c.grid = "#e6e9ee";
    c.text = "#1c2430";
    c.text_dim = "#4c5666";
    c.text_faint = "#5f6979";
    c.accent = "#2563c9";
    c.accent_soft = "#dce8fb";
    c.on_accent = "#ffffff";
    c.selection = "#d8e6fc";
    c.hover = "#eef3fa";
    c.good = "#15703f";
    c.warn = "#8a5600";
    c.bad = "#c0322f";
    c.info = "#2563c9";
    c.good_soft = "#def3e6";
    c.warn_soft = "#fcefd2";
    c.bad_soft = "#fbe2e1";
    c.info_soft = "#e0ebfc";
    c.mnemonic = "#1c2430";
    c.memory_op = "#a23a8c";
    c.control_flow = "#b04a12";
    c.math_op = "#1b57b0";
    c.reg = "#27343f";
    c.uniform_reg = "#0b6a71";
    c.predicate = "#8a5a00";
    c.number = "#5b5f97";
    c.constant = "#66711b";
    c.label = "#8c4b22";
    c.guard = "#8a5a00";
    c.moved = "#2f74d0";
    c.moved_soft = "#e4effd";
    c.control_changed = "#b87400";
    c.control_soft = "#fdf3dd";
    c.blank_row = "#f1f3f6";
    c.loop = {QColor("#d9dee6"), QColor("#86b6f0"), QColor("#3f83dd"), QColor("#1c4e9c")};
    c.dependence = {QColor("#2563c9"), QColor("#8a5600"), QColor("#8a3fb0"), QColor("#b3266b"),
                    QColor("#4c5666"), QColor("#0b6a71"), QColor("#5f6979")};
    c.series = {QColor("#2563c9"), QColor("#d9730d"), QColor("#0f8f7e"), QColor("#b3266b"),
                QColor("#7a52c7"), QColor("#8a7a00"), QColor("#5a6b7f"), QColor("#c0322f")};
    return c;
}

ThemeColors dark_colors() {
    ThemeColors c;
    c.window = "#15191f";
    c.surface = "#1b2028";
    c.surface_alt = "#20262f";
    c.raised = "#262d38";
    c.border = "#343d4a";
    c.grid = "#2a313c";
    c.text = "#dde3ec";
    c.text_dim = "#adb7c5";
    c.text_faint = "#95a0b0";
    c.accent = "#6aa5ff";
    c.accent_soft = "#233a5c";
    c.on_accent = "#0d1420";
    c.selection = "#28405f";
    c.hover = "#242b36";
    c.good = "#5ccb8f";
    c.warn = "#e8b04b";
    c.bad = "#ff7b76";
    c.info = "#6aa5ff";
    c.good_soft = "#1d3a2c";
    c.warn_soft = "#3d3119";
    c.bad_soft = "#46262a";
    c.info_soft = "#203450";
    c.mnemonic = "#e6ebf3";
    c.memory_op = "#e59ad6";
    c.control_flow = "#f2a36b";
    c.math_op = "#8fbcff";
    c.reg = "#cfd7e3";
    c.uniform_reg = "#6fd0d6";
    c.predicate = "#e5c07b";
    c.number = "#b3b8f0";
    c.constant = "#bcc96a";
    c.label = "#e0a583";
    c.guard = "#e5c07b";
    c.moved = "#69a7ff";
    c.moved_soft = "#1f2f47";
    c.control_changed = "#e8b04b";
    c.control_soft = "#362d1b";
    c.blank_row = "#171b22";
    c.loop = {QColor("#39424f"), QColor("#2f5d99"), QColor("#4b8be0"), QColor("#9cc6ff")};
    c.dependence = {QColor("#6aa5ff"), QColor("#e8b04b"), QColor("#c792ea"), QColor("#ff7eb6"),
                    QColor("#adb7c5"), QColor("#6fd0d6"), QColor("#95a0b0")};
    c.series = {QColor("#6aa5ff"), QColor("#ffab5e"), QColor("#56d3bf"), QColor("#ff7eb6"),
                QColor("#b79bff"), QColor("#dccb52"), QColor("#9fb0c5"), QColor("#ff7b76")};
    return c;
}

QColor rule_of(const ThemeColors& c) {
    constexpr double kFaint = 0.7;
    const auto mixed = [](int a, int b) { return qRound(kFaint * a + (1 - kFaint) * b); };
    const QColor &a = c.text_faint, &b = c.surface;
    return {mixed(a.red(), b.red()), mixed(a.green(), b.green()), mixed(a.blue(), b.blue())};
}

QPalette palette_of(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.surface);
    p.setColor(QPalette::AlternateBase, c.surface_alt);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.text_faint);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.bad);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.on_accent);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::Light, c.raised.lighter(108));
    p.setColor(QPalette::Midlight, c.grid);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, c.border.darker(115));
    p.setColor(QPalette::Shadow, QColor(0, 0, 0, 90));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.text_faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    return p;
}

QString style_sheet_of(const ThemeColors& c) {
    QString sheet = QStringLiteral(R"(
QMainWindow, QStatusBar { background: @window; }
QMainWindow::separator { background: @window; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent_soft; }
QToolBar { background: @window; border: 0; border-bottom: 1px solid @border; spacing: 4px; padding: 4px 8px; }
QToolBar::separator { background: @border; width: 1px; margin: 5px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 7px; color: @text; }
QToolButton[compact="true"] { padding: 2px 5px; border-color: @border; }
QFileDialog QToolButton, QTabBar QToolButton, QToolBarExtension { padding: 0; }
QToolBarExtension { qproperty-icon: url(:/cubinlab/chevron-@mode.svg); }
QToolButton[popupMode="2"] { padding-right: 17px; }
QToolButton::menu-indicator { image: url(:/cubinlab/chevron-@mode.svg); width: 9px; height: 9px;
  subcontrol-origin: border; subcontrol-position: center right; right: 4px; }
QToolButton:hover { background: @hover; border-color: @border; }
QToolButton:pressed, QToolButton:checked { background: @accent_soft; border-color: @accent_soft; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @text_faint; }
QToolButton[primary="true"] { background: @accent; color: @on_accent; font-weight: 600; padding: 4px 12px; }
QToolButton[primary="true"]:hover { background: @accent; border-color: @text_dim; }
QToolButton[primary="true"]:disabled { background: @raised; color: @text_faint; border-color: @border; }
QMenuBar { background: @window; color: @text; padding: 1px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @accent_soft; }
QMenu { background: @raised; border: 1px solid @border; padding: 5px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @accent_soft; color: @text; }
QMenu::item:disabled { color: @text_faint; }
QMenu::separator { height: 1px; background: @grid; margin: 5px 8px; }
QMenu::icon { padding-left: 6px; }
QDockWidget { titlebar-close-icon: none; color: @text_dim; font-weight: 600; }
QDockWidget::title { background: @window; padding: 5px 8px; text-align: left; }
QTabBar { background: @window; }
QTabBar::tab { background: transparent; color: @text_dim; padding: 6px 9px; border: 0;
  border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover:!selected { color: @text; background: @hover; }
QTabBar::tab:focus { color: @accent; }
QStatusBar { border-top: 1px solid @border; color: @text_dim; }
QStatusBar::item { border: 0; }
QHeaderView::section { background: @surface_alt; color: @text_dim; border: 0; border-right: 1px solid @grid;
  border-bottom: 1px solid @border; padding: 6px 6px 4px 5px; }
QHeaderView::up-arrow { image: url(:/cubinlab/chevron-up-@mode.svg); width: 8px; height: 6px;
  subcontrol-position: top center; top: 1px; }
QHeaderView::down-arrow { image: url(:/cubinlab/chevron-@mode.svg); width: 8px; height: 6px;
  subcontrol-position: top center; top: 1px; }
QTableView, QTreeView, QListView { outline: 0; }
QTreeView::item { padding: 3px 2px; }
QTableView, QTreeView, QListView { background: @surface; border: 1px solid transparent; gridline-color: @grid;
  selection-background-color: @selection; selection-color: @text; }
QTextBrowser { border: 1px solid transparent; }
QTableView:focus, QTreeView:focus, QListView:focus, QTextBrowser:focus { border: 1px solid @accent; }
QLabel:focus { border: 1px solid @accent; border-radius: 3px; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 5px 7px; }
QSplitter::handle { background: @border; }
QComboBox, QAbstractSpinBox, QLineEdit { background: @surface; border: 1px solid @border; border-radius: 5px;
  padding: 3px 7px; selection-background-color: @accent; selection-color: @on_accent; }
QPlainTextEdit { background: @surface; border: 1px solid @border; border-radius: 5px;
  selection-background-color: @accent; selection-color: @on_accent; }
QPlainTextEdit:focus { border-color: @accent; }
QComboBox:hover, QAbstractSpinBox:hover, QLineEdit:hover { border-color: @rule; }
QComboBox:focus, QAbstractSpinBox:focus, QLineEdit:focus { border-color: @accent; }
QLineEdit[bad="true"] { border-color: @bad; background: @bad_soft; }
QComboBox:disabled, QAbstractSpinBox:disabled, QLineEdit:disabled { background: @window; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url(:/cubinlab/chevron-@mode.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @border; padding: 4px;
  selection-background-color: @accent_soft; selection-color: @text; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: 0; }
QPushButton { background: @raised; border: 1px solid @border; border-radius: 5px; padding: 5px 13px; color: @text; }
QPushButton:hover { border-color: @rule; }
QPushButton:pressed { background: @accent_soft; }
QPushButton:focus { border-color: @accent; }
QPushButton:default { background: @accent; color: @on_accent; border-color: @accent; }
QPushButton:default:focus { border-color: @text; }
QPushButton:disabled { background: @window; color: @text_faint; border-color: @border; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; margin: 2px 3px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 2px; }
QScrollBar::handle:hover { background: @rule; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QLabel[dim="true"] { color: @text_dim; }
QLabel[bad="true"] { color: @bad; }
QListWidget::item:selected { background: @selection; color: @text; }
QCheckBox { spacing: 6px; color: @text; }
QCheckBox:focus { color: @accent; text-decoration: underline; }
QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @rule; border-radius: 3px; background: @surface; }
QCheckBox::indicator:hover { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/cubinlab/check-@mode.svg); }
QProgressBar { background: @grid; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
)");
    const std::pair<const char*, QColor> names[] = {{"@window", c.window},
                                                    {"@surface_alt", c.surface_alt},
                                                    {"@surface", c.surface},
                                                    {"@raised", c.raised},
                                                    {"@border", c.border},
                                                    {"@grid", c.grid},
                                                    {"@text_dim", c.text_dim},
                                                    {"@text_faint", c.text_faint},
                                                    {"@text", c.text},
                                                    {"@accent_soft", c.accent_soft},
                                                    {"@accent", c.accent},
                                                    {"@on_accent", c.on_accent},
                                                    {"@selection", c.selection},
                                                    {"@hover", c.hover},
                                                    {"@rule", rule_of(c)},
                                                    {"@bad_soft", c.bad_soft},
                                                    {"@bad", c.bad}};
    for (const auto& [name, color] : names)
        sheet.replace(QLatin1String(name), color.name());
    sheet.replace(QLatin1String("@mode"),
                  c.window.lightness() < 128 ? QStringLiteral("dark") : QStringLiteral("light"));
    return sheet;
}

}  // namespace cubinlab::ui
