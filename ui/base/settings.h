// SPDX-License-Identifier: GPL-3.0-or-later
// The preferences of the window, with typed accessors instead of key strings all over the code.
#pragma once
#include <QByteArray>
#include <QDir>
#include <QString>
#include <QStringList>
#include <QVariantMap>
#include <utility>

#include "core/gpu/client/gpu_evaluator.h"
#include "ui/base/run_request.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {

class Settings {
    static QVariant value(const char* key, const QVariant& otherwise = {});
    static void put(const char* key, const QVariant& what);

  public:
    // What is kept as it is under one key.
    template <class T>
    class Stored {
      public:
        explicit Stored(const char* key, T otherwise = {}) : key_(key), otherwise_(std::move(otherwise)) {}
        T operator()() const { return value(key_, otherwise_).template value<T>(); }
        void set(const T& what) { put(key_, what); }

      private:
        const char* key_;
        T otherwise_;
    };

    ThemeMode theme() const;
    void set_theme(ThemeMode mode);
    static constexpr int kMonoPoints = 9;  // default size of the listings
    Stored<int> mono_points{"look/listing_points", kMonoPoints};

    QStringList recent() const;  // newest first; each the text of a Place (ui/run/opener.h)
    void add_recent(const QString& path);
    void forget_recent();

    RunRequest last_request() const;  // agent, evaluator, budget, seed of the agent bar
    void set_last_request(const RunRequest& request);

    QByteArray geometry() const;
    QByteArray dock_state() const;
    void set_layout(const QByteArray& geometry, const QByteArray& dock_state);
    void forget_layout();

    Stored<QString> last_folder{"files/folder", QDir::homePath()};

    Stored<int> ui_points{"look/interface_points"};  // 0: desktop default
    QVariantMap shortcuts() const;                   // command -> key in portable text, only what was changed
    void set_shortcuts(const QVariantMap& keys);

    Stored<QString> nvdisasm{"tools/nvdisasm"}, nvcc{"tools/nvcc"};  // programs; empty: search for them
    GpuSettings gpu() const;  // worker commands, device, GPUs per worker, cache; defaults for the rest
    void set_gpu(const GpuSettings& settings);

    // Re-measure the best of a GPU run in fresh processes when the run has finished.
    Stored<bool> measure_again{"agent/measure_again", true};

    Stored<bool> autosave{"files/autosave", true};    // the open windows, for restoring after a crash
    QString sessions_folder() const;                  // never empty
    void set_sessions_folder(const QString& folder);  // empty: the data folder of the user
    static QString default_sessions_folder();

    QStringList layouts() const;  // names, as saved by the user
    QByteArray layout(const QString& name) const;
    void save_layout(const QString& name, const QByteArray& state);
    void remove_layout(const QString& name);
};

ThemeMode theme_from(const QString& name);  // "light", "dark"; anything else: system

}  // namespace cubinlab::ui
