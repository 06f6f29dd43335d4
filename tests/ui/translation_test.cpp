// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogues of resources/translations: complete, with the placeholders of their sources, and a window in another
// language whose texts fit.
#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QTabBar>
#include <QTableView>
#include <QXmlStreamReader>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/core_words.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/settings/settings_dialog.h"
#include "ui/shell/language.h"
#include "ui/shell/shell.h"
#include "ui/shell/start_page.h"
#include "ui/shell/tour.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace fs = std::filesystem;

namespace {

struct Translated {
    QString context, source;
    QStringList forms;
    bool finished = true, numerus = false;
};

std::vector<Translated> read_catalogue(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    REQUIRE(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    std::vector<Translated> out;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("message")) {
            out.push_back({context, {}, {}, true, xml.attributes().value("numerus") == QLatin1String("yes")});
        } else if (xml.name() == QLatin1String("source")) {
            out.back().source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            out.back().finished = !xml.attributes().hasAttribute("type");
            if (!out.back().numerus) out.back().forms << xml.readElementText();
        } else if (xml.name() == QLatin1String("numerusform")) {
            out.back().forms << xml.readElementText();
        }
    }
    REQUIRE_FALSE(xml.hasError());
    return out;
}

std::vector<fs::path> catalogue_files() {
    std::vector<fs::path> out;
    for (const auto& entry :
         fs::directory_iterator(fs::path(CUBINLAB_SOURCE_DIR) / "resources" / "translations"))
        if (entry.path().extension() == ".ts") out.push_back(entry.path());
    return out;
}

QStringList placeholders(const QString& text) {
    static const QRegularExpression mark(QStringLiteral("%(n|L?[0-9]+)"));
    QStringList out;
    for (auto found = mark.globalMatch(text); found.hasNext();)
        out << found.next().captured();
    out.sort();
    return out;
}

// The adjacent string literals that begin at `at`; empty: there is none.
QString literal_at(const std::string& code, std::size_t at) {
    std::string text;
    for (;;) {
        at = code.find_first_not_of(" \n\t", at);
        if (at == std::string::npos || code[at] != '"') return QString::fromStdString(text);
        for (++at; code[at] != '"'; ++at) {
            if (code[at] != '\\') {
                text += code[at];
                continue;
            }
            ++at;
            if (code[at] == 'n') {
                text += '\n';
            } else if (code[at] == 'u') {
                text += QString(QChar(static_cast<ushort>(std::stoul(code.substr(at + 1, 4), nullptr, 16))))
                            .toStdString();
                at += 4;
            } else {
                text += code[at];
            }
        }
        ++at;
    }
}

// Every text that the sources give to tr().
QStringList texts_of_sources() {
    QStringList out;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CUBINLAB_SOURCE_DIR) / "ui")) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string code{std::istreambuf_iterator<char>(in), {}};
        for (std::size_t at = code.find("tr("); at != std::string::npos; at = code.find("tr(", at + 1)) {
            const char before = at == 0 ? ' ' : code[at - 1];
            if (std::isalnum(static_cast<unsigned char>(before)) || before == '_') continue;
            const std::size_t line = code.rfind('\n', at);
            if (code.find("//", line) < at) continue;  // in a comment
            if (const QString text = literal_at(code, at + 3); !text.isEmpty()) out << text;
        }
    }
    return out;
}

// A widget whose text is wider than itself.
QStringList cut_texts(const QWidget& root) {
    QStringList out;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (button != nullptr && button->text().isEmpty()) continue;
        if (label != nullptr && (label->wordWrap() || label->text().isEmpty())) continue;
        if ((button == nullptr && label == nullptr) || widget->inherits("cubinlab::ui::FittingLabel"))
            continue;  // a fitting label shortens its text where it has to, and says all of it in its tooltip
        const int wanted = widget->minimumSizeHint().width();
        if (widget->width() < wanted)
            out << QStringLiteral("%1 '%2' has %3 of %4")
                       .arg(QLatin1String(widget->metaObject()->className()),
                            button != nullptr ? button->text() : label->text())
                       .arg(widget->width())
                       .arg(wanted);
    }
    return out;
}

struct InLanguage {
    explicit InLanguage(const QString& language) {
        install_language(*QCoreApplication::instance(), language);
        before = QCoreApplication::instance()->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly);
    }
    ~InLanguage() {
        for (QTranslator* each : before) {
            QCoreApplication::removeTranslator(each);
            delete each;
        }
    }
    QList<QTranslator*> before;
};

}  // namespace

TEST_CASE("every text of a catalogue is translated, with the placeholders and line breaks of its source") {
    REQUIRE_FALSE(catalogue_files().empty());
    for (const fs::path& path : catalogue_files()) {
        const auto texts = read_catalogue(path);
        INFO(path.filename().string());
        CHECK(texts.size() > 1000);
        QString wrong;
        for (const Translated& text : texts) {
            bool good = text.finished && !text.forms.isEmpty();
            for (const QString& form : text.forms)
                good = good && !form.isEmpty() && placeholders(form) == placeholders(text.source) &&
                       form.count(QLatin1Char('\n')) == text.source.count(QLatin1Char('\n')) &&
                       form.contains(QLatin1Char('&')) == text.source.contains(QLatin1Char('&')) &&
                       form.startsWith(QLatin1Char(' ')) == text.source.startsWith(QLatin1Char(' '));
            if (!good) wrong += text.context + QStringLiteral(": ") + text.source + QLatin1Char('\n');
        }
        CHECK(wrong.toStdString() == "");
    }
}

TEST_CASE("a catalogue has every text that the sources give to tr(), and none that they no longer have") {
    const QStringList wanted = texts_of_sources();
    CHECK(wanted.size() > 1000);
    for (const fs::path& path : catalogue_files()) {
        std::map<QString, int> there;
        for (const Translated& text : read_catalogue(path))
            ++there[text.source];
        QString missing;
        for (const QString& text : wanted)
            if (there.count(text) == 0) missing += text + QLatin1Char('\n');
        INFO("app/lab/scripts/translations.sh brings the catalogue up to date");
        CHECK(missing.toStdString() == "");
    }
}

// A text that is looked up under another name than it is listed under stays English, and no other test sees it.
TEST_CASE("texts are listed under the names that the sources look them up with") {
    std::set<QString> used;
    static const QRegularExpression name(
        QStringLiteral("translate\\(\\s*\"([^\"]+)\"|Q_DECLARE_TR_FUNCTIONS\\(([^)]+)\\)"));
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CUBINLAB_SOURCE_DIR) / "ui")) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
        QFile in(QString::fromStdString(entry.path().string()));
        REQUIRE(in.open(QIODevice::ReadOnly));
        const QString code = QString::fromUtf8(in.readAll());
        for (auto found = name.globalMatch(code); found.hasNext();) {
            const auto match = found.next();
            used.insert(match.captured(match.captured(1).isEmpty() ? 2 : 1));
        }
    }
    CHECK(used.count(QStringLiteral("graphs")) == 1);
    for (const fs::path& path : catalogue_files()) {
        std::set<QString> there;
        for (const Translated& text : read_catalogue(path))
            there.insert(text.context);
        for (const QString& each : used) {
            INFO(each.toStdString());
            CHECK(there.count(each) == 1);
        }
        // X::tr() in an unnamed namespace is listed under X and looked up under the class's whole name.
        for (const char* of_qt :
             {"QObject", "QPlatformTheme", "QAbstractSpinBox", "QFileDialog", "QFileSystemModel", "QLineEdit",
              "QScrollBar", "QShortcut", "QWidgetTextControl"})
            used.insert(QString::fromLatin1(of_qt));
        for (const QString& each : there) {
            INFO(each.toStdString());
            CHECK((used.count(each) == 1 || each.startsWith(QStringLiteral("cubinlab::"))));
        }
    }
}

TEST_CASE("the language is the desktop's first that is English or has a catalogue") {
    if (!catalogues().contains(QStringLiteral("de"))) {
        WARN("SKIPPED, built without catalogues");
        return;
    }
    CHECK(language_among({QStringLiteral("de-AT"), QStringLiteral("en")}) == QStringLiteral("de"));
    CHECK(language_among({QStringLiteral("en-GB"), QStringLiteral("de")}).isEmpty());
    CHECK(language_among({QStringLiteral("xx"), QStringLiteral("de_DE")}) == QStringLiteral("de"));
    CHECK(language_among({QStringLiteral("C")}).isEmpty());
    CHECK(language_among({}).isEmpty());
}

TEST_CASE("a German window: its texts are German, numbers choose their form, and nothing is cut") {
    if (!catalogues().contains(QStringLiteral("de"))) {
        WARN("SKIPPED, built without catalogues");
        return;
    }
    const InLanguage german(QStringLiteral("de"));
    OpenWindow open;
    CHECK(open.window.menuBar()->actions().first()->text() == QStringLiteral("&Datei"));
    CHECK(QCoreApplication::translate("cubinlab::ui::HandTools", "%n other legal place(s)", nullptr, 1) ==
          QStringLiteral("1 anderer zulässiger Platz"));
    CHECK(QCoreApplication::translate("cubinlab::ui::HandTools", "%n other legal place(s)", nullptr, 3) ==
          QStringLiteral("3 andere zulässige Plätze"));
    CHECK(QCoreApplication::translate("graphs", "no slack (critical)") ==
          QStringLiteral("kein Schlupf (kritisch)"));
    // Sentences of core, part by part.
    CHECK(core_sentence(QStringLiteral(
              "waits 21 cycles for SB3, set by MUFU 0x0000, 23 cycles after its issue; issue it "
              "1 cycle earlier, then another wait holds it")) ==
          QStringLiteral(
              "wartet 21 Takte auf SB3, gesetzt von MUFU 0x0000, 23 Takte nach dessen Absetzen; dieses 1 "
              "Takt früher absetzen, dann hält eine andere Wartezeit"));
    CHECK(core_sentence(QStringLiteral(
              "limited by memory path of the SM: busy 92 % of the path; room for 16 warps on a "
              "sub-core, limited by warps")) ==
          QStringLiteral(
              "begrenzt durch Speicherpfad des SM: 92 % der Zeit belegt, bezogen auf den Pfad; Platz für "
              "16 Warps je Teilkern, begrenzt durch Warps"));
    CHECK(core_sentence(QStringLiteral(
              "no workload lies beside the cubin: the model takes 128 threads a block (assumed)")) ==
          QStringLiteral(
              "neben dem Cubin liegt kein Workload: das Modell nimmt 128 Threads je Block (angenommen)"));
    CHECK(core_sentence(QStringLiteral("what nobody knows; twice")) ==
          QStringLiteral("what nobody knows; twice"));
    // Kinds of mutations: in the log and in its filter. What is stored keeps the word of the format.
    CHECK(kind_title(MutationKind::MoveAndPay) == QStringLiteral("verschieben und bezahlen"));
    QStringList kinds;
    for (const auto* box : open.window.findChildren<QComboBox*>())
        if (box->accessibleName() == QStringLiteral("Nach Art filtern"))
            for (int i = 0; i < box->count(); ++i)
                kinds << box->itemText(i);
    CHECK(kinds.contains(QStringLiteral("verschieben und bezahlen")));
    CHECK(std::string(to_string(MutationKind::MoveAndPay)) == "move-and-pay");
    SettingsDialog* settings = open.window.shell().show_settings({});
    QStringList shown;
    for (const QLabel* label : settings->findChildren<QLabel*>())
        shown << label->text();
    CHECK(shown.contains(QStringLiteral("Farben")));
    settings->close();
    CHECK(open.window.commands()[QStringLiteral("export.curves_csv")]->text().startsWith(
        QStringLiteral("Kurven")));
    CHECK(open.window.commands().shortcuts_as_markdown().startsWith(QStringLiteral("| Taste | Befehl |")));
    open.window.resize(1440, 900);
    QString cut;
    for (QDockWidget* dock : open.window.docks()) {
        dock->show();
        dock->raise();
        settle();
        for (const QString& text : cut_texts(open.window))
            cut += dock->windowTitle() + QStringLiteral(": ") + text + QLatin1Char('\n');
    }
    CHECK(cut.toStdString() == "");
    CHECK(scrolling_bars(open.window) == 0);
    CHECK(cut_tabs(open.window).toStdString() == "");
    // Smaller than its words: the tabs scroll, and none is cut.
    open.window.resize(1024, 700);
    settle();
    CHECK(cut_tabs(open.window).toStdString() == "");
    CHECK(core_word(std::string("interrupted")) == QStringLiteral("unterbrochen"));
    CHECK(QCoreApplication::translate("QPlatformTheme", "Close") == QStringLiteral("Schließen"));
    // Dialogs for files, and keys as the texts name them.
    CHECK(QCoreApplication::translate("QFileDialog", "Look in:") == QStringLiteral("Suchen in:"));
    CHECK(QKeySequence(QStringLiteral("Ctrl+O")).toString(QKeySequence::NativeText) ==
          QStringLiteral("Strg+O"));
    // Larger text has larger dialogs, which scroll down at most.
    Theme::instance().set_ui_points(Theme::instance().default_ui_points() + 4);
    Tour& tour = open.window.shell().tour();
    tour.start();
    settle();
    for (const QPushButton* button : tour.panel()->findChildren<QPushButton*>())
        CHECK((button->isHidden() || button->width() >= button->sizeHint().width()));
    tour.end();
    settings = open.window.shell().show_settings(QStringLiteral("gpu"));
    settle();
    for (const QScrollArea* area : settings->findChildren<QScrollArea*>())
        if (area->isVisible()) CHECK(area->horizontalScrollBar()->maximum() == 0);
    settings->close();
    open.window.commands()[QStringLiteral("file.capture")]->trigger();
    auto* captured = open.window.findChild<QTableView*>(QStringLiteral("capture_table"));
    for (int c = 0; c < captured->horizontalHeader()->count(); ++c)
        CHECK(captured->columnWidth(c) >= captured->horizontalHeader()->sectionSizeHint(c));
    captured->window()->close();
    Theme::instance().set_ui_points(0);
    open.window.document().close();
    settle();
    CHECK(cut_texts(open.window.start_page()).join(QLatin1Char('\n')).toStdString() == "");
}
