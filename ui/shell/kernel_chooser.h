// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel of a program, library or cache: a table that is narrowed by typing. Up, Down and Enter work while the
// cursor stands in the filter; a regular expression is tried where the box is ticked.
#pragma once
#include <QAbstractTableModel>
#include <QDialog>
#include <vector>

#include "ui/document/document.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace cubinlab::ui {

class KernelModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        NameColumn,
        ArchColumn,
        RegistersColumn,
        StackColumn,
        SharedColumn,
        CodeColumn,
        ImageColumn,
        ColumnCount
    };
    static constexpr int kSortRole = Qt::UserRole + 1;
    static constexpr int kFilterRole = Qt::UserRole + 2;  // whole names, though short ones are shown

    explicit KernelModel(KernelChoicesPtr choices, QObject* parent = nullptr);
    const KernelEntry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    KernelChoicesPtr choices_;
    std::vector<KernelEntry> entries_;
};

class KernelChooser : public QDialog {
    Q_OBJECT

  public:
    KernelChooser(KernelChoicesPtr choices, QWidget* parent);
    QLineEdit* filter() const { return filter_; }
    QCheckBox* expression() const { return expression_; }
    int shown() const;

  Q_SIGNALS:
    void chosen(const QString& path, const QString& kernel, const QString& image);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void begin_with(const QString& wish);  // of the command line
    void narrow();
    void take();
    KernelChoicesPtr choices_;
    KernelModel* model_;
    QSortFilterProxyModel* sorted_;
    QLineEdit* filter_;
    QCheckBox* expression_;
    QTableView* table_;
    QLabel* note_;
    QPushButton* open_;
};

}  // namespace cubinlab::ui
