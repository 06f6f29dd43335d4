// SPDX-License-Identifier: GPL-3.0-or-later
// The external tools: which were found, what is missing without each and how to get it; paths of nvdisasm and
// nvcc. Uses the check of `cubinlab doctor`.
#pragma once
#include <QWidget>
#include <vector>

#include "core/tuning/doctor.h"
#include "ui/base/settings.h"
#include "ui/run/window_context.h"

class QFormLayout;
class QVBoxLayout;

namespace cubinlab::ui {

class ToolsPage : public QWidget {
    Q_OBJECT

  public:
    ToolsPage(const WindowContext& window, QWidget* parent);
    void look();
    void show_findings(const std::vector<ToolFinding>& findings);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QWidget* make_finding(const ToolFinding& finding);
    void add_path(QFormLayout& form, const QString& name, Settings::Stored<QString>& setting);
    void say(const QString& text);
    void clear();

    WindowContext window_;
    QVBoxLayout* list_;
    bool looked_ = false;
};

}  // namespace cubinlab::ui
