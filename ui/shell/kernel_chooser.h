// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses a kernel of a program, library or cache from a table with a filter. Up, Down and Enter work in the
// filter; a check box makes the filter a regular expression.
#pragma once
#include <QDialog>

#include "ui/base/rows_model.h"
#include "ui/run/opener.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace cubinlab::ui {

struct ShownKernel {
    KernelEntry entry;
    QString label, image;
};

class KernelModel : public RowsModel<ShownKernel> {
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
    static constexpr int kFilterRole = Qt::UserRole + 2;  // full names, although short ones are shown

    explicit KernelModel(const KernelChoices& choices, QObject* parent = nullptr);

  protected:
    QVariant look(const ShownKernel& kernel, int column, int role) const override;
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

  private:
    void begin_with(const QString& wish);  // initial filter from the command line
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
