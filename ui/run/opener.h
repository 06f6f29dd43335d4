// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a file or a session. read_opened() reads all that the window needs, as one value; the Opener runs it as one
// job and gives the value to the document, the selection and the runs in one call.
//
//   opener.open({.path = "gemm.cubin"});   // opened(), choice_wanted() or failed()
//   opener.close();
#pragma once
#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/session.h"
#include "ui/document/open_kernel.h"

namespace cubinlab::ui {

class Document;
class JobRunner;
class RunController;
class Selection;
class SessionHub;

struct OpenRequest {
    std::filesystem::path path = {};  // what holds a cubin, a session, or a source
    std::string kernel = {}, image = {};
    // Of a source: the architecture and the compiler, and the folder of the cubin. Empty: it is none.
    std::string arch = {}, nvcc = {};
    std::filesystem::path folder = {};
};

// The runs of a session, and the best schedule of the newest.
struct SessionRuns {
    std::vector<RunInfo> runs;  // oldest first
    SchedulePtr best;           // null: nothing beat the start, or `best_problem`
    std::optional<Error> best_problem;
};
// `with_best`: the best schedule is read, too.
Result<SessionRuns> read_runs(SessionHub& session, bool with_best);

struct OpenSession {
    std::shared_ptr<SessionHub> hub;
    std::optional<Error> read_only;  // why nothing can be logged in it
    qint64 writer = 0;               // the process that writes it; 0: none does, or it is not known
    SessionRuns runs;
};

// The kernel, with its session where it comes from one; or the kernels to choose from.
struct Opened {
    std::optional<OpenKernel> kernel;
    std::optional<OpenSession> session;
    KernelChoicesPtr choices;
};
Result<Opened> read_opened(const OpenRequest& request, std::stop_token stop);

class Opener : public QObject {
    Q_OBJECT

  public:
    // All of them outlive it.
    Opener(Document& document, Selection& selection, RunController& runs, JobRunner& jobs,
           QObject* parent = nullptr);

    void open(const OpenRequest& request);  // replaces a request that is not open yet
    void close();

  Q_SIGNALS:
    void opening(const cubinlab::ui::OpenRequest& request);
    void failed(const cubinlab::Error& error,
                const cubinlab::ui::OpenRequest& request);  // what was open stays
    void choice_wanted(const cubinlab::ui::KernelChoicesPtr& choices);
    void leaving();  // what is open is given up; document, selection and runs still hold all of it
    void opened(
        const cubinlab::ui::OpenRequest& request);  // document, selection and runs hold what it asked for

  private:
    void adopt(Opened next);
    void leave(std::size_t next_size);  // for a kernel of so many instructions

    Document& document_;
    Selection& selection_;
    RunController& runs_;
    JobRunner& jobs_;
};

}  // namespace cubinlab::ui
