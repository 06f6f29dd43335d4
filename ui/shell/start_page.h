// SPDX-License-Identifier: GPL-3.0-or-later
// The page shown before anything is open: how to open files, recent files, and samples with a line of
// description.
#pragma once
#include <QString>
#include <QWidget>
#include <vector>

class QLabel;
class QListWidget;

namespace cubinlab::ui {

class JobRunner;

struct SampleInfo {
    QString path;
    QString name;
    QString about;
};
// The samples folder: CUBINLAB_SAMPLES, next to the program, the installed share folder, or the source tree.
QString samples_folder();
std::vector<SampleInfo> read_samples(const QString& folder);

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(JobRunner* jobs, QWidget* parent = nullptr);
    void set_recent(const QStringList& paths);
    void set_status(const QString& text);  // of GPU and tools
    const std::vector<SampleInfo>& samples() const { return found_; }

  Q_SIGNALS:
    void open_asked();
    void file_chosen(const QString& path);
    void tools_asked();
    void sessions_asked();

  private:
    QWidget* make_column(const QString& title, QListWidget* list);

    std::vector<SampleInfo> found_;
    QListWidget* samples_;
    QListWidget* recent_;
    QLabel* status_;
};

}  // namespace cubinlab::ui
