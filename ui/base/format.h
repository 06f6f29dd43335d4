// SPDX-License-Identifier: GPL-3.0-or-later
// How panels format values. A single place, so that model cycles are never shown as time.
#pragma once
#include <QString>

#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab::ui {

QString percent_number(double log_speedup);                  // "+3.21", where "%" stands elsewhere
bool reads_zero(double log_speedup);                         // whether percent_text says "0.00 %" of it
QString percent_text(double log_speedup, int decimals = 2);  // "+3.21 %"
QString percent_interval_text(const Speedup& speedup);       // "+3.21 % [+2.80, +3.60]"
QString interval_text(const Speedup& speedup);               // "[+2.80, +3.60]"
QString factor_text(double log_speedup);                     // "1.0312x"
QString factor_interval_text(const Speedup& speedup);        // "1.0312x [1.0280, 1.0360]"
QString duration_text(double seconds);                       // "1 m 05 s"
QString figure_name(EvaluatorKind kind);                     // "Measured gain" / "Modelled gain"
QString kind_title(MutationKind kind);                       // "move+stall"
QString outcome_title(OutcomeKind kind);                     // "wrong result"
QString grouped(qint64 value);                               // "1 234 567", thin spaces

}  // namespace cubinlab::ui
