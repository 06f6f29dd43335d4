# SPDX-License-Identifier: GPL-3.0-or-later
# Part of cubinlab_ui: these know the window, as the window knows them.
set(CUBINLAB_HOUSE_SOURCES
  house/command_palette.cpp house/command_palette.h
  house/exports.cpp house/exports.h
  house/fuzzy.cpp house/fuzzy.h
  house/house.cpp house/house.h
  house/lines_edit.h
  house/layouts.cpp house/layouts.h
  house/palette_entries.cpp house/palette_entries.h
  house/palette_model.cpp house/palette_model.h
  house/pane_cycle.cpp house/pane_cycle.h
  house/recovery.cpp house/recovery.h
  house/recovery_journal.cpp house/recovery_journal.h
  house/scene.cpp house/scene.h
  house/session_browser.cpp house/session_browser.h
  house/session_model.cpp house/session_model.h
  house/settings_dialog.cpp house/settings_dialog.h
  house/settings_pages.cpp house/settings_pages.h
  house/shortcut_model.cpp house/shortcut_model.h
  house/shortcut_page.cpp house/shortcut_page.h
  house/tools_page.cpp house/tools_page.h
  house/shortcut_book.cpp house/shortcut_book.h
  house/tour.cpp house/tour_panel.cpp house/tour.h
  house/why_disabled.cpp house/why_disabled.h
  house/system_appearance.cpp house/system_appearance.h
  house/windows.cpp house/windows.h)
