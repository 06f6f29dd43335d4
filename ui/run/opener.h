// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a file or a session. read_opened() reads all that the window needs, as one value; the Opener runs it as one
// job and gives the value to the document, the selection and the runs in one call.
//
//   opener.open({.path = "gemm.cubin"});   // opened(), choice_wanted() or failed()
//   opener.close();
#pragma once
#include <QFileInfo>
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/binary/kernel_list.h"
#include "core/store/session.h"
#include "ui/document/kernel_name.h"
#include "ui/document/open_kernel.h"

namespace cubinlab::ui {

class Document;
class JobRunner;
class RunController;
class Selection;
class SessionHub;

// A file with several kernels, of which somebody has to choose one.
struct KernelChoices {
    std::shared_ptr<const Container> container;
    KernelList list;
    std::vector<std::string> labels;  // of all kernels of the list, in its order
    std::string wish = {};            // KernelQuery::kernel, which means several of them
};
using KernelChoicesPtr = std::shared_ptr<const KernelChoices>;
KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop);

// What was opened and can be opened again: a file, and the kernel and image in it if it has several. Its text
// form (recent files, journals) is the path alone, or three lines.
struct Place {
    QString path;
    QString kernel;  // mangled name; empty: the only one, or the largest of a cubin
    QString image;   // number as listed, from 1; empty: the only one

    QString text() const {
        return kernel.isEmpty() && image.isEmpty() ? path
                                                   : QStringList{path, kernel, image}.join(QLatin1Char('\n'));
    }
    static Place from(const QString& text) {
        const QStringList parts = text.split(QLatin1Char('\n'));
        if (parts.size() < 3) return {text, {}, {}};
        // The last two lines are ours, whatever the path holds.
        return {parts.mid(0, parts.size() - 2).join(QLatin1Char('\n')), parts[parts.size() - 2],
                parts.last()};
    }
    QString name() const {  // "program: total<float>, image 3"
        QString out = QFileInfo(path).fileName();
        if (!kernel.isEmpty()) out += QStringLiteral(": ") + called(kernel);
        if (!image.isEmpty()) out = QObject::tr("%1, image %2").arg(out, image);
        return out;
    }
    QString folder() const { return QFileInfo(path).absolutePath(); }
};

struct OpenRequest {
    std::filesystem::path path = {};  // what holds a cubin, a session, or a source
    std::string kernel = {}, image = {};
    // Of a source: the architecture and the compiler, and the folder of the cubin. Empty: it is none.
    std::string arch = {}, nvcc = {};
    std::filesystem::path folder = {};
};

// The run that a session shows first: the newest; of a tuning with several runs the one whose best was chosen.
const RunInfo& first_shown(const std::vector<RunInfo>& runs);
// The runs of a session, and the best schedule of the one shown first where that searches the session's kernel.
struct SessionRuns {
    std::vector<RunInfo> runs;  // oldest first
    SchedulePtr best;           // null: nothing beat the start, or `best_problem`
    std::optional<Error> best_problem;
};
// `kernel`: of the session. `with_best`: the best schedule is read, too.
Result<SessionRuns> read_runs(SessionReader& session, const KernelPtr& kernel, bool with_best);

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
// A start of an open kernel, as a document shows it; path and workload are the original's.
OpenKernel open_start(const KernelPtr& start, const QString& name, const std::filesystem::path& path, const std::optional<Workload>& workload,
                      std::stop_token stop);
// The PTX of a kernel in a file that somebody names; BadInput: it is not of this kernel.
Result<PtxSource> ptx_from(const KernelPtr& kernel, const std::filesystem::path& file);
// Of anything that holds cubins. A cubin without a kernel named gives the one with most code.
Result<Opened> open_kernel_of(const std::filesystem::path& path, const KernelQuery& wish,
                              std::stop_token stop);

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
    void show_kernel(const Hash128& code, const OpenKernelPtr& start);
    void leave(std::size_t next_size);  // for a kernel of so many instructions

    Document& document_;
    Selection& selection_;
    RunController& runs_;
    JobRunner& jobs_;
};

}  // namespace cubinlab::ui
