// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of any size and shape for benchmarks and scaling tests: a real file with other code words. They are
// not meant to run.
//
//   auto big = repeated_kernel(*kernel, 40'000);   // repeats the kernel's body
//   auto own = kernel_with_words(*kernel, words);
#pragma once
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

// The file with these words as the kernel's code. Attributes and relocations keep their code offsets. Error:
// no words, or the file does not parse.
Result<std::shared_ptr<const Kernel>> kernel_with_words(const Kernel& kernel, const std::vector<Word>& words);

// Repeats the body up to `instructions` words. Branches are relative, so each copy keeps its loops and
// diamonds. The last EXIT falls through to the next copy; the words after it (a branch to itself, padding)
// are dropped. If `branch_every` is not 0, a branch under P0 over the next three words replaces every
// branch_every-th word that is not control flow and keeps its waits: a kernel of short blocks and diamonds
// inside the loops of the body.
Result<std::shared_ptr<const Kernel>> repeated_kernel(const Kernel& kernel, std::size_t instructions,
                                                      std::size_t branch_every = 0);

// BRA over `words` instructions relative to the next one (-1: itself), with stall 5 and yield. `guard` 7:
// unconditional.
Word branch_word(const Arch& arch, int words, unsigned guard = 7);

}  // namespace cubinlab
