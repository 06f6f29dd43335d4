// SPDX-License-Identifier: GPL-3.0-or-later
// Includes LibTorch: clang in C++20 needs ivalue.h first with LibTorch 1.13.
#pragma once
#include <ATen/core/ivalue.h>
#include <torch/torch.h>
