// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Shift+P: type a few letters of a command, Enter runs it. It is a child of the window, so no stray
// window remains; Esc or a click elsewhere closes it and returns the focus.
#pragma once
#include <QAbstractListModel>
#include <QFrame>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace cubinlab::ui {

class MainWindow;

// How well typed text matches a name: its letters in order, contiguous or at word starts. "mvup" and "move
// up" both match "Edit: Move up to the next legal position".
struct FuzzyMatch {
    int score = 0;        // higher is better; comparable for one pattern only
    std::vector<int> at;  // positions in the text, ascending; for highlighting
};

// Ignores case and blanks of the pattern. An empty pattern matches everything with score 0. Empty result: no
// match.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text);

struct PaletteEntry {
    QString id;      // "edit.undo"; entries that are not commands: "recent:/path", "offset"
    QString group;   // "Edit", "Open recent"
    QString text;    // "Undo"
    QString detail;  // description; if disabled, the reason
    QString key;     // shortcut, native text
    bool enabled = true;
    bool on = false;  // a toggle that is on
    std::function<void()> run;
    int bonus = 0;      // added to the score of a match: typed offsets, recently used commands
    QString also = {};  // synonyms

    QString name() const { return group + QStringLiteral(": ") + text; }
};

// The list of the command palette: every entry, disabled ones included, best match first.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { GroupRole = Qt::UserRole + 1, DetailRole, KeyRole, EnabledRole, OnRole, HitsRole, IdRole };

    using QAbstractListModel::QAbstractListModel;
    void set_entries(std::vector<PaletteEntry> entries);
    void set_pattern(const QString& pattern);
    const PaletteEntry* entry(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  private:
    struct Row {
        std::size_t entry = 0;
        int score = 0;
        QVariantList hits;  // positions in name()
    };
    void filter();

    std::vector<PaletteEntry> entries_;
    std::vector<Row> rows_;
    QString pattern_;
};

class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    // `entries` is called on opening and, with the typed text, on every change.
    using Source = std::function<std::vector<PaletteEntry>(const QString& typed)>;

    CommandPalette(Source entries, QWidget* window);
    void open(const QString& typed = {});
    void close_palette();
    const PaletteModel& model() const { return *model_; }
    QLineEdit* edit() const { return edit_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void typed(const QString& text);
    void run_current();
    const PaletteEntry* look_again(const QString& id);
    void place();
    void tell_current();

    Source source_;
    PaletteModel* model_;
    QLineEdit* edit_;
    QListView* list_;
    QLabel* detail_;
    QPointer<QWidget> focus_before_;
};

// The entries of a window's palette: every command, typed offsets, recent files, samples, kernels of the open
// cubin, other open windows.
// `lately`: recently chosen commands, newest first; they come first while nothing is typed.
std::vector<PaletteEntry> palette_entries(MainWindow& window, const QString& typed,
                                          const QStringList& lately);
// "0x1270", "1270", ":1270": bytes. Empty: not an offset.
std::optional<unsigned> parse_offset(const QString& text);

}  // namespace cubinlab::ui
