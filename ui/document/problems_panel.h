// SPDX-License-Identifier: GPL-3.0-or-later
// Two questions, told apart: is the file legal as it stands, judged by itself as `check FILE` does; and is
// the schedule on the right a legal reschedule of it. Also why the last edit was refused. A row names the
// rule, both instructions, the cycles needed and there. Notes of the check (legal, if the program keeps a
// promise) stand below, with a mark of their own; clicking an instruction's cell goes to it, Enter goes
// to the later one, Shift+Enter to the earlier one.
#pragma once
#include <QWidget>
#include <functional>

#include "core/legality/hazard_checker.h"

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace cubinlab::ui {

class Document;
class Selection;

class ProblemsPanel : public QWidget {
    Q_OBJECT

  public:
    ProblemsPanel(Document* document, Selection* selection, QWidget* parent = nullptr);
    explicit ProblemsPanel(QWidget* parent = nullptr);

    void set_names(std::function<QString(InstrId)> name) { name_ = std::move(name); }
    // The file by itself; null: not judged yet.
    void set_file_report(std::shared_ptr<const CheckReport> report);
    // `subject`: which schedule this is about ("Hand"), against the original.
    // `notes`: what is legal only under a promise of the program; shown, never counted as a problem.
    void set_problems(const QString& subject, const Legality& problems,
                      const std::vector<CheckNote>& notes = {});
    void set_refusal(const QString& attempt, const QString& reason, const Legality& hazards);
    void clear_refusal();
    void set_message(const QString& message);  // nothing is open, or the check is not possible
    int count() const { return file_count() + static_cast<int>(problems_.size()); }  // both questions
    int file_count() const { return file_ ? static_cast<int>(file_->hazards.size()) : 0; }
    QString file_text() const;
    QTreeWidget* tree() const { return tree_; }

  Q_SIGNALS:
    void instr_chosen(quint32 instr);
    void count_changed(int count);  // for the dock's title

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void refill();
    QString worded(const Hazard& hazard) const;
    void add_hazard(QTreeWidgetItem* parent, const Hazard& hazard);
    void add_group(const QString& title, const Legality& hazards);
    void add_notes(const QString& title, const std::vector<CheckNote>& notes);
    void set_places(QTreeWidgetItem* item, InstrId earlier, InstrId later);
    QString schedule_text() const;
    void apply_theme();
    void fit_columns();

    std::function<QString(InstrId)> name_;
    QLabel* file_state_ = nullptr;
    QLabel* state_ = nullptr;
    QLabel* refusal_ = nullptr;
    QTreeWidget* tree_ = nullptr;
    QString subject_, attempt_, reason_, message_;
    bool by_hand_ = false;  // somebody has made a column as wide as it is
    Legality problems_, refused_;
    std::vector<CheckNote> notes_;
    std::shared_ptr<const CheckReport> file_;
};

}  // namespace cubinlab::ui
