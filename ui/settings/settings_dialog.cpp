// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QWidget>

#include "ui/base/commands.h"
#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/run/agent_bar.h"
#include "ui/run/run_controller.h"
#include "ui/run/window_context.h"
#include "ui/settings/lines_edit.h"
#include "ui/settings/shortcut_page.h"
#include "ui/settings/tools_page.h"

namespace cubinlab::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("cubinlab::ui", text);
}

QFormLayout* form_of(QWidget* page) {
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(11);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);  // rather than to scroll sideways
    return form;
}

// A row of the form: the label is the accessible name too, the hint stands below in dim text.
void add_row(QFormLayout* form, const QString& label, QWidget* field, const QString& hint = {}) {
    if (field->accessibleName().isEmpty()) field->setAccessibleName(label);
    field->setAccessibleDescription(hint);
    form->addRow(label, field);
    if (hint.isEmpty()) return;
    auto* text = new QLabel(hint, field->parentWidget());
    text->setWordWrap(true);
    text->setProperty("dim", true);
    QSizePolicy as_high_as_its_lines(QSizePolicy::Preferred, QSizePolicy::Maximum);
    as_high_as_its_lines.setHeightForWidth(true);
    text->setSizePolicy(as_high_as_its_lines);
    text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    form->addRow(QString(), text);
}

QSpinBox* points_box(QWidget* parent, int value, int least, int most) {
    auto* box = new QSpinBox(parent);
    box->setRange(least, most);
    box->setSuffix(tr(" points"));
    box->setValue(value);
    box->setMaximumWidth(140);
    return box;
}

QWidget* make_look_page(const WindowContext& window, QWidget* parent) {
    auto* page = new QWidget(parent);
    QFormLayout* form = form_of(page);
    Theme& theme = Theme::instance();
    auto* mode = new QComboBox(page);
    mode->addItem(tr("System"), static_cast<int>(ThemeMode::System));
    mode->addItem(tr("Light"), static_cast<int>(ThemeMode::Light));
    mode->addItem(tr("Dark"), static_cast<int>(ThemeMode::Dark));
    mode->setCurrentIndex(mode->findData(static_cast<int>(theme.mode())));
    mode->setMaximumWidth(220);
    QObject::connect(mode, &QComboBox::currentIndexChanged, page, [window, mode] {
        const auto wanted = static_cast<ThemeMode>(mode->currentData().toInt());
        const char* id = wanted == ThemeMode::System  ? "view.theme_system"
                         : wanted == ThemeMode::Light ? "view.theme_light"
                                                      : "view.theme_dark";
        (*window.commands)[QString::fromLatin1(id)]->trigger();  // also updates the menu's check mark
    });
    add_row(form, tr("Theme"), mode, tr("\"System\" follows the desktop."));

    auto* interface_text = points_box(page, theme.ui_points(), 7, 20);
    auto* listing_text = points_box(page, theme.mono_points(), 6, 24);
    QObject::connect(interface_text, &QSpinBox::valueChanged, page, [window](int points) {
        window.settings->ui_points.set(points);
        Theme::instance().set_ui_points(points);
    });
    QObject::connect(listing_text, &QSpinBox::valueChanged, page, [window](int points) {
        window.settings->mono_points.set(points);
        Theme::instance().set_mono_points(points);
    });
    QObject::connect(&theme, &Theme::changed, page, [mode, interface_text, listing_text] {
        const QSignalBlocker quiet_a(mode), quiet_b(interface_text), quiet_c(listing_text);
        mode->setCurrentIndex(mode->findData(static_cast<int>(Theme::instance().mode())));
        interface_text->setValue(Theme::instance().ui_points());
        listing_text->setValue(Theme::instance().mono_points());
    });
    add_row(form, tr("UI font size"), interface_text);
    add_row(form, tr("Listing font size"), listing_text,
            tr("Ctrl++ and Ctrl+- change both by one point. Ctrl+0 resets both."));
    return page;
}

// The fields of the page, which make one GpuSettings.
struct GpuFields {
    QLineEdit* worker;
    QPlainTextEdit* more;  // further workers, a line each
    QSpinBox *device, *each;
    QComboBox* cache;

    GpuSettings settings() const {
        GpuSettings s;
        s.worker_command = worker->text().trimmed().toStdString();
        for (const QString& line : more->toPlainText().split(QLatin1Char('\n'))) {
            if (line.trimmed().isEmpty()) continue;
            if (s.worker_commands.empty())
                s.worker_commands.push_back(s.worker_command.empty() ? "local" : s.worker_command);
            s.worker_commands.push_back(line.trimmed().toStdString());
        }
        s.device = device->value();
        s.gpus_each = each->value();
        const GpuSettings before = Settings().gpu();
        s.cache = cache->currentData().value<Cache>();
        s.cache_given = before.cache_given || s.cache != before.cache;
        return s;
    }
    void apply(const WindowContext& window) const {
        const GpuSettings now = settings();
        Settings().set_gpu(now);
        window.each_window([&](RunController& controller, AgentBar&) {
            controller.set_gpu_settings(now);
            controller.probe_gpu_now();
        });
    }
};

GpuFields make_gpu_fields(QWidget* page) {
    const GpuSettings now = Settings().gpu();
    GpuFields f{new QLineEdit(QString::fromStdString(now.worker_command), page), new LinesEdit(page),
                new QSpinBox(page), new QSpinBox(page), new ElidingCombo(page)};
    f.worker->setPlaceholderText(QStringLiteral("cubinlab-bench-worker"));
    QStringList more;
    for (std::size_t i = 1; i < now.worker_commands.size(); ++i)
        more << QString::fromStdString(now.worker_commands[i]);
    f.more->setPlainText(more.join(QLatin1Char('\n')));
    f.device->setRange(0, 63);
    f.device->setValue(now.device);
    f.device->setMaximumWidth(140);
    f.each->setRange(0, 64);
    f.each->setSpecialValueText(tr("all"));
    f.each->setValue(now.gpus_each);
    f.each->setMaximumWidth(140);
    for (QSpinBox* box : {f.device, f.each})
        box->setKeyboardTracking(false);  // else typing "12" would probe GPU 1 first
    for (std::size_t i = 0; i < std::size(kCacheNames); ++i) {
        const auto cache = static_cast<Cache>(i);
        f.cache->addItem(QString::fromStdString(cache_meaning(cache)), QVariant::fromValue(cache));
        f.cache->setItemData(static_cast<int>(i), QStringList{QLatin1String(to_string(cache))},
                             ElidingCombo::kShorterRole);
    }
    f.cache->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    f.cache->setMinimumContentsLength(24);
    f.cache->setCurrentIndex(f.cache->findData(QVariant::fromValue(now.cache)));
    f.cache->setAccessibleName(tr("Cache state"));
    return f;
}

QLabel* make_gpu_state(const WindowContext& window, QWidget* page) {
    auto* state = new QLabel(page);
    state->setWordWrap(true);
    state->setAlignment(Qt::AlignTop | Qt::AlignLeft);  // beside its name
    state->setAccessibleName(tr("GPU status"));
    const auto tell = [window, state] {
        const auto& gpu = window.controller->gpu();
        if (!gpu)
            state->setText(tr("Looking for a GPU..."));
        else if (gpu->present)
            state->setText(tr("%1, sm_%2, driver %3")
                               .arg(QString::fromStdString(gpu->device), QString::number(gpu->sm),
                                    QString::fromStdString(gpu->driver)));
        else
            state->setText(tr("No GPU: %1. Agents use the SM model; results are marked unmeasured.")
                               .arg(QString::fromStdString(gpu->reason)));
    };
    QObject::connect(window.controller, &RunController::evaluator_changed, state, tell);
    tell();
    return state;
}

QWidget* make_gpu_page(const WindowContext& window, QWidget* parent) {
    auto* page = new QWidget(parent);
    QFormLayout* form = form_of(page);
    const GpuFields f = make_gpu_fields(page);
    QLabel* state = make_gpu_state(window, page);
    const auto apply = [f, state, window] {
        state->setText(tr("Looking for a GPU..."));
        f.apply(window);
    };
    QObject::connect(f.worker, &QLineEdit::editingFinished, page, [f, apply] {
        if (f.worker->isModified()) apply();
        f.worker->setModified(false);
    });
    QObject::connect(static_cast<LinesEdit*>(f.more), &LinesEdit::edited, page, apply);
    QObject::connect(f.device, &QSpinBox::valueChanged, page, apply);
    QObject::connect(f.each, &QSpinBox::valueChanged, page, apply);
    QObject::connect(f.cache, &QComboBox::currentIndexChanged, page, apply);
    add_row(form, tr("Worker command"), f.worker,
            tr("Empty: the worker next to the program. \"ssh -T -e none HOST cubinlab-bench-worker\" "
               "measures on another machine. Active runs keep their worker."));
    add_row(
        form, tr("Additional workers"), f.more,
        tr("One command per line. Agents use all of them as a pool; Measure uses the first that responds."));
    add_row(form, tr("GPU index"), f.device);
    add_row(form, tr("GPUs per worker"), f.each, tr("Starting at that index."));
    add_row(form, tr("Cache"), f.cache,
            tr("For new agent runs and Measure. Of a mean of two states Measure uses the first. Captured kernels "
               "use the state \"program\" unless you choose one."));
    form->addRow(tr("Found"), state);
    return page;
}

QWidget* make_agent_page(const WindowContext& window, QWidget* parent) {
    auto* page = new QWidget(parent);
    QFormLayout* form = form_of(page);
    const RunRequest now = window.agent_bar->request();
    auto* agent = new QComboBox(page);
    for (const SearcherDescription& d : searcher_descriptions())
        agent->addItem(
            QStringLiteral("%1 - %2").arg(QString::fromStdString(d.name), QString::fromStdString(d.title)),
            QString::fromStdString(d.name));
    agent->setCurrentIndex(std::max(0, agent->findData(now.agent)));
    auto* evaluator = new QComboBox(page);
    evaluator->addItem(tr("Auto - a GPU that supports the kernel, else the model"),
                       QVariant::fromValue(EvaluatorPolicy::Auto));
    evaluator->addItem(tr("GPU - or an error"), QVariant::fromValue(EvaluatorPolicy::Gpu));
    evaluator->addItem(tr("Model - never measured"), QVariant::fromValue(EvaluatorPolicy::Model));
    evaluator->setCurrentIndex(std::max(0, evaluator->findData(QVariant::fromValue(now.evaluator))));
    auto* budget = new QLineEdit(now.budget, page);
    auto* wrong = new QLabel(page);
    wrong->setWordWrap(true);
    set_bad(*wrong, true);
    wrong->setAccessibleName(tr("Error in the budget"));
    auto* seed = new SeedBox(page);
    seed->set_seed(now.seed);
    const auto apply = [form, agent, evaluator, budget, seed, wrong, each_window = window.each_window] {
        const auto parsed = Budget::parse(budget->text().trimmed().toStdString());
        wrong->setText(parsed ? QString() : QString::fromStdString(parsed.error().message()));
        form->setRowVisible(wrong, !parsed);
        if (!parsed) return;
        RunRequest request = Settings().last_request();
        request.agent = agent->currentData().toString();
        request.evaluator = evaluator->currentData().value<EvaluatorPolicy>();
        request.budget = budget->text().trimmed();
        request.seed = seed->seed();
        Settings().set_last_request(request);
        each_window([&](RunController& controller, AgentBar& bar) {
            if (!controller.active()) bar.set_request(request);
        });
    };
    QObject::connect(agent, &QComboBox::currentIndexChanged, page, apply);
    QObject::connect(evaluator, &QComboBox::currentIndexChanged, page, apply);
    QObject::connect(budget, &QLineEdit::editingFinished, page, apply);
    QObject::connect(seed, &SeedBox::editingFinished, page, apply);
    add_row(form, tr("Agent"), agent);
    add_row(form, tr("Evaluator"), evaluator);
    add_row(form, tr("Budget"), budget, tr("Time or evaluated candidates: 60s, 5m, 2000steps"));
    form->addRow(QString(), wrong);
    form->setRowVisible(wrong, false);
    add_row(form, tr("Seed"), seed);
    auto* again = new QCheckBox(tr("Re-measure the best in fresh processes"), page);
    again->setChecked(window.settings->measure_again());
    again->setAccessibleName(again->text());
    again->setToolTip(tr("A run's own gain is measured by the searching process"));
    QObject::connect(again, &QCheckBox::toggled, page, [](bool on) { Settings().measure_again.set(on); });
    add_row(form, tr("After a run on a GPU"), again);
    return page;
}

QWidget* make_files_page(const WindowContext& window, QWidget* parent) {
    auto* page = new QWidget(parent);
    QFormLayout* form = form_of(page);
    auto* autosave = new QCheckBox(tr("Autosave the open windows for restoring after a crash"), page);
    autosave->setChecked(window.settings->autosave());
    autosave->setAccessibleName(autosave->text());
    QObject::connect(autosave, &QCheckBox::toggled, page, [](bool on) { Settings().autosave.set(on); });
    add_row(form, tr("Autosave"), autosave,
            tr("The session logs every edit. Autosave also keeps undo history, selection and layout."));
    auto* folder = new PathField({}, tr("Folder for new sessions"), Ask::Folder, page);
    folder->line()->setText(window.settings->sessions_folder());
    folder->add_to(*form, tr("New sessions in"));
    QObject::connect(folder, &PathField::chosen, page, [folder](const QString& path) {
        Settings().set_sessions_folder(path);
        folder->line()->setText(Settings().sessions_folder());
    });
    auto* forget = new QPushButton(tr("Clear recent files"), page);
    QObject::connect(forget, &QPushButton::clicked, page, [forget_recent = window.forget_recent] {
        Settings().forget_recent();
        forget_recent();
    });
    forget->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    form->addRow(QString(), forget);
    return page;
}

}  // namespace

SettingsDialog::SettingsDialog(const WindowContext& window) : QDialog(window.widget) {
    setWindowTitle(tr("Settings"));
    setObjectName(QStringLiteral("settings"));
    resize(for_text(*this, {900, 620}));
    names_ = new QListWidget(this);
    names_->setAccessibleName(tr("Topics of the settings"));
    names_->setFixedWidth(170);
    names_->setFrameShape(QFrame::NoFrame);
    names_->setStyleSheet(
        QStringLiteral("QListWidget { padding: 12px 8px; } QListWidget::item { padding-left: 10px; "
                       "border-radius: 5px; }"));
    pages_ = new QStackedWidget(this);
    add_page(QStringLiteral("look"), tr("Appearance"), tr("Theme and font sizes of all windows."),
             make_look_page(window, this));
    add_page(QStringLiteral("tools"), tr("Tools"),
             tr("External tools found on this machine. All of them are optional."),
             new ToolsPage(window, this));
    add_page(QStringLiteral("gpu"), tr("GPU"),
             tr("Where schedules are measured. A worker process uses the GPU; this program never loads the "
                "driver."),
             make_gpu_page(window, this));
    add_page(QStringLiteral("agent"), tr("Agent"), tr("Defaults of the agent bar in new windows."),
             make_agent_page(window, this));
    add_page(QStringLiteral("files"), tr("Files"), tr("Sessions, autosave, recent files."),
             make_files_page(window, this));
    add_page(QStringLiteral("keys"), tr("Keyboard shortcuts"), tr("Shortcuts of all commands."),
             new ShortcutPage(*window.commands, this));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(20, 16, 20, 14);
    right->addWidget(pages_, 1);
    right->addWidget(buttons);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(names_);
    layout->addLayout(right, 1);
    connect(names_, &QListWidget::currentRowChanged, pages_, &QStackedWidget::setCurrentIndex);
    names_->setCurrentRow(0);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    for (QPushButton* each : findChildren<QPushButton*>())
        each->setAutoDefault(false);  // Enter in a field ends the field, it presses nothing
}

void SettingsDialog::add_page(const QString& name, const QString& title, const QString& about,
                              QWidget* page) {
    auto* item = new QListWidgetItem(title, names_);
    item->setData(Qt::UserRole, name);
    item->setSizeHint({150, fontMetrics().height() + 16});
    auto* holder = new QWidget(this);
    auto* heading = new QLabel(title, holder);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() + 4);
    large.setWeight(QFont::DemiBold);
    heading->setFont(large);
    auto* text = new QLabel(about, holder);
    text->setWordWrap(true);
    text->setProperty("dim", true);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(heading);
    layout->addWidget(text);
    layout->addSpacing(10);
    auto* scroll = new QScrollArea(holder);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(title);
    scroll->setFocusPolicy(Qt::NoFocus);  // its page follows the keyboard
    page->setObjectName(QStringLiteral("settings_") + name);
    scroll->setWidget(page);
    scroll->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    layout->addWidget(scroll, 1);
    pages_->addWidget(holder);
}

void SettingsDialog::show_page(const QString& name) {
    for (int row = 0; row < names_->count(); ++row)
        if (names_->item(row)->data(Qt::UserRole).toString() == name) names_->setCurrentRow(row);
}

}  // namespace cubinlab::ui
