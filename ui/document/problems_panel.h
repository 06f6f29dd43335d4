// SPDX-License-Identifier: GPL-3.0-or-later
// Shows two checks: the file check (is the file legal by itself, like `check FILE`) and the schedule check
// (is the right schedule a legal reschedule of it), and why the last edit was rejected. A row names the rule,
// both instructions, and cycles needed and present. Notes (legal if the program keeps a promise) follow with
// their own mark. A click on an instruction goes to it; Enter goes to the later one, Shift+Enter to the
// earlier one.
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
    // The file check; null: not run yet.
    void set_file_report(std::shared_ptr<const CheckReport> report);
    // `subject`: the schedule that was checked against the original ("Hand"). `notes`: legal only if the
    // program keeps a promise; shown, but not counted as problems.
    void set_problems(const QString& subject, const Legality& problems,
                      const std::vector<CheckNote>& notes = {});
    void set_refusal(const QString& attempt, const QString& reason, const Legality& hazards);
    void clear_refusal();
    void set_message(const QString& message);  // no open kernel, or the check is impossible
    int count() const { return file_count() + static_cast<int>(problems_.size()); }  // both checks
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
    bool by_hand_ = false;  // the user resized a column
    Legality problems_, refused_;
    std::vector<CheckNote> notes_;
    std::shared_ptr<const CheckReport> file_;
};

}  // namespace cubinlab::ui
