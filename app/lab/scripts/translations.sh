#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings the catalogues up to date with the texts of the sources: new texts come in as unfinished, those that are gone go.
#   app/lab/scripts/translations.sh [LANGUAGE...]      (qt6-l10n-tools; default: every catalogue that is there)
# Then translate what is unfinished (Qt Linguist, or an editor). tests/ui/translation_test.cpp holds each catalogue complete.
set -euo pipefail
cd "$(dirname "$0")/../../.."
lupdate=/usr/lib/qt6/bin/lupdate
[[ -x $lupdate ]] || lupdate=$(command -v lupdate-qt6 || command -v lupdate6 || command -v lupdate)
languages=("$@")
((${#languages[@]})) || languages=($(basename -s .ts resources/translations/*.ts | sed 's/^cubinlab_//'))
for language in "${languages[@]}"; do
  "$lupdate" -silent -no-obsolete -locations none -I . -I ui -extensions cpp,h ui app -target-language "$language" \
    -ts "resources/translations/cubinlab_$language.ts"
done
