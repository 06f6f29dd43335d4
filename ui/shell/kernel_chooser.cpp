// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/kernel_chooser.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/base/table.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"

namespace cubinlab::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString image_text(const Image& image) {
    return image.member.empty() ? QString::number(image.index + 1)
                                : QStringLiteral("%1: %2").arg(image.index + 1).arg(qt(image.member));
}

// What the images are that hold no kernel: "image 4: broken.cubin: is truncated; 2 images: PTX text, no SASS in it".
QString remarks_of(const KernelChoices& choices) {
    struct Remark {
        std::string text;
        int count = 0;
        std::size_t image = 0;  // the first
    };
    std::vector<Remark> remarks;
    for (std::size_t i = 0; i < choices.list.images.size(); ++i) {
        const std::string& text = choices.list.images[i].remark;
        if (text.empty()) continue;
        auto found = std::ranges::find(remarks, text, &Remark::text);
        if (found == remarks.end()) found = remarks.insert(found, {text, 0, i});
        ++found->count;
    }
    QStringList out;
    for (const Remark& remark : remarks) {
        const std::vector<Image>& images = choices.container->images();
        const QString of = remark.count == 1 && remark.image < images.size()
                               ? KernelChooser::tr("image %1").arg(image_text(images[remark.image]))
                               : KernelChooser::tr("%1 images").arg(remark.count);
        out.push_back(QStringLiteral("%1: %2").arg(of, qt(remark.text)));
    }
    return out.join(QStringLiteral("; "));
}

// What is opened for most first: not yet linked copies of what the program has linked, and the hundreds of copies that
// nvcc's library for dynamic parallelism adds, come behind all else.
std::pair<int, std::size_t> place_in_table(const KernelEntry& kernel) {
    const bool of_nvcc = kernel.name.find("cuda_device_runtime_cu") != std::string::npos;
    return {2 * of_nvcc + kernel.relocatable, std::numeric_limits<std::size_t>::max() - kernel.code_size};
}

}  // namespace

// Short names of columns, so that the kernels' have the room.
KernelModel::KernelModel(const KernelChoices& choices, QObject* parent) : RowsModel(parent) {
    using Row = const ShownKernel&;
    set_fields(
        {{tr("Kernel"), tr("Shortest unique name. The tooltip shows the full name."), Qt::AlignLeft,
          [](Row k) { return k.label; }},
         {tr("Arch"), tr("Architecture"), Qt::AlignLeft,
          [](Row k) {
              const QString arch = qt(k.entry.arch.name());
              return k.entry.relocatable ? tr("%1, not linked").arg(arch) : arch;
          }},
         {tr("Regs"), tr("Registers per thread"), Qt::AlignRight, [](Row k) { return k.entry.registers; }},
         {tr("Stack, B"), tr("Stack and spills per thread, bytes"), Qt::AlignRight,
          [](Row k) { return k.entry.local_bytes; }},
         {tr("Shared, B"), tr("Static shared memory, bytes"), Qt::AlignRight,
          [](Row k) { return k.entry.static_shared; }},
         {tr("Code, B"), tr("Code, bytes"), Qt::AlignRight,
          [](Row k) { return static_cast<qulonglong>(k.entry.code_size); }},
         {tr("Image"), tr("Image of the file that contains it"), Qt::AlignLeft, [](Row k) { return k.image; },
          [](Row k) { return static_cast<qulonglong>(k.entry.image); }}});
    std::vector<ShownKernel> rows;
    for (const ImageContents& image : choices.list.images)
        for (const KernelEntry& k : image.kernels)
            rows.push_back(
                {k, qt(choices.labels[rows.size()]), image_text(choices.container->images()[k.image])});
    std::ranges::stable_sort(rows, {}, [](Row k) { return place_in_table(k.entry); });
    set_rows(std::move(rows));
}

QVariant KernelModel::look(const ShownKernel& k, int column, int role) const {
    if (role == Qt::ToolTipRole && column == NameColumn) return whole_name(qt(k.entry.name));
    if (role != kFilterRole) return {};
    return column == NameColumn ? QString(qt(k.entry.demangled) + QLatin1Char('\n') + qt(k.entry.name))
                                : text(k, column);
}

KernelChooser::KernelChooser(KernelChoicesPtr choices, QWidget* parent)
    : QDialog(parent), choices_(std::move(choices)), model_(new KernelModel(*choices_, this)) {
    setObjectName(QStringLiteral("kernel_chooser"));
    const Container& container = *choices_->container;
    setWindowTitle(tr("Kernels of %1").arg(QFileInfo(qt(container.where().string())).fileName()));
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Part of a name, architecture or archive member"));
    filter_->setAccessibleName(tr("Kernel filter"));
    filter_->setClearButtonEnabled(true);
    expression_ = new QCheckBox(tr("Regular &expression"), this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(KernelModel::kSortRole);
    sorted_->setFilterRole(KernelModel::kFilterRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new_table(this, tr("Kernels"), sorted_, 0);
    table_->setShowGrid(true);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // as the model has them, until a column is chosen
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTextElideMode(Qt::ElideMiddle);  // templates differ at the end
    // As wide as headers and visible cells; a library has tens of thousands of rows.
    table_->horizontalHeader()->setResizeContentsPrecision(0);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    stretch_column(table_, KernelModel::NameColumn);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    auto* top = new QHBoxLayout;
    top->addWidget(filter_, 1);
    top->addWidget(expression_);
    auto* column = new QVBoxLayout(this);
    const QString kernels =
        tr("%1, %2: %3 kernels")
            .arg(QFileInfo(qt(container.where().string())).fileName(), qt(container.what()))
            .arg(choices_->list.kernels);
    column->addWidget(
        new QLabel(container.images().size() == 1
                       ? tr("Choose a kernel (%1)").arg(kernels)
                       : tr("Choose a kernel (%1 in %2 images)").arg(kernels).arg(container.images().size()),
                   this));
    column->addLayout(top);
    column->addWidget(table_, 1);
    column->addWidget(note_);
    column->addWidget(buttons);
    resize(for_text(*this, {1000, 560}));
    give_arrows(filter_, table_);
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
                       ? tr("Not a valid regular expression: %1").arg(expression.errorString())
                       : (tr("%1 of %2 kernels").arg(sorted_->rowCount()).arg(model_->rowCount()) +
                          (remarks.isEmpty() ? QString() : tr(". Images without kernels: ") + remarks)));
}

void KernelChooser::take() {
    const QModelIndex at = table_->currentIndex();
    if (!at.isValid() || !open_->isEnabled()) return;
    const KernelEntry& k = model_->row(sorted_->mapToSource(at).row())->entry;
    const Image& image = choices_->container->images()[k.image];
    // For a folder, opens the file itself: its number in the folder can change.
    const bool whole = image.file == choices_->container->where();
    const QString number = whole ? QString::number(k.image + 1) : QString();
    accept();
    Q_EMIT chosen(qt(image.file.string()), qt(k.name), number);
}

// Arrow keys move in the table while the filter has focus.
}  // namespace cubinlab::ui
