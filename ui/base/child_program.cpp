// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/child_program.h"

#include <QProcess>
#include <QTimer>

namespace cubinlab::ui {

ChildProgram::~ChildProgram() {
    if (process_ == nullptr) return;
    process_->disconnect(this);
    // Of nobody: a QProcess that goes with its parent kills what it started.
    process_->setParent(nullptr);
    connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
    process_->terminate();
}

void ChildProgram::start(const QString& program, const QStringList& words, const QString& folder,
                         const std::shared_ptr<const void>& kept) {
    if (running()) return;
    told_.clear();
    decoder_.resetState();
    process_ = new QProcess(this);
    process_->setWorkingDirectory(folder);
    process_->setStandardInputFile(QProcess::nullDevice());
    connect(process_, &QProcess::finished, process_, [kept] {});
    connect(process_, &QProcess::readyReadStandardError, this, &ChildProgram::read_error);
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read_error();
        const QByteArray answer = process_->readAllStandardOutput();
        forget();
        Q_EMIT ended(code, status == QProcess::NormalExit, answer);
    });
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        const QString why = process_->errorString();
        forget();
        Q_EMIT not_started(why);
    });
    process_->start(program, words);
}

void ChildProgram::stop(int patience_ms) {
    if (!running()) return;
    process_->terminate();
    if (patience_ms > 0) QTimer::singleShot(patience_ms, process_, &QProcess::kill);
}

void ChildProgram::read_error() {
    const QString text = decoder_.decode(process_->readAllStandardError());
    if (text.isEmpty()) return;
    told_ += text;
    Q_EMIT told_more(text);
}

void ChildProgram::forget() {
    process_->deleteLater();
    process_ = nullptr;
}

}  // namespace cubinlab::ui
