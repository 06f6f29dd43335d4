// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: one kernel of one cubin with its display text, its checker, the pair of schedules that views compare
// (pair()), and the editor of the hand schedule (hand()).
//
// Everything slow is computed by jobs; the signals arrive on the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/legality/hazard_checker.h"
#include "ui/document/compared_pair.h"
#include "ui/document/hand_editor.h"
#include "ui/document/open_kernel.h"

namespace cubinlab::ui {

class JobRunner;

// What the check of a file by itself came to (CheckMode::Absolute, no original to compare with).
struct FileCheck {
    enum class State { Pending, Done, Impossible } state = State::Pending;
    std::shared_ptr<const CheckReport> report;  // when it is done
    QString problem;                            // why it is impossible
};

class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);
    ~Document() override;

    // ---- what is open (GUI thread; valid between opened() and closed()) ----
    bool is_open() const { return s_.open.kernel != nullptr; }
    KernelPtr kernel() const { return s_.open.kernel; }
    std::filesystem::path path() const { return s_.open.path; }
    // Number of the image in that file, from 1; empty where the file is not divided.
    QString image() const { return s_.open.image; }
    QStringList kernel_names() const;
    const Listing& listing() const { return s_.open.listing; }
    CheckerPtr checker() const { return s_.checker; }  // null until checker_ready()
    const std::optional<Workload>& workload() const { return s_.open.workload; }
    QString workload_problem() const { return s_.open.workload_problem; }
    // Display text of an instruction: "@!P2 LDG.E.128 R8, desc[UR6][R18.64]".
    QString text_of(InstrId id) const;
    // "FADD 0x0120": the mnemonic and the offset in `schedule` (byte offset = 16 * position).
    QString name_of(InstrId id, const Schedule& schedule) const;
    // A hazard's explanation, its instructions named by their places in `schedule`.
    QString explanation_of(const Hazard& hazard, const Schedule& schedule) const;

    // The kernel as the file has it, judged by itself as command `check FILE` does.
    const FileCheck& file_check() const { return s_.file_check; }

    ComparedPair& pair() { return pair_; }
    const ComparedPair& pair() const { return pair_; }
    HandEditor& hand() { return hand_; }
    const HandEditor& hand() const { return hand_; }

    // ---- opening and closing (ui/run/opener.h) ----
    void adopt(OpenKernel open);  // in place of what is open: leaving(), opened()
    void close();                 // leaving(), closed()

  Q_SIGNALS:
    // What is open is about to go, for another kernel or for none; it is still whole. Whoever keeps something
    // of the kernel (an instruction's number, a schedule, rows) drops it here, so that nobody has to know on
    // opened() what there was before. Jobs of the kernel end after it (JobRunner::Life).
    void leaving();
    void opened();  // kernel(), heads, pair and listing() are there
    void closed();
    void listing_changed();  // a better text came in (nvdisasm)
    void words_only();       // nor did nvdisasm: nothing here reads this architecture's instructions
    void not_editable(const cubinlab::Error& error);  // there can be no checker
    void checker_ready();                             // after that, too
    void file_checked();                              // file_check() has its answer

  private:
    // Of the open kernel, replaced as one value.
    struct State {
        OpenKernel open;
        CheckerPtr checker;
        FileCheck file_check;
    };
    void leave();
    void request_file_check();
    void request_checker();
    void request_nvdisasm();

    JobRunner& jobs_;
    State s_;
    ComparedPair pair_{jobs_};
    HandEditor hand_{pair_, jobs_};
};

}  // namespace cubinlab::ui
