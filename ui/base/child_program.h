// SPDX-License-Identifier: GPL-3.0-or-later
// A program that a dialog runs for an answer on its standard output: started, stopped, and asked to end where the dialog
// goes before it. Nobody waits for it.
#pragma once
#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringDecoder>
#include <QStringList>
#include <memory>

class QProcess;

namespace cubinlab::ui {

class ChildProgram : public QObject {
    Q_OBJECT

  public:
    explicit ChildProgram(QObject* parent) : QObject(parent) {}
    // One that still runs gets what a Ctrl-C or a closed terminal gives it and ends in its own time with its work
    // written, also when this program is gone before it.
    ~ChildProgram() override;

    // `folder`: where it runs; empty: here. `kept`: what it needs stays until it has ended.
    void start(const QString& program, const QStringList& words, const QString& folder = {},
               const std::shared_ptr<const void>& kept = {});
    bool running() const { return process_ != nullptr; }
    // Asks it to end; `patience_ms` later it is killed, 0: never.
    void stop(int patience_ms = 0);
    const QString& told() const { return told_; }  // on standard error, since its start

  Q_SIGNALS:
    void told_more(const QString& text);
    // None of these is running() any more.
    void not_started(const QString& why);
    void ended(int code, bool normally, const QByteArray& answer);

  private:
    void read_error();
    void forget();

    QProcess* process_ = nullptr;
    QStringDecoder decoder_{QStringDecoder::Utf8};
    QString told_;
};

}  // namespace cubinlab::ui
