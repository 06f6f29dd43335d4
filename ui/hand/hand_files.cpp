// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: files read off the GUI thread: profiles, another cubin to compare with.
#include <QFileInfo>
#include <cmath>

#include "core/base/file.h"
#include "core/tuning/schedule_file.h"
#include "ui/base/file_dialog.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"

namespace cubinlab::ui {
namespace {

// Which of the schedules was profiled shows by the opcodes in their order; the tables of other kernels in the
// file are passed over.
Result<Profile> find_profile(std::string_view text, const std::string& kernel,
                             const std::vector<std::pair<std::string, SchedulePtr>>& candidates) {
    auto tables = TRY(parse_profile(text));
    Error last{ErrorCode::BadInput, "the file names no kernel " + kernel, {}};
    for (const ProfileTable& table : tables) {
        const bool named = table.kernel.empty() || table.kernel.find(kernel) != std::string::npos;
        if (!named && tables.size() > 1) continue;
        for (const auto& [name, schedule] : candidates) {
            auto profile = match_profile(table, *schedule);
            if (profile) {
                profile->schedule = name;
                return profile;
            }
            if (name == candidates.front().first) last = profile.error();
        }
    }
    return fail(last);
}

}  // namespace

void HandTools::ask_and_import_profile() {
    if (!window_.document->is_open()) return;
    ask_for_file(compare_->window(),
                 {.title = tr("Import a profile of this kernel"),
                  .filters = tr("Nsight Compute source pages (*.csv);;All files (*)")},
                 [this](const QString& path) { import_profile(path); });
}

void HandTools::import_profile(const QString& path) {
    if (!window_.document->is_open()) return;
    std::vector<std::pair<std::string, SchedulePtr>> candidates;
    for (const ScheduleSlot head :
         {ScheduleSlot::Original, ScheduleSlot::Hand, ScheduleSlot::Best, ScheduleSlot::Viewed})
        if (const SchedulePtr schedule = window_.document->pair().head(head))
            candidates.emplace_back(title_of(head).toStdString(), schedule);
    window_.jobs->run<Result<Profile>>(
        QStringLiteral("profile"),
        [path = path.toStdString(), kernel = window_.document->kernel()->name(),
         candidates](std::stop_token) -> Result<Profile> {
            auto text = TRY(read_text(path));
            return find_profile(text, kernel, candidates);
        },
        [this, path](Result<Profile> profile) {
            if (!profile) {
                window_.messages->post(MessageKind::Error,
                                       tr("Cannot import %1").arg(QFileInfo(path).fileName()),
                                       QString::fromStdString(profile.error().message()), 0,
                                       {{tr("Choose another..."), [this] { ask_and_import_profile(); }}});
                return;
            }
            const auto shared = std::make_shared<const Profile>(std::move(*profile));
            compare_->set_profile(shared);
            window_.messages->post(
                MessageKind::Done, tr("Profile of %1 imported").arg(QString::fromStdString(shared->schedule)),
                tr("%1 samples from the column \"%2\". They stay with their instructions when these move.")
                    .arg(grouped(std::llround(shared->total)))
                    .arg(QString::fromStdString(shared->column)),
                15);
        });
}

void HandTools::ask_and_compare_with() {
    if (!window_.document->is_open()) return;
    ask_for_file(compare_->window(),
                 {.title = tr("Compare with the same kernel in another file"),
                  .filters = tr("All files (*);;Cubins (*.cubin)")},
                 [this](const QString& path) { compare_with(path); });
}

void HandTools::compare_with(const QString& path) {
    if (!window_.document->is_open()) return;
    window_.jobs->run<Result<SchedulePtr>>(
        QStringLiteral("compare-file"),
        [path = path.toStdString(),
         kernel = window_.document->kernel()](std::stop_token) -> Result<SchedulePtr> {
            auto schedule = TRY(read_schedule(path, kernel));
            return std::make_shared<const Schedule>(std::move(schedule));
        },
        [this, path](Result<SchedulePtr> schedule) {
            if (!window_.document->is_open()) return;
            const QString of_comparison = QStringLiteral("comparison");
            window_.messages->clear_about(of_comparison);
            if (schedule) {
                window_.document->pair().set_other(*schedule, path.toStdString());
                return;
            }
            window_.messages->post({MessageKind::Error,
                                    tr("Cannot compare with %1").arg(QFileInfo(path).fileName()),
                                    QString::fromStdString(schedule.error().message()),
                                    {{tr("Choose another..."), [this] { ask_and_compare_with(); }}},
                                    0,
                                    of_comparison});
        });
}

}  // namespace cubinlab::ui
