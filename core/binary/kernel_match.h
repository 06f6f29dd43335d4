// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a kernel again in another build: by its code, by its name, or by the part of its name that stays when the file
// moves (stable_name.h). Code counts first: a kernel with the same code is the same one under whatever name.
#pragma once
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/binary/cubin.h"

namespace cubinlab {

// Hash of the code words as in the file; Kernel::hash() is the same.
Hash128 code_hash(const Cubin& cubin, const KernelInfo& kernel);
// Hash of the instructions without their order and control codes: equal for all schedules of a kernel.
Hash128 instructions_hash(const Cubin& cubin, const KernelInfo& kernel);

struct SoughtKernel {
    std::string name;                        // mangled
    std::optional<Hash128> code;             // code_hash()
    std::optional<Hash128> instructions = {};  // instructions_hash(), if only a schedule of it is at hand
};

enum class FoundBy { NameAndCode, Code, Name, StableName };  // the best first

struct FoundKernel {
    const KernelInfo* kernel = nullptr;  // of the cubin
    FoundBy by = FoundBy::NameAndCode;
};

// Errors: NotFound, BadUse (several fit equally well), Refused (the name means several kernels).
Result<FoundKernel> find_again(const Cubin& cubin, const SoughtKernel& sought);

// What is there instead of the sought kernel, a sentence for people; empty: the kernel itself.
std::string instead_of(const SoughtKernel& sought, const std::string& found, FoundBy by);

// The first resource in which two builds of a kernel differ ("registers", "constants"); empty: none.
std::string other_resource(const Cubin& in_a, const KernelInfo& a, const Cubin& in_b, const KernelInfo& b);

}  // namespace cubinlab
