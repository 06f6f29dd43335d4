// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/sass_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> heads) {
    return std::any_of(heads.begin(), heads.end(),
                       [&](std::string_view head) { return text.starts_with(head); });
}

SassStyle style_of_mnemonic(std::string_view name) {
    static constexpr std::array<std::string_view, 24> flow = {
        "BRA",       "BRX",    "BRXU",   "JMP",       "JMX",      "EXIT",      "RET",         "CALL",
        "BSSY",      "BSYNC",  "BREAK",  "BMOV",      "WARPSYNC", "YIELD",     "BAR",         "DEPBAR",
        "LDGDEPBAR", "MEMBAR", "ERRBAR", "NANOSLEEP", "KILL",     "WARPGROUP", "UCGABAR_ARV", "UCGABAR_WAIT"};
    if (std::find(flow.begin(), flow.end(), name) != flow.end()) return SassStyle::ControlFlow;
    if (name == "LEA" || name == "LEPC") return SassStyle::Mnemonic;
    if (starts_with_any(name, {"LD", "ST", "ATOM", "RED", "CCTL", "SHFL", "UBLK", "UTMA", "SYNCS", "SULD",
                               "SUST", "SUATOM", "TEX", "TLD"}) &&
        name != "REDUX")
        return SassStyle::MemoryOp;
    if (name.ends_with("MMA") || name == "REDUX" || name == "MUFU") return SassStyle::MathOp;
    if (starts_with_any(name, {"FFMA", "FADD", "FMUL", "IMAD", "IADD3", "HFMA2", "HADD2", "HMUL2", "DFMA",
                               "DADD", "DMUL", "FMNMX", "UIADD3", "UIMAD"}))
        return SassStyle::MathOp;
    return SassStyle::Mnemonic;
}

bool word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool all_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

SassStyle style_of_word(std::string_view word) {
    if (word == "RZ" || (word.front() == 'R' && all_digits(word.substr(1)))) return SassStyle::Register;
    if (word == "URZ" || (word.starts_with("UR") && all_digits(word.substr(2))))
        return SassStyle::UniformRegister;
    if (word == "PT" || word == "UPT" || (word.front() == 'P' && all_digits(word.substr(1))) ||
        (word.starts_with("UP") && all_digits(word.substr(2))) ||
        (word.front() == 'B' && all_digits(word.substr(1))) ||
        (word.starts_with("SB") && all_digits(word.substr(2))))
        return SassStyle::Predicate;
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return SassStyle::Number;
    if (word.starts_with("SR_") || word == "c" || word == "cx" || word == "desc" || word == "gdesc")
        return SassStyle::Constant;
    return SassStyle::Plain;
}

class Tokens {
  public:
    explicit Tokens(std::string_view line) : line_(line) {}

    std::vector<SassToken> run() {
        take_while([](char c) { return c == ' '; }, SassStyle::Plain);
        if (peek() == '.') {  // a block header fills its row
            push(line_.size() - at_, SassStyle::BlockHeader);
            return std::move(tokens_);
        }
        if (peek() == '@') {
            take_while([](char c) { return c != ' '; }, SassStyle::Guard);
            take_while([](char c) { return c == ' '; }, SassStyle::Plain);
        }
        const std::size_t name = word_length();
        push(name, style_of_mnemonic(line_.substr(at_, name)));
        take_while([](char c) { return c != ' '; }, SassStyle::Modifier);
        operands();
        return std::move(tokens_);
    }

  private:
    char peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }
    std::size_t word_length() const {
        std::size_t end = at_;
        while (end < line_.size() && word_char(line_[end]))
            ++end;
        return end - at_;
    }
    void push(std::size_t length, SassStyle style) {
        if (length == 0) return;
        at_ += length;
        if (!tokens_.empty() && tokens_.back().style == style)
            tokens_.back().length += length;
        else
            tokens_.push_back({length, style});
    }
    template <class Keep>
    void take_while(Keep keep, SassStyle style) {
        std::size_t end = at_;
        while (end < line_.size() && keep(line_[end]))
            ++end;
        push(end - at_, style);
    }
    void operands() {
        while (at_ < line_.size()) {
            if (peek() == '`' || (peek() == '(' && line_.substr(at_).starts_with("(.L"))) {
                const std::size_t close = line_.find(')', at_);
                push((close == std::string_view::npos ? line_.size() : close + 1) - at_, SassStyle::Label);
            } else if (peek() == '.') {  // .reuse, .64, .H0_H0
                push(1, SassStyle::Modifier);
                push(word_length(), SassStyle::Modifier);
            } else if (const std::size_t word = word_length(); word > 0) {
                push(word, style_of_word(line_.substr(at_, word)));
            } else {
                push(1, SassStyle::Plain);
            }
        }
    }

    std::string_view line_;
    std::size_t at_ = 0;
    std::vector<SassToken> tokens_;
};

}  // namespace

std::vector<SassToken> tokens_of(std::string_view line) {
    return Tokens(line).run();
}

SassLexer::SassLexer(QObject* parent) : QsciLexerCustom(parent) {
    take_theme();
}

QString SassLexer::description(int style) const {
    return style >= 0 && style < kSassStyles ? QStringLiteral("style %1").arg(style) : QString();
}

void SassLexer::take_theme() {
    const ThemeColors& c = Theme::instance().colors();
    const std::array<QColor, kSassStyles> colors = {
        c.text, c.guard,       c.mnemonic,  c.memory_op, c.control_flow, c.math_op, c.text_dim,
        c.reg,  c.uniform_reg, c.predicate, c.number,    c.constant,     c.label,   c.text_dim};
    const QFont font = Theme::instance().mono_font();
    setDefaultPaper(c.surface);
    setDefaultColor(c.text);
    setDefaultFont(font);
    for (int style = 0; style < kSassStyles; ++style) {
        QFont used = font;
        const auto s = static_cast<SassStyle>(style);
        used.setBold(s == SassStyle::MemoryOp || s == SassStyle::ControlFlow || s == SassStyle::MathOp ||
                     s == SassStyle::Mnemonic);
        setColor(colors[static_cast<std::size_t>(style)], style);
        setPaper(c.surface, style);
        setFont(used, style);
    }
}

void SassLexer::styleText(int start, int end) {
    QsciScintilla* view = editor();
    if (view == nullptr || end <= start) return;
    // Positions are bytes. Styling always starts at the first byte of a line (Scintilla asks so).
    std::string text(static_cast<std::size_t>(end - start) + 1, '\0');
    view->SendScintilla(QsciScintillaBase::SCI_GETTEXTRANGE, static_cast<unsigned long>(start),
                        static_cast<long>(end), text.data());
    text.resize(static_cast<std::size_t>(end - start));
    // Sets all styles at once: the editor notifies its listeners for each call.
    std::string styles(text.size(), static_cast<char>(SassStyle::Plain));
    const std::string_view all(text);
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t newline = std::min(all.find('\n', at), all.size());
        std::size_t begin = at;
        for (const SassToken& token : tokens_of(all.substr(at, newline - at))) {
            std::fill_n(styles.begin() + static_cast<std::ptrdiff_t>(begin), token.length,
                        static_cast<char>(token.style));
            begin += token.length;
        }
        at = newline + 1;
    }
    startStyling(start);
    view->SendScintilla(QsciScintillaBase::SCI_SETSTYLINGEX, static_cast<unsigned long>(styles.size()),
                        styles.data());
}

}  // namespace cubinlab::ui
