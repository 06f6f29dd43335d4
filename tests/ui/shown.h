// SPDX-License-Identifier: GPL-3.0-or-later
// A widget on the screen in its size:  Shown<RewardChart> chart({900, 500});
#pragma once
#include <QSize>
#include <utility>

namespace cubinlab::ui {

template <class Widget>
struct Shown : Widget {
    template <class... Arguments>
    explicit Shown(QSize size, Arguments&&... arguments) : Widget(std::forward<Arguments>(arguments)...) {
        this->resize(size);
        this->show();
    }
};

}  // namespace cubinlab::ui
