// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/tools_page.h"
#include "ui/base/commands.h"
#include "ui/base/file_dialog.h"
#include "ui/base/theme.h"

#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/job_runner.h"

namespace cubinlab::ui {

ToolsPage::ToolsPage(const WindowContext& window, QWidget* parent) : QWidget(parent), window_(window) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    list_ = new QVBoxLayout;
    list_->setSpacing(8);
    layout->addLayout(list_);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(18);
    add_path(*form, QStringLiteral("nvdisasm"), window_.settings->nvdisasm);
    add_path(*form, QStringLiteral("nvcc"), window_.settings->nvcc);
    layout->addLayout(form);
    auto* again = new QPushButton(tr("Refresh"), this);
    connect(again, &QPushButton::clicked, this, &ToolsPage::look);
    layout->addWidget(again, 0, Qt::AlignLeft);
    layout->addStretch(1);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (looked_) look();
    });
}

void ToolsPage::add_path(QFormLayout& form, const QString& name, Settings::Stored<QString>& setting) {
    auto* field = new PathField(QStringLiteral("path_of_") + name, tr("Path of %1").arg(name), Ask::File,
                                this, tr("Choose %1").arg(name));
    field->button()->setAccessibleName(tr("Choose %1").arg(name));
    field->line()->setText(setting());
    field->line()->setPlaceholderText(tr("searched: CUDA_HOME, PATH, default folders"));
    field->add_to(form, name);
    connect(field, &PathField::chosen, this, [this, &setting](const QString& path) {
        setting.set(path);
        look();
    });
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
    say(tr("Looking for tools..."));
    DoctorSettings settings;
    settings.gpu = window_.settings->gpu();
    settings.nvdisasm = window_.settings->nvdisasm().toStdString();
    settings.nvcc = window_.settings->nvcc().toStdString();
    window_.jobs->run<std::vector<ToolFinding>>(
        QStringLiteral("doctor"), [settings](std::stop_token stop) { return examine(settings, stop); },
        [page = QPointer<ToolsPage>(this)](std::vector<ToolFinding> findings) {
            if (page) page->show_findings(findings);
        },
        JobRunner::Scope::Window);
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
    // Command-line options correspond to pages here.
    const QString remedy = finding.part == "GPU" ? tr("an NVIDIA driver and a GPU, or a worker on another "
                                                      "machine (set its command on the page GPU)")
                                                 : QString::fromStdString(finding.remedy);
    if (!finding.present)
        text += tr("<br>Without it: %1<br>To get it: %2")
                    .arg(QString::fromStdString(finding.cost).toHtmlEscaped(), remedy.toHtmlEscaped());
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
