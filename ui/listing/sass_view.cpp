// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/sass_view.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/sass/opcode_help.h"
#include "ui/base/theme.h"
#include "ui/listing/listing_rows.h"

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

constexpr int kComfort = 3;                   // rows kept above and below a revealed one
constexpr int kReadMark = 8, kWriteMark = 9;  // indicators; the lower ones are the lexer's

std::string joined(const std::vector<std::string>& texts, std::size_t first, std::size_t end) {
    std::string all;
    for (std::size_t i = first; i < end; ++i) {
        all += texts[i];
        all += '\n';
    }
    return all;
}

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

SassView::SassView(QWidget* parent) : QsciScintilla(parent), lexer_(new SassLexer(this)) {
    setUtf8(true);
    setEolMode(EolUnix);
    setLexer(lexer_);
    setFrameShape(QFrame::NoFrame);
    setWrapMode(WrapNone);
    setCaretWidth(0);
    setReadOnly(true);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setContextMenuPolicy(Qt::DefaultContextMenu);
    for (int margin = 0; margin < 5; ++margin)
        setMarginWidth(margin, 0);
    SendScintilla(SCI_SETUNDOCOLLECTION, 0);
    // No notifications for the thousands of marks, styles and indicators of a listing.
    SendScintilla(SCI_SETMODEVENTMASK, static_cast<unsigned long>(SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT));
    SendScintilla(SCI_SETMARGINLEFT, 0, 6L);
    SendScintilla(SCI_SETEXTRAASCENT, 2);
    SendScintilla(SCI_SETEXTRADESCENT, 2);
    SendScintilla(SCI_SETENDATLASTLINE, 1);
    SendScintilla(SCI_SETSCROLLWIDTHTRACKING, 0L);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    for (const RowMark mark : {RowMark::Header, RowMark::Blank, RowMark::Moved, RowMark::Control,
                               RowMark::Selected, RowMark::Hovered})
        markerDefine(Background, static_cast<int>(mark));
    indicatorDefine(StraightBoxIndicator, kReadMark);
    indicatorDefine(StraightBoxIndicator, kWriteMark);
    for (const int indicator : {kReadMark, kWriteMark})
        setIndicatorDrawUnder(true, indicator);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &SassView::scrolled);
    connect(this, &QsciScintilla::SCN_UPDATEUI, this, [this](int what) {
        if ((what & SC_UPDATE_V_SCROLL) != 0) Q_EMIT scrolled(firstVisibleLine());
    });
    connect(&Theme::instance(), &Theme::changed, this, &SassView::take_theme);
    take_theme();
}

void SassView::take_theme() {
    const ThemeColors& c = Theme::instance().colors();
    lexer_->take_theme();  // tells of each colour and font; which text has which style stays as it is
    // All styles count for the height of a row, used or not, and those that are not the lexer's have the
    // interface's font.
    const QByteArray family = Theme::instance().mono_font().family().toUtf8();
    const auto points = static_cast<long>(Theme::instance().mono_font().pointSize());
    for (unsigned long style = kSassStyles; style <= STYLE_MAX; ++style) {
        SendScintilla(SCI_STYLESETFONT, style, family.constData());
        SendScintilla(SCI_STYLESETSIZE, style, points);
        SendScintilla(SCI_STYLESETFORE, style, c.text);
        SendScintilla(SCI_STYLESETBACK, style, c.surface);  // STYLE_DEFAULT: beside and below the text
    }
    const int air = std::max(1, QFontMetrics(Theme::instance().mono_font()).height() / 7);
    setExtraAscent(air);
    setExtraDescent(air);
    setPaper(c.surface);
    setColor(c.text);
    setSelectionBackgroundColor(c.accent_soft);
    resetSelectionForegroundColor();
    setMarkerBackgroundColor(c.surface_alt, static_cast<int>(RowMark::Header));
    setMarkerBackgroundColor(c.blank_row, static_cast<int>(RowMark::Blank));
    setMarkerBackgroundColor(c.moved_soft, static_cast<int>(RowMark::Moved));
    setMarkerBackgroundColor(c.control_soft, static_cast<int>(RowMark::Control));
    setMarkerBackgroundColor(c.selection, static_cast<int>(RowMark::Selected));
    setMarkerBackgroundColor(c.hover, static_cast<int>(RowMark::Hovered));
    SendScintilla(SCI_SETSCROLLWIDTH, static_cast<unsigned long>(std::max(1, text_width())));
    setIndicatorForegroundColor(c.info, kReadMark);
    setIndicatorForegroundColor(c.warn, kWriteMark);
    for (const int indicator : {kReadMark, kWriteMark}) {
        SendScintilla(SCI_INDICSETALPHA, static_cast<unsigned long>(indicator), 45L);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(indicator), 200L);
    }
}

int SassView::text_width() const {
    return static_cast<int>(widest_ + 2) *
               QFontMetrics(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0')) +
           6;
}

void SassView::replace_text(const std::vector<std::string>& texts) {
    const ChangedRange range = changed_range(texts_, texts);
    if (range.empty()) return;
    const auto start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(range.first));
    const auto end = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(range.old_end));
    const std::string text = joined(texts, range.first, range.new_end);
    setReadOnly(false);
    SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(start));
    SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(end));
    SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.data());
    setReadOnly(true);
}

void SassView::set_rows(std::vector<std::string> texts, const std::vector<std::vector<RowMark>>& marks) {
    setUpdatesEnabled(false);
    replace_text(texts);
    texts_ = std::move(texts);
    widest_ = 0;
    for (const std::string& text : texts_)
        widest_ = std::max(widest_, text.size());
    SendScintilla(SCI_SETSCROLLWIDTH, static_cast<unsigned long>(std::max(1, text_width())));
    markerDeleteAll();
    for (std::size_t row = 0; row < marks.size(); ++row)
        for (const RowMark mark : marks[row])
            markerAdd(static_cast<int>(row), static_cast<int>(mark));
    setUpdatesEnabled(true);
}

void SassView::mark_rows(RowMark mark, const std::vector<int>& rows) {
    markerDeleteAll(static_cast<int>(mark));
    for (const int row : rows)
        if (row >= 0) markerAdd(row, static_cast<int>(mark));
}

void SassView::set_text_marks(const std::vector<TextMark>& marks) {
    const long length = SendScintilla(SCI_GETLENGTH);
    for (const int indicator : {kReadMark, kWriteMark}) {
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
        SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, length);
    }
    for (const TextMark& mark : marks) {
        const auto line = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(mark.row));
        SendScintilla(SCI_SETINDICATORCURRENT,
                      static_cast<unsigned long>(mark.write ? kWriteMark : kReadMark));
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(line + mark.start),
                      static_cast<long>(mark.length));
    }
}

bool SassView::cut(int row) const {
    if (row < 0 || static_cast<std::size_t>(row) >= texts_.size()) return false;
    const int digit = QFontMetrics(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'));
    return static_cast<int>(texts_[static_cast<std::size_t>(row)].size()) * digit + 6 >
           viewport()->width() + horizontalScrollBar()->value();
}

int SassView::first_visible_row() const {
    return firstVisibleLine();
}

void SassView::set_first_visible_row(int row) {
    setFirstVisibleLine(std::max(0, row));
    Q_EMIT scrolled(firstVisibleLine());  // Scintilla blocks its scroll bar's signal here
}

int SassView::row_height() const {
    return std::max(1, textHeight(0));
}

int SassView::visible_rows() const {
    return std::max(1, viewport()->height() / row_height());
}

int SassView::row_at(const QPoint& point) const {
    const int row = first_visible_row() + point.y() / row_height();
    return row >= 0 && static_cast<std::size_t>(row) < texts_.size() ? row : -1;
}

void SassView::reveal_row(int row) {
    if (row < 0) return;
    const int first = first_visible_row();
    const int shown = visible_rows();
    if (row >= first + std::min(kComfort, shown / 3) && row < first + shown - std::min(kComfort, shown / 3))
        return;
    const bool near = row >= first - shown / 2 && row < first + shown + shown / 2;
    if (!near)
        set_first_visible_row(row - shown / 3);
    else if (row < first + kComfort)
        set_first_visible_row(row - kComfort);
    else
        set_first_visible_row(row - shown + 1 + kComfort);
}

void SassView::mousePressEvent(QMouseEvent* event) {
    const int row = row_at(event->position().toPoint());
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::ShiftModifier) {
        setFocus(Qt::MouseFocusReason);
        if (row >= 0) Q_EMIT range_asked(row);
        return;
    }
    QsciScintilla::mousePressEvent(event);
    if (row >= 0) Q_EMIT row_pressed(row);
}

void SassView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = row_at(event->position().toPoint());
    if (row >= 0 && event->button() == Qt::LeftButton) return Q_EMIT row_activated(row);
    QsciScintilla::mouseDoubleClickEvent(event);
}

void SassView::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT row_menu(row_at(event->pos()), event->globalPos());
}

// With Shift, scrolls horizontally: lines of wide loads exceed the view.
void SassView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ShiftModifier) == 0 || event->angleDelta().y() == 0) {
        QsciScintilla::wheelEvent(event);
        return;
    }
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - event->angleDelta().y() / 2);
    event->accept();
}

void SassView::resizeEvent(QResizeEvent* event) {
    QsciScintilla::resizeEvent(event);
    Q_EMIT resized();
}

void SassView::keyPressEvent(QKeyEvent* event) {
    // Plain keys belong to the view around (they move the selection); copying is Scintilla's.
    if (event->matches(QKeySequence::Copy) && !hasSelectedText())
        Q_EMIT copy_asked();
    else if (event->matches(QKeySequence::Copy) || event->matches(QKeySequence::SelectAll))
        QsciScintilla::keyPressEvent(event);
    else
        event->ignore();
}

// Help on the opcode under the pointer; a cut line is shown in full before it.
QString SassView::help_at(const QPoint& point) const {
    const int row = row_at(point);
    if (row < 0) return {};
    const std::string& line = texts_[static_cast<std::size_t>(row)];
    QStringList parts;
    if (cut(row)) parts << QStringLiteral("<tt>%1</tt>").arg(QString::fromStdString(line).toHtmlEscaped());
    const auto words = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
    };
    if (const OpcodeHelp* help = opcode_help(line); help != nullptr)
        parts << QStringLiteral("<b>%1</b> &nbsp;%2<br>%3")
                     .arg(words(help->name), words(help->title), words(help->text));
    return parts.join(QStringLiteral("<br><br>"));
}

void SassView::show_help(const QHelpEvent* event) {
    const QPoint at = viewport()->mapFromGlobal(event->globalPos());
    const QString help = viewport()->rect().contains(at) ? help_at(at) : QString();
    if (help.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPos(), help, viewport());
}

bool SassView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        show_help(static_cast<QHelpEvent*>(event));
        return true;
    }
    // The window's shortcuts have priority, because this text is read-only.
    if (event->type() == QEvent::ShortcutOverride &&
        !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->ignore();
        return true;
    }
    return QsciScintilla::event(event);
}

}  // namespace cubinlab::ui
