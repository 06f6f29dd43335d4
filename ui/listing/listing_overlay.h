// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn over a listing's text: dependence labels, legal positions of an instruction, drop zones of a drag,
// the mark of a line that is cut off. Ignores the mouse.
#pragma once
#include <QWidget>
#include <vector>

namespace cubinlab::ui {

class SassView;

struct RowLabel {
    int row = 0;
    QString text;
    QColor color;
    bool strong = false;
};

// The current drag, in rows of the listing.
struct DragPicture {
    int origin = -1;           // row of the instruction
    int target = -1;           // row under the pointer; -1: none
    int first = 0, last = -1;  // rows of the block
    bool known = false;        // the legal rows are computed
    std::vector<bool> place;   // by row - first: holds an instruction of the block
    std::vector<bool> legal;   // by row - first
    QString hint;              // the effect of a drop, or why it is illegal
    bool legal_at(int row) const {
        return row >= first && row <= last && legal[static_cast<std::size_t>(row - first)];
    }
    bool active() const { return origin >= 0; }
};

class ListingOverlay : public QWidget {
    Q_OBJECT

  public:
    explicit ListingOverlay(SassView* view);

    void forget();  // drops the kernel
    void set_labels(std::vector<RowLabel> labels);
    void set_legal_rows(std::vector<int> rows);   // marks; empty: none
    void set_note(int row, const QString& text);  // at the right end of a row; -1: none
    const QString& note() const { return note_; }
    void set_drag(DragPicture drag);
    const std::vector<RowLabel>& labels() const { return labels_; }
    QString shown_text(const RowLabel& label) const;  // elided in a narrow listing
    const std::vector<int>& legal_rows() const { return legal_; }
    const DragPicture& drag() const { return drag_; }
    struct Hint {
        QRect chip, text;  // the text is wrapped in its rectangle
    };
    Hint hint_place() const;  // of a drag with a hint

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QRect row_rect(int row) const;
    void paint_labels(QPainter& painter) const;
    void paint_note(QPainter& painter) const;
    void paint_drag(QPainter& painter) const;
    void paint_clipped(QPainter& painter) const;

    SassView* view_;
    std::vector<RowLabel> labels_;
    std::vector<int> legal_;
    int note_row_ = -1;
    QString note_;
    DragPicture drag_;
};

}  // namespace cubinlab::ui
