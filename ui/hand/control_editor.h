// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the control code of one instruction of the hand schedule, and its cache hint if it has one. It marks every illegal value with its
// reason before anything is committed; one commit is one undo step. By keyboard: Tab moves through the
// fields, Enter commits, Esc discards.
#pragma once
#include <QFrame>
#include <QWidget>
#include <array>

#include "ui/document/document.h"
#include "ui/hand/control_legality.h"
#include "ui/hand/hint_rows.h"

class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace cubinlab::ui {

// The sixteen stall counts as cells: legal ones plain, illegal ones crossed out, the chosen one filled. A
// click chooses a value; the spin box next to it does the same by keyboard.
class StallStrip : public QWidget {
    Q_OBJECT

  public:
    explicit StallStrip(QWidget* parent = nullptr);
    void set_value(int stall, int present);                    // the chosen value and the schedule's
    void set_reasons(const std::array<QString, 16>& reasons);  // empty: legal
    QRect cell(int stall) const;
    QSize sizeHint() const override;

  Q_SIGNALS:
    void chosen(int stall);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int stall_at(const QPoint& at) const;  // -1: none

    int value_ = 0;
    int present_ = 0;
    std::array<QString, 16> reasons_;
};

class ControlEditor : public QFrame {
    Q_OBJECT

  public:
    ControlEditor(Document* document, JobRunner* jobs, QWidget* parent = nullptr);

    void edit(InstrId id);  // shows the control code of the hand schedule
    InstrId instr() const { return id_; }
    const ControlCode& draft() const { return draft_; }
    const CacheHint& hint() const { return hint_; }
    bool dirty() const;
    void fit_height(int most);  // its rows are closer where there is less room
    void focus_field(const char* name);      // "stall", "yield", "wait", "read" or "write"
    bool judged() const { return judged_; }  // the marks match the draft
    const ControlLegality& legality() const { return legality_; }
    QString verdict_text() const;

    QSpinBox* stall_box() const { return stall_; }
    QToolButton* yield_switch() const { return yield_; }
    QToolButton* wait_chip(std::size_t barrier) const { return wait_[barrier]; }
    QToolButton* write_chip(std::size_t index) const { return write_[index]; }  // 6: none
    QToolButton* reuse_chip(std::size_t slot) const { return reuse_[slot]; }
    QPushButton* go_button() const { return go_; }

  public Q_SLOTS:
    void commit();
    void dismiss();

  Q_SIGNALS:
    void go_to_asked(quint32 instr);  // the other instruction of a finding
    void committed();
    void dismissed();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QToolButton* make_chip(const QString& text, const QString& name, std::function<void(bool)> toggled);
    QWidget* make_row(const QString& title, const char* help, std::initializer_list<QWidget*> widgets);
    void make_barrier_row(std::array<QToolButton*, 7>& chips, const QString& title, const char* help,
                          std::uint8_t ControlCode::*field);
    void change(const ControlCode& draft);
    void change_hint(const CacheHint& hint);
    CacheHint present_hint() const;
    void show_draft();
    void show_legality();
    void request_legality();
    void mark(QToolButton* chip, const FieldVerdict& verdict, const QString& legal_text);
    QString reason_of(const FieldVerdict& verdict) const;
    void take_theme();

    Document* document_;
    JobRunner* jobs_;
    InstrId id_ = kNone;
    ControlCode draft_;
    CacheHint hint_;
    ControlLegality legality_;
    bool judged_ = false;
    SchedulePtr judged_on_;  // the hand schedule that legality_ is about
    bool showing_ = false;

    QLabel* title_;
    QLabel* code_;
    QSpinBox* stall_;
    StallStrip* strip_;
    QToolButton* yield_;
    std::array<QToolButton*, 6> wait_{};
    std::array<QToolButton*, 7> read_{}, write_{};
    std::array<QToolButton*, 3> reuse_{};
    HintRows* hints_;
    QLabel* verdict_;
    QPushButton* go_;
    QPushButton* apply_;
};

}  // namespace cubinlab::ui
