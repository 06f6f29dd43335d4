// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of any size and shape, made from a real one: for benchmarks and tests of how work grows with size.
// The file is the real one with other words as the kernel's code; nothing of it is meant to run.
//
//   auto big = repeated_kernel(*kernel, 40'000);   // the kernel's body, again and again
//   auto own = kernel_with_words(*kernel, words);
#pragma once
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

// The kernel in a file of its own with these words as its code. Attributes and relocations that name code
// offsets keep naming the offsets they named. Error: no words, or the file does not parse with them.
Result<std::shared_ptr<const Kernel>> kernel_with_words(const Kernel& kernel, const std::vector<Word>& words);

// The body one copy behind the other until there are `instructions` words. Branches are relative, so each
// copy keeps its loops and diamonds; its last EXIT falls through to the next copy, what stands behind it (a
// branch to itself, padding) is left out. `branch_every` not 0: of the words that are no control flow every
// so-many-th gives way to a branch under P0 over the three behind it, with the waits of the word whose place
// it takes: a kernel of short blocks and diamonds inside the body's own loops.
Result<std::shared_ptr<const Kernel>> repeated_kernel(const Kernel& kernel, std::size_t instructions,
                                                      std::size_t branch_every = 0);

// BRA over `words` instructions, counted from the one behind it (-1: itself), with stall
// 5 and yield. `guard` 7: always taken.
Word branch_word(const Arch& arch, int words, unsigned guard = 7);

}  // namespace cubinlab
