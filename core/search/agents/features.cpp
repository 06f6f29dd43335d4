// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/features.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/search/moves/environment.h"

namespace cubinlab {
namespace {

using OperandKey = std::pair<int, int>;  // register file, first register

OperandKey key_of(const Operand& operand) {
    return {static_cast<int>(operand.file), operand.first};
}

bool is_destination(const Operand& operand) {
    return operand.write;
}
bool is_source(const Operand& operand) {
    return operand.read && operand.role != Role::Guard;
}

}  // namespace

PaperFeatures::PaperFeatures(KernelPtr kernel) : kernel_(std::move(kernel)) {
    std::map<OperandKey, int> ids;
    for (const Instruction& instruction : kernel_->instructions()) {
        std::size_t sources = 0;
        for (const Operand& operand : instruction.operands) {
            ids.try_emplace(key_of(operand), static_cast<int>(ids.size()));
            sources += is_source(operand);
        }
        max_sources_ = std::max(max_sources_, sources);
    }
    const float distinct = static_cast<float>(std::max<std::size_t>(ids.size(), 1));
    const auto scaled = [&](const Operand& operand) {
        return static_cast<float>(ids.at(key_of(operand))) / distinct;
    };
    fixed_.reserve(kernel_->size() * (columns() - 10));
    for (const Instruction& instruction : kernel_->instructions()) {
        fixed_.push_back(instruction.guarded() ? 1.0f : 0.0f);
        fixed_.push_back(static_cast<float>(movable_kind(instruction)));
        const auto destination =
            std::find_if(instruction.operands.begin(), instruction.operands.end(), is_destination);
        fixed_.push_back(destination == instruction.operands.end() ? -1.0f : scaled(*destination));
        std::size_t sources = 0;
        for (const Operand& operand : instruction.operands)
            if (is_source(operand)) {
                fixed_.push_back(scaled(operand));
                ++sources;
            }
        fixed_.resize(fixed_.size() + max_sources_ - sources, -1.0f);
    }
}

std::vector<float> PaperFeatures::matrix(const Schedule& schedule) const {
    std::vector<float> out(rows() * columns());
    fill(schedule, out.data());
    return out;
}

void PaperFeatures::fill(const Schedule& schedule, float* out) const {
    constexpr std::size_t kControlColumns = 10;
    const std::size_t fixed = columns() - kControlColumns;
    const auto barrier = [](std::uint8_t slot) {
        return slot == kNoBarrier ? -1.0f : static_cast<float>(slot) / 6.0f;
    };
    for (Position p = 0; p < rows(); ++p) {
        const InstrId id = schedule.at(p);
        const ControlCode& control = schedule.control(id);
        for (unsigned slot = 0; slot < 6; ++slot)
            *out++ = (control.wait_mask >> slot & 1u) != 0 ? static_cast<float>(slot) / 6.0f : -1.0f;
        *out++ = barrier(control.read_barrier);
        *out++ = barrier(control.write_barrier);
        *out++ = control.yield ? 1.0f : 0.0f;
        *out++ = static_cast<float>(control.stall) / 16.0f;
        out = std::copy_n(fixed_.begin() + static_cast<std::ptrdiff_t>(id * fixed), fixed, out);
    }
}

}  // namespace cubinlab
