// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of SASS text. The tokens of a line come from a function without Qt that is tested alone.
//
//   tokens_of("@!P2 LDG.E.128 R8, desc[UR6][R18.64]")
//     Guard "@!P2"  MemoryOp "LDG"  Modifier ".E.128"  Register "R8" ...
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "ui/base/qsci.h"

namespace cubinlab::ui {

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

}  // namespace cubinlab::ui
