// SPDX-License-Identifier: GPL-3.0-or-later
// What a window stopped or kept when it closed a kernel to open another one.
#pragma once
#include <QString>
#include <cstddef>
#include <functional>

#include "ui/base/message_bar.h"

namespace cubinlab::ui {

struct ClosedKernel {
    QString kernel;                 // its display name, with its file
    QString session;                // holds its runs and hand edits; empty: none
    bool run = false;               // an agent was running
    bool measuring = false;         // a trial of positions or a comparison by the model was running
    bool measuring_on_gpu = false;  // a measurement on a GPU is running, and continues
    std::size_t edits = 0;          // hand edits since the kernel was opened
    bool logged = true;             // false: the edits exist in this window only

    bool would_be_lost() const { return edits > 0 && !logged; }
    bool empty() const { return !run && !measuring && !measuring_on_gpu && edits == 0; }
};

// The message shown afterwards. Its action opens the session, unless that is `open_session`.
Message closed_message(const ClosedKernel& closed, const QString& open_session,
                       std::function<void()> open_closed_session);

}  // namespace cubinlab::ui
