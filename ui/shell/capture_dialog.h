// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a kernel out of a running program: which program, which of its kernels and launches, where to. It is done by
// `cubinlab capture` in a process of its own, so the window goes on, whatever the program does, and Stop ends both.
#pragma once
#include <QDialog>
#include <QJsonObject>
#include <QStringList>
#include <functional>

#include "ui/base/child_program.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStandardItemModel;
class QTableView;

namespace cubinlab::ui {

class EmptyNote;
class MessageBar;

class CaptureDialog : public QDialog {
    Q_OBJECT

  public:
    explicit CaptureDialog(QWidget* parent);
    ~CaptureDialog() override;
    // The program that takes `capture`; this one where nothing was said.
    void set_capturer(const QString& program) { capturer_ = program; }
    bool running() const { return child_->running(); }
    MessageBar& messages() { return *messages_; }

  Q_SIGNALS:
    // `kernel` empty: the folder holds several.
    void captured(const QString& path, const QString& kernel, const QString& remark);

  public Q_SLOTS:
    void list_kernels();
    void capture();
    void stop();
    void reject() override;  // closing stops what runs

  private:
    using Done = std::function<void(const QJsonObject&, int)>;
    void run(const QStringList& words, Done done);
    void finished(int code, bool normally, const QByteArray& output);
    void add_to_log(const QString& text);
    void listed(const QJsonObject& answer);
    void taken(const QJsonObject& answer, int code);
    void take_row();
    void update_buttons();
    void fail(const QString& title, const QString& text);

    QString capturer_;
    ChildProgram* child_ = new ChildProgram(this);
    Done done_;
    bool stopped_ = false;
    QLineEdit *program_ = nullptr, *arguments_ = nullptr, *folder_ = nullptr, *kernel_ = nullptr,
              *out_ = nullptr;
    QComboBox* which_ = nullptr;
    QSpinBox* launch_ = nullptr;
    QCheckBox* add_ = nullptr;
    QPushButton *list_ = nullptr, *start_ = nullptr, *stop_ = nullptr;
    QStandardItemModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    EmptyNote* empty_ = nullptr;
    QPlainTextEdit* log_ = nullptr;
    QProgressBar* progress_ = nullptr;
    MessageBar* messages_ = nullptr;
};

}  // namespace cubinlab::ui
