// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a kernel out of a running program: which program, which of its kernels and launches, where to. Stop and closing
// end the program.
#pragma once
#include <QByteArray>
#include <QDialog>
#include <QStringDecoder>
#include <functional>
#include <memory>
#include <mutex>

#include "core/tuning/program/capture.h"
#include "ui/base/job_runner.h"

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
    CaptureDialog(JobRunner& jobs, QWidget* parent);
    ~CaptureDialog() override;
    bool running() const { return job_.running(); }
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
    struct Printed {  // by the program, not yet shown
        std::mutex mutex;
        QByteArray text;
    };
    template <class T>
    void run(std::function<Result<T>(std::stop_token)> work, void (CaptureDialog::*deliver)(const T&));
    CapturedProgram program();
    void show_printed();
    void listed(const LaunchedKernels& answer);
    void taken(const Captured& answer);
    void take_row();
    void update_buttons();
    void fail(const QString& title, const QString& text);

    bool stopped_ = false;
    std::shared_ptr<Printed> printed_ = std::make_shared<Printed>();
    QStringDecoder decoder_{QStringDecoder::Utf8};
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
    DialogJob job_;
};

}  // namespace cubinlab::ui
