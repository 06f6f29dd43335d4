// SPDX-License-Identifier: GPL-3.0-or-later
// The open kernel of a cubin with its display text, its checker, the pair of schedules that views compare
// (pair()), and the editor of the hand schedule (hand()).
//
// Another compilation of the kernel, a start, can take its place in every view (show_start()): kernel() is then the start,
// and original() the kernel of the file. What belongs to a kernel (schedules, hand edits, checker) is kept while another
// compilation is shown.
//
// Slow work runs on job threads; signals arrive on the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <cstdint>
#include <map>
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
    KernelPtr original() const { return original_; }  // of the file
    bool shows_start() const { return s_.open.kernel != original_; }
    const HandTree& hand_edits_of_original() const;
    std::filesystem::path path() const { return s_.open.path; }
    // Number of the image in that file, from 1; empty if the file has no images.
    QString image() const { return s_.open.image; }
    QStringList kernel_names() const;
    const Listing& listing() const { return s_.open.listing; }
    CheckerPtr checker() const { return s_.checker; }  // null until checker_ready()
    const std::optional<Workload>& workload() const { return s_.open.workload; }
    const OpenKernel& open_kernel() const { return s_.open; }
    // Of the original. Empty: none was found next to it or in it, and nobody has named a file.
    const std::optional<PtxSource>& ptx() const { return ptx_; }
    void set_ptx(PtxSource ptx);
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
    // Other compilations of the open kernel: leaving(), opened(). `code`: of one that was shown before, or of the original.
    void show_start(OpenKernel start);
    bool keeps(const Hash128& code) const { return kept_.contains(code); }
    std::size_t kept_size(const Hash128& code) const;  // instructions
    void show_kept(const Hash128& code);
    bool changes_start() const { return changes_start_; }  // during leaving() and opened() of these

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
    void ptx_changed();

  private:
    // Of the open kernel, replaced as one value.
    struct State {
        OpenKernel open;
        CheckerPtr checker;
        FileCheck file_check;
    };
    // What belongs to one compilation.
    struct Kept;
    void leave();
    void set_aside();
    void take(OpenKernel open);
    void announce(bool fresh);
    void request_file_check();
    void request_checker();
    void request_nvdisasm();

    JobRunner& jobs_;
    State s_;
    KernelPtr original_;
    std::optional<PtxSource> ptx_;
    std::map<Hash128, std::unique_ptr<Kept>> kept_;  // by code, without the one that is shown
    std::uint64_t shown_starts_ = 0;
    bool changes_start_ = false;
    ComparedPair pair_{jobs_};
    HandEditor hand_{pair_, jobs_};
};

}  // namespace cubinlab::ui
