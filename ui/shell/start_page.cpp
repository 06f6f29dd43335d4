// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/base/job_runner.h"
#include "ui/base/theme.h"
#include "ui/run/opener.h"

namespace cubinlab::ui {
namespace {

constexpr int kAboutRole = Qt::UserRole + 1;
constexpr int kPathRole = Qt::UserRole;

// A name with a dim line below it.
class TwoLines : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, 2 * option.fontMetrics.height() + 14};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& c = Theme::instance().colors();
        const bool on = (option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus)) != 0;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (on) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(c.hover);
            painter->drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 6, 6);
        }
        const QRect text = option.rect.adjusted(12, 6, -12, -6);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(c.text);
        painter->drawText(
            text, Qt::AlignTop | Qt::AlignLeft,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
        painter->setFont(Theme::instance().small_font());
        painter->setPen(c.text_dim);
        painter->drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(index.data(kAboutRole).toString(), Qt::ElideRight,
                                                            text.width()));
        painter->restore();
    }
};

QListWidget* make_list(const QString& name, QWidget* parent) {
    auto* list = new QListWidget(parent);
    list->setAccessibleName(name);
    list->setItemDelegate(new TwoLines(list));
    list->setMouseTracking(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    return list;
}

void add_item(QListWidget* list, const QString& name, const QString& about, const QString& path) {
    auto* item = new QListWidgetItem(name, list);
    item->setData(kAboutRole, about);
    item->setData(kPathRole, path);
    item->setToolTip(about + QStringLiteral("\n") + path);
    item->setData(Qt::AccessibleTextRole, name + QStringLiteral(", ") + about);
}

// First sentence of a workload's `about`, up to its build details.
QString short_about(const QString& about) {
    return about.section(QLatin1Char(';'), 0, 0).section(QStringLiteral(", assembled by"), 0, 0).trimmed();
}

}  // namespace

QString samples_folder() {
    QStringList places = {qEnvironmentVariable("CUBINLAB_SAMPLES")};
    const QString program = QApplication::applicationDirPath();
    places << program + QStringLiteral("/../share/cubinlab/samples") << program + QStringLiteral("/samples")
           << program + QStringLiteral("/../samples") << program + QStringLiteral("/../../samples");
    for (const QString& place : places)
        if (!place.isEmpty() && !QDir(place).entryList({QStringLiteral("*.cubin")}).isEmpty())
            return QDir(place).canonicalPath();
    return {};
}

std::vector<SampleInfo> read_samples(const QString& folder) {
    std::vector<SampleInfo> list;
    if (folder.isEmpty()) return list;
    const QDir dir(folder);
    for (const QFileInfo& file : dir.entryInfoList({QStringLiteral("*.cubin")}, QDir::Files, QDir::Name)) {
        SampleInfo sample{file.absoluteFilePath(), file.completeBaseName(), {}};
        QFile workload(dir.filePath(file.completeBaseName() + QStringLiteral(".workload.json")));
        if (workload.open(QIODevice::ReadOnly))
            sample.about = short_about(QJsonDocument::fromJson(workload.readAll())
                                           .object()
                                           .value(QLatin1String("about"))
                                           .toString());
        list.push_back(std::move(sample));
    }
    return list;
}

StartPage::StartPage(JobRunner* jobs, QWidget* parent) : QWidget(parent) {
    setAutoFillBackground(true);
    auto* title = new QLabel(tr("CubinLab"), this);
    QFont large = Theme::instance().ui_font();
    large.setPointSize(22);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    auto* about = new QLabel(
        tr("Open a CUDA cubin to compare the compiler's schedule with a candidate, tune it by hand or with "
           "an agent, and export the same program with a better schedule. Every move is proven legal."),
        this);
    about->setWordWrap(true);
    about->setMinimumWidth(300);
    auto* open = new QPushButton(tr("Open cubin, binary or session..."), this);
    open->setDefault(true);
    open->setAccessibleName(tr("Open cubin, binary or session"));
    auto* hint = new QLabel(tr("or drop a file or a Triton cache folder anywhere on the window"), this);
    hint->setEnabled(false);
    hint->setWordWrap(true);
    auto* mark = new QLabel(this);
    mark->setPixmap(app_icon().pixmap(56, 56));
    mark->setFixedSize(56, 56);

    samples_ = make_list(tr("Samples"), this);
    recent_ = make_list(tr("Recent files"), this);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(28);
    lists->addWidget(make_column(tr("Samples"), samples_), 3);
    lists->addWidget(make_column(tr("Recent"), recent_), 2);

    auto* head_text = new QVBoxLayout;
    head_text->setSpacing(4);
    head_text->addWidget(title);
    head_text->addWidget(about);
    auto* head = new QHBoxLayout;
    head->setSpacing(18);
    head->addWidget(mark, 0, Qt::AlignTop);
    head->addLayout(head_text, 1);
    head->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    auto* sessions = new QPushButton(tr("Sessions..."), this);
    for (QWidget* each :
         {static_cast<QWidget*>(open), static_cast<QWidget*>(sessions), static_cast<QWidget*>(hint)})
        buttons->addWidget(each);
    buttons->addStretch(1);
    status_ = new QLabel(this);
    status_->setProperty("dim", true);
    status_->setAccessibleName(tr("GPU"));
    auto* tools = new QPushButton(tr("Tool setup..."), this);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(12);
    foot->addWidget(status_);
    foot->addWidget(tools);
    foot->addStretch(1);
    auto* column = new QVBoxLayout;
    column->setSpacing(18);
    column->addLayout(head);
    column->addLayout(buttons);
    column->addLayout(lists, 1);
    column->addLayout(foot);
    auto* page = new QHBoxLayout(this);
    page->setContentsMargins(48, 40, 48, 32);
    page->addStretch(1);
    page->addLayout(column, 8);
    page->addStretch(1);

    QWidget* const reading[] = {open, sessions, samples_, recent_, tools};
    for (std::size_t i = 1; i < std::size(reading); ++i)
        setTabOrder(reading[i - 1], reading[i]);

    connect(open, &QPushButton::clicked, this, &StartPage::open_asked);
    connect(sessions, &QPushButton::clicked, this, &StartPage::sessions_asked);
    connect(tools, &QPushButton::clicked, this, &StartPage::tools_asked);
    const auto choose = [this](const QListWidgetItem* item) {
        Q_EMIT file_chosen(item->data(kPathRole).toString());
    };
    for (QListWidget* list : {samples_, recent_}) {
        connect(list, &QListWidget::itemClicked, this, choose);
        connect(list, &QListWidget::itemActivated, this, choose);
    }
    jobs->run<std::vector<SampleInfo>>(
        QStringLiteral("samples"),
        [folder = samples_folder()](std::stop_token) { return read_samples(folder); },
        [this](std::vector<SampleInfo> found) {
            found_ = std::move(found);
            for (const SampleInfo& sample : found_)
                add_item(samples_, sample.name, sample.about, sample.path);
            if (found_.empty()) {
                auto* item = new QListWidgetItem(tr("No samples found"), samples_);
                item->setData(kAboutRole, tr("Set CUBINLAB_SAMPLES to the samples folder"));
                item->setFlags(Qt::NoItemFlags);
            }
        },
        JobRunner::Scope::Window);
}

void StartPage::set_status(const QString& text) {
    status_->setText(text);
}

QWidget* StartPage::make_column(const QString& title, QListWidget* list) {
    auto* column = new QWidget(this);
    auto* name = new QLabel(title, column);
    QFont bold = Theme::instance().ui_font();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(name);
    layout->addWidget(list, 1);
    return column;
}

void StartPage::set_recent(const QStringList& paths) {
    recent_->clear();
    for (const QString& path : paths) {
        const Place place = Place::from(path);
        add_item(recent_, place.name(), place.folder(), path);
    }
    if (paths.isEmpty()) {
        auto* item = new QListWidgetItem(tr("No recent files"), recent_);
        item->setData(kAboutRole, tr("Files you open are listed here"));
        item->setFlags(Qt::NoItemFlags);
    }
}

}  // namespace cubinlab::ui
