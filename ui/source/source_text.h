// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a source file, read-only by default, with line numbers. Lines with instructions show their
// number, in the colour of the listings' line column.
#pragma once
#include <QPlainTextEdit>
#include <map>

namespace cubinlab::ui {

QColor source_line_color(int line);

class SourceText : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit SourceText(QWidget* parent = nullptr);

    void show_file(const QString& text, std::map<int, int> instructions);  // counts by line
    void choose_line(int line);                                            // 0: none; no signal
    int chosen_line() const { return line_; }
    void set_editable(bool on);                       // enables editing keys and mouse
    void set_problems(std::map<int, QString> lines);  // marks lines, with the texts as tooltips
    const std::map<int, QString>& problems() const { return problems_; }
    void go_to_line(int line);                 // moves the cursor; selects no line
    bool showing() const { return showing_; }  // the text changes because another file is being shown
    void paint_margin(QPaintEvent* event);
    int margin_width() const;

  Q_SIGNALS:
    void line_chosen(int line);

  protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void apply_theme();
    void mark();

    QWidget* margin_;
    std::map<int, int> instructions_;
    std::map<int, QString> problems_;
    bool showing_ = false;
    int line_ = 0;
};

}  // namespace cubinlab::ui
