// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions of a folder as a table: kernel, agents, steps, best, date, state, file.
#pragma once
#include <QCoreApplication>

#include "core/tuning/session_summary.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

struct ShownSession {
    SessionSummary summary;
    QString kernel;  // display name
};

class SessionModel : public RowsModel<ShownSession> {
    Q_DECLARE_TR_FUNCTIONS(cubinlab::ui::SessionModel)

  public:
    enum Column {
        KernelColumn,
        AgentColumn,
        StepsColumn,
        BestColumn,
        DateColumn,
        StateColumn,
        SizeColumn,
        FileColumn,
        ColumnCount
    };

    static constexpr int kFilterRole = Qt::UserRole + 2;  // full file names, although short ones are shown

    explicit SessionModel(QObject* parent = nullptr);
    void set_sessions(std::vector<SessionSummary> sessions);

  protected:
    QVariant look(const ShownSession& session, int column, int role) const override;
};

QString agents_text(const SessionSummary& session);  // "greedy x2, hand"
QString best_text(const SessionSummary& session);    // "1.0883x modelled"
QString state_text(const SessionSummary& session);

}  // namespace cubinlab::ui
