// SPDX-License-Identifier: GPL-3.0-or-later
// The open kernel of a cubin with its display text, its checker, the pair of schedules that views compare
// (pair()), and the editor of the hand schedule (hand()).
//
// Slow work runs on job threads; signals arrive on the GUI thread.
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

// Result of the file check (CheckMode::Absolute, without an original to compare with).
struct FileCheck {
    enum class State { Pending, Done, Impossible } state = State::Pending;
    std::shared_ptr<const CheckReport> report;  // null until done
    QString problem;                            // why the check is impossible
};

class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);
    ~Document() override;

    // ---- the open kernel (GUI thread; valid between opened() and closed()) ----
    bool is_open() const { return s_.open.kernel != nullptr; }
    KernelPtr kernel() const { return s_.open.kernel; }
    std::filesystem::path path() const { return s_.open.path; }
    // Number of the image in that file, from 1; empty if the file has no images.
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
    // A hazard's explanation, with instructions named by their positions in `schedule`.
    QString explanation_of(const Hazard& hazard, const Schedule& schedule) const;

    // Check of the kernel in the file alone, like `cubinlab check FILE`.
    const FileCheck& file_check() const { return s_.file_check; }

    ComparedPair& pair() { return pair_; }
    const ComparedPair& pair() const { return pair_; }
    HandEditor& hand() { return hand_; }
    const HandEditor& hand() const { return hand_; }

    // ---- opening and closing (ui/run/opener.h) ----
    void adopt(OpenKernel open);  // replaces the open kernel: leaving(), opened()
    void close();                 // leaving(), closed()

  Q_SIGNALS:
    // The open kernel is about to close; it is still valid. Listeners drop everything they hold of it
    // (instruction numbers, schedules, rows), so that opened() needs no knowledge of the previous kernel.
    // Jobs of kernel scope end after it (JobRunner::Scope).
    void leaving();
    void opened();  // kernel(), pair(), hand() and listing() are valid
    void closed();
    void listing_changed();  // nvdisasm's text arrived
    void words_only();       // neither the decoder nor nvdisasm supports this architecture
    void not_editable(const cubinlab::Error& error);  // there is no checker
    void checker_ready();                             // also emitted after not_editable()
    void file_checked();                              // file_check() has its result

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
