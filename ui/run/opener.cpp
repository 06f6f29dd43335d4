// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/opener.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/binary/kernel_label.h"
#include "core/search/engine/default_agent.h"
#include "core/start/compile_source.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/session_copy.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {
namespace {

const auto kOpenTag = QStringLiteral("open");

// Why nothing can be logged there now. Another process holds the session until its run ends; this one releases it.
Status check_free(SessionReader& reader, const std::filesystem::path& path) {
    TRY(check_session_writable(path));
    const auto writer = reader.writer_process();
    if (!writer || *writer == QCoreApplication::applicationPid()) return {};
    return fail(ErrorCode::Busy, "is being written by process " + std::to_string(*writer), path.string());
}

// `stored`: a listing to take the text from; none: the file next to the cubin, where there is one.
OpenKernel describe_kernel(KernelPtr kernel, const std::filesystem::path& path,
                           std::optional<std::string> stored, std::stop_token stop) {
    DisassemblerSettings quick;
    quick.allow_nvdisasm = false;  // it takes seconds; the document asks for it once the kernel is shown
    if (!stored)
        if (auto found = read_text(default_listing_path(path))) stored = std::move(*found);
    OpenKernel out;
    out.path = path;
    out.stored_listing = stored;
    out.listing = list_kernel(kernel->cubin(), kernel->info(), quick, std::move(stored), stop);
    out.original = std::make_shared<const Schedule>(kernel);
    out.unchanged = std::make_shared<const ScheduleDiff>(diff_schedules(*out.original, *out.original));
    out.kernel = std::move(kernel);
    return out;
}

// None is no error; neither is PTX that cannot be read.
std::optional<PtxSource> ptx_of(const Container& container, const KernelChoice& choice) {
    auto found = find_ptx(container, choice);
    return found ? std::move(*found) : std::nullopt;
}

// Of a session: where the file that it was made from still holds this code.
std::optional<PtxSource> ptx_of_session(const Kernel& kernel) {
    const auto container = Container::open(kernel.cubin().where());
    if (!container) return std::nullopt;
    const auto choice = choose_kernel(**container, {kernel.name(), kernel.arch().name(), {}});
    if (!choice) return std::nullopt;
    const auto same = Kernel::load(choice->cubin, choice->kernel);
    return same && (*same)->hash() == kernel.hash() ? ptx_of(**container, *choice) : std::nullopt;
}

Result<OpenKernel> kernel_with_workload(const Container& container, const KernelChoice& choice, std::stop_token stop) {
    auto kernel = TRY(Kernel::load(choice.cubin, choice.kernel));
    OpenKernel out = describe_kernel(kernel, choice.cubin->where(), {}, stop);
    out.ptx = ptx_of(container, choice);
    if (auto workload = find_workload(*kernel, {}))
        out.workload = std::move(*workload);
    else
        out.workload_problem = QString::fromStdString(workload.error().message());
    return out;
}

Result<Opened> read_session(const std::filesystem::path& path, std::stop_token stop) {
    auto reader = TRY(SessionReader::open(path));
    auto kernel = TRY(reader->kernel());
    auto listing = TRY(reader->listing_text());
    const auto workload = TRY(reader->workload_json());
    Opened out;
    out.kernel = describe_kernel(kernel, kernel->cubin().where(),
                                 listing.empty() ? std::nullopt : std::optional(std::move(listing)), stop);
    out.kernel->ptx = ptx_of_session(*kernel);
    if (!workload.empty()) {
        auto parsed = Workload::parse(workload);
        const Status valid = parsed ? parsed->validate_against(kernel->info()) : Status(fail(parsed.error()));
        if (valid)
            out.kernel->workload = std::move(*parsed);
        else
            out.kernel->workload_problem = QString::fromStdString(valid.error().message());
    }
    OpenSession session;
    if (const Status writable = check_free(*reader, path); !writable) session.read_only = writable.error();
    session.writer = static_cast<qint64>(reader->writer_process().value_or(0));
    session.hub = std::make_shared<SessionHub>(
        path, kernel, out.kernel->workload ? out.kernel->workload->json : std::string{}, std::string{},
        reader);
    session.runs = TRY(read_runs(*reader, kernel, true));
    out.session = std::move(session);
    return out;
}

}  // namespace

OpenKernel open_start(const KernelPtr& start, const QString& name, const std::filesystem::path& path, const std::optional<Workload>& workload,
                      std::stop_token stop) {
    // The listing next to the file is the original's.
    OpenKernel out = describe_kernel(start, path, std::string(), stop);
    out.start = name;
    out.stored_listing.reset();
    out.workload = workload;
    return out;
}

Result<PtxSource> ptx_from(const KernelPtr& kernel, const std::filesystem::path& file) {
    const std::span<const std::byte> bytes = kernel->cubin().bytes();
    const auto container = TRY(Container::read({bytes.begin(), bytes.end()}, kernel->cubin().where()));
    const auto choice = TRY(choose_kernel(*container, {kernel->name(), {}, {}}));
    auto found = TRY(find_ptx(*container, choice, file));
    return std::move(*found);
}

KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop) {
    KernelChoices out{std::move(container), {}, {}, std::move(wish)};
    out.list = list_kernels(*out.container, stop);
    std::vector<std::string> names;
    for (const ImageContents& image : out.list.images)
        for (const KernelEntry& k : image.kernels)
            names.push_back(k.demangled);
    out.labels = kernel_labels(names);
    return out;
}

Result<Opened> open_kernel_of(const std::filesystem::path& path, const KernelQuery& wish,
                              std::stop_token stop) {
    Opened out;
    auto container = TRY(Container::open(path));
    const std::vector<Image>& images = container->images();
    const bool plain =
        images.size() == 1 && images.front().kind == ImageKind::Elf && !images.front().in_fatbin;
    if (plain && wish.kernel.empty()) {
        auto cubin = TRY(container->cubin(images.front()));
        const std::vector<KernelInfo>& all = cubin->kernels();
        const auto largest = std::max_element(
            all.begin(), all.end(),
            [](const KernelInfo& a, const KernelInfo& b) { return a.code_size < b.code_size; });
        out.kernel = TRY(kernel_with_workload(*container, {cubin, largest->name, 0, nullptr}, stop));
        return out;
    }
    auto choice = choose_kernel(*container, wish, stop);
    if (choice) {
        out.kernel = TRY(kernel_with_workload(*container, *choice, stop));
        if (images.size() > 1 && images[choice->image].file == container->where())
            out.kernel->image = QString::number(choice->image + 1);
        return out;
    }
    if (choice.error().code != ErrorCode::BadUse) return fail(choice.error());
    out.choices = std::make_shared<KernelChoices>(choices_of(container, wish.kernel, stop));
    return out;
}

const RunInfo& first_shown(const std::vector<RunInfo>& runs) {
    const RunId tuning = runs.back().tuning;
    const auto chosen = std::ranges::find_if(
        runs, [&](const RunInfo& run) { return run.chosen && run.tuning == tuning; });
    return chosen == runs.end() ? runs.back() : *chosen;
}

Result<SessionRuns> read_runs(SessionReader& session, const KernelPtr& kernel, bool with_best) {
    SessionRuns out;
    out.runs = TRY(session.runs());
    if (!with_best || out.runs.empty() || first_shown(out.runs).best_step == 0) return out;
    const RunInfo& newest = first_shown(out.runs);
    // That of a start is read when its kernel is shown.
    if (newest.agent == kStartsAgent || newest.code != Hash128()) return out;
    if (auto best = session.schedule_at(kernel, newest.id, newest.best_step))
        out.best = std::make_shared<const Schedule>(std::move(*best));
    else
        out.best_problem = best.error();
    return out;
}

Result<Opened> read_opened(const OpenRequest& request, std::stop_token stop) {
    std::filesystem::path path = request.path;
    if (!request.arch.empty())
        path = TRY(compile_source(path, request.arch, request.folder, request.nvcc, stop));
    else if (is_session_file(path))
        return read_session(path, stop);
    return open_kernel_of(path, {request.kernel, {}, request.image}, stop);
}

Opener::Opener(Document& document, Selection& selection, RunController& runs, JobRunner& jobs,
               QObject* parent)
    : QObject(parent), document_(document), selection_(selection), runs_(runs), jobs_(jobs) {
    runs_.on_other_kernel([this](const Hash128& code, const OpenKernelPtr& start) { show_kernel(code, start); });
}

// Of the same session.
void Opener::show_kernel(const Hash128& code, const OpenKernelPtr& start) {
    if (document_.keeps(code)) {
        selection_.begin(document_.kept_size(code));
        document_.show_kept(code);
    } else if (start) {
        selection_.begin(start->kernel->size());
        document_.show_start(*start);
    }
}

void Opener::open(const OpenRequest& request) {
    Q_EMIT opening(request);
    jobs_.run<Result<Opened>>(
        kOpenTag, [request](std::stop_token stop) { return read_opened(request, stop); },
        [this, request](Result<Opened> next) {
            if (!next) return Q_EMIT failed(next.error(), request);
            if (next->choices) return Q_EMIT choice_wanted(next->choices);
            adopt(std::move(*next));
            Q_EMIT opened(request);
        },
        JobRunner::Scope::Window);
}

void Opener::close() {
    jobs_.cancel(kOpenTag);
    if (!document_.is_open()) return;
    leave(0);
    document_.close();
}

void Opener::leave(std::size_t next_size) {
    if (document_.is_open()) {
        Q_EMIT leaving();
        runs_.forget_session();
    }
    selection_.begin(next_size);
}

void Opener::adopt(Opened next) {
    leave(next.kernel->kernel->size());
    document_.adopt(std::move(*next.kernel));
    if (next.session) runs_.adopt(std::move(*next.session));
}

}  // namespace cubinlab::ui
