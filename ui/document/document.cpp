// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/model/explanation.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kKeptStarts = 6;  // beside the original and those with hand edits
}

struct Document::Kept {
    State document;
    ComparedPair::State pair;
    HandEditor::State hand;
    std::uint64_t left = 0;  // the larger, the later
};

Document::Document(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}
Document::~Document() = default;

// ---- opening ----

void Document::adopt(OpenKernel open) {
    leave();
    kept_.clear();
    original_ = open.kernel;
    ptx_ = std::move(open.ptx);
    take(std::move(open));
    announce(true);
}

void Document::take(OpenKernel open) {
    s_ = {};
    s_.open = std::move(open);
    pair_.begin(s_.open);
    hand_.begin(s_.open);
}

void Document::announce(bool fresh) {
    Q_EMIT opened();
    pair_.announce();
    Q_EMIT hand_.changed();
    if (s_.checker) {
        pair_.set_checker(s_.checker);
        Q_EMIT checker_ready();
    } else {
        request_checker();
    }
    if (s_.file_check.state == FileCheck::State::Pending)
        request_file_check();
    else
        Q_EMIT file_checked();
    // nvdisasm takes longer than a start is looked at.
    if (fresh && !shows_start() && s_.open.listing.source == ListingSource::BuiltIn) request_nvdisasm();
}

// ---- starts ----

void Document::set_aside() {
    leave();
    const Hash128 code = s_.open.kernel->hash();
    kept_[code] = std::make_unique<Kept>(
        Kept{std::move(s_), std::move(pair_.s_), std::move(hand_.s_), ++shown_starts_});
    std::vector<std::pair<std::uint64_t, Hash128>> free;
    for (const auto& [hash, kept] : kept_)
        if (hash != original_->hash() && kept->hand.tree->nodes().size() < 2) free.emplace_back(kept->left, hash);
    std::ranges::sort(free);
    for (std::size_t i = 0; i + kKeptStarts < free.size(); ++i)
        kept_.erase(free[i].second);
}

void Document::show_start(OpenKernel start) {
    if (!is_open()) return;
    const QScopedValueRollback changing(changes_start_, true);
    set_aside();
    take(std::move(start));
    announce(true);
}

const HandTree& Document::hand_edits_of_original() const {
    return shows_start() ? *kept_.at(original_->hash())->hand.tree : hand_.tree();
}

std::size_t Document::kept_size(const Hash128& code) const {
    return kept_.at(code)->document.open.kernel->size();
}

void Document::show_kept(const Hash128& code) {
    if (!keeps(code)) return;
    const QScopedValueRollback changing(changes_start_, true);
    const std::unique_ptr<Kept> kept = std::move(kept_[code]);
    kept_.erase(code);
    set_aside();
    s_ = std::move(kept->document);
    pair_.s_ = std::move(kept->pair);
    hand_.s_ = std::move(kept->hand);
    announce(false);
}

void Document::set_ptx(PtxSource ptx) {
    ptx_ = std::move(ptx);
    Q_EMIT ptx_changed();
}

void Document::leave() {
    if (is_open()) Q_EMIT leaving();
    jobs_.end_kernel();
}

void Document::close() {
    if (!is_open()) return;
    leave();
    s_ = {};
    original_.reset();
    ptx_.reset();
    kept_.clear();
    pair_.clear();
    hand_.clear();
    Q_EMIT closed();
}

// Like `cubinlab check FILE`. Findings are about the file, never about an edit.
void Document::request_file_check() {
    if (!s_.open.kernel->arch().editable()) {
        s_.file_check.state = FileCheck::State::Impossible;
        s_.file_check.problem = hand_.why_not_editable();
        Q_EMIT file_checked();
        return;
    }
    jobs_.run<Result<CheckReport>>(
        QStringLiteral("file-check"),
        [kernel = s_.open.kernel](std::stop_token) { return check_kernel(kernel); },
        [this](Result<CheckReport> report) {
            if (report) {
                s_.file_check.state = FileCheck::State::Done;
                s_.file_check.report = std::make_shared<const CheckReport>(std::move(*report));
            } else {
                s_.file_check.state = FileCheck::State::Impossible;
                s_.file_check.problem = QString::fromStdString(report.error().message());
            }
            Q_EMIT file_checked();
        });
}

void Document::request_checker() {
    if (!s_.open.kernel->arch().editable()) {
        Q_EMIT checker_ready();
        return;
    }
    jobs_.run<Result<CheckerPtr>>(
        QStringLiteral("checker"),
        [kernel = s_.open.kernel](std::stop_token) { return HazardChecker::create(kernel); },
        [this](const Result<CheckerPtr>& checker) {
            if (checker) s_.checker = *checker;
            hand_.set_checker(s_.checker,
                              checker ? QString() : QString::fromStdString(checker.error().message()));
            pair_.set_checker(s_.checker);
            if (!checker) Q_EMIT not_editable(checker.error());
            Q_EMIT checker_ready();
        });
}

void Document::request_nvdisasm() {
    DisassemblerSettings settings;
    settings.nvdisasm = Settings().nvdisasm().toStdString();
    jobs_.run<Listing>(
        QStringLiteral("nvdisasm"),
        [kernel = s_.open.kernel, stored = s_.open.stored_listing, settings](std::stop_token stop) {
            return list_kernel(kernel->cubin(), kernel->info(), settings, stored, stop);
        },
        [this](Listing listing) {
            if (listing.lines.size() != s_.open.kernel->size()) return;
            const bool better = listing.source != s_.open.listing.source;
            s_.open.listing = std::move(listing);  // it says at least why there is no nvdisasm text
            if (better) Q_EMIT listing_changed();
            if (!better && !s_.open.kernel->arch().decodable()) Q_EMIT words_only();
        });
}

// ---- texts ----

QStringList Document::kernel_names() const {
    QStringList names;
    if (s_.open.kernel)
        for (const KernelInfo& info : s_.open.kernel->cubin().kernels())
            names << QString::fromStdString(info.name);
    return names;
}

QString Document::text_of(InstrId id) const {
    if (id >= s_.open.listing.lines.size()) return {};
    return QString::fromStdString(s_.open.listing.lines[id]);
}

QString Document::name_of(InstrId id, const Schedule& schedule) const {
    if (!s_.open.kernel || id >= s_.open.kernel->size()) return {};
    return QString::fromStdString(instr_name(schedule, id));
}

QString Document::explanation_of(const Hazard& hazard, const Schedule& schedule) const {
    return QString::fromStdString(
        explanation_by(hazard, [&](InstrId id) { return instr_name(schedule, id); }));
}

}  // namespace cubinlab::ui
