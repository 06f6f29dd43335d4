// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/tools_page.h"
#include "ui/base/commands.h"
#include "ui/base/file_dialog.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"

#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/icons.h"
#include "ui/base/job_runner.h"

namespace cubinlab::ui {

ToolsPage::ToolsPage(const WindowAccess& window, QWidget* parent) : QWidget(parent), window_(window) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    list_ = new QVBoxLayout;
    list_->setSpacing(8);
    layout->addLayout(list_);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(18);
    form->addRow(QStringLiteral("nvdisasm"),
                 make_path_row(QStringLiteral("nvdisasm"), window_.settings->nvdisasm(),
                               [](const QString& path) { Settings().nvdisasm.set(path); }));
    form->addRow(QStringLiteral("nvcc"),
                 make_path_row(QStringLiteral("nvcc"), window_.settings->nvcc(),
                               [](const QString& path) { Settings().nvcc.set(path); }));
    layout->addLayout(form);
    auto* again = new QPushButton(tr("Look again"), this);
    connect(again, &QPushButton::clicked, this, &ToolsPage::look);
    layout->addWidget(again, 0, Qt::AlignLeft);
    layout->addStretch(1);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (looked_) look();
    });
}

QWidget* ToolsPage::make_path_row(const QString& name, const QString& now,
                                  std::function<void(const QString&)> keep) {
    auto* row = new QWidget(this);
    auto* line = new QLineEdit(now, row);
    line->setObjectName(QStringLiteral("path_of_") + name);
    line->setAccessibleName(tr("Path of %1").arg(name));
    line->setPlaceholderText(tr("looked for: CUDA_HOME, PATH, the usual places"));
    auto* browse = new QPushButton(tr("Choose..."), row);
    browse->setAccessibleName(tr("Choose the program %1").arg(name));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(line, 1);
    layout->addWidget(browse);
    const auto set = [this, keep = std::move(keep)](const QString& path) {
        keep(path);
        look();
    };
    connect(line, &QLineEdit::editingFinished, this, [line, set] {
        if (line->isModified()) set(line->text().trimmed());
        line->setModified(false);
    });
    connect(browse, &QPushButton::clicked, this, [this, line, name, set] {
        ask_for_file(this, {.title = tr("Choose the program %1").arg(name), .folder = line->text()},
                     [line, set](const QString& path) {
                         line->setText(path);
                         set(path);
                     });
    });
    return row;
}

void ToolsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!looked_) look();
}

void ToolsPage::clear() {
    while (QLayoutItem* item = list_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
}

void ToolsPage::say(const QString& text) {
    clear();
    auto* label = new QLabel(text, this);
    label->setAccessibleName(text);
    list_->addWidget(label);
}

void ToolsPage::look() {
    looked_ = true;
    say(tr("Looking for tools ..."));
    DoctorSettings settings;
    settings.gpu = window_.settings->gpu();
    settings.nvdisasm = window_.settings->nvdisasm().toStdString();
    settings.nvcc = window_.settings->nvcc().toStdString();
    window_.jobs->run<std::vector<ToolFinding>>(
        QStringLiteral("doctor"), [settings](std::stop_token stop) { return examine(settings, stop); },
        [page = QPointer<ToolsPage>(this)](std::vector<ToolFinding> findings) {
            if (page) page->show_findings(findings);
        },
        JobRunner::Life::Window);
}

void ToolsPage::show_findings(const std::vector<ToolFinding>& findings) {
    clear();
    for (const ToolFinding& finding : findings)
        list_->addWidget(make_finding(finding));
}

QWidget* ToolsPage::make_finding(const ToolFinding& finding) {
    const ThemeColors& c = Theme::instance().colors();
    auto* box = new QFrame(this);
    box->setObjectName(QStringLiteral("finding"));
    box->setStyleSheet(QStringLiteral("#finding { background: %1; border-radius: 6px; }")
                           .arg((finding.present ? c.good_soft : c.warn_soft).name()));
    const QString part = QString::fromStdString(finding.part);
    QString text = QStringLiteral("<b>%1</b>: %2")
                       .arg(part.toHtmlEscaped(), finding.present ? tr("found") : tr("missing"));
    text += QStringLiteral("<br>%1").arg(QString::fromStdString(finding.found).toHtmlEscaped());
    if (!finding.present)
        text += tr("<br>Without it: %1<br>To get it: %2")
                    .arg(QString::fromStdString(finding.cost).toHtmlEscaped(),
                         QString::fromStdString(finding.remedy).toHtmlEscaped());
    auto* label = new QLabel(box);
    label->setTextFormat(Qt::RichText);
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(tr("%1: %2").arg(part, finding.present ? tr("found") : tr("missing")));
    auto* icon = new QLabel(box);
    icon->setPixmap(
        themed_icon(finding.present ? QStringLiteral("done") : QStringLiteral("warning")).pixmap(16, 16));
    icon->setAccessibleName(finding.present ? tr("found") : tr("missing"));
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addWidget(label, 1);
    return box;
}

}  // namespace cubinlab::ui
