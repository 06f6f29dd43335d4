// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/rebuilder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/store/keyframe.h"
#include "core/store/session.h"

namespace cubinlab {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{4} << 20;
constexpr std::size_t kBytesPerInstruction = 14;  // order, position, control code

}  // namespace

Result<Rebuilder> Rebuilder::create(const sqlite::Database& database, StartKernels starts, RunId run) {
    Rebuilder rebuilder(std::move(starts));
    auto keyframes =
        TRY(database.prepare("SELECT schedule_hash, schedule FROM keyframes WHERE run = ? AND step = ?"));
    auto edits = TRY(database.prepare("SELECT parent, edit, schedule_hash FROM mutations WHERE run = ? AND step = ?"));
    rebuilder.find_keyframe_ = std::move(keyframes);
    rebuilder.find_edit_ = std::move(edits);
    rebuilder.run_ = run;
    rebuilder.kernel_ = TRY(rebuilder.starts_.of_step(run, 0));
    const std::size_t one = std::max<std::size_t>(rebuilder.kernel_->size() * kBytesPerInstruction, 1);
    rebuilder.capacity_ = std::clamp<std::size_t>(kCacheBytes / one, 4, 512);
    return rebuilder;
}

const Schedule* Rebuilder::cached(StepId step) {
    const auto found = index_.find(step);
    if (found == index_.end()) return nullptr;
    recent_.splice(recent_.begin(), recent_, found->second);
    return &found->second->second;
}

void Rebuilder::put(StepId step, Schedule schedule) {
    if (const auto found = index_.find(step); found != index_.end()) {
        found->second->second = std::move(schedule);
        recent_.splice(recent_.begin(), recent_, found->second);
        return;
    }
    recent_.emplace_front(step, std::move(schedule));
    index_[step] = recent_.begin();
    if (recent_.size() > capacity_) {
        index_.erase(recent_.back().first);
        recent_.pop_back();
    }
}

Result<Schedule> Rebuilder::keyframe(StepId step) {
    TRY(find_keyframe_.bind(run_, step));
    auto row = TRY(find_keyframe_.step());
    if (!row) {
        find_keyframe_.reset();
        return fail(ErrorCode::NotFound, "no keyframe", at_step(run_, step));
    }
    auto schedule = decode_schedule(kernel_, find_keyframe_.blob(1));
    const std::string hash = find_keyframe_.text(0);
    find_keyframe_.reset();
    if (!schedule) return fail(ErrorCode::Corrupt, schedule.error().what, at_step(run_, step));
    if (schedule->hash().hex() != hash)
        return fail(ErrorCode::Corrupt, "the keyframe's schedule does not have the hash stored with it",
                    at_step(run_, step));
    return schedule;
}

Result<Schedule> Rebuilder::at(StepId step) {
    std::vector<std::pair<StepId, Mutation>> path;  // from `step` up, exclusive of where it starts
    StepId current = step;
    std::optional<Schedule> schedule;
    while (!schedule) {
        if (const Schedule* known = cached(current)) {
            schedule = *known;
            break;
        }
        if (auto found = keyframe(current)) {
            schedule = std::move(*found);
            break;
        } else if (found.error().code != ErrorCode::NotFound) {
            return fail(found.error());
        }
        TRY(find_edit_.bind(run_, current));
        auto row = TRY(find_edit_.step());
        if (!row) {
            find_edit_.reset();
            if (current == step)
                return fail(ErrorCode::NotFound, "the session has no such step", at_step(run_, step));
            return fail(ErrorCode::Corrupt, "a step that later steps depend on is missing", at_step(run_, current));
        }
        const StepId parent = find_edit_.integer(0);
        const std::string edit = find_edit_.text(1);
        const auto code = Hash128::from_hex(find_edit_.text(2));
        find_edit_.reset();
        Result<Mutation> mutation = edit.empty() ? Result<Mutation>(Mutation{}) : Mutation::decode(edit);
        if (!mutation) return fail(ErrorCode::Corrupt, mutation.error().what, at_step(run_, current));
        if (parent < 0 || parent >= current)
            return fail(ErrorCode::Corrupt, "a step's parent comes after it", at_step(run_, current));
        if (!mutation->start.empty()) {
            if (!code) return fail(ErrorCode::Corrupt, "the row has no hash", at_step(run_, current));
            schedule = Schedule(TRY(starts_.at(*code)));
            break;
        }
        path.emplace_back(current, std::move(*mutation));
        current = parent;
    }
    for (auto edit = path.rbegin(); edit != path.rend(); ++edit) {
        if (auto status = edit->second.apply(*schedule); !status)
            return fail(ErrorCode::Corrupt, "a logged edit does not apply: " + status.error().what,
                        at_step(run_, edit->first));
        // Some of the way, for whoever scrubs backwards from here.
        if ((path.rend() - edit) % 16 == 1 && edit + 1 != path.rend()) put(edit->first, *schedule);
    }
    put(step, *schedule);
    return std::move(*schedule);
}

Result<Schedule> Rebuilder::after(StepId parent, const Mutation& mutation, const Hash128& code) {
    if (!mutation.start.empty()) return Schedule(TRY(starts_.at(code)));
    auto schedule = TRY(at(parent));
    TRY(mutation.apply(schedule));
    return schedule;
}

}  // namespace cubinlab
