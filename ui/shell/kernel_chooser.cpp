// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/kernel_chooser.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"

namespace cubinlab::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

// What the images are that hold no kernel: "2 PTX text, no SASS in it; 3 no kernels in it".
QString remarks_of(const KernelChoices& choices) {
    std::vector<std::pair<std::string, int>> counts;
    for (const ImageContents& image : choices.list.images) {
        if (image.remark.empty()) continue;
        const auto found = std::find_if(counts.begin(), counts.end(),
                                        [&](const auto& c) { return c.first == image.remark; });
        if (found == counts.end())
            counts.emplace_back(image.remark, 1);
        else
            ++found->second;
    }
    QStringList out;
    for (const auto& [remark, count] : counts)
        out.push_back(QStringLiteral("%1: %2").arg(count).arg(qt(remark)));
    return out.join(QStringLiteral("; "));
}

}  // namespace

KernelModel::KernelModel(KernelChoicesPtr choices, QObject* parent)
    : QAbstractTableModel(parent), choices_(std::move(choices)) {
    for (const ImageContents& image : choices_->list.images)
        entries_.insert(entries_.end(), image.kernels.begin(), image.kernels.end());
}

int KernelModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int KernelModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant KernelModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const KernelEntry& k = entry(index.row());
    if (role == Qt::ToolTipRole && index.column() == NameColumn) return whole_name(qt(k.name));
    if (role == kFilterRole && index.column() == NameColumn)
        return QString(qt(k.demangled) + QLatin1Char('\n') + qt(k.name));
    if (role == Qt::TextAlignmentRole && index.column() >= RegistersColumn && index.column() <= CodeColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kSortRole && role != kFilterRole) return {};
    switch (index.column()) {
        case NameColumn:
            return qt(choices_->labels[static_cast<std::size_t>(index.row())]);
        case ArchColumn:
            return k.relocatable ? tr("%1, not linked").arg(qt(k.arch.name())) : qt(k.arch.name());
        case RegistersColumn:
            return k.registers;
        case StackColumn:
            return k.local_bytes;
        case SharedColumn:
            return k.static_shared;
        case CodeColumn:
            return static_cast<qulonglong>(k.code_size);
        case ImageColumn: {
            if (role == kSortRole) return static_cast<qulonglong>(k.image);
            const Image& image = choices_->container->images()[k.image];
            return image.member.empty() ? QString::number(image.index + 1)
                                        : QStringLiteral("%1: %2").arg(image.index + 1).arg(qt(image.member));
        }
        default:
            return {};
    }
}

QVariant KernelModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    // Short, so that the names have the room; the tip has the unit.
    struct ColumnHead {
        const char *name, *tip;
    };
    static constexpr ColumnHead heads[] = {
        {QT_TR_NOOP("Kernel"),
         QT_TR_NOOP("Name, as short as tells them apart; the tip of each has all of it")},
        {QT_TR_NOOP("Arch"), QT_TR_NOOP("Architecture")},
        {QT_TR_NOOP("Regs"), QT_TR_NOOP("Registers of a thread")},
        {QT_TR_NOOP("Stack"), QT_TR_NOOP("Stack and spills of a thread, bytes")},
        {QT_TR_NOOP("Shared"), QT_TR_NOOP("Static shared memory, bytes")},
        {QT_TR_NOOP("Code"), QT_TR_NOOP("Code, bytes")},
        {QT_TR_NOOP("Image"), QT_TR_NOOP("Image of the file that holds it")}};
    if (role == Qt::DisplayRole) return tr(heads[section].name);
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    return {};
}

KernelChooser::KernelChooser(KernelChoicesPtr choices, QWidget* parent)
    : QDialog(parent), choices_(std::move(choices)), model_(new KernelModel(choices_, this)) {
    setObjectName(QStringLiteral("kernel_chooser"));
    const Container& container = *choices_->container;
    setWindowTitle(tr("Kernels of %1").arg(QFileInfo(qt(container.where().string())).fileName()));
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Part of a name, an architecture or a member"));
    filter_->setAccessibleName(tr("Filter of the kernels"));
    filter_->setClearButtonEnabled(true);
    expression_ = new QCheckBox(tr("Regular &expression"), this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(KernelModel::kSortRole);
    sorted_->setFilterRole(KernelModel::kFilterRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new QTableView(this);
    table_->setAccessibleName(tr("Kernels"));
    table_->setModel(sorted_);
    table_->setTabKeyNavigation(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(KernelModel::CodeColumn, Qt::DescendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    // As wide as their heads and what is in sight; a library has tens of thousands of rows.
    table_->horizontalHeader()->setResizeContentsPrecision(0);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(KernelModel::NameColumn, QHeaderView::Stretch);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    auto* top = new QHBoxLayout;
    top->addWidget(filter_, 1);
    top->addWidget(expression_);
    auto* column = new QVBoxLayout(this);
    const QString kernels = tr("%1: %2 kernels").arg(qt(container.what())).arg(choices_->list.kernels);
    column->addWidget(
        new QLabel(container.images().size() == 1
                       ? tr("%1. Which one?").arg(kernels)
                       : tr("%1 in %2 images. Which one?").arg(kernels).arg(container.images().size()),
                   this));
    column->addLayout(top);
    column->addWidget(table_, 1);
    column->addWidget(note_);
    column->addWidget(buttons);
    resize(1000, 560);
    filter_->installEventFilter(this);
    filter_->setFocus();
    connect(filter_, &QLineEdit::textChanged, this, &KernelChooser::narrow);
    connect(expression_, &QCheckBox::toggled, this, &KernelChooser::narrow);
    connect(table_, &QTableView::activated, this, &KernelChooser::take);
    connect(buttons, &QDialogButtonBox::accepted, this, &KernelChooser::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    begin_with(qt(choices_->wish));
    narrow();
}

void KernelChooser::begin_with(const QString& wish) {
    const QLatin1StringView marks("regex:");
    expression_->setChecked(wish.startsWith(marks));
    filter_->setText(wish.startsWith(marks) ? wish.sliced(marks.size()) : wish);
    if (shown() == 0) filter_->clear();
}

int KernelChooser::shown() const {
    return sorted_->rowCount();
}

void KernelChooser::narrow() {
    const QString text = filter_->text();
    const QRegularExpression expression(expression_->isChecked() ? text : QRegularExpression::escape(text),
                                        QRegularExpression::CaseInsensitiveOption);
    if (expression.isValid()) sorted_->setFilterRegularExpression(expression);
    if (sorted_->rowCount() > 0) table_->selectRow(0);
    open_->setEnabled(expression.isValid() && sorted_->rowCount() > 0);
    const QString remarks = remarks_of(*choices_);
    note_->setText(!expression.isValid()
                       ? tr("This is no regular expression: %1").arg(expression.errorString())
                       : (tr("%1 of %2 kernels").arg(sorted_->rowCount()).arg(model_->rowCount()) +
                          (remarks.isEmpty() ? QString() : tr(". Images without kernels: ") + remarks)));
}

void KernelChooser::take() {
    const QModelIndex at = table_->currentIndex();
    if (!at.isValid() || !open_->isEnabled()) return;
    const KernelEntry& k = model_->entry(sorted_->mapToSource(at).row());
    const Image& image = choices_->container->images()[k.image];
    // Of a folder the file itself is opened: its number among the others may be another one tomorrow.
    const bool whole = image.file == choices_->container->where();
    const QString number = whole ? QString::number(k.image + 1) : QString();
    accept();
    Q_EMIT chosen(qt(image.file.string()), qt(k.name), number);
}

// The arrows move in the table while the filter is typed into.
bool KernelChooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QApplication::sendEvent(table_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace cubinlab::ui
