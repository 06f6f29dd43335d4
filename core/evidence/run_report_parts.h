// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a report (run_report.h) that are more than a table of facts.
#pragma once
#include <string>
#include <string_view>

#include "core/evidence/run_report.h"

namespace cubinlab {

std::string html_escaped(std::string_view text);  // of bytes that need not be UTF-8
std::string report_style();
std::string report_chart(const ReportData& data);    // inline SVG; a sentence where there is nothing to draw
std::string report_edits(const ReportData& data);    // the net difference, edit by edit
std::string report_listing(const ReportData& data);  // before and after, changed rows marked

}  // namespace cubinlab
