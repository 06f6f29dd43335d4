// SPDX-License-Identifier: GPL-3.0-or-later
// One read-only listing: the text of a row list on one side. It shows rows and reports which row the user
// points at; it knows no schedules. Only changed text is replaced, because replacing all of it drops markers
// and costs a frame for long kernels.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ui/base/qsci.h"

class QHelpEvent;

namespace cubinlab::ui {

// Colours of SASS text. The tokens of a line come from a function without Qt that is tested alone.
//
//   tokens_of("@!P2 LDG.E.128 R8, desc[UR6][R18.64]")
//     Guard "@!P2"  MemoryOp "LDG"  Modifier ".E.128"  Register "R8" ...
enum class SassStyle : int {
    Plain,
    Guard,
    Mnemonic,
    MemoryOp,
    ControlFlow,
    MathOp,
    Modifier,
    Register,
    UniformRegister,
    Predicate,
    Number,
    Constant,
    Label,
    BlockHeader,
};
inline constexpr int kSassStyles = static_cast<int>(SassStyle::BlockHeader) + 1;

struct SassToken {
    std::size_t length = 0;  // bytes; tokens cover the line without gaps
    SassStyle style = SassStyle::Plain;
};
std::vector<SassToken> tokens_of(std::string_view line);

class SassLexer : public QsciLexerCustom {
    Q_OBJECT

  public:
    explicit SassLexer(QObject* parent = nullptr);
    const char* language() const override { return "SASS"; }
    QString description(int style) const override;
    void styleText(int start, int end) override;
    void take_theme();  // updates colours and font
};

enum class RowMark { Header, Blank, Moved, Control, Selected, Hovered };

struct TextMark {  // a match in a row's text
    int row = 0;
    int start = 0, length = 0;  // bytes
    bool write = false;         // a written register
};

class SassView : public QsciScintilla {
    Q_OBJECT

  public:
    explicit SassView(QWidget* parent = nullptr);

    void set_rows(std::vector<std::string> texts, const std::vector<std::vector<RowMark>>& marks);
    void mark_rows(RowMark mark, const std::vector<int>& rows);
    void set_text_marks(const std::vector<TextMark>& marks);

    int first_visible_row() const;
    void set_first_visible_row(int row);
    int visible_rows() const;
    int row_height() const;
    QString help_at(
        const QPoint& viewport_point) const;  // of the opcode there, and a line that is cut; empty: none
    bool cut(int row) const;                  // the row goes on beyond the right edge
    int row_at(const QPoint& viewport_point) const;  // -1: below the last
    void reveal_row(int row);                        // scrolls only if it is out of view or at the edge
    int text_width() const;                          // of the widest row, pixels
    const std::vector<std::string>& texts() const { return texts_; }

  public Q_SLOTS:
    void take_theme();

  Q_SIGNALS:
    void row_pressed(int row);
    void range_asked(int row);    // shift-click
    void copy_asked();            // Ctrl+C with no text selected
    void row_activated(int row);  // double click
    void row_menu(int row, const QPoint& global);
    void resized();
    void scrolled(int first_row);  // by any means

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void show_help(const QHelpEvent* event);
    void replace_text(const std::vector<std::string>& texts);

    SassLexer* lexer_;
    std::vector<std::string> texts_;
    std::size_t widest_ = 0;  // bytes
};

}  // namespace cubinlab::ui
