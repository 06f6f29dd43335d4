// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel leaves behind when another one takes its place in a window: what was stopped, and where it is kept.
#pragma once
#include <QString>
#include <cstddef>

#include "ui/base/message_bar.h"

namespace cubinlab::ui {

class Document;
class RunController;

struct LeftBehind {
    QString kernel;          // as people call it, with its file
    QString session;         // where runs and hand edits are kept; empty: there is none
    bool run = false;        // an agent was at work
    bool measuring = false;  // a trial of places, or a comparison by the model, was
    bool goes_on = false;    // a measurement on a GPU is, and still will be
    std::size_t edits = 0;   // by hand, since the kernel was opened
    bool logged = true;      // false: they are in this window only

    bool would_be_lost() const { return edits > 0 && !logged; }
    bool empty() const { return !run && !measuring && !goes_on && edits == 0; }
};

// Of what is open, before it goes.
LeftBehind left_behind(const Document& document, const RunController& runs);

// What is said of it afterwards; its action opens the session, which is left out where that is open anyway.
Message left_message(const LeftBehind& left, const QString& open_session,
                     std::function<void()> open_left_session);

}  // namespace cubinlab::ui
