# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures, tunes and runs CUDA kernels with the program `cubinlab`. Pure Python: every call starts that program."""
from ._commands import (Captured, RunResult, Tuned, campaign, capture, list_kernels, measure, run, tune)
from ._program import CubinlabError, program
from ._triton import tuned

__all__ = ["Captured", "CubinlabError", "RunResult", "Tuned", "campaign", "capture", "list_kernels", "measure", "program",
           "run", "tune", "tuned"]
