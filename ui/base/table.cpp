// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/table.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// Sizes made from a font or a width are made again when the widget has another one: later, when all of its parts have it.
class Follower : public QObject {
  public:
    Follower(QWidget* widget, QEvent::Type change, std::function<void()> fit)
        : QObject(widget), change_(change), fit_(std::move(fit)) {
        widget->installEventFilter(this);
        fit_();
    }
    bool eventFilter(QObject* widget, QEvent* event) override {
        if (event->type() == change_)
            QMetaObject::invokeMethod(
                this, [this] { fit_(); }, Qt::QueuedConnection);
        return QObject::eventFilter(widget, event);
    }

  private:
    QEvent::Type change_;
    std::function<void()> fit_;
};

class ArrowKeys : public QObject {
  public:
    ArrowKeys(QLineEdit* field, QTableView* table) : QObject(field), table_(table) {
        field->installEventFilter(this);
    }
    bool eventFilter(QObject* field, QEvent* event) override {
        if (event->type() != QEvent::KeyPress || !table_) return QObject::eventFilter(field, event);
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_PageUp && key != Qt::Key_PageDown)
            return false;
        QCoreApplication::sendEvent(table_, event);
        return true;
    }

  private:
    QPointer<QTableView> table_;
};

// How a table's columns share its width. What stands in one may be cut, a number beside it may not: those come
// first. Not by what stands in the column that takes the rest: it would jump with the rows, and scroll for a name.
class Fitter : public QObject {
  public:
    Fitter(QTableView* table, int rest, std::vector<int> may_be_cut)
        : QObject(table), table_(table), rest_(rest), cut_(std::move(may_be_cut)) {
        QHeaderView* heads = table->horizontalHeader();
        heads->setSectionResizeMode(rest, QHeaderView::Interactive);
        for (int c = 0; c < heads->count(); ++c)
            wished_.push_back(heads->sectionSize(c));
        connect(heads, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
            if (fitting_ || width == 0) return;  // hidden
            wished_.resize(static_cast<std::size_t>(table_->horizontalHeader()->count()));
            wished_[static_cast<std::size_t>(column)] = width;
            fit_later();
        });
        connect(heads, &QHeaderView::sectionCountChanged, this, &Fitter::fit_later);
        table->viewport()->installEventFilter(this);
        fit();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) fit_later();
        return QObject::eventFilter(watched, event);
    }

  private:
    int least(int column, int characters) const {
        return std::max(table_->horizontalHeader()->sectionSizeHint(column),
                        characters * table_->fontMetrics().averageCharWidth());
    }
    int wished(int column) const {
        const auto c = static_cast<std::size_t>(column);
        return c < wished_.size() ? wished_[c] : table_->columnWidth(column);
    }
    void fit_later() {
        if (waits_) return;
        waits_ = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                waits_ = false;
                fit();
            },
            Qt::QueuedConnection);
    }
    void fit() {
        const int rest_characters = cut_.empty() ? 20 : 12;
        constexpr int kWordCharacters = 8;
        const QHeaderView* heads = table_->horizontalHeader();
        if (rest_ >= heads->count() || heads->isSectionHidden(rest_)) return;
        const bool was = std::exchange(fitting_, true);
        int whole = 0, cut_wish = 0, cut_least = 0;
        const auto gives = [&](int c) { return std::find(cut_.begin(), cut_.end(), c) != cut_.end(); };
        for (int c = 0; c < heads->count(); ++c) {
            if (c == rest_ || heads->isSectionHidden(c)) continue;
            (gives(c) ? cut_wish : whole) += wished(c);
            if (gives(c)) cut_least += std::min(wished(c), least(c, kWordCharacters));
        }
        const int room = table_->viewport()->width() - whole, rest = least(rest_, rest_characters);
        const int for_cut = std::clamp(room - rest, cut_least, cut_wish);
        int left = room;
        for (int c = 0; c < heads->count(); ++c) {
            if (c == rest_ || heads->isSectionHidden(c)) continue;
            int width = wished(c);
            if (gives(c) && cut_wish > cut_least) {
                const int low = std::min(width, least(c, kWordCharacters));
                width = low + (width - low) * (for_cut - cut_least) / (cut_wish - cut_least);
            }
            if (gives(c)) left -= width;
            table_->setColumnWidth(c, width);
        }
        table_->setColumnWidth(rest_, std::max(left, rest));
        fitting_ = was;
    }

    QTableView* table_;
    int rest_;
    std::vector<int> cut_, wished_;  // wished: set by the table's owner or by a drag
    bool fitting_ = false, waits_ = false;
};

}  // namespace

QTableView* new_table(QWidget* parent, const QString& accessible, QAbstractItemModel* model, int padding) {
    auto* table = new QTableView(parent);
    table->setAccessibleName(accessible);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    if (padding > 0)
        new Follower(table, QEvent::FontChange, [table, padding] {
            table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + padding);
        });
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

void give_arrows(QLineEdit* field, QTableView* table) {
    new ArrowKeys(field, table);
}

void widen_to_heads(QTableView* table) {
    QHeaderView* heads = table->horizontalHeader();
    new Follower(heads, QEvent::FontChange, [table, heads, before = 0]() mutable {
        const int now = heads->fontMetrics().height();
        for (int c = 0; c < heads->count(); ++c) {
            if (heads->isSectionHidden(c)) continue;
            const int width = table->columnWidth(c) * now / std::max(1, before == 0 ? now : before);
            table->setColumnWidth(c, std::max(width, heads->sectionSizeHint(c)));
        }
        before = now;
    });
    // A header that names the evaluator changes with it: "Model gain", "Speed-up".
    QObject::connect(table->model(), &QAbstractItemModel::headerDataChanged, heads,
                     [table, heads](Qt::Orientation, int first, int last) {
                         for (int c = first; c <= std::min(last, heads->count() - 1); ++c)
                             if (const int least = heads->sectionSizeHint(c);
                                 !heads->isSectionHidden(c) && table->columnWidth(c) < least)
                                 table->setColumnWidth(c, least);
                     });
}

void set_column_widths(QTableView* table, const std::vector<int>& pixels) {
    for (std::size_t c = 0; c < pixels.size(); ++c)
        table->setColumnWidth(static_cast<int>(c), static_cast<int>(pixels[c] * text_scale()));
    widen_to_heads(table);
}

void stretch_column(QTableView* table, int column, const std::vector<int>& may_be_cut) {
    new Fitter(table, column, may_be_cut);
}

void fit_to_contents(QTableView* table, const std::vector<int>& columns) {
    const QHeaderView* heads = table->horizontalHeader();
    for (const int c : columns)
        table->setColumnWidth(c, std::max(static_cast<QAbstractItemView*>(table)->sizeHintForColumn(c) + 1,
                                          heads->sectionSizeHint(c)));
}

QStandardItem* new_cell(const QString& text, bool number) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(text);
    if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace cubinlab::ui
