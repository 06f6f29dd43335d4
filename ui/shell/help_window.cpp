// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_window.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/version.h"
#include "ui/base/commands.h"
#include "ui/base/fitting_label.h"
#include "ui/base/theme.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

QString title_of_page(const QString& path) {
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        while (!file.atEnd())
            if (const QString line = QString::fromUtf8(file.readLine()).trimmed();
                line.startsWith(QLatin1String("# ")))
                return line.mid(2);
    return QFileInfo(path).completeBaseName();
}

// Thin rules in the theme's colour and cell padding, instead of Qt's boxes in boxes.
void rule_tables(QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(Theme::instance().colors().border);
        format.setCellPadding(4);
        table->setFormat(format);
    }
}

// Pictures are at most as wide as the page.
class PageBrowser : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;
    QVariant loadResource(int type, const QUrl& name) override {
        const QVariant found = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource) return found;
        QImage image = found.value<QImage>();
        if (image.isNull()) image = QImage::fromData(found.toByteArray());
        const int most = std::max(200, viewport()->width() - 60);
        if (image.width() > most) image = image.scaledToWidth(most, Qt::SmoothTransformation);
        return image;
    }
};

}  // namespace

QString docs_folder() {
    QStringList places = {qEnvironmentVariable("CUBINLAB_DOCS")};
    const QString program = QApplication::applicationDirPath();
    places << program + QStringLiteral("/../share/doc/cubinlab")
           << program + QStringLiteral("/../share/cubinlab/docs")
           << program + QStringLiteral("/../../resources/docs");  // a build inside the source tree
    for (const QString& place : places)
        if (!place.isEmpty() && !QDir(place).entryList({QStringLiteral("*.md")}).isEmpty())
            return QDir(place).canonicalPath();
    return {};
}

HelpWindow::HelpWindow(const Commands& commands, QWidget* parent) : QDialog(parent), commands_(commands) {
    setWindowTitle(tr("CubinLab Help"));
    resize(for_text(*this, {1000, 700}));
    search_ = new QLineEdit(this);  // first, because Tab follows the order of creation
    pages_ = new QListWidget(this);
    pages_->setAccessibleName(tr("Help pages"));
    pages_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    pages_->setTextElideMode(Qt::ElideRight);
    pages_->setSpacing(1);
    text_ = new PageBrowser(this);
    text_->setAccessibleName(tr("Help text"));
    text_->setOpenExternalLinks(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->document()->setDocumentMargin(18);
    search_->setObjectName(QStringLiteral("help_search"));
    search_->setAccessibleName(tr("Search all pages"));
    search_->setPlaceholderText(tr("Search all pages"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &HelpWindow::find);
    connect(search_, &QLineEdit::returnPressed, this, [this] {  // the next place
        if (!text_->find(search_->text().section(QLatin1Char(' '), 0, 0, QString::SectionSkipEmpty)))
            show_first_place();
    });
    auto* left = new QWidget(this);
    auto* left_column = new QVBoxLayout(left);
    left_column->setContentsMargins(6, 6, 0, 0);
    left_column->addWidget(search_);
    left_column->addWidget(pages_);
    auto* split = new QSplitter(this);
    split->addWidget(left);
    split->addWidget(text_);
    split->setSizes({280, 720});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);

    none_ = new EmptyNote(pages_);
    none_->setObjectName(QStringLiteral("help_none"));
    none_->setProperty("dim", true);
    none_->setText(tr("No page contains all of these words."));
    none_->hide();
    (new QVBoxLayout(pages_))->addWidget(none_);

    auto* keys = new QListWidgetItem(tr("Keyboard shortcuts"), pages_);
    keys->setData(Qt::UserRole, QString());
    const QDir docs(docs_folder());
    if (!docs_folder().isEmpty())
        for (const QString& name : docs.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
            auto* item = new QListWidgetItem(title_of_page(docs.filePath(name)), pages_);
            item->setData(Qt::UserRole, docs.filePath(name));
            item->setToolTip(item->text());
        }
    const auto show = [this](const QListWidgetItem* item) {
        if (item == nullptr) return;
        const QString path = item->data(Qt::UserRole).toString();
        if (path.isEmpty()) {
            text_->setMarkdown(tr("# Keyboard shortcuts\n\n") + commands_.shortcuts_as_markdown());
            rule_tables(*text_->document());
            return;
        }
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return;
        text_->setSearchPaths({QFileInfo(path).absolutePath()});
        text_->document()->setMetaInformation(QTextDocument::DocumentUrl,
                                              QUrl::fromLocalFile(path).toString());
        text_->setMarkdown(QString::fromUtf8(file.readAll()));
        rule_tables(*text_->document());
        show_first_place();
    };
    connect(pages_, &QListWidget::currentItemChanged, this, show);
    // Links keep the colour with which they were written.
    connect(&Theme::instance(), &Theme::changed, this, [this, show] { show(pages_->currentItem()); });
    pages_->setCurrentRow(0);
}

void HelpWindow::find(const QString& words) {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QListWidgetItem* first = nullptr;
    for (int row = 0; row < pages_->count(); ++row) {
        QListWidgetItem* item = pages_->item(row);
        const QString path = item->data(Qt::UserRole).toString();
        QFile file(path);
        const QString text = path.isEmpty()                   ? commands_.shortcuts_as_markdown()
                             : file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll())
                                                              : QString();
        const bool has = std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!has);
        if (has && first == nullptr) first = item;
    }
    const QListWidgetItem* now = pages_->currentItem();
    if (first != nullptr && (now == nullptr || now->isHidden()))
        pages_->setCurrentItem(first);
    else
        show_first_place();
    none_->setVisible(first == nullptr);
}

void HelpWindow::show_first_place() {
    text_->moveCursor(QTextCursor::Start);
    const QString word = search_->text().section(QLatin1Char(' '), 0, 0, QString::SectionSkipEmpty);
    if (!word.isEmpty()) text_->find(word);
}

int HelpWindow::pages_shown() const {
    int shown = 0;
    for (int row = 0; row < pages_->count(); ++row)
        if (!pages_->item(row)->isHidden()) ++shown;
    return shown;
}

void HelpWindow::show_page(const QString& name) {
    for (int row = 0; row < pages_->count(); ++row)
        if (QFileInfo(pages_->item(row)->data(Qt::UserRole).toString()).completeBaseName() == name)
            pages_->setCurrentRow(row);
    Windows::bring_up(this);
}

void show_about(QWidget* parent, std::function<void()> show_licences) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(QObject::tr("About CubinLab"));
    box->setIconPixmap(app_icon().pixmap(64, 64));
    box->setTextFormat(Qt::RichText);
    box->setText(
        QObject::tr("<h3>CubinLab %1</h3>"
                    "<p>A workbench for NVIDIA SASS schedules. GPL-3.0-or-later, without any warranty.</p>"
                    "<p>Built with Qt %2 (LGPL-3.0), QScintilla (GPL-3.0), QCustomPlot (GPL-3.0-or-later), "
                    "SQLite (public domain), LibTorch (BSD-3-Clause), nlohmann-json and fmt (MIT), "
                    "CLI11 (BSD-3-Clause), tl::expected (CC0), Zstandard and xxHash (BSD).</p>"
                    "<p>Not affiliated with NVIDIA; CUDA and SASS tools are not part of this program.</p>")
            .arg(QString::fromStdString(version_number()), QString::fromLatin1(qVersion())));
    auto* licences = box->addButton(QObject::tr("Licences"), QMessageBox::HelpRole);
    auto* qt = box->addButton(QObject::tr("About Qt"), QMessageBox::ActionRole);
    box->setDefaultButton(box->addButton(QMessageBox::Close));
    // Without this, Tab never reaches the last button: the row passes focus to its first one.
    if (auto* buttons = box->findChild<QDialogButtonBox*>()) buttons->setFocusProxy(nullptr);
    QObject::connect(licences, &QPushButton::clicked, parent, std::move(show_licences));
    QObject::connect(qt, &QPushButton::clicked, parent, [parent] { QMessageBox::aboutQt(parent); });
    box->open();
}

}  // namespace cubinlab::ui
