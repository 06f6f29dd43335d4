// SPDX-License-Identifier: GPL-3.0-or-later
// Every text that the window shows is given to tr(): the sources are read and literals that look like prose
// outside of tr() and its kin fail the test. Errors of core are English sentences by design (core has no Qt),
// and so are those that ui makes in core's form; they are told by fail() and Error.
#include <QCoreApplication>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tests/support/catch.h"
#include "ui/base/english_plurals.h"

namespace fs = std::filesystem;

namespace {

struct Literal {
    std::string text;    // adjacent ones joined
    std::string before;  // of the statement, up to it
    int line = 0;
};

// Without comments, raw strings and character literals, which hold no texts for people.
std::string code_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    std::string code;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.compare(i, 2, "//") == 0) {
            while (i < all.size() && all[i] != '\n')
                ++i;
            code += '\n';
        } else if (all[i] == '"') {
            const std::size_t start = i;
            for (++i; i < all.size() && all[i] != '"'; ++i)
                if (all[i] == '\\') ++i;
            code += all.substr(start, i - start + 1);
        } else if (all[i] == '\'' && i + 2 < all.size() &&
                   (all[i + 2] == '\'' || (all[i + 1] == '\\' && all[i + 3] == '\''))) {
            i += all[i + 1] == '\\' ? 3 : 2;
            code += ' ';
        } else {
            code += all[i];
        }
    }
    return code;
}

std::vector<Literal> literals_of(const std::string& code) {
    std::vector<Literal> found;
    std::size_t statement = 0;  // where it begins
    std::size_t end = 0;        // of the last literal
    int line = 1;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '\n') ++line;
        if (code[i] == ';') statement = i + 1;
        if (code[i] != '"') continue;
        const std::size_t start = i;
        for (++i; i < code.size() && code[i] != '"'; ++i)
            if (code[i] == '\\') ++i;
        const std::string text = code.substr(start + 1, i - start - 1);
        const bool adjacent = end != 0 && code.find_first_not_of(" \n", end + 1) == start && !found.empty();
        if (adjacent)
            found.back().text += text;
        else
            found.push_back({text, code.substr(statement, start - statement), line});
        end = i;
    }
    return found;
}

// Two words, or one with a capital: not a name of an object, a settings key or a format.
bool is_prose(const std::string& text) {
    static const std::regex words("[A-Za-z]{2,}[,;:]? [a-z]{2,}"), capital("[A-Z][a-z]{2,}( .*)?");
    static const std::regex markup("[{}<>]|[a-z-]+: *[#%0-9a-z]+;|\\.(h|cpp|md)$|^#include");
    return (std::regex_search(text, words) || std::regex_match(text, capital)) &&
           !std::regex_search(text, markup);
}

bool translated(const Literal& literal) {
    static const std::regex call(
        "(^|[^A-Za-z_])(tr|translate|words|QT_TR_NOOP|QT_TRANSLATE_NOOP)\\s*\\(\\s*"
        "(\"[^\"]*\"\\s*,\\s*)?$");
    return std::regex_search(literal.before, call);
}

// A text of core: fail(...), Error{...}, a line on standard error.
bool of_core(const Literal& literal) {
    static const std::regex call(
        "(^|[^A-Za-z_])(fail\\(|Error\\{|Error\\(|Error \\w+\\{|\\{ErrorCode::|fprintf\\()");
    return std::regex_search(literal.before, call);
}

// Literals that look like prose and are no text of the window, by file.
bool excepted(const std::string& file, const std::string& text) {
    static const std::set<std::pair<std::string, std::string>> exact = {
        {"commands.cpp", "Commands"},       // context of translations
        {"system_appearance.cpp", "Read"},  // a method of D-Bus
        {"theme.cpp", "Cascadia Mono"},     // fonts, a style
        {"theme.cpp", "Source Code Pro"},
        {"theme.cpp", "Fusion"},
        {"window_files.cpp", "SQLite format 3"},  // magic bytes
        {"listing_rows.cpp", "  loop depth "},    // the listing's text, which is also exported
        {"listing_rows.cpp", " and outside"},
        {"control_legality.cpp", "the checker cannot prove that the result is the same"},  // as core says it
        {"start_page.cpp", ", assembled by"},   // of a workload file
        {"run_curves.h", "GPU SM clock, MHz"},  // names of curves, as in the CSV
        {"run_curves.h", "GPU temperature, C"},
        {"run_curves.h", "GPU power, W"},
        {"graph_picture.cpp", ";\\n  node [shape=box, fontname=monospace];\\n"},  // Graphviz
        {"hand_log.cpp", "the model gave no figure"},
        {"exports.cpp", "an earlier export"},  // what core is told that a file is
    };
    // The lines of `cubinlab help window`.
    static const std::set<std::string> whole = {"window_app.cpp", "window_app.h"};
    return whole.count(file) != 0 || exact.count({file, text}) != 0;
}

}  // namespace

TEST_CASE("every text of the window is given to tr()") {
    std::string escaped;
    int files = 0, texts = 0;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CUBINLAB_SOURCE_DIR) / "ui")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".cpp" && extension != ".h") continue;
        ++files;
        for (const Literal& literal : literals_of(code_of(entry.path()))) {
            if (!is_prose(literal.text)) continue;
            ++texts;
            if (translated(literal) || of_core(literal) ||
                excepted(entry.path().filename().string(), literal.text))
                continue;
            escaped += entry.path().filename().string() + ":" + std::to_string(literal.line) + ": " +
                       literal.text + "\n";
        }
    }
    CHECK(files > 100);
    CHECK(texts > 500);
    INFO(escaped);
    CHECK(escaped.empty());
}

TEST_CASE("the lint sees what it is made for") {
    const auto caught = [](const std::string& code) {
        int n = 0;
        for (const Literal& literal : literals_of(code))
            if (is_prose(literal.text) && !translated(literal) && !of_core(literal)) ++n;
        return n;
    };
    CHECK(caught("label->setText(QStringLiteral(\"Nothing is open\"));") == 1);
    CHECK(caught("f(\"Measure\");") == 1);
    CHECK(caught("f(tr(\"Nothing \"\n  \"is open\"));") == 0);
    CHECK(caught("f(MainWindow::tr(\"Nothing is open\").arg(QStringLiteral(\"and more words\")));") == 1);
    CHECK(caught("return fail(ErrorCode::Io, \"cannot be written\", path);") == 0);
    CHECK(caught("QCoreApplication::translate(\"settings\", \"Two words\");") == 0);
    CHECK(caught("setObjectName(QStringLiteral(\"dock_history\"));") == 0);
}

TEST_CASE("numbers choose the English form") {
    cubinlab::ui::EnglishPlurals plurals;
    CHECK(plurals.translate("x", "%n place(s)", nullptr, 1) == QStringLiteral("%n place"));
    CHECK(plurals.translate("x", "%n place(s)", nullptr, 0) == QStringLiteral("%n places"));
    CHECK(plurals.translate("x", "no number(s)", nullptr, -1).isNull());
    CHECK(QCoreApplication::translate("x", "%n other legal position(s)", nullptr, 3) ==
          QStringLiteral("3 other legal positions"));
}
