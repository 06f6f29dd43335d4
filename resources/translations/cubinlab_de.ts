<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>KernelInfo</name>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>not shown</source>
        <translation>nicht gezeigt</translation>
    </message>
    <message>
        <source>no workload or required block size says how many threads a block has</source>
        <translation>kein Workload und keine geforderte Blockgröße sagt, wie viele Threads ein Block hat</translation>
    </message>
    <message>
        <source>Occupancy by registers, %1 threads a block%2</source>
        <translation>Belegung nach Registern, %1 Threads je Block%2</translation>
    </message>
    <message>
        <source> (from the cubin)</source>
        <translation> (aus dem Cubin)</translation>
    </message>
    <message>
        <source>up to %1 registers</source>
        <translation>bis %1 Register</translation>
    </message>
    <message>
        <source>%1 warps ◀ here</source>
        <translation>%1 Warps ◀ hier</translation>
    </message>
    <message>
        <source>%1 warps</source>
        <translation>%1 Warps</translation>
    </message>
    <message>
        <source>Stall counts, cycles, each instruction once</source>
        <translation>Stall-Zahlen, Takte, jeder Befehl einmal</translation>
    </message>
    <message>
        <source>%1, %2 of them in loops</source>
        <translation>%1, davon %2 in Schleifen</translation>
    </message>
    <message>
        <source>; at most %1 live registers</source>
        <translation>; höchstens %1 lebende Register</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>%1%2 cycles, %3 moved, %4 control codes changed</source>
        <translation>%1%2 Takte, %3 verschoben, %4 Steuercodes geändert</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>FMA, IMAD</source>
        <translation>FMA, IMAD</translation>
    </message>
    <message>
        <source>Half</source>
        <translation>Half</translation>
    </message>
    <message>
        <source>Double</source>
        <translation>Double</translation>
    </message>
    <message>
        <source>Integer, logic</source>
        <translation>Ganzzahl, Logik</translation>
    </message>
    <message>
        <source>MUFU, conversions</source>
        <translation>MUFU, Umwandlungen</translation>
    </message>
    <message>
        <source>Shared memory, shuffles</source>
        <translation>Shared Memory, Shuffles</translation>
    </message>
    <message>
        <source>Global memory, constants</source>
        <translation>Globaler Speicher, Konstanten</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>Uniform</translation>
    </message>
    <message>
        <source>Control flow</source>
        <translation>Kontrollfluss</translation>
    </message>
    <message>
        <source>Barriers, async</source>
        <translation>Barrieren, asynchron</translation>
    </message>
    <message>
        <source>Unknown opcode</source>
        <translation>Unbekannter Opcode</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Editing</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>möglich</translation>
    </message>
    <message>
        <source>view only: %1</source>
        <translation>nur ansehen: %1</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>%1 instructions, blocks: %2, loops: %3</source>
        <translation>%1 Befehle, Blöcke: %2, Schleifen: %3</translation>
    </message>
    <message>
        <source>Code hash</source>
        <translation>Hash des Codes</translation>
    </message>
    <message>
        <source>Listing</source>
        <translation>Listing</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>%1 a thread</source>
        <translation>%1 je Thread</translation>
    </message>
    <message>
        <source>Shared memory, static</source>
        <translation>Shared Memory, statisch</translation>
    </message>
    <message>
        <source>Shared memory, dynamic</source>
        <translation>Shared Memory, dynamisch</translation>
    </message>
    <message>
        <source>Local memory</source>
        <translation>Lokaler Speicher</translation>
    </message>
    <message>
        <source>Constant bank 0</source>
        <translation>Konstantenbank 0</translation>
    </message>
    <message>
        <source>Named barriers</source>
        <translation>Benannte Barrieren</translation>
    </message>
    <message>
        <source>Required block</source>
        <translation>Geforderter Block</translation>
    </message>
    <message>
        <source>Most threads</source>
        <translation>Höchstens Threads</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Instruction mix</source>
        <translation>Befehlsmischung</translation>
    </message>
    <message>
        <source>Whole name</source>
        <translation>Ganzer Name</translation>
    </message>
    <message>
        <source>%1 instructions, not decoded</source>
        <translation>%1 Befehle, nicht dekodiert</translation>
    </message>
</context>
<context>
    <name>LeftBehind</name>
    <message>
        <source>Its agent was stopped; Agent &gt; Continue run goes on with the run there.</source>
        <translation>Der Agent wurde angehalten; dort führt Agent &gt; Lauf fortsetzen den Lauf weiter.</translation>
    </message>
    <message>
        <source>Its measurement was stopped and is not kept.</source>
        <translation>Die Messung wurde abgebrochen und ist nicht aufgehoben.</translation>
    </message>
    <message numerus="yes">
        <source>%n hand edit(s) went into its log.</source>
        <translation>
            <numerusform>%n Änderung von Hand steht im Protokoll.</numerusform>
            <numerusform>%n Änderungen von Hand stehen im Protokoll.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hand edit(s) could not be logged and went with it.</source>
        <translation>
            <numerusform>%n Änderung von Hand ließ sich nicht protokollieren und ging damit verloren.</numerusform>
            <numerusform>%n Änderungen von Hand ließen sich nicht protokollieren und gingen damit verloren.</numerusform>
        </translation>
    </message>
    <message>
        <source>Session: %1.</source>
        <translation>Sitzung: %1.</translation>
    </message>
    <message>
        <source>Open that session</source>
        <translation>Diese Sitzung öffnen</translation>
    </message>
    <message>
        <source>Closed: %1</source>
        <translation>Geschlossen: %1</translation>
    </message>
    <message>
        <source>Its measurement goes on; what it finds is told and kept.</source>
        <translation>Die Messung geht weiter; was sie ergibt, wird gemeldet und aufgehoben.</translation>
    </message>
</context>
<context>
    <name>Limits</name>
    <message>
        <source>What limits it</source>
        <translation>Was begrenzt</translation>
    </message>
    <message>
        <source>Hot loop from %1 to %2, %3 instructions</source>
        <translation>Heiße Schleife von %1 bis %2, %3 Befehle</translation>
    </message>
    <message>
        <source>No loop that works: the whole path, %1 instructions</source>
        <translation>Keine Schleife, die arbeitet: der ganze Pfad, %1 Befehle</translation>
    </message>
    <message>
        <source>%1 → %2 modelled cycles a pass</source>
        <translation>%1 → %2 modellierte Takte je Durchgang</translation>
    </message>
    <message>
        <source>%1 modelled cycles a pass</source>
        <translation>%1 modellierte Takte je Durchgang</translation>
    </message>
    <message>
        <source>; %1 for one warp alone</source>
        <translation>; %1 für einen Warp allein</translation>
    </message>
    <message>
        <source>its end</source>
        <translation>ihr Ende</translation>
    </message>
    <message>
        <source>%1 passes assumed: %2 depends on %3</source>
        <translation>%1 Durchgänge angenommen: %2 hängt von %3 ab</translation>
    </message>
    <message>
        <source>%1 passes each time that it is entered</source>
        <translation>%1 Durchgänge bei jedem Eintritt</translation>
    </message>
    <message>
        <source>%1 to %2 passes each time that it is entered, %3 on average</source>
        <translation>%1 bis %2 Durchgänge bei jedem Eintritt, im Mittel %3</translation>
    </message>
    <message>
        <source> (first and last thread of the first and last block)</source>
        <translation> (erster und letzter Thread des ersten und letzten Blocks)</translation>
    </message>
    <message>
        <source>Where the cycles go: %1, %2</source>
        <translation>Wohin die Takte gehen: %1, %2</translation>
    </message>
    <message>
        <source>Where the cycles go</source>
        <translation>Wohin die Takte gehen</translation>
    </message>
    <message>
        <source>Who waits longest</source>
        <translation>Wer am längsten wartet</translation>
    </message>
    <message>
        <source>What each resource alone would take</source>
        <translation>Was jede Ressource allein brauchte</translation>
    </message>
    <message>
        <source>longest chain of dependences</source>
        <translation>längste Kette von Abhängigkeiten</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>%1 of %2 warps on an SM, limited by %3</source>
        <translation>%1 von %2 Warps auf einem SM, begrenzt durch %3</translation>
    </message>
    <message>
        <source>; blocks of %1 threads (%2)</source>
        <translation>; Blöcke zu %1 Threads (%2)</translation>
    </message>
    <message>
        <source>blocks by registers %1, warps %2, blocks %3</source>
        <translation>Blöcke nach Registern %1, Warps %2, Blöcken %3</translation>
    </message>
    <message>
        <source>, shared memory %1</source>
        <translation>, Shared Memory %1</translation>
    </message>
    <message>
        <source>, the grid %1</source>
        <translation>, dem Gitter %1</translation>
    </message>
    <message>
        <source>issues</source>
        <translation>setzt ab</translation>
    </message>
    <message>
        <source>stall counts</source>
        <translation>Stall-Zahlen</translation>
    </message>
    <message>
        <source>a tensor group</source>
        <translation>eine Tensor-Gruppe</translation>
    </message>
    <message>
        <source>unit busy</source>
        <translation>Einheit belegt</translation>
    </message>
    <message>
        <source>register port</source>
        <translation>Registerport</translation>
    </message>
    <message>
        <source>memory queue</source>
        <translation>Speicherschlange</translation>
    </message>
    <message>
        <source>not selected</source>
        <translation>nicht gewählt</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>, one warp simulated on a sub-core</source>
        <translation>, ein Warp auf einem Sub-Core simuliert</translation>
    </message>
    <message>
        <source>, %1 warps simulated on a sub-core</source>
        <translation>, %1 Warps auf einem Sub-Core simuliert</translation>
    </message>
    <message>
        <source>A pass of the loop and the whole kernel change in opposite directions: what changed weighs more outside of the loop, or in passes other than those shown.</source>
        <translation>Ein Schleifendurchlauf und der ganze Kernel ändern sich in entgegengesetzte Richtungen: Was sich geändert hat, wiegt außerhalb der Schleife oder in anderen als den gezeigten Durchläufen mehr.</translation>
    </message>
    <message>
        <source>, with %1 passes of each loop assumed</source>
        <translation>, mit angenommenen %1 Durchläufen jeder Schleife</translation>
    </message>
    <message>
        <source>Score of the whole kernel: %1 modelled cycles</source>
        <translation>Bewertung des ganzen Kernels: %1 modellierte Takte</translation>
    </message>
    <message>
        <source>Score of the whole kernel, which gains are of: %1 → %2 modelled cycles</source>
        <translation>Bewertung des ganzen Kernels, auf die sich Gewinne beziehen: %1 → %2 modellierte Takte</translation>
    </message>
    <message>
        <source>, %1 for other causes</source>
        <translation>, %1 aus anderen Gründen</translation>
    </message>
    <message>
        <source>of the %1 cycles that all warps in turn take at least</source>
        <translation>von den %1 Takten, die alle Warps nacheinander mindestens brauchen</translation>
    </message>
</context>
<context>
    <name>Place</name>
    <message>
        <source>%1, image %2</source>
        <translation>%1, Abbild %2</translation>
    </message>
</context>
<context>
    <name>QAbstractSpinBox</name>
    <message>
        <source>&amp;Select All</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>&amp;Step up</source>
        <translation>&amp;Größer</translation>
    </message>
    <message>
        <source>Step &amp;down</source>
        <translation>&amp;Kleiner</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>Look in:</source>
        <translation>Suchen in:</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>Dateien des Typs:</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>Datei&amp;name:</translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>Directories</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Go forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>Übergeordneter Ordner</translation>
    </message>
    <message>
        <source>Go to the parent directory</source>
        <translation>In den übergeordneten Ordner</translation>
    </message>
    <message>
        <source>Create New Folder</source>
        <translation>Neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>Create a New Folder</source>
        <translation>Einen neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>List View</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Change to list view mode</source>
        <translation>Als Liste zeigen</translation>
    </message>
    <message>
        <source>Detail View</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Change to detail view mode</source>
        <translation>Mit Einzelheiten zeigen</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>List of places and bookmarks</source>
        <translation>Liste von Orten und Lesezeichen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Choose</source>
        <translation>&amp;Wählen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save As</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Find Directory</source>
        <translation>Ordner suchen</translation>
    </message>
    <message>
        <source>Show </source>
        <translation>Zeigen </translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Show &amp;hidden files</source>
        <translation>&amp;Verborgene Dateien zeigen</translation>
    </message>
    <message>
        <source>&amp;New Folder</source>
        <translation>&amp;Neuer Ordner</translation>
    </message>
    <message>
        <source>New Folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>All Files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Recent Places</source>
        <translation>Zuletzt besucht</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Could not delete directory.</source>
        <translation>Der Ordner konnte nicht gelöscht werden.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is write protected.
Do you want to delete it anyway?</source>
        <translation>„%1“ ist schreibgeschützt.
Trotzdem löschen?</translation>
    </message>
    <message>
        <source>Are you sure you want to delete &apos;%1&apos;?</source>
        <translation>„%1“ wirklich löschen?</translation>
    </message>
    <message>
        <source>%1 already exists.
Do you want to replace it?</source>
        <translation>%1 gibt es schon.
Ersetzen?</translation>
    </message>
    <message>
        <source>%1
Directory not found.
Please verify the correct directory name was given.</source>
        <translation>%1
Der Ordner wurde nicht gefunden.
Bitte den Namen prüfen.</translation>
    </message>
    <message>
        <source>%1
File not found.
Please verify the correct file name was given.</source>
        <translation>%1
Die Datei wurde nicht gefunden.
Bitte den Namen prüfen.</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>Laufwerk</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>My Computer</source>
        <translation>Computer</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Date Modified</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Computer</translation>
    </message>
    <message>
        <source>My Computer</source>
        <translation>Computer</translation>
    </message>
    <message>
        <source>Invalid filename</source>
        <translation>Ungültiger Dateiname</translation>
    </message>
    <message>
        <source>&lt;b&gt;The name &quot;%1&quot; cannot be used.&lt;/b&gt;&lt;p&gt;Try using another name, with fewer characters or no punctuation marks.</source>
        <translation>&lt;b&gt;Der Name „%1“ kann nicht verwendet werden.&lt;/b&gt;&lt;p&gt;Ein kürzerer oder einer ohne Satzzeichen geht vielleicht.</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1, of %2 bytes</source>
        <translation>%1, von %2 Byte</translation>
    </message>
    <message>
        <source>instruction</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>&amp;Play or pause</source>
        <translation>&amp;Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Play the steps of the run that the filter admits</source>
        <translation>Die Schritte des Laufs abspielen, die der Filter durchlässt</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>Show the next step that the filter admits</source>
        <translation>Den nächsten Schritt zeigen, den der Filter durchlässt</translation>
    </message>
    <message>
        <source>P&amp;revious step</source>
        <translation>&amp;Voriger Schritt</translation>
    </message>
    <message>
        <source>Show the previous step that the filter admits</source>
        <translation>Den vorigen Schritt zeigen, den der Filter durchlässt</translation>
    </message>
    <message>
        <source>Next &amp;improvement</source>
        <translation>Nächste Ver&amp;besserung</translation>
    </message>
    <message>
        <source>Show the next step that became the best</source>
        <translation>Den nächsten Schritt zeigen, der der beste wurde</translation>
    </message>
    <message>
        <source>Previous i&amp;mprovement</source>
        <translation>Vorige V&amp;erbesserung</translation>
    </message>
    <message>
        <source>Show the previous step that became the best</source>
        <translation>Den vorigen Schritt zeigen, der der beste wurde</translation>
    </message>
    <message>
        <source>&amp;Left: the step before</source>
        <translation>&amp;Links: der Schritt davor</translation>
    </message>
    <message>
        <source>Compare each chosen step with the schedule that it was made from</source>
        <translation>Jeden gewählten Schritt mit dem Schedule vergleichen, aus dem er gemacht wurde</translation>
    </message>
    <message>
        <source>&amp;Minimise the winner</source>
        <translation>Den Sieger &amp;minimieren</translation>
    </message>
    <message>
        <source>Find the few edits that carry the winner&apos;s gain</source>
        <translation>Die wenigen Änderungen finden, die den Gewinn des Siegers tragen</translation>
    </message>
    <message>
        <source>&amp;Learned patterns</source>
        <translation>&amp;Gelernte Muster</translation>
    </message>
    <message>
        <source>What the accepted steps did, grouped</source>
        <translation>Was die angenommenen Schritte taten, in Gruppen</translation>
    </message>
    <message>
        <source>on</source>
        <translation>auf</translation>
    </message>
    <message>
        <source>on   %1</source>
        <translation>auf   %1</translation>
    </message>
    <message>
        <source>About CubinLab</source>
        <translation>Über CubinLab</translation>
    </message>
    <message>
        <source>&lt;h3&gt;CubinLab %1&lt;/h3&gt;&lt;p&gt;A workbench for NVIDIA SASS schedules. GPL-3.0-or-later, without any warranty.&lt;/p&gt;&lt;p&gt;Built with Qt %2 (LGPL-3.0), QScintilla (GPL-3.0), QCustomPlot (GPL-3.0-or-later), SQLite (public domain), LibTorch (BSD-3-Clause), nlohmann-json and fmt (MIT), CLI11 (BSD-3-Clause), tl::expected (CC0), Zstandard and xxHash (BSD).&lt;/p&gt;&lt;p&gt;Not affiliated with NVIDIA; CUDA and SASS tools are not part of this program.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;CubinLab %1&lt;/h3&gt;&lt;p&gt;Eine Werkbank für die Schedules von NVIDIA-SASS. GPL-3.0-or-later, ohne jede Gewährleistung.&lt;/p&gt;&lt;p&gt;Gebaut mit Qt %2 (LGPL-3.0), QScintilla (GPL-3.0), QCustomPlot (GPL-3.0-or-later), SQLite (gemeinfrei), LibTorch (BSD-3-Clause), nlohmann-json und fmt (MIT), CLI11 (BSD-3-Clause), tl::expected (CC0), Zstandard und xxHash (BSD).&lt;/p&gt;&lt;p&gt;Ohne Verbindung zu NVIDIA; die Werkzeuge für CUDA und SASS sind nicht Teil dieses Programms.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>About Qt</source>
        <translation>Über Qt</translation>
    </message>
    <message>
        <source>Ring around what the tour speaks of</source>
        <translation>Ring um das, wovon die Tour spricht</translation>
    </message>
    <message>
        <source>Go to the &amp;issue timeline</source>
        <translation>Zur &amp;Zeitleiste der Befehle</translation>
    </message>
    <message>
        <source>Show which warp issues what in which cycle of the hot loop, and what it waits for, by the model</source>
        <translation>Zeigen, welcher Warp in welchem Takt der heißen Schleife was absetzt und worauf er wartet, nach dem Modell</translation>
    </message>
    <message>
        <source>Go to the s&amp;ource</source>
        <translation>Zur &amp;Quelle</translation>
    </message>
    <message>
        <source>Show the source line that the selected instruction came from, where the cubin has a line table</source>
        <translation>Die Quellzeile zeigen, aus der der ausgewählte Befehl kam, wo das Cubin eine Zeilentabelle hat</translation>
    </message>
    <message>
        <source>Edit the so&amp;urce</source>
        <translation>&amp;Quelltext bearbeiten</translation>
    </message>
    <message>
        <source>Edit the text of the source that this window compiled, or stop editing it</source>
        <translation>Den Text der Quelle bearbeiten, die dieses Fenster übersetzt hat, oder damit aufhören</translation>
    </message>
    <message>
        <source>Compile t&amp;he source</source>
        <translation>Quelltext ü&amp;bersetzen</translation>
    </message>
    <message>
        <source>Compile the text as it is and open the new cubin in place of the old</source>
        <translation>Den Text, wie er ist, übersetzen und das neue Cubin an Stelle des alten öffnen</translation>
    </message>
    <message>
        <source>Save the source te&amp;xt</source>
        <translation>Quellte&amp;xt speichern</translation>
    </message>
    <message>
        <source>Write the text of the source to its file</source>
        <translation>Den Text der Quelle in seine Datei schreiben</translation>
    </message>
    <message>
        <source>No run is shown. Start an agent or open a session first.</source>
        <translation>Es wird kein Lauf gezeigt. Zuerst einen Agenten starten oder eine Sitzung öffnen.</translation>
    </message>
    <message>
        <source>The run is going on. Stop it first.</source>
        <translation>Der Lauf ist noch im Gang. Zuerst anhalten.</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Voreinstellungen</translation>
    </message>
</context>
<context>
    <name>QScrollBar</name>
    <message>
        <source>Scroll here</source>
        <translation>Hierher blättern</translation>
    </message>
    <message>
        <source>Left edge</source>
        <translation>Linker Rand</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Right edge</source>
        <translation>Rechter Rand</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Page left</source>
        <translation>Seite nach links</translation>
    </message>
    <message>
        <source>Page up</source>
        <translation>Seite nach oben</translation>
    </message>
    <message>
        <source>Page right</source>
        <translation>Seite nach rechts</translation>
    </message>
    <message>
        <source>Page down</source>
        <translation>Seite nach unten</translation>
    </message>
    <message>
        <source>Scroll left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>Scroll up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Scroll right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Scroll down</source>
        <translation>Nach unten</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Meta</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Einfg</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Runter</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Bild ab</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>&amp;Verweis kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>warp %1</source>
        <translation>Warp %1</translation>
    </message>
    <message>
        <source>a pass before those counted</source>
        <translation>ein Durchgang vor den gezählten</translation>
    </message>
    <message>
        <source>a pass behind those counted</source>
        <translation>ein Durchgang nach den gezählten</translation>
    </message>
    <message>
        <source>pass %1</source>
        <translation>Durchgang %1</translation>
    </message>
    <message>
        <source>cycle %1</source>
        <translation>Takt %1</translation>
    </message>
    <message>
        <source>%1 for the stall count of %2</source>
        <translation>%1 für die Stall-Zahl von %2</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 for %2, set by %3</source>
        <translation>%1 auf %2, gesetzt von %3</translation>
    </message>
    <message>
        <source>%1 for its unit, busy with %2</source>
        <translation>%1 auf die Einheit, belegt durch %2</translation>
    </message>
    <message>
        <source>%1 for the register port, busy with %2</source>
        <translation>%1 auf den Registerport, belegt durch %2</translation>
    </message>
    <message>
        <source>%1 for a place in the memory queue, behind %2</source>
        <translation>%1 auf einen Platz in der Speicherschlange, hinter %2</translation>
    </message>
    <message>
        <source>%1 at the barrier</source>
        <translation>%1 an der Barriere</translation>
    </message>
    <message>
        <source>%1 while another warp issued</source>
        <translation>%1, während ein anderer Warp absetzte</translation>
    </message>
    <message>
        <source>waited for nothing</source>
        <translation>wartete auf nichts</translation>
    </message>
    <message>
        <source>waited %1: </source>
        <translation>wartete %1: </translation>
    </message>
</context>
<context>
    <name>cubinlab::ui</name>
    <message>
        <source> points</source>
        <translation> Punkt</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>&quot;As the system&quot; follows the desktop while the program runs.</source>
        <translation>„Wie das System“ folgt dem Desktop, während das Programm läuft.</translation>
    </message>
    <message>
        <source>Text of the interface</source>
        <translation>Schrift der Oberfläche</translation>
    </message>
    <message>
        <source>Text of the listings</source>
        <translation>Schrift der Listings</translation>
    </message>
    <message>
        <source>Ctrl++ and Ctrl+- change both by a point, Ctrl+0 puts both back.</source>
        <translation>Strg++ und Strg+- ändern beide um einen Punkt, Strg+0 stellt beide zurück.</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>hot</source>
        <translation>heiß</translation>
    </message>
    <message>
        <source>cold: L2 flushed before each timed launch</source>
        <translation>kalt: L2 vor jedem gemessenen Start geleert</translation>
    </message>
    <message>
        <source>both: agents may not lose in either</source>
        <translation>beide: Agenten dürfen in keinem verlieren</translation>
    </message>
    <message>
        <source>Cache that counts</source>
        <translation>Cache, der zählt</translation>
    </message>
    <message>
        <source>Whether there is a GPU</source>
        <translation>Ob es eine GPU gibt</translation>
    </message>
    <message>
        <source>Looking for a GPU ...</source>
        <translation>Eine GPU wird gesucht ...</translation>
    </message>
    <message>
        <source>%1, sm_%2, driver %3</source>
        <translation>%1, sm_%2, Treiber %3</translation>
    </message>
    <message>
        <source>No GPU: %1. Agents run on the model; nothing is called measured.</source>
        <translation>Keine GPU: %1. Agenten laufen auf dem Modell; nichts wird gemessen genannt.</translation>
    </message>
    <message>
        <source>Worker command</source>
        <translation>Befehl des Workers</translation>
    </message>
    <message>
        <source>Empty: the worker beside the program. &quot;ssh -T -e none HOST cubinlab-bench-worker&quot; measures on another machine. Runs that are under way keep their worker.</source>
        <translation>Leer: der Worker neben dem Programm. „ssh -T -e none HOST cubinlab-bench-worker“ misst auf einer anderen Maschine. Laufende Läufe behalten ihren Worker.</translation>
    </message>
    <message>
        <source>Further workers</source>
        <translation>Weitere Worker</translation>
    </message>
    <message>
        <source>One command a line: agents use all of them as a pool. Measure takes the first that answers.</source>
        <translation>Ein Befehl je Zeile: Agenten nutzen sie alle als Pool. Messen nimmt den ersten, der antwortet.</translation>
    </message>
    <message>
        <source>GPU number</source>
        <translation>Nummer der GPU</translation>
    </message>
    <message>
        <source>GPUs of each worker&apos;s machine</source>
        <translation>GPUs der Maschine jedes Workers</translation>
    </message>
    <message>
        <source>Counted from that number.</source>
        <translation>Ab dieser Nummer gezählt.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Of new runs of agents, and of Measure, which measures hot for both.</source>
        <translation>Für neue Läufe von Agenten und für Messen, das bei „beide“ heiß misst.</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>auto - a GPU that runs the kernel, else the model</source>
        <translation>auto - eine GPU, die den Kernel ausführt, sonst das Modell</translation>
    </message>
    <message>
        <source>GPU - or an error</source>
        <translation>GPU - oder ein Fehler</translation>
    </message>
    <message>
        <source>model - never measured</source>
        <translation>Modell - nie gemessen</translation>
    </message>
    <message>
        <source>What is wrong with the budget</source>
        <translation>Was am Budget nicht stimmt</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Evaluator</source>
        <translation>Bewerter</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Time or evaluated candidates: 60s, 5m, 2000steps</source>
        <translation>Zeit oder bewertete Kandidaten: 60s, 5m, 2000steps</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Keep what is open, so that it can be restored after a crash</source>
        <translation>Festhalten, was offen ist, damit es nach einem Absturz wiederhergestellt werden kann</translation>
    </message>
    <message>
        <source>Autosave</source>
        <translation>Automatisch sichern</translation>
    </message>
    <message>
        <source>Every edit is in the session&apos;s log anyway. This also keeps undo history, selection and layout.</source>
        <translation>Jede Änderung steht ohnehin im Protokoll der Sitzung. Dies hält auch Rücknahmen, Auswahl und Anordnung fest.</translation>
    </message>
    <message>
        <source>Folder of new sessions</source>
        <translation>Ordner neuer Sitzungen</translation>
    </message>
    <message>
        <source>New sessions in</source>
        <translation>Neue Sitzungen in</translation>
    </message>
    <message>
        <source>Forget recent files</source>
        <translation>Letzte Dateien vergessen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Go to offset</source>
        <translation>Zum Offset gehen</translation>
    </message>
    <message>
        <source>No kernel is open.</source>
        <translation>Kein Kernel ist offen.</translation>
    </message>
    <message>
        <source>The kernel ends at 0x%1.</source>
        <translation>Der Kernel endet bei 0x%1.</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Kernel of this file</source>
        <translation>Kernel dieser Datei</translation>
    </message>
    <message>
        <source>Switch to window</source>
        <translation>Zum Fenster wechseln</translation>
    </message>
    <message>
        <source>Another window of this program</source>
        <translation>Ein anderes Fenster dieses Programms</translation>
    </message>
    <message>
        <source>Write the values or the picture of the curves</source>
        <translation>Die Werte oder das Bild der Kurven schreiben</translation>
    </message>
    <message>
        <source>Curves as &amp;CSV...</source>
        <translation>Kurven als &amp;CSV ...</translation>
    </message>
    <message>
        <source>Curves as &amp;SVG...</source>
        <translation>Kurven als &amp;SVG ...</translation>
    </message>
    <message>
        <source>Curves as &amp;PNG...</source>
        <translation>Kurven als &amp;PNG ...</translation>
    </message>
    <message>
        <source>%1 as %2...</source>
        <translation>%1 als %2 ...</translation>
    </message>
    <message>
        <source>Write the whole graph</source>
        <translation>Den ganzen Graphen schreiben</translation>
    </message>
    <message>
        <source>Dependency graph</source>
        <translation>Abhängigkeiten</translation>
    </message>
    <message>
        <source>Control flow</source>
        <translation>Kontrollfluss</translation>
    </message>
    <message>
        <source>tune optimise optimize search run</source>
        <translation>tunen optimieren suchen tune optimize</translation>
    </message>
    <message>
        <source>benchmark time</source>
        <translation>benchmark messen Zeit</translation>
    </message>
    <message>
        <source>Measure the best once more, in fresh processes</source>
        <translation>Den besten noch einmal messen, in neuen Prozessen</translation>
    </message>
    <message>
        <source>The run&apos;s own figure comes from the process that searched</source>
        <translation>Die Zahl des Laufs selbst kommt aus dem Prozess, der gesucht hat</translation>
    </message>
    <message>
        <source>After a run on a GPU</source>
        <translation>Nach einem Lauf auf einer GPU</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::AgentBar</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>%1 (experiment)</source>
        <translation>%1 (Experiment)</translation>
    </message>
    <message>
        <source>Evaluator</source>
        <translation>Bewerter</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>auto: a GPU that runs this architecture, else the SM model, saying why</source>
        <translation>auto: eine GPU, die diese Architektur ausführt, sonst das SM-Modell, mit Begründung</translation>
    </message>
    <message>
        <source>Schedule the agent starts from</source>
        <translation>Schedule, mit dem der Agent beginnt</translation>
    </message>
    <message>
        <source>original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>hand</source>
        <translation>Hand</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Time or evaluated candidates: 60s, 5m, 2000steps</source>
        <translation>Zeit oder bewertete Kandidaten: 60s, 5m, 2000steps</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>The same seed, budget in steps and evaluator give the same run on the model</source>
        <translation>Gleicher Seed, Budget in Schritten und gleicher Bewerter geben auf dem Modell den gleichen Lauf</translation>
    </message>
    <message>
        <source>from</source>
        <translation>ab</translation>
    </message>
    <message>
        <source>on</source>
        <translation>auf</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Part of the budget used</source>
        <translation>Verbrauchter Teil des Budgets</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>, %1/s</source>
        <translation>, %1/s</translation>
    </message>
    <message>
        <source>, %1 failed</source>
        <translation>, %1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>nothing better yet</source>
        <translation>noch nichts Besseres</translation>
    </message>
    <message>
        <source>best %1%2</source>
        <translation>bester %1%2</translation>
    </message>
    <message>
        <source> in modelled cycles</source>
        <translation> in modellierten Takten</translation>
    </message>
    <message>
        <source>model %1</source>
        <translation>Modell %1</translation>
    </message>
    <message>
        <source>original + earlier</source>
        <translation>Original + frühere</translation>
    </message>
    <message>
        <source>A race from the original, from your hand schedule and from the best of earlier runs of this kernel, of all sessions in the sessions folder. Only agents that race: auto</source>
        <translation>Ein Rennen vom Original, von Ihrem Hand-Schedule und vom Besten früherer Läufe dieses Kernels aus, aller Sitzungen im Sitzungsordner. Nur Agenten, die Rennen austragen: auto</translation>
    </message>
    <message>
        <source>best %1 in fresh processes</source>
        <translation>bester %1 in neuen Prozessen</translation>
    </message>
    <message>
        <source>best went wrong in a fresh process</source>
        <translation>bester ging in einem neuen Prozess falsch</translation>
    </message>
    <message>
        <source>best %1 UNCLEAR, not measured again in full</source>
        <translation>bester %1 UNCLEAR, nicht vollständig nachgemessen</translation>
    </message>
    <message>
        <source>best %1 UNCLEAR</source>
        <translation>bester %1 UNCLEAR</translation>
    </message>
    <message>
        <source>best went wrong</source>
        <translation>bester ging falsch</translation>
    </message>
    <message>
        <source>best %1 in fresh processes, SLOWER in %2</source>
        <translation>bester %1 in neuen Prozessen, SLOWER in %2</translation>
    </message>
    <message>
        <source>best %1, SLOWER in %2</source>
        <translation>bester %1, SLOWER in %2</translation>
    </message>
    <message>
        <source>%1, %2 SLOWER</source>
        <translation>%1, %2 SLOWER</translation>
    </message>
    <message>
        <source>best %1, a shape SLOWER</source>
        <translation>bester %1, eine Form SLOWER</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::AgentPanel</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::BestMinimiser</name>
    <message>
        <source>The model sees no gain in the best, so it cannot tell its edits from drift; Replay &gt; Minimise asks the run&apos;s own evaluator</source>
        <translation>Das Modell sieht im Besten keinen Gewinn und kann seine Änderungen nicht von Drift unterscheiden; Replay &gt; Minimieren fragt den Bewerter des Laufs</translation>
    </message>
    <message>
        <source>%1 of %2 edits</source>
        <translation>%1 von %2 Änderungen</translation>
    </message>
    <message>
        <source>%1, %2 in the model</source>
        <translation>%1, %2 im Modell</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::BlockHeader</name>
    <message>
        <source>loop depth %1</source>
        <translation>Schleifentiefe %1</translation>
    </message>
    <message>
        <source>outside</source>
        <translation>außen</translation>
    </message>
    <message>
        <source>%1 and outside</source>
        <translation>%1 und außen</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>nach %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CampaignModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1
Original %2, best %3 %4 a launch. %5</source>
        <translation>%1
Original %2, bester %3 %4 je Start. %5</translation>
    </message>
    <message>
        <source>The measurement supports a gain.</source>
        <translation>Die Messung trägt einen Gewinn.</translation>
    </message>
    <message>
        <source>No gain is claimed: the interval reaches zero.</source>
        <translation>Kein Gewinn behauptet: Das Intervall reicht bis null.</translation>
    </message>
    <message>
        <source>Not measured: a model&apos;s figure.</source>
        <translation>Nicht gemessen: Zahl eines Modells.</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Mean, us</source>
        <translation>Mittel, us</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>Spent</source>
        <translation>Verbraucht</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Of the captured kernels&apos; time in the program</source>
        <translation>An der Zeit der entnommenen Kernel im Programm</translation>
    </message>
    <message>
        <source>In the program that it was captured from</source>
        <translation>In dem Programm, aus dem er entnommen wurde</translation>
    </message>
    <message>
        <source>Of a launch there, by events</source>
        <translation>Eines Starts dort, nach Ereignissen</translation>
    </message>
    <message>
        <source>What became of it so far</source>
        <translation>Was bisher daraus wurde</translation>
    </message>
    <message>
        <source>Of what its share of the budget gives it</source>
        <translation>Von dem, was ihm sein Anteil am Budget gibt</translation>
    </message>
    <message>
        <source>Best schedule against the original, with the interval of its measurement</source>
        <translation>Bester Schedule gegen das Original, mit dem Intervall seiner Messung</translation>
    </message>
    <message>
        <source>Each is tuned by a process of its own, into a session of its own</source>
        <translation>Jeder wird von einem eigenen Prozess in eine eigene Sitzung hinein optimiert</translation>
    </message>
    <message>
        <source>%1 modelled</source>
        <translation>%1 modelliert</translation>
    </message>
    <message>
        <source>nothing beat the original</source>
        <translation>nichts besser als das Original</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CampaignWindow</name>
    <message>
        <source>Choose a folder of captured kernels. Each is tuned by its share of the program&apos;s time; what is done stays when you stop, and the same folder goes on later.</source>
        <translation>Wählen Sie einen Ordner entnommener Kernel. Jeder wird nach seinem Anteil an der Zeit des Programms optimiert; was fertig ist, bleibt beim Anhalten, und derselbe Ordner geht später weiter.</translation>
    </message>
    <message>
        <source>Campaign over a folder</source>
        <translation>Kampagne über einen Ordner</translation>
    </message>
    <message>
        <source>How the campaign stands</source>
        <translation>Stand der Kampagne</translation>
    </message>
    <message>
        <source>folder of captured kernels (File &gt; Capture from a program)</source>
        <translation>Ordner entnommener Kernel (Datei &gt; Aus einem Programm entnehmen)</translation>
    </message>
    <message>
        <source>Of the whole, on each GPU: 20m, 2h or 100000steps</source>
        <translation>Des Ganzen, auf jeder GPU: 20m, 2h oder 100000steps</translation>
    </message>
    <message>
        <source>every kernel; a name, or regex:EXPRESSION</source>
        <translation>jeder Kernel; ein Name oder regex:AUSDRUCK</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>&amp;Budget</source>
        <translation>&amp;Budget</translation>
    </message>
    <message>
        <source>&amp;Agent</source>
        <translation>&amp;Agent</translation>
    </message>
    <message>
        <source>on</source>
        <translation>auf</translation>
    </message>
    <message>
        <source>&amp;Kernels</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Folder of captured kernels</source>
        <translation>Ordner entnommener Kernel</translation>
    </message>
    <message>
        <source>Kernels of the campaign</source>
        <translation>Kernel der Kampagne</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Tune what is not done, as `cubinlab campaign` does</source>
        <translation>Optimiert, was noch nicht fertig ist, wie `cubinlab campaign`</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>Each kernel ends with its best written; the folder can go on</source>
        <translation>Von jedem Kernel ist der beste geschrieben; der Ordner kann weitergehen</translation>
    </message>
    <message>
        <source>&amp;Open session</source>
        <translation>Sitzung ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Open the kernel&apos;s session, with its log and best</source>
        <translation>Öffnet die Sitzung des Kernels mit Protokoll und bestem Schedule</translation>
    </message>
    <message>
        <source>Open the campaign&apos;s page</source>
        <translation>Öffnet die Seite der Kampagne</translation>
    </message>
    <message>
        <source>Budget that was spent</source>
        <translation>Verbrauchtes Budget</translation>
    </message>
    <message>
        <source>%1 of %2 kernels done</source>
        <translation>%1 von %2 Kerneln fertig</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 in Arbeit</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 übersprungen</translation>
    </message>
    <message>
        <source>Estimate for the captured kernels&apos; time in the program: %1, from each kernel&apos;s own measurement and its share. Run with it: cubinlab run --with %2 -- PROGRAM ARGS</source>
        <translation>Schätzung für die Zeit der entnommenen Kernel im Programm: %1, aus der eigenen Messung jedes Kernels und seinem Anteil. Damit starten: cubinlab run --with %2 -- PROGRAM ARGS</translation>
    </message>
    <message>
        <source>Go &amp;on</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht begonnen</translation>
    </message>
    <message>
        <source>Stopping: each kernel writes its best ...</source>
        <translation>Hält an: Jeder Kernel schreibt seinen besten ...</translation>
    </message>
    <message>
        <source>The campaign did not begin</source>
        <translation>Die Kampagne begann nicht</translation>
    </message>
    <message>
        <source>The campaign ended early</source>
        <translation>Die Kampagne endete vorzeitig</translation>
    </message>
    <message>
        <source>It ended with %1 and no answer.</source>
        <translation>Sie endete mit %1 und ohne Antwort.</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>What was found is written; Go on continues.</source>
        <translation>Was gefunden wurde, ist geschrieben; Weiter setzt fort.</translation>
    </message>
    <message>
        <source>S&amp;how report</source>
        <translation>&amp;Bericht zeigen</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 holds no captured kernel: File &gt; Capture from a program makes such a folder.</source>
        <translation>%1 enthält keinen entnommenen Kernel: Datei &gt; Aus einem Programm entnehmen macht einen solchen Ordner.</translation>
    </message>
    <message>
        <source>%1 interrupted</source>
        <translation>%1 unterbrochen</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 wartend</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CaptureDialog</name>
    <message>
        <source>Capture from a program</source>
        <translation>Aus einem Programm entnehmen</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>&amp;Programm</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>as in a terminal: train.py --batch 8 &quot;a b&quot;</source>
        <translation>wie im Terminal: train.py --batch 8 &quot;a b&quot;</translation>
    </message>
    <message>
        <source>&amp;Arguments</source>
        <translation>&amp;Argumente</translation>
    </message>
    <message>
        <source>&amp;Working folder</source>
        <translation>Arbeits&amp;ordner</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>Arbeitsordner</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Mean, us</source>
        <translation>Mittel, us</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Kernels of the program</source>
        <translation>Kernel des Programms</translation>
    </message>
    <message>
        <source>&amp;List its kernels</source>
        <translation>Kernel auf&amp;listen</translation>
    </message>
    <message>
        <source>Runs the program once: its kernels, launches and shares of time</source>
        <translation>Führt das Programm einmal aus: seine Kernel, Starts und Zeitanteile</translation>
    </message>
    <message>
        <source>every kernel; a name, or regex:EXPRESSION</source>
        <translation>jeder Kernel; ein Name oder regex:AUSDRUCK</translation>
    </message>
    <message>
        <source>launch number</source>
        <translation>Nummer des Starts</translation>
    </message>
    <message>
        <source>first launches, as input sets:</source>
        <translation>erste Starts, als Eingabesätze:</translation>
    </message>
    <message>
        <source>Which launches</source>
        <translation>Welche Starts</translation>
    </message>
    <message>
        <source>Number of the launch, or of launches</source>
        <translation>Nummer des Starts oder Anzahl der Starts</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>&amp;Into folder</source>
        <translation>&amp;In den Ordner</translation>
    </message>
    <message>
        <source>Folder for what is captured</source>
        <translation>Ordner für das Entnommene</translation>
    </message>
    <message>
        <source>A&amp;dd to what the folder holds</source>
        <translation>Zum Inhalt des Ordners &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>Ausgabe des Programms</translation>
    </message>
    <message>
        <source>Captu&amp;re and open</source>
        <translation>&amp;Entnehmen und öffnen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stopp</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>The program was asked to end.</source>
        <translation>Das Programm wurde gebeten zu enden.</translation>
    </message>
    <message>
        <source>Nothing was captured</source>
        <translation>Nichts wurde entnommen</translation>
    </message>
    <message>
        <source>The capture ended with %1 and no answer.</source>
        <translation>Das Entnehmen endete mit %1 und ohne Antwort.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>No kernel was seen</source>
        <translation>Kein Kernel wurde gesehen</translation>
    </message>
    <message>
        <source>Did the program use CUDA, and is it neither setuid nor linked statically?</source>
        <translation>Hat das Programm CUDA benutzt, und ist es weder setuid noch statisch gebunden?</translation>
    </message>
    <message>
        <source>No such launch was seen.</source>
        <translation>Diesen Start gab es nicht.</translation>
    </message>
    <message>
        <source>%1 cannot be replayed: it uses %2</source>
        <translation>%1 kann nicht nachgespielt werden: Es benutzt %2</translation>
    </message>
    <message>
        <source>the program ended with %1</source>
        <translation>das Programm endete mit %1</translation>
    </message>
    <message>
        <source>Arguments of the program</source>
        <translation>Argumente des Programms</translation>
    </message>
    <message>
        <source>Kernel to capture</source>
        <translation>Zu entnehmender Kernel</translation>
    </message>
    <message>
        <source>Name a program and list its kernels: it runs once, and tells how often and how long each of them runs. Or capture at once, by the name of a kernel.</source>
        <translation>Ein Programm nennen und seine Kernels auflisten: Es läuft einmal und sagt, wie oft und wie lange jeder läuft. Oder gleich entnehmen, mit dem Namen eines Kernels.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CarryOver</name>
    <message>
        <source>Not carried over</source>
        <translation>Nicht übernommen</translation>
    </message>
    <message>
        <source>%1 of its %2 blocks fit the new code.</source>
        <translation>%1 seiner %2 Blöcke passen zum neuen Code.</translation>
    </message>
    <message>
        <source>Block %1 of before: %2.</source>
        <translation>Block %1 von vorher: %2.</translation>
    </message>
    <message>
        <source>Nothing carried over</source>
        <translation>Nichts übernommen</translation>
    </message>
    <message>
        <source>Carried over</source>
        <translation>Übernommen</translation>
    </message>
    <message>
        <source>Carried over into the hand schedule</source>
        <translation>In den Hand-Schedule übernommen</translation>
    </message>
    <message>
        <source>It is proven, not measured.</source>
        <translation>Er ist bewiesen, nicht gemessen.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>What do you want to do? A command, an offset (0x1270), a recent file</source>
        <translation>Was soll geschehen? Ein Befehl, ein Offset (0x1270), eine der letzten Dateien</translation>
    </message>
    <message>
        <source>Search all commands</source>
        <translation>Alle Befehle durchsuchen</translation>
    </message>
    <message>
        <source>Commands that match</source>
        <translation>Passende Befehle</translation>
    </message>
    <message>
        <source>About the chosen command</source>
        <translation>Über den gewählten Befehl</translation>
    </message>
    <message>
        <source>Nothing is called &quot;%1&quot;. Shorter words find more; Esc closes.</source>
        <translation>Nichts heißt „%1“. Kürzere Wörter finden mehr; Esc schließt.</translation>
    </message>
    <message>
        <source>Not now: %1</source>
        <translation>Nicht jetzt: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Commands</name>
    <message>
        <source>key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CompareView</name>
    <message>
        <source>  closed to agents</source>
        <translation>  für Agenten gesperrt</translation>
    </message>
    <message>
        <source>  open to agents</source>
        <translation>  für Agenten offen</translation>
    </message>
    <message>
        <source>  %1 of %2 open to agents</source>
        <translation>  %1 von %2 für Agenten offen</translation>
    </message>
    <message>
        <source>%1 stall cycles</source>
        <translation>%1 Stall-Takte</translation>
    </message>
    <message numerus="yes">
        <source>%n instruction(s)</source>
        <translation>
            <numerusform>%n Befehl</numerusform>
            <numerusform>%n Befehle</numerusform>
        </translation>
    </message>
    <message>
        <source>text: %1</source>
        <translation>Text: %1</translation>
    </message>
    <message>
        <source>%1 stall cycles (%2%3)</source>
        <translation>%1 Stall-Takte (%2%3)</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 verschoben</translation>
    </message>
    <message>
        <source>%1 control changed</source>
        <translation>%1 Steuercodes geändert</translation>
    </message>
    <message>
        <source>%1 read %2, %3 write it</source>
        <translation>%1 lesen %2, %3 schreiben es</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gefunden</numerusform>
            <numerusform>%n gefunden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ControlEditor</name>
    <message>
        <source>Control code editor</source>
        <translation>Editor des Steuercodes</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Control code now and as drafted</source>
        <translation>Steuercode jetzt und im Entwurf</translation>
    </message>
    <message>
        <source>Stall count, cycles</source>
        <translation>Stall, Takte</translation>
    </message>
    <message>
        <source>Stall</source>
        <translation>Stall</translation>
    </message>
    <message>
        <source>Y</source>
        <translation>Y</translation>
    </message>
    <message>
        <source>Yield requested</source>
        <translation>Yield verlangt</translation>
    </message>
    <message>
        <source>Keep operand %1 in the reuse cache</source>
        <translation>Operand %1 im Reuse-Cache behalten</translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation>Reuse</translation>
    </message>
    <message>
        <source>Yield</source>
        <translation>Yield</translation>
    </message>
    <message>
        <source>Wait for scoreboard %1</source>
        <translation>Auf Scoreboard %1 warten</translation>
    </message>
    <message>
        <source>Wait for</source>
        <translation>Warten auf</translation>
    </message>
    <message>
        <source>Read barrier</source>
        <translation>Lesebarriere</translation>
    </message>
    <message>
        <source>Write barrier</source>
        <translation>Schreibbarriere</translation>
    </message>
    <message>
        <source>Legality of the draft</source>
        <translation>Zulässigkeit des Entwurfs</translation>
    </message>
    <message>
        <source>Go to the other instruction</source>
        <translation>Zum anderen Befehl gehen</translation>
    </message>
    <message>
        <source>Apply  (Enter)</source>
        <translation>Anwenden  (Enter)</translation>
    </message>
    <message>
        <source>Apply the control code</source>
        <translation>Den Steuercode anwenden</translation>
    </message>
    <message>
        <source>Cancel  (Esc)</source>
        <translation>Abbrechen  (Esc)</translation>
    </message>
    <message>
        <source>Leave the control code as it is</source>
        <translation>Den Steuercode lassen, wie er ist</translation>
    </message>
    <message>
        <source>%1: scoreboard %2</source>
        <translation>%1: Scoreboard %2</translation>
    </message>
    <message>
        <source>%1: none</source>
        <translation>%1: keine</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Checking ...</source>
        <translation>Wird geprüft ...</translation>
    </message>
    <message>
        <source>As it is now.</source>
        <translation>Wie es jetzt ist.</translation>
    </message>
    <message>
        <source>Illegal: %1</source>
        <translation>Unzulässig: %1</translation>
    </message>
    <message>
        <source>Request a yield to another warp, or no longer</source>
        <translation>Ein Yield an einen anderen Warp verlangen oder nicht mehr</translation>
    </message>
    <message>
        <source>Wait until scoreboard %1 is clear, or no longer</source>
        <translation>Warten, bis Scoreboard %1 frei ist, oder nicht mehr</translation>
    </message>
    <message>
        <source>Scoreboard %1 counts until the sources are read</source>
        <translation>Scoreboard %1 zählt, bis die Quellen gelesen sind</translation>
    </message>
    <message>
        <source>No read barrier</source>
        <translation>Keine Lesebarriere</translation>
    </message>
    <message>
        <source>Scoreboard %1 counts until the result is written</source>
        <translation>Scoreboard %1 zählt, bis das Ergebnis geschrieben ist</translation>
    </message>
    <message>
        <source>No write barrier</source>
        <translation>Keine Schreibbarriere</translation>
    </message>
    <message>
        <source>Keep this operand for the next instruction, or no longer</source>
        <translation>Diesen Operanden für den nächsten Befehl behalten oder nicht mehr</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Gehe zu %1</translation>
    </message>
    <message>
        <source>Legal.</source>
        <translation>Zulässig.</translation>
    </message>
    <message>
        <source>Refused (%1): %2</source>
        <translation>Abgelehnt (%1): %2</translation>
    </message>
    <message>
        <source>A stall count is 0 to 15 cycles: that key was not taken.</source>
        <translation>Eine Stall-Zahl ist 0 bis 15 Takte: diese Taste galt nicht.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::CoreWords</name>
    <message>
        <source>preparing</source>
        <translation>wird vorbereitet</translation>
    </message>
    <message>
        <source>confirming</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>reading what was logged</source>
        <translation>liest das Protokoll</translation>
    </message>
    <message>
        <source>preparing the evaluator</source>
        <translation>bereitet den Bewerter vor</translation>
    </message>
    <message>
        <source>loading the agent</source>
        <translation>lädt den Agenten</translation>
    </message>
    <message>
        <source>feeding the agent what it has logged</source>
        <translation>gibt dem Agenten sein Protokoll</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>Budget verbraucht</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>exhausted</source>
        <translation>nichts mehr zu versuchen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>stored listing</source>
        <translation>gespeichertes Listing</translation>
    </message>
    <message>
        <source>built-in</source>
        <translation>eingebaut</translation>
    </message>
    <message>
        <source>issues</source>
        <translation>setzt ab</translation>
    </message>
    <message>
        <source>stall counts</source>
        <translation>Stall-Zahlen</translation>
    </message>
    <message>
        <source>scoreboards</source>
        <translation>Scoreboards</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>unit busy</source>
        <translation>Einheit belegt</translation>
    </message>
    <message>
        <source>memory queue</source>
        <translation>Speicherschlange</translation>
    </message>
    <message>
        <source>register port</source>
        <translation>Registerport</translation>
    </message>
    <message>
        <source>not selected</source>
        <translation>nicht gewählt</translation>
    </message>
    <message>
        <source>A race of methods</source>
        <translation>Ein Rennen der Verfahren</translation>
    </message>
    <message>
        <source>Random walk</source>
        <translation>Zufallslauf</translation>
    </message>
    <message>
        <source>PPO over all edits (an experiment)</source>
        <translation>PPO über alle Änderungen (ein Versuch)</translation>
    </message>
    <message>
        <source>PPO as in CuAsmRL (an experiment)</source>
        <translation>PPO wie in CuAsmRL (ein Versuch)</translation>
    </message>
    <message>
        <source>Simulated annealing</source>
        <translation>Simuliertes Abkühlen</translation>
    </message>
    <message>
        <source>Greedy hill climbing</source>
        <translation>Gieriges Bergsteigen</translation>
    </message>
    <message>
        <source>List scheduling</source>
        <translation>List-Scheduling</translation>
    </message>
    <message>
        <source>Evolution</source>
        <translation>Evolution</translation>
    </message>
    <message>
        <source>Group tests</source>
        <translation>Gruppentests</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>shared library</source>
        <translation>dynamische Bibliothek</translation>
    </message>
    <message>
        <source>static library</source>
        <translation>statische Bibliothek</translation>
    </message>
    <message>
        <source>folder of cubins</source>
        <translation>Ordner mit Cubins</translation>
    </message>
    <message>
        <source>Triton cache</source>
        <translation>Triton-Cache</translation>
    </message>
    <message>
        <source>file with device code inside</source>
        <translation>Datei mit Gerätecode darin</translation>
    </message>
    <message>
        <source>PTX text, no SASS in it</source>
        <translation>PTX-Text, kein SASS darin</translation>
    </message>
    <message>
        <source>LTO-IR, no SASS in it: the device linker makes it</source>
        <translation>LTO-IR, kein SASS darin: Das macht der Linker für Gerätecode</translation>
    </message>
    <message>
        <source>no kernels in it (a stub, or functions alone)</source>
        <translation>keine Kernel darin (ein Stummel oder nur Funktionen)</translation>
    </message>
    <message>
        <source>ALU pipe</source>
        <translation>ALU-Einheit</translation>
    </message>
    <message>
        <source>FMA pipe</source>
        <translation>FMA-Einheit</translation>
    </message>
    <message>
        <source>half pipe</source>
        <translation>Half-Einheit</translation>
    </message>
    <message>
        <source>FP64 pipe</source>
        <translation>FP64-Einheit</translation>
    </message>
    <message>
        <source>tensor pipe</source>
        <translation>Tensor-Einheit</translation>
    </message>
    <message>
        <source>XU pipe (MUFU, conversions)</source>
        <translation>XU-Einheit (MUFU, Umwandlungen)</translation>
    </message>
    <message>
        <source>constant loads</source>
        <translation>Ladebefehle für Konstanten</translation>
    </message>
    <message>
        <source>uniform datapath</source>
        <translation>Uniform-Datenpfad</translation>
    </message>
    <message>
        <source>issue slots</source>
        <translation>Issue-Plätze</translation>
    </message>
    <message>
        <source>tensor core (wgmma)</source>
        <translation>Tensor-Kern (wgmma)</translation>
    </message>
    <message>
        <source>memory path, shared memory and shuffles</source>
        <translation>Speicherpfad, Shared Memory und Shuffles</translation>
    </message>
    <message>
        <source>memory path, L1 and global memory</source>
        <translation>Speicherpfad, L1 und globaler Speicher</translation>
    </message>
    <message>
        <source>memory path of the SM</source>
        <translation>Speicherpfad des SM</translation>
    </message>
    <message>
        <source>L2 to SM, if nothing hits in L1</source>
        <translation>L2 zum SM, wenn nichts in L1 trifft</translation>
    </message>
    <message>
        <source>DRAM, if nothing hits in L2</source>
        <translation>DRAM, wenn nichts in L2 trifft</translation>
    </message>
    <message>
        <source>a pass of the hot loop</source>
        <translation>einen Durchgang der heißen Schleife</translation>
    </message>
    <message>
        <source>the path</source>
        <translation>den Pfad</translation>
    </message>
    <message>
        <source>a tensor group</source>
        <translation>eine Tensor-Gruppe</translation>
    </message>
    <message>
        <source>groups of the tensor core</source>
        <translation>Gruppen des Tensor-Kerns</translation>
    </message>
    <message>
        <source>scoreboards and groups of the tensor core</source>
        <translation>Scoreboards und Gruppen des Tensor-Kerns</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>Shared Memory</translation>
    </message>
    <message>
        <source>the grid</source>
        <translation>das Grid</translation>
    </message>
    <message>
        <source>an assumption</source>
        <translation>eine Annahme</translation>
    </message>
    <message>
        <source>the cubin</source>
        <translation>das Cubin</translation>
    </message>
    <message>
        <source>the workload</source>
        <translation>der Workload</translation>
    </message>
    <message>
        <source>more passes than are looked at</source>
        <translation>mehr Durchgängen als betrachtet werden</translation>
    </message>
    <message>
        <source>the code</source>
        <translation>dem Code</translation>
    </message>
    <message>
        <source>a parameter or a dimension that no workload gives</source>
        <translation>einem Parameter oder einer Dimension, die kein Workload angibt</translation>
    </message>
    <message>
        <source>a value from memory</source>
        <translation>einem Wert aus dem Speicher</translation>
    </message>
    <message>
        <source>a value of the pass of a loop</source>
        <translation>einem Wert des Durchgangs einer Schleife</translation>
    </message>
    <message>
        <source>which way a branch before it goes</source>
        <translation>dem Weg, den ein Sprung davor nimmt</translation>
    </message>
    <message>
        <source>what a function returns</source>
        <translation>dem Ergebnis einer Funktion</translation>
    </message>
    <message>
        <source>an instruction that is not evaluated</source>
        <translation>einem Befehl, der nicht ausgewertet wird</translation>
    </message>
    <message>
        <source>%1 cycle</source>
        <translation>%1 Takt</translation>
    </message>
    <message>
        <source>%1 cycles</source>
        <translation>%1 Takte</translation>
    </message>
    <message>
        <source>limited by %1: busy %2 % of %3</source>
        <translation>begrenzt durch %1: %2 % der Zeit belegt, bezogen auf %3</translation>
    </message>
    <message>
        <source>limited by %1: all warps together take at least %2 cycles for %3</source>
        <translation>begrenzt durch %1: alle Warps zusammen brauchen mindestens %2 Takte für %3</translation>
    </message>
    <message>
        <source>a warp&apos;s own is shorter (%1), since here the warps take turns</source>
        <translation>der eines einzelnen ist kürzer (%1), da sich die Warps hier abwechseln</translation>
    </message>
    <message>
        <source>limited by barriers: %1 % of %2</source>
        <translation>begrenzt durch Barrieren: %1 % der Takte, bezogen auf %2</translation>
    </message>
    <message>
        <source>limited by stall counts: %1 % of %2</source>
        <translation>begrenzt durch Stall-Zahlen: %1 % der Takte, bezogen auf %2</translation>
    </message>
    <message>
        <source>limited by latency: %1 take %2 % of %3</source>
        <translation>begrenzt durch Latenz: %1 nehmen %2 % der Takte, bezogen auf %3</translation>
    </message>
    <message>
        <source>no resource is busy more than %1 % (%2)</source>
        <translation>keine Ressource ist mehr als %1 % belegt (%2)</translation>
    </message>
    <message>
        <source>room for %1 warp on a sub-core, limited by %2</source>
        <translation>Platz für %1 Warp je Teilkern, begrenzt durch %2</translation>
    </message>
    <message>
        <source>room for %1 warps on a sub-core, limited by %2</source>
        <translation>Platz für %1 Warps je Teilkern, begrenzt durch %2</translation>
    </message>
    <message>
        <source>nothing is issued</source>
        <translation>nichts wird abgesetzt</translation>
    </message>
    <message>
        <source>waits %1 for the stall count of %2 (%3)</source>
        <translation>wartet %1 wegen der Stall-Zahl von %2 (%3)</translation>
    </message>
    <message>
        <source>keeps its warp for %1 by its own stall count (%2)</source>
        <translation>hält seinen Warp %1 lang durch die eigene Stall-Zahl (%2)</translation>
    </message>
    <message>
        <source>waits %1 for its unit, busy with %2</source>
        <translation>wartet %1 auf seine Einheit, belegt durch %2</translation>
    </message>
    <message>
        <source>waits %1 for the register ports, which serve %2</source>
        <translation>wartet %1 auf die Registerports, die %2 bedienen</translation>
    </message>
    <message>
        <source>waits %1 for a place in the memory queue, behind %2</source>
        <translation>wartet %1 auf einen Platz in der Speicherschlange, hinter %2</translation>
    </message>
    <message>
        <source>is ready for %1 in which another warp issues</source>
        <translation>ist %1 lang bereit, in denen ein anderer Warp absetzt</translation>
    </message>
    <message>
        <source>waits %1 for the other warps at %2</source>
        <translation>wartet %1 auf die anderen Warps bei %2</translation>
    </message>
    <message>
        <source>waits %1 for a tensor group, issued by %2, %3 after its issue</source>
        <translation>wartet %1 auf eine Tensor-Gruppe, abgesetzt von %2, %3 nach dessen Absetzen</translation>
    </message>
    <message>
        <source>waits %1 for %2, set by %3, %4 after its issue</source>
        <translation>wartet %1 auf %2, gesetzt von %3, %4 nach dessen Absetzen</translation>
    </message>
    <message>
        <source>waits %1 for %2, until %3 has read its operands, %4 after its issue</source>
        <translation>wartet %1 auf %2, bis %3 seine Operanden gelesen hat, %4 nach dessen Absetzen</translation>
    </message>
    <message>
        <source>waits %1 for %2, until %3 has read its operands</source>
        <translation>wartet %1 auf %2, bis %3 seine Operanden gelesen hat</translation>
    </message>
    <message>
        <source>waits %1 for %2, set by %3</source>
        <translation>wartet %1 auf %2, gesetzt von %3</translation>
    </message>
    <message>
        <source>waits %1 for %2</source>
        <translation>wartet %1 auf %2</translation>
    </message>
    <message>
        <source>issue it %1 earlier, then another wait holds it</source>
        <translation>dieses %1 früher absetzen, dann hält eine andere Wartezeit</translation>
    </message>
    <message>
        <source>issue it %1 earlier</source>
        <translation>dieses %1 früher absetzen</translation>
    </message>
    <message>
        <source>others are released in the same cycle</source>
        <translation>andere werden im selben Takt frei</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>the cubin&apos;s own</source>
        <translation>die des Cubins</translation>
    </message>
    <message>
        <source>no workload lies beside the cubin: the model takes %1 threads a block (%2)</source>
        <translation>neben dem Cubin liegt kein Workload: das Modell nimmt %1 Threads je Block (%2)</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Document</name>
    <message>
        <source>No kernel is open. Open a cubin or a session first (Ctrl+O).</source>
        <translation>Kein Kernel ist offen. Zuerst ein Cubin oder eine Sitzung öffnen (Strg+O).</translation>
    </message>
    <message>
        <source>Select an instruction first.</source>
        <translation>Zuerst einen Befehl auswählen.</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Hand</source>
        <translation>Hand</translation>
    </message>
    <message>
        <source>Agent&apos;s best</source>
        <translation>Bester des Agenten</translation>
    </message>
    <message>
        <source>Viewed step</source>
        <translation>Gezeigter Schritt</translation>
    </message>
    <message>
        <source>Other file</source>
        <translation>Andere Datei</translation>
    </message>
    <message>
        <source>Best, minimised</source>
        <translation>Bester, minimiert</translation>
    </message>
    <message>
        <source>the checker cannot prove that the result is the same</source>
        <translation>der Prüfer kann nicht beweisen, dass das Ergebnis gleich ist</translation>
    </message>
    <message>
        <source>no kernel is open</source>
        <translation>kein Kernel ist offen</translation>
    </message>
    <message>
        <source>%1 kernels can be viewed; editing them is not supported yet</source>
        <translation>%1-Kernel können angesehen werden; ihr Bearbeiten wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>the checker is still being prepared</source>
        <translation>der Prüfer wird noch vorbereitet</translation>
    </message>
    <message>
        <source>Move %1 up past %2</source>
        <translation>%1 nach oben an %2 vorbei</translation>
    </message>
    <message>
        <source>Move %1 down past %2</source>
        <translation>%1 nach unten an %2 vorbei</translation>
    </message>
    <message>
        <source>%1 keeps its place: %2</source>
        <translation>%1 behält den Platz: %2</translation>
    </message>
    <message>
        <source>Go to an edit</source>
        <translation>Zu einer Änderung gehen</translation>
    </message>
    <message>
        <source>Go to the start</source>
        <translation>Zum Anfang gehen</translation>
    </message>
    <message>
        <source>Go to edit %1</source>
        <translation>Zur Änderung %1 gehen</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>instructions move inside their basic block only</source>
        <translation>Befehle bewegen sich nur innerhalb ihres Grundblocks</translation>
    </message>
    <message>
        <source>%1 is the first of its basic block; moves stay inside a block</source>
        <translation>%1 ist der erste Befehl seines Grundblocks; verschoben wird nur innerhalb eines Blocks</translation>
    </message>
    <message>
        <source>%1 is the last of its basic block; moves stay inside a block</source>
        <translation>%1 ist der letzte Befehl seines Grundblocks; verschoben wird nur innerhalb eines Blocks</translation>
    </message>
    <message>
        <source>Set %1 from %2 to %3</source>
        <translation>%1 von %2 auf %3 setzen</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
    <message>
        <source>It is on the right.</source>
        <translation>Es ist rechts.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::EvaluatorBadge</name>
    <message>
        <source>GPU  %1</source>
        <translation>GPU  %1</translation>
    </message>
    <message>
        <source>MODEL  %1, unmeasured</source>
        <translation>MODELL  %1, ungemessen</translation>
    </message>
    <message>
        <source>Figures are measured on %1.
Timer step %2 us, smallest effect a promoted comparison finds: %3 %.</source>
        <translation>Die Zahlen sind auf %1 gemessen.
Zeitschritt %2 us, kleinste Wirkung, die ein vertiefter Vergleich findet: %3 %.</translation>
    </message>
    <message>
        <source>Figures are cycles of a model of one SM sub-core: a filter and an explanation, never a measurement.</source>
        <translation>Die Zahlen sind Takte eines Modells eines SM-Teilkerns: ein Filter und eine Erklärung, nie eine Messung.</translation>
    </message>
    <message>
        <source>GPU found: %1</source>
        <translation>GPU gefunden: %1</translation>
    </message>
    <message>
        <source>No GPU: the model evaluates</source>
        <translation>Keine GPU: das Modell bewertet</translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation>Eine GPU wird gesucht</translation>
    </message>
    <message>
        <source>Evaluator: %1</source>
        <translation>Bewerter: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Exports</name>
    <message>
        <source>%1 steps of run %2, one row each.</source>
        <translation>%1 Schritte des Laufs %2, je eine Zeile.</translation>
    </message>
    <message>
        <source>There is nothing to export yet: open a kernel, and for logs run an agent.</source>
        <translation>Es gibt noch nichts zu exportieren: einen Kernel öffnen, und für Protokolle einen Agenten laufen lassen.</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>Nicht exportiert</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>%1: %2 instructions.</source>
        <translation>%1: %2 Befehle.</translation>
    </message>
    <message>
        <source>From %1 to %2.</source>
        <translation>Von %1 zu %2.</translation>
    </message>
    <message>
        <source>Making the report</source>
        <translation>Der Bericht entsteht</translation>
    </message>
    <message>
        <source>The edits that carry the gain are being found.</source>
        <translation>Die Änderungen, die den Gewinn tragen, werden gesucht.</translation>
    </message>
    <message>
        <source>One file, %1 kB, with nothing outside it.</source>
        <translation>Eine Datei, %1 kB, ohne etwas außerhalb.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::FlowView</name>
    <message>
        <source>Control flow</source>
        <translation>Kontrollfluss</translation>
    </message>
    <message>
        <source>Open a cubin to see its blocks and loops.</source>
        <translation>Ein Cubin öffnen, um seine Blöcke und Schleifen zu sehen.</translation>
    </message>
    <message numerus="yes">
        <source>Laying out %n block(s)...</source>
        <translation>
            <numerusform>%n Block wird angeordnet ...</numerusform>
            <numerusform>%n Blöcke werden angeordnet ...</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 blocks, %3 instructions</source>
        <translation>%1: %2 Blöcke, %3 Befehle</translation>
    </message>
    <message>
        <source>%1 code is not decoded: its branches are not known.</source>
        <translation>Code von %1 wird nicht dekodiert: Seine Sprünge sind nicht bekannt.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::GraphCanvas</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>%1, selected: %2, %3</source>
        <translation>%1, ausgewählt: %2, %3</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::GraphToolbar</name>
    <message>
        <source>Shown graph</source>
        <translation>Gezeigter Graph</translation>
    </message>
    <message>
        <source>Whole loop</source>
        <translation>Ganze Schleife</translation>
    </message>
    <message>
        <source>Show all blocks of the loop around the block</source>
        <translation>Alle Blöcke der Schleife um den Block zeigen</translation>
    </message>
    <message>
        <source>Carried</source>
        <translation>Übertragen</translation>
    </message>
    <message>
        <source>Show dependences carried to the next iteration</source>
        <translation>Abhängigkeiten zeigen, die in die nächste Iteration reichen</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>Kritisch</translation>
    </message>
    <message>
        <source>Go to the critical path (C)</source>
        <translation>Zum kritischen Pfad gehen (C)</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>Fade everything that does not touch the selection</source>
        <translation>Alles verblassen lassen, was die Auswahl nicht berührt</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>Verkleinern (-)</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>Vergrößern (+)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Show all of it (F)</source>
        <translation>Alles zeigen (F)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Save the whole graph as SVG, PNG or DOT</source>
        <translation>Den ganzen Graphen als SVG, PNG oder DOT speichern</translation>
    </message>
    <message>
        <source>%1 file...</source>
        <translation>%1-Datei ...</translation>
    </message>
    <message>
        <source>Show %1 edges</source>
        <translation>%1-Kanten zeigen</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>Graph exportieren</translation>
    </message>
    <message>
        <source>%1 could not be written. Choose a folder you may write to.</source>
        <translation>%1 konnte nicht geschrieben werden. Einen Ordner mit Schreibrecht wählen.</translation>
    </message>
    <message>
        <source>There is no graph to export: open a cubin first.</source>
        <translation>Es gibt keinen Graphen zu exportieren: zuerst ein Cubin öffnen.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::GraphView</name>
    <message>
        <source>Dependency graph</source>
        <translation>Abhängigkeiten</translation>
    </message>
    <message>
        <source>Open a cubin and select an instruction to see what its block depends on.</source>
        <translation>Ein Cubin öffnen und einen Befehl auswählen, um zu sehen, wovon sein Block abhängt.</translation>
    </message>
    <message>
        <source>This kernel has no instructions.</source>
        <translation>Dieser Kernel hat keine Befehle.</translation>
    </message>
    <message numerus="yes">
        <source>Laying out the loop of %n block(s)...</source>
        <translation>
            <numerusform>Die Schleife aus %n Block wird angeordnet ...</numerusform>
            <numerusform>Die Schleife aus %n Blöcken wird angeordnet ...</numerusform>
        </translation>
    </message>
    <message>
        <source>Laying out block %1...</source>
        <translation>Block %1 wird angeordnet ...</translation>
    </message>
    <message>
        <source>Loop of blocks %1</source>
        <translation>Schleife der Blöcke %1</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>%1 code is not decoded: what depends on what is not known.</source>
        <translation>Code von %1 wird nicht dekodiert: Was wovon abhängt, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>%1: %2 instructions, at least %3 cycles (unknown opcodes: %4)</source>
        <translation>%1: %2 Befehle, mindestens %3 Takte (unbekannte Opcodes: %4)</translation>
    </message>
    <message>
        <source>%1: %2 instructions, %3 cycles, a critical path of %4 instructions</source>
        <translation>%1: %2 Befehle, %3 Takte, %4 Befehle auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>%1: %2 instructions, %3 cycles</source>
        <translation>%1: %2 Befehle, %3 Takte</translation>
    </message>
    <message>
        <source>%1: %2 instructions, %3 cycles or more</source>
        <translation>%1: %2 Befehle, %3 Takte oder mehr</translation>
    </message>
    <message>
        <source>%1: %2 instructions</source>
        <translation>%1: %2 Befehle</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Gutter</name>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>its result signals SB%1</source>
        <translation>sein Ergebnis meldet SB%1</translation>
    </message>
    <message>
        <source>reading its sources signals SB%1</source>
        <translation>das Lesen seiner Quellen meldet SB%1</translation>
    </message>
    <message>
        <source>yields to another warp</source>
        <translation>gibt an einen anderen Warp ab (Yield)</translation>
    </message>
    <message numerus="yes">
        <source>stalls %n cycle(s)</source>
        <translation>
            <numerusform>wartet %n Takt (Stall)</numerusform>
            <numerusform>wartet %n Takte (Stall)</numerusform>
        </translation>
    </message>
    <message>
        <source>keeps operand %1 in the reuse cache</source>
        <translation>behält Operand %1 im Reuse-Cache</translation>
    </message>
    <message>
        <source>Control codes of the left listing</source>
        <translation>Steuercodes des linken Listings</translation>
    </message>
    <message>
        <source>Control codes of the right listing</source>
        <translation>Steuercodes des rechten Listings</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>live regs</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>cycle</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Proben</translation>
    </message>
    <message>
        <source>GPU: here</source>
        <translation>GPU: hier</translation>
    </message>
    <message>
        <source>model: here</source>
        <translation>Modell: hier</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>rd</source>
        <translation>rd</translation>
    </message>
    <message>
        <source>wr</source>
        <translation>wr</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>stall</source>
        <translation>Stall</translation>
    </message>
    <message>
        <source>... and more</source>
        <translation>... und mehr</translation>
    </message>
    <message numerus="yes">
        <source>%n looser dependence(s) not drawn</source>
        <translation>
            <numerusform>%n losere Abhängigkeit nicht gezeichnet</numerusform>
            <numerusform>%n losere Abhängigkeiten nicht gezeichnet</numerusform>
        </translation>
    </message>
    <message>
        <source>Click to unfold block %1</source>
        <translation>Klicken, um Block %1 aufzuklappen</translation>
    </message>
    <message>
        <source>Click to fold block %1</source>
        <translation>Klicken, um Block %1 einzuklappen</translation>
    </message>
    <message>
        <source>
%1 of %2 registers live</source>
        <translation>
%1 von %2 Registern lebendig</translation>
    </message>
    <message>
        <source>; with %1 or fewer registers more warps fit an SM (the mark in the bar)</source>
        <translation>; mit %1 oder weniger Registern passen mehr Warps auf einen SM (die Marke im Balken)</translation>
    </message>
    <message>
        <source>
model: issues in cycle %1 of its block</source>
        <translation>
Modell: wird in Takt %1 seines Blocks abgesetzt</translation>
    </message>
    <message numerus="yes">
        <source>, %n cycle(s) late: %1</source>
        <translation>
            <numerusform>, %n Takt zu spät: %1</numerusform>
            <numerusform>, %n Takte zu spät: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>
profile: %1 samples, %2 % of the kernel&apos;s</source>
        <translation>
Profil: %1 Proben, %2 % des Kernels</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>
moved here: %1</source>
        <translation>
hierher verschoben: %1</translation>
    </message>
    <message>
        <source>
locked: agents leave it alone</source>
        <translation>
gesperrt: Agenten lassen ihn in Ruhe</translation>
    </message>
    <message>
        <source>
outside of what agents may change</source>
        <translation>
außerhalb dessen, was Agenten ändern dürfen</translation>
    </message>
    <message>
        <source>
originally %1</source>
        <translation>
ursprünglich %1</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message numerus="yes">
        <source>  ·  %n folded</source>
        <translation>
            <numerusform>  ·  %n eingeklappt</numerusform>
            <numerusform>  ·  %n eingeklappt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  ·  %n the same</source>
        <translation>
            <numerusform>  ·  %n gleich</numerusform>
            <numerusform>  ·  %n gleich</numerusform>
        </translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>
moved here: %1 %2, %3</source>
        <translation>
hierher verschoben: %1 %2, %3</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::HandTools</name>
    <message>
        <source>Edit &amp;control code...</source>
        <translation>&amp;Steuercode bearbeiten ...</translation>
    </message>
    <message>
        <source>Edit stall, yield, barriers, waits and reuse of the selected instruction</source>
        <translation>Stall, Yield, Barrieren, Warten und Reuse des ausgewählten Befehls bearbeiten</translation>
    </message>
    <message>
        <source>Move up and &amp;pay</source>
        <translation>Nach oben und &amp;bezahlen</translation>
    </message>
    <message>
        <source>Move the instruction up; stall counts that are missing are raised in the same edit</source>
        <translation>Den Befehl nach oben verschieben; fehlende Stall-Takte werden in derselben Änderung ergänzt</translation>
    </message>
    <message>
        <source>Move down and pa&amp;y</source>
        <translation>Nach unten und be&amp;zahlen</translation>
    </message>
    <message>
        <source>Move the instruction down; stall counts that are missing are raised in the same edit</source>
        <translation>Den Befehl nach unten verschieben; fehlende Stall-Takte werden in derselben Änderung ergänzt</translation>
    </message>
    <message>
        <source>&amp;Tighten stalls of the block</source>
        <translation>Stalls des Blocks s&amp;traffen</translation>
    </message>
    <message>
        <source>Every stall count of the selected instruction&apos;s block as low as its distances allow</source>
        <translation>Jeder Stall im Block des ausgewählten Befehls so niedrig, wie seine Abstände erlauben</translation>
    </message>
    <message>
        <source>&amp;Reschedule block</source>
        <translation>Block neu o&amp;rdnen</translation>
    </message>
    <message>
        <source>The order of the selected instruction&apos;s block that takes the fewest modelled cycles, proven legal</source>
        <translation>Die Reihenfolge des Blocks mit den wenigsten modellierten Takten, als zulässig bewiesen</translation>
    </message>
    <message>
        <source>Show all le&amp;gal places</source>
        <translation>Alle zulässi&amp;gen Plätze zeigen</translation>
    </message>
    <message>
        <source>Mark every place where the selected instruction may go</source>
        <translation>Jeden Platz markieren, an den der ausgewählte Befehl darf</translation>
    </message>
    <message>
        <source>Dependency &amp;arrows</source>
        <translation>&amp;Abhängigkeitspfeile</translation>
    </message>
    <message>
        <source>Arrows of the selected instruction beside the listing</source>
        <translation>Pfeile des ausgewählten Befehls neben dem Listing</translation>
    </message>
    <message>
        <source>Live &amp;registers</source>
        <translation>Lebende &amp;Register</translation>
    </message>
    <message>
        <source>Number and bar of live registers</source>
        <translation>Zahl und Balken der lebenden Register</translation>
    </message>
    <message>
        <source>&amp;Issue cycle (model)</source>
        <translation>&amp;Takt (Modell)</translation>
    </message>
    <message>
        <source>Estimated issue cycle of each instruction in its block</source>
        <translation>Geschätzter Takt jedes Befehls in seinem Block</translation>
    </message>
    <message>
        <source>Source &amp;line</source>
        <translation>&amp;Quellzeile</translation>
    </message>
    <message>
        <source>Line of the source, where the cubin has line tables</source>
        <translation>Zeile der Quelle, wo das Cubin Zeilentabellen hat</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profil</translation>
    </message>
    <message>
        <source>Stall samples of an imported profile</source>
        <translation>Stall-Proben eines importierten Profils</translation>
    </message>
    <message>
        <source>Only what &amp;changed</source>
        <translation>Nur, was sich ä&amp;nderte</translation>
    </message>
    <message>
        <source>Hide the rows that are the same on both sides</source>
        <translation>Die Zeilen ausblenden, die auf beiden Seiten gleich sind</translation>
    </message>
    <message>
        <source>Co&amp;mpact comparison</source>
        <translation>&amp;Kompakter Vergleich</translation>
    </message>
    <message>
        <source>Place by place with no blank rows; ribbons for what is selected or near it</source>
        <translation>Platz für Platz ohne Leerzeilen; Bänder für das, was ausgewählt oder nahe ist</translation>
    </message>
    <message>
        <source>&amp;Fold or unfold block</source>
        <translation>Block &amp;ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Hide or show the block of the selected instruction</source>
        <translation>Den Block des ausgewählten Befehls aus- oder einblenden</translation>
    </message>
    <message>
        <source>Fold or unfold &amp;loop</source>
        <translation>Schleife ein- oder ausk&amp;lappen</translation>
    </message>
    <message>
        <source>Hide or show every block of the innermost loop around the selected instruction</source>
        <translation>Jeden Block der innersten Schleife um den ausgewählten Befehl aus- oder einblenden</translation>
    </message>
    <message>
        <source>The selected instruction is in no loop</source>
        <translation>Der ausgewählte Befehl ist in keiner Schleife</translation>
    </message>
    <message>
        <source>Fold all &amp;blocks</source>
        <translation>Alle &amp;Blöcke einklappen</translation>
    </message>
    <message>
        <source>Show the headers of the blocks only</source>
        <translation>Nur die Kopfzeilen der Blöcke zeigen</translation>
    </message>
    <message>
        <source>&amp;Unfold all blocks</source>
        <translation>Alle Blöcke a&amp;usklappen</translation>
    </message>
    <message>
        <source>Show every instruction again</source>
        <translation>Wieder jeden Befehl zeigen</translation>
    </message>
    <message>
        <source>Toggle boo&amp;kmark</source>
        <translation>Lese&amp;zeichen setzen oder entfernen</translation>
    </message>
    <message>
        <source>Mark the selected instruction, or no longer; kept for this kernel</source>
        <translation>Den ausgewählten Befehl markieren oder nicht mehr; wird für diesen Kernel behalten</translation>
    </message>
    <message>
        <source>This kernel has no bookmarks</source>
        <translation>Dieser Kernel hat keine Lesezeichen</translation>
    </message>
    <message>
        <source>Next book&amp;mark</source>
        <translation>Nächstes Lesezei&amp;chen</translation>
    </message>
    <message>
        <source>Go to the next bookmark</source>
        <translation>Zum nächsten Lesezeichen gehen</translation>
    </message>
    <message>
        <source>Previous bookmar&amp;k</source>
        <translation>Voriges Leseze&amp;ichen</translation>
    </message>
    <message>
        <source>Go to the previous bookmark</source>
        <translation>Zum vorigen Lesezeichen gehen</translation>
    </message>
    <message>
        <source>&amp;Clear bookmarks</source>
        <translation>Lesezeichen &amp;löschen</translation>
    </message>
    <message>
        <source>Forget the bookmarks of this kernel</source>
        <translation>Die Lesezeichen dieses Kernels vergessen</translation>
    </message>
    <message>
        <source>&amp;Lock or unlock selection</source>
        <translation>Auswahl sperren oder &amp;freigeben</translation>
    </message>
    <message>
        <source>Agents never move or edit locked instructions</source>
        <translation>Agenten verschieben und ändern gesperrte Befehle nie</translation>
    </message>
    <message>
        <source>Lock or unlock &amp;block</source>
        <translation>&amp;Block sperren oder freigeben</translation>
    </message>
    <message>
        <source>Agents never move or edit instructions of this block</source>
        <translation>Agenten verschieben und ändern keinen Befehl dieses Blocks</translation>
    </message>
    <message>
        <source>Only the &amp;selection</source>
        <translation>Nur die &amp;Auswahl</translation>
    </message>
    <message>
        <source>Agents may change the selected instructions and nothing else</source>
        <translation>Agenten dürfen die ausgewählten Befehle ändern und sonst nichts</translation>
    </message>
    <message>
        <source>Only this bloc&amp;k</source>
        <translation>Nur dieser Bloc&amp;k</translation>
    </message>
    <message>
        <source>Agents may change the block of the selected instruction and nothing else</source>
        <translation>Agenten dürfen den Block des ausgewählten Befehls ändern und sonst nichts</translation>
    </message>
    <message>
        <source>&amp;Everything open to agents</source>
        <translation>All&amp;es für Agenten offen</translation>
    </message>
    <message>
        <source>No locks and no limits</source>
        <translation>Keine Sperren und keine Grenzen</translation>
    </message>
    <message>
        <source>S&amp;coreboards</source>
        <translation>S&amp;coreboards</translation>
    </message>
    <message>
        <source>Move and pay: %1</source>
        <translation>Verschieben und bezahlen: %1</translation>
    </message>
    <message>
        <source>no number of stall cycles makes a place there legal</source>
        <translation>keine Zahl von Stall-Takten macht dort einen Platz zulässig</translation>
    </message>
    <message>
        <source>Tighten stalls</source>
        <translation>Stalls straffen</translation>
    </message>
    <message>
        <source>Reschedule block</source>
        <translation>Block neu ordnen</translation>
    </message>
    <message>
        <source>%1: %2 stall cycles instead of %3</source>
        <translation>%1: %2 Stall-Takte statt %3</translation>
    </message>
    <message>
        <source>That scoreboard cannot be taken there</source>
        <translation>Dieses Scoreboard kann dort nicht genommen werden</translation>
    </message>
    <message>
        <source>Move the wait for SB%1 of %2 later</source>
        <translation>Das Warten von %2 auf SB%1 später</translation>
    </message>
    <message>
        <source>the next instruction waits for it already or needs it</source>
        <translation>der nächste Befehl wartet schon darauf oder braucht es</translation>
    </message>
    <message>
        <source>Write barrier SB%1 to SB%2, with its waits</source>
        <translation>Schreibbarriere SB%1 zu SB%2, samt Warten</translation>
    </message>
    <message>
        <source>Read barrier SB%1 to SB%2, with its waits</source>
        <translation>Lesebarriere SB%1 zu SB%2, samt Warten</translation>
    </message>
    <message>
        <source>Move the wait for SB%1 later</source>
        <translation>Das Warten auf SB%1 später</translation>
    </message>
    <message>
        <source>Import a profile of this kernel</source>
        <translation>Ein Profil dieses Kernels importieren</translation>
    </message>
    <message>
        <source>Nsight Compute source pages (*.csv);;All files (*)</source>
        <translation>Quellseiten von Nsight Compute (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1 was not imported</source>
        <translation>%1 wurde nicht importiert</translation>
    </message>
    <message>
        <source>Choose another...</source>
        <translation>Anderes wählen ...</translation>
    </message>
    <message>
        <source>Profile of %1 imported</source>
        <translation>Profil von %1 importiert</translation>
    </message>
    <message>
        <source>%1 samples, from the column &quot;%2&quot;. They belong to the instructions, wherever those are moved.</source>
        <translation>%1 Proben aus der Spalte „%2“. Sie gehören zu den Befehlen, wohin diese auch verschoben werden.</translation>
    </message>
    <message>
        <source>Compare with the same kernel in another file</source>
        <translation>Mit demselben Kernel einer anderen Datei vergleichen</translation>
    </message>
    <message>
        <source>All files (*);;Cubins (*.cubin)</source>
        <translation>Alle Dateien (*);;Cubins (*.cubin)</translation>
    </message>
    <message>
        <source>%1 cannot be compared</source>
        <translation>%1 kann nicht verglichen werden</translation>
    </message>
    <message>
        <source>The places were not tried</source>
        <translation>Die Plätze wurden nicht probiert</translation>
    </message>
    <message>
        <source>%1 has no other legal place</source>
        <translation>%1 hat keinen anderen zulässigen Platz</translation>
    </message>
    <message numerus="yes">
        <source>%n other legal place(s)</source>
        <translation>
            <numerusform>%n anderer zulässiger Platz</numerusform>
            <numerusform>%n andere zulässige Plätze</numerusform>
        </translation>
    </message>
    <message>
        <source>measured on %1</source>
        <translation>auf %1 gemessen</translation>
    </message>
    <message>
        <source>by the SM model, unmeasured</source>
        <translation>nach dem SM-Modell, ungemessen</translation>
    </message>
    <message>
        <source>%1 at 0x%2</source>
        <translation>%1 bei 0x%2</translation>
    </message>
    <message>
        <source>&amp;Try every legal place</source>
        <translation>&amp;Jeden zulässigen Platz probieren</translation>
    </message>
    <message>
        <source>Try every legal place of the selected instruction, on the GPU where there is one; again: stop</source>
        <translation>Jeden zulässigen Platz des ausgewählten Befehls probieren, auf der GPU, wo es eine gibt; nochmals: anhalten</translation>
    </message>
    <message>
        <source>Forget tried places</source>
        <translation>Probierte Plätze vergessen</translation>
    </message>
    <message>
        <source>Take the column of tried places away</source>
        <translation>Die Spalte der probierten Plätze entfernen</translation>
    </message>
    <message>
        <source>&amp;Import profile...</source>
        <translation>Profil &amp;importieren ...</translation>
    </message>
    <message>
        <source>Show stall samples of `ncu --page source --csv` beside the listing</source>
        <translation>Stall-Proben aus `ncu --page source --csv` neben dem Listing zeigen</translation>
    </message>
    <message>
        <source>Compare with another &amp;file...</source>
        <translation>Mit anderer &amp;Datei vergleichen ...</translation>
    </message>
    <message>
        <source>Show another cubin&apos;s schedule of this kernel on the left</source>
        <translation>Links den Schedule eines anderen Cubins von diesem Kernel zeigen</translation>
    </message>
    <message>
        <source>Try every place of %1</source>
        <translation>Jeden Platz von %1 probieren</translation>
    </message>
    <message>
        <source>it keeps its place: %1</source>
        <translation>er behält seinen Platz: %1</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Einen Moment</translation>
    </message>
    <message>
        <source>%1 has the GPU; try again when it is over.</source>
        <translation>%1 hat die GPU; danach noch einmal versuchen.</translation>
    </message>
    <message>
        <source>A trial of places</source>
        <translation>Ein Probieren von Plätzen</translation>
    </message>
    <message>
        <source>Trying every legal place of %1</source>
        <translation>Jeder zulässige Platz von %1 wird probiert</translation>
    </message>
    <message>
        <source>With the SM model: the agent has the GPU.</source>
        <translation>Mit dem SM-Modell: Der Agent hat die GPU.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>%1 of %2 places tried</source>
        <translation>%1 von %2 Plätzen probiert</translation>
    </message>
    <message>
        <source>%1 of %2 places tried, %3.</source>
        <translation>%1 von %2 Plätzen probiert, %3.</translation>
    </message>
    <message>
        <source>Stopped: places of %1</source>
        <translation>Angehalten: Plätze von %1</translation>
    </message>
    <message>
        <source>Places of %1</source>
        <translation>Plätze von %1</translation>
    </message>
    <message>
        <source>, not clearly better</source>
        <translation>, nicht klar besser</translation>
    </message>
    <message>
        <source>Move it there</source>
        <translation>Dorthin verschieben</translation>
    </message>
    <message>
        <source>The schedule has changed since; try again</source>
        <translation>Der Schedule hat sich seitdem geändert; noch einmal versuchen</translation>
    </message>
    <message>
        <source> None is better than where it is.</source>
        <translation> Keiner ist besser als der jetzige.</translation>
    </message>
    <message numerus="yes">
        <source> %n place(s) that the checker allows did not run well: %1.</source>
        <translation>
            <numerusform> %n Platz, den der Prüfer erlaubt, lief nicht gut: %1.</numerusform>
            <numerusform> %n Plätze, die der Prüfer erlaubt, liefen nicht gut: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Move up with &amp;what holds it</source>
        <translation>Nach oben mit allem, &amp;was hält</translation>
    </message>
    <message>
        <source>Move the instruction up past what it has to stay behind: that goes along, and missing stall counts are raised in the same edit</source>
        <translation>Den Befehl nach oben verschieben, vorbei an dem, hinter dem er bleiben muss: das geht mit, und fehlende Stall-Takte werden in derselben Änderung ergänzt</translation>
    </message>
    <message>
        <source>Move down with w&amp;hat it holds</source>
        <translation>Nach unten mit allem, was er &amp;hält</translation>
    </message>
    <message>
        <source>Move the instruction down past what has to stay behind it: that goes along, and missing stall counts are raised in the same edit</source>
        <translation>Den Befehl nach unten verschieben, vorbei an dem, was hinter ihm bleiben muss: das geht mit, und fehlende Stall-Takte werden in derselben Änderung ergänzt</translation>
    </message>
    <message>
        <source>Move with what holds it: %1</source>
        <translation>Verschieben mit allem, was hält: %1</translation>
    </message>
    <message>
        <source>no place there is legal, whatever goes along</source>
        <translation>kein Platz dort ist erlaubt, was auch mitgeht</translation>
    </message>
    <message>
        <source> Best: 0x%1, %2 %3%4.</source>
        <translation> Bester: 0x%1, %2 %3%4.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::HelpWindow</name>
    <message>
        <source>CubinLab Help</source>
        <translation>CubinLab-Hilfe</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Seiten der Hilfe</translation>
    </message>
    <message>
        <source>Help text</source>
        <translation>Text der Hilfe</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source># Keyboard

</source>
        <translation># Tastatur

</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>Alle Seiten durchsuchen</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>Keine Seite hat alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::HistoryModel</name>
    <message>
        <source>As opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>%1   (after %2)</source>
        <translation>%1   (nach %2)</translation>
    </message>
    <message>
        <source>The schedule as the file has it</source>
        <translation>Der Schedule, wie ihn die Datei hat</translation>
    </message>
    <message>
        <source>
undone; redo does it again</source>
        <translation>
zurückgenommen; Wiederholen macht es wieder</translation>
    </message>
    <message>
        <source>
on a branch that was left; a click goes there</source>
        <translation>
auf einem verlassenen Zweig; ein Klick geht dorthin</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Was getan wurde</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::HistoryPanel</name>
    <message>
        <source>Hand edits</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>No edits by hand yet. Alt+Up and Alt+Down move the selected instruction, Enter edits its control code, the mouse drags it.</source>
        <translation>Noch keine Änderung von Hand. Alt+Auf und Alt+Ab verschieben den ausgewählten Befehl, Enter bearbeitet seinen Steuercode, die Maus zieht ihn.</translation>
    </message>
    <message>
        <source>No kernel is open.</source>
        <translation>Kein Kernel ist offen.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::InstrDrag</name>
    <message>
        <source>%1: where it is</source>
        <translation>%1: wo er ist</translation>
    </message>
    <message>
        <source>Looking for the legal places of %1 ...</source>
        <translation>Die zulässigen Plätze von %1 werden gesucht ...</translation>
    </message>
    <message>
        <source>Illegal: instructions move inside their basic block only</source>
        <translation>Unzulässig: Befehle bewegen sich nur innerhalb ihres Grundblocks</translation>
    </message>
    <message>
        <source>Before %1: legal</source>
        <translation>Vor %1: zulässig</translation>
    </message>
    <message>
        <source>After %1: legal</source>
        <translation>Nach %1: zulässig</translation>
    </message>
    <message>
        <source>Illegal: it keeps its place, %1</source>
        <translation>Unzulässig: Er behält seinen Platz, %1</translation>
    </message>
    <message>
        <source>Illegal ...</source>
        <translation>Unzulässig ...</translation>
    </message>
    <message>
        <source>the checker cannot prove that the result is the same</source>
        <translation>der Prüfer kann nicht beweisen, dass das Ergebnis gleich ist</translation>
    </message>
    <message numerus="yes">
        <source>  (and %n more)</source>
        <translation>
            <numerusform>  (und %n weiterer)</numerusform>
            <numerusform>  (und %n weitere)</numerusform>
        </translation>
    </message>
    <message>
        <source>Illegal: %1</source>
        <translation>Unzulässig: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::KernelChooser</name>
    <message>
        <source>Kernels of %1</source>
        <translation>Kernel von %1</translation>
    </message>
    <message>
        <source>Part of a name, an architecture or a member</source>
        <translation>Teil eines Namens, einer Architektur oder eines Mitglieds</translation>
    </message>
    <message>
        <source>Filter of the kernels</source>
        <translation>Filter der Kernel</translation>
    </message>
    <message>
        <source>Regular &amp;expression</source>
        <translation>Regulärer &amp;Ausdruck</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>This is no regular expression: %1</source>
        <translation>Das ist kein regulärer Ausdruck: %1</translation>
    </message>
    <message>
        <source>%1 of %2 kernels</source>
        <translation>%1 von %2 Kerneln</translation>
    </message>
    <message>
        <source>. Images without kernels: </source>
        <translation>. Abbilder ohne Kernel: </translation>
    </message>
    <message>
        <source>%1. Which one?</source>
        <translation>%1. Welcher?</translation>
    </message>
    <message>
        <source>%1 in %2 images. Which one?</source>
        <translation>%1 in %2 Abbildern. Welcher?</translation>
    </message>
    <message>
        <source>image %1</source>
        <translation>Abbild %1</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Abbilder</translation>
    </message>
    <message>
        <source>%1, %2: %3 kernels</source>
        <translation>%1, %2: %3 Kernel</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::KernelInfoPanel</name>
    <message>
        <source>Kernel facts</source>
        <translation>Über den Kernel</translation>
    </message>
    <message>
        <source>Open a cubin to see its facts.</source>
        <translation>Ein Cubin öffnen, um zu sehen, was es ist.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::KernelModel</name>
    <message>
        <source>%1, not linked</source>
        <translation>%1, nicht gebunden</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Arch</source>
        <translation>Arch</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Regs</source>
        <translation>Regs</translation>
    </message>
    <message>
        <source>Registers of a thread</source>
        <translation>Register eines Threads</translation>
    </message>
    <message>
        <source>Stack and spills of a thread, bytes</source>
        <translation>Stack und Auslagerungen eines Threads, Byte</translation>
    </message>
    <message>
        <source>Static shared memory, bytes</source>
        <translation>Statisches Shared Memory, Byte</translation>
    </message>
    <message>
        <source>Code, bytes</source>
        <translation>Code, Byte</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Abbild</translation>
    </message>
    <message>
        <source>Image of the file that holds it</source>
        <translation>Abbild in der Datei, in dem er liegt</translation>
    </message>
    <message>
        <source>Name, as short as tells them apart; the tip of each has all of it</source>
        <translation>Name, so kurz, wie er sie noch unterscheidet; der Tipp zeigt ihn ganz</translation>
    </message>
    <message>
        <source>Stack, B</source>
        <translation>Stack, B</translation>
    </message>
    <message>
        <source>Shared, B</source>
        <translation>Shared, B</translation>
    </message>
    <message>
        <source>Code, B</source>
        <translation>Code, B</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Layouts</name>
    <message>
        <source>Hand tuning</source>
        <translation>Tunen von Hand</translation>
    </message>
    <message>
        <source>Watch agent</source>
        <translation>Dem Agenten zusehen</translation>
    </message>
    <message>
        <source>Replay and audit</source>
        <translation>Nachspielen und prüfen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>The layout &quot;%1&quot; cannot be used</source>
        <translation>Die Anordnung „%1“ kann nicht benutzt werden</translation>
    </message>
    <message>
        <source>It was saved by another version. Arrange the docks again and save it anew.</source>
        <translation>Eine andere Version hat sie gespeichert. Die Docks neu anordnen und noch einmal speichern.</translation>
    </message>
    <message>
        <source>Layout saved</source>
        <translation>Anordnung gespeichert</translation>
    </message>
    <message>
        <source>View &gt; Layout &gt; %1 brings it back.</source>
        <translation>Ansicht &gt; Anordnung &gt; %1 bringt sie zurück.</translation>
    </message>
    <message>
        <source>Layout deleted</source>
        <translation>Anordnung gelöscht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Save the layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Name of this arrangement of the docks (an equal name is replaced):</source>
        <translation>Name dieser Anordnung der Docks (ein gleicher Name wird ersetzt):</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::LearnedModel</name>
    <message>
        <source>%1 modelled</source>
        <translation>%1 modelliert</translation>
    </message>
    <message>
        <source>too few</source>
        <translation>zu wenige</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Was getan wurde</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Versucht</translation>
    </message>
    <message>
        <source>Gained</source>
        <translation>Gewonnen</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Opcode, direction, class of what it mostly passed, control fields that changed</source>
        <translation>Opcode, Richtung, Klasse dessen, woran er meist vorbeiging, geänderte Steuerfelder</translation>
    </message>
    <message>
        <source>Mean gain against the schedule it was made from, over all tries, in vain or not</source>
        <translation>Mittlerer Gewinn gegen den Schedule, aus dem er entstand, über alle Versuche, vergebliche eingeschlossen</translation>
    </message>
    <message>
        <source>95 % interval of the mean, however often one looks; sorts by what the effect is at least. A star: chance alone takes none of all these kinds so far from nothing</source>
        <translation>95-%-Intervall des Mittels, wie oft man auch hinsieht; sortiert danach, was die Wirkung mindestens ist. Ein Stern: So weit von null bringt der Zufall allein keine von all diesen Arten</translation>
    </message>
    <message>
        <source>Steps that did this and nothing else</source>
        <translation>Schritte, die dies und nichts anderes taten</translation>
    </message>
    <message>
        <source>Steps whose whole interval was above the schedule they were made from</source>
        <translation>Schritte, deren ganzes Intervall über dem Schedule lag, aus dem sie entstanden</translation>
    </message>
    <message>
        <source>Gain of the best of them</source>
        <translation>Gewinn des besten davon</translation>
    </message>
    <message>
        <source>Kernels that it was tried in</source>
        <translation>Kernel, in denen es versucht wurde</translation>
    </message>
    <message>
        <source>Places of the schedule on the right where it could be tried</source>
        <translation>Stellen des rechten Schedules, an denen es versucht werden könnte</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::LearnedWindow</name>
    <message>
        <source>What sessions learned</source>
        <translation>Was Sitzungen lehrten</translation>
    </message>
    <message>
        <source>Kinds of edits</source>
        <translation>Arten von Änderungen</translation>
    </message>
    <message>
        <source>Find an opcode or a kind of edit</source>
        <translation>Opcode oder Art der Änderung suchen</translation>
    </message>
    <message>
        <source>Folder of sessions</source>
        <translation>Ordner der Sitzungen</translation>
    </message>
    <message>
        <source>Folder...</source>
        <translation>Ordner...</translation>
    </message>
    <message>
        <source>tried at least </source>
        <translation>versucht mindestens </translation>
    </message>
    <message>
        <source>Tried at least so often</source>
        <translation>Mindestens so oft versucht</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Lines of the kernel at hand</source>
        <translation>Zeilen des vorliegenden Kernels</translation>
    </message>
    <message>
        <source>Reading the sessions ...</source>
        <translation>Liest die Sitzungen ...</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s), </source>
        <translation>
            <numerusform>%n Sitzung, </numerusform>
            <numerusform>%n Sitzungen, </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s): </source>
        <translation>
            <numerusform>%n Lauf: </numerusform>
            <numerusform>%n Läufe: </numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps that changed one thing, %2 others left out.</source>
        <translation>%1 Schritte, die eines änderten, %2 andere ausgelassen.</translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read: %1</source>
        <translation>
            <numerusform>%n war nicht zu lesen: %1</numerusform>
            <numerusform>%n waren nicht zu lesen: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>There is nothing to learn from yet: no session of this folder has a step that changed one thing. Run an agent, or choose another folder.</source>
        <translation>Noch gibt es nichts zu lernen: Keine Sitzung dieses Ordners hat einen Schritt, der eines änderte. Lassen Sie einen Agenten laufen oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>No kind of edit was tried so often.</source>
        <translation>Keine Art von Änderung wurde so oft versucht.</translation>
    </message>
    <message>
        <source>Open a kernel to see where in it this could be tried.</source>
        <translation>Öffnen Sie einen Kernel, um zu sehen, wo dies darin versucht werden könnte.</translation>
    </message>
    <message>
        <source>Nowhere in this kernel.</source>
        <translation>Nirgends in diesem Kernel.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Could be tried at: %1</source>
        <translation>Könnte versucht werden bei: %1</translation>
    </message>
    <message>
        <source>%1 measured figures could not be checked.</source>
        <translation>%1 gemessene Zahlen waren nicht zu prüfen.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) came again in a copy and count once.</source>
        <translation>
            <numerusform>%n Lauf kam in einer Kopie wieder und zählt einmal.</numerusform>
            <numerusform>%n Läufe kamen in einer Kopie wieder und zählen einmal.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::MainWindow</name>
    <message>
        <source>Opening %1 ...</source>
        <translation>%1 wird geöffnet ...</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>session %1</source>
        <translation>Sitzung %1</translation>
    </message>
    <message>
        <source>A job in the background ended early</source>
        <translation>Eine Arbeit im Hintergrund endete vorzeitig</translation>
    </message>
    <message>
        <source>%1. What it was to show is not up to date; what was logged is safe.</source>
        <translation>%1. Was sie zeigen sollte, ist nicht aktuell; was im Protokoll steht, ist sicher.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not in this listing</source>
        <translation>„%1“ kommt in diesem Listing nicht vor</translation>
    </message>
    <message>
        <source>Open a cubin, what holds one, or a session</source>
        <translation>Ein Cubin, was eines enthält, oder eine Sitzung öffnen</translation>
    </message>
    <message>
        <source>All files (*);;Cubins, sessions, sources (*.cubin *.db *.cu *.ptx);;Programs and libraries (*.so *.a *.o *.fatbin *)</source>
        <translation>Alle Dateien (*);;Cubins, Sitzungen, Quellen (*.cubin *.db *.cu *.ptx);;Programme und Bibliotheken (*.so *.a *.o *.fatbin *)</translation>
    </message>
    <message>
        <source>Open a Triton cache or a folder of cubins</source>
        <translation>Einen Triton-Cache oder Ordner mit Cubins öffnen</translation>
    </message>
    <message>
        <source>Captured</source>
        <translation>Entnommen</translation>
    </message>
    <message>
        <source>View only</source>
        <translation>Nur ansehen</translation>
    </message>
    <message>
        <source>Not linked yet</source>
        <translation>Noch nicht gebunden</translation>
    </message>
    <message>
        <source>This is relocatable code (-rdc=true): it can be read and edited, but no driver loads it before the device linker has seen it. The linked program holds the code that runs.</source>
        <translation>Das ist verschiebbarer Code (-rdc=true): Er kann gelesen und bearbeitet werden, aber kein Treiber lädt ihn, bevor der Device-Linker ihn gesehen hat. Der Code, der läuft, steht im gebundenen Programm.</translation>
    </message>
    <message>
        <source>The workload file cannot be used</source>
        <translation>Die Workload-Datei ist nicht brauchbar</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) in this file as it stands</source>
        <translation>
            <numerusform>%n Befund in dieser Datei, wie sie ist</numerusform>
            <numerusform>%n Befunde in dieser Datei, wie sie ist</numerusform>
        </translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation>Der erste: %1</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>Probleme zeigen</translation>
    </message>
    <message>
        <source>Not opened</source>
        <translation>Nicht geöffnet</translation>
    </message>
    <message>
        <source>Open another...</source>
        <translation>Andere öffnen ...</translation>
    </message>
    <message>
        <source>Run on the model</source>
        <translation>Auf dem Modell laufen</translation>
    </message>
    <message>
        <source>No GPU for this</source>
        <translation>Keine GPU dafür</translation>
    </message>
    <message>
        <source>GPU settings...</source>
        <translation>GPU-Einstellungen ...</translation>
    </message>
    <message>
        <source>The GPU&apos;s worker failed</source>
        <translation>Der Worker der GPU ist ausgefallen</translation>
    </message>
    <message>
        <source>Tools and how to get them...</source>
        <translation>Werkzeuge und woher sie kommen ...</translation>
    </message>
    <message>
        <source>Where sessions go...</source>
        <translation>Wohin Sitzungen kommen ...</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Gehe zu %1</translation>
    </message>
    <message>
        <source> Nothing beat the start.</source>
        <translation> Nichts schlug den Anfang.</translation>
    </message>
    <message>
        <source> Best: step %1, %2%3.</source>
        <translation> Bester: Schritt %1, %2%3.</translation>
    </message>
    <message>
        <source> in modelled cycles, unmeasured</source>
        <translation> in modellierten Takten, ungemessen</translation>
    </message>
    <message>
        <source>The run is over</source>
        <translation>Der Lauf ist zu Ende</translation>
    </message>
    <message>
        <source>The run ended early</source>
        <translation>Der Lauf endete vorzeitig</translation>
    </message>
    <message>
        <source>%1  ·  block %2</source>
        <translation>%1  ·  Block %2</translation>
    </message>
    <message>
        <source>, loop depth %1</source>
        <translation>, Schleifentiefe %1</translation>
    </message>
    <message>
        <source>  ·  %1 %2</source>
        <translation>  ·  %1 %2</translation>
    </message>
    <message>
        <source>up by</source>
        <translation>nach oben um</translation>
    </message>
    <message>
        <source>down by</source>
        <translation>nach unten um</translation>
    </message>
    <message>
        <source>Nothing is open to the agent</source>
        <translation>Nichts ist für den Agenten offen</translation>
    </message>
    <message>
        <source>Every instruction is locked or outside of its scope.</source>
        <translation>Jeder Befehl ist gesperrt oder außerhalb seines Bereichs.</translation>
    </message>
    <message>
        <source>The agent is limited</source>
        <translation>Der Agent ist eingeschränkt</translation>
    </message>
    <message>
        <source>It may move and edit %1 of %2 instructions (locks and scope, menu Agent).</source>
        <translation>Er darf %1 von %2 Befehlen verschieben und ändern (Sperren und Bereich, Menü Agent).</translation>
    </message>
    <message>
        <source>Select an instruction first</source>
        <translation>Zuerst einen Befehl auswählen</translation>
    </message>
    <message>
        <source>You are looking at %1</source>
        <translation>Gezeigt wird: %1</translation>
    </message>
    <message>
        <source>Edits go to the hand schedule; nothing was changed.</source>
        <translation>Änderungen gehören in den Hand-Schedule; nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Show the hand schedule</source>
        <translation>Den Hand-Schedule zeigen</translation>
    </message>
    <message>
        <source>Start the hand schedule from here</source>
        <translation>Den Hand-Schedule von hier beginnen</translation>
    </message>
    <message>
        <source>Start from %1</source>
        <translation>Beginnen mit %1</translation>
    </message>
    <message>
        <source>A stall count is 0 to 15 cycles</source>
        <translation>Ein Stall ist 0 bis 15 Takte lang</translation>
    </message>
    <message>
        <source>Go to offset</source>
        <translation>Zum Offset gehen</translation>
    </message>
    <message>
        <source>Offset in the right listing, hexadecimal bytes:</source>
        <translation>Offset im rechten Listing, hexadezimal in Byte:</translation>
    </message>
    <message>
        <source>There is no instruction at &quot;%1&quot;</source>
        <translation>Bei „%1“ ist kein Befehl</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Left listing</source>
        <translation>Linkes Listing</translation>
    </message>
    <message>
        <source>Right listing</source>
        <translation>Rechtes Listing</translation>
    </message>
    <message>
        <source>Find in the listing</source>
        <translation>Im Listing suchen</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>Ö&amp;ffnen ...</translation>
    </message>
    <message>
        <source>Open a cubin, a program or library that holds one, or a session</source>
        <translation>Ein Cubin, ein Programm oder eine Bibliothek mit einem darin oder eine Sitzung öffnen</translation>
    </message>
    <message>
        <source>Open &amp;folder...</source>
        <translation>O&amp;rdner öffnen ...</translation>
    </message>
    <message>
        <source>Open a Triton cache, an entry of it, or a folder of cubins</source>
        <translation>Einen Triton-Cache, einen Eintrag daraus oder einen Ordner mit Cubins öffnen</translation>
    </message>
    <message>
        <source>Capture from a pro&amp;gram...</source>
        <translation>Aus einem Pro&amp;gramm entnehmen ...</translation>
    </message>
    <message>
        <source>Take a kernel out of a running program, with its arguments and memory</source>
        <translation>Einen Kernel mit Argumenten und Speicher aus einem laufenden Programm entnehmen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close the kernel</source>
        <translation>Den Kernel schließen</translation>
    </message>
    <message>
        <source>Export agent&apos;s &amp;best...</source>
        <translation>&amp;Besten des Agenten exportieren ...</translation>
    </message>
    <message>
        <source>Write the agent&apos;s best schedule as a cubin</source>
        <translation>Den besten Schedule des Agenten als Cubin schreiben</translation>
    </message>
    <message>
        <source>The agent has found nothing better yet.</source>
        <translation>Der Agent hat noch nichts Besseres gefunden.</translation>
    </message>
    <message>
        <source>Export &amp;hand schedule...</source>
        <translation>&amp;Hand-Schedule exportieren ...</translation>
    </message>
    <message>
        <source>Write the hand schedule as a cubin</source>
        <translation>Den Hand-Schedule als Cubin schreiben</translation>
    </message>
    <message>
        <source>Export &amp;viewed step...</source>
        <translation>Ge&amp;zeigten Schritt exportieren ...</translation>
    </message>
    <message>
        <source>Write the viewed step as a cubin</source>
        <translation>Den gezeigten Schritt als Cubin schreiben</translation>
    </message>
    <message>
        <source>No step is viewed; click one in the chart or the log of mutations.</source>
        <translation>Kein Schritt wird gezeigt; im Diagramm oder im Protokoll der Mutationen auf einen klicken.</translation>
    </message>
    <message>
        <source>&amp;Measure right against original</source>
        <translation>Rechts gegen Original &amp;messen</translation>
    </message>
    <message>
        <source>Measure the schedule on the right against the original on the GPU</source>
        <translation>Den Schedule rechts auf der GPU gegen das Original messen</translation>
    </message>
    <message>
        <source>The agent has the evaluator; stop or await it.</source>
        <translation>Der Agent hat den Bewerter; ihn anhalten oder abwarten.</translation>
    </message>
    <message>
        <source>A measurement is under way.</source>
        <translation>Eine Messung läuft.</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Been&amp;den</translation>
    </message>
    <message>
        <source>&amp;Documentation</source>
        <translation>&amp;Dokumentation</translation>
    </message>
    <message>
        <source>Read the documentation</source>
        <translation>Die Dokumentation lesen</translation>
    </message>
    <message>
        <source>&amp;About CubinLab</source>
        <translation>&amp;Über CubinLab</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>Version und Lizenzen</translation>
    </message>
    <message>
        <source>No agent is running.</source>
        <translation>Kein Agent läuft.</translation>
    </message>
    <message>
        <source>The agent is stopping already.</source>
        <translation>Der Agent hält bereits an.</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>Start the agent on this kernel</source>
        <translation>Den Agenten auf diesem Kernel starten</translation>
    </message>
    <message>
        <source>An agent is running; stop it first (Shift+F5).</source>
        <translation>Ein Agent läuft; ihn zuerst anhalten (Umschalt+F5).</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Pause or resume the agent</source>
        <translation>Den Agenten anhalten oder weiterlaufen lassen</translation>
    </message>
    <message>
        <source>The agent is still being prepared.</source>
        <translation>Der Agent wird noch vorbereitet.</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>S&amp;topp</translation>
    </message>
    <message>
        <source>Stop the agent; its log stays</source>
        <translation>Den Agenten beenden; sein Protokoll bleibt</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Take the last hand edit back</source>
        <translation>Die letzte Änderung von Hand zurücknehmen</translation>
    </message>
    <message>
        <source>There is no hand edit to take back.</source>
        <translation>Es gibt keine Änderung von Hand zurückzunehmen.</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Do the hand edit again</source>
        <translation>Die Änderung von Hand noch einmal machen</translation>
    </message>
    <message>
        <source>No hand edit was taken back.</source>
        <translation>Keine Änderung von Hand wurde zurückgenommen.</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>Nach &amp;oben</translation>
    </message>
    <message>
        <source>Move the instruction up to the next legal place</source>
        <translation>Den Befehl zum nächsten zulässigen Platz nach oben verschieben</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>Nach &amp;unten</translation>
    </message>
    <message>
        <source>Move the instruction down to the next legal place</source>
        <translation>Den Befehl zum nächsten zulässigen Platz nach unten verschieben</translation>
    </message>
    <message>
        <source>Move up as &amp;far as legal</source>
        <translation>So weit wie zulässig nach ob&amp;en</translation>
    </message>
    <message>
        <source>Move the instruction to its highest legal place</source>
        <translation>Den Befehl auf seinen höchsten zulässigen Platz verschieben</translation>
    </message>
    <message>
        <source>Move down as f&amp;ar as legal</source>
        <translation>So weit wie zulässig nach un&amp;ten</translation>
    </message>
    <message>
        <source>Move the instruction to its lowest legal place</source>
        <translation>Den Befehl auf seinen tiefsten zulässigen Platz verschieben</translation>
    </message>
    <message>
        <source>Stall one cycle &amp;more</source>
        <translation>Stall einen Takt &amp;mehr</translation>
    </message>
    <message>
        <source>Raise the stall count by one cycle</source>
        <translation>Den Stall um einen Takt erhöhen</translation>
    </message>
    <message>
        <source>Stall one cycle &amp;less</source>
        <translation>Stall einen Takt &amp;weniger</translation>
    </message>
    <message>
        <source>Lower the stall count by one cycle</source>
        <translation>Den Stall um einen Takt senken</translation>
    </message>
    <message>
        <source>Toggle &amp;yield</source>
        <translation>&amp;Yield umschalten</translation>
    </message>
    <message>
        <source>Request a yield after this instruction, or no longer</source>
        <translation>Nach diesem Befehl ein Yield verlangen oder nicht mehr</translation>
    </message>
    <message>
        <source>Start hand schedule from the &amp;right side</source>
        <translation>Hand-Schedule von der &amp;rechten Seite beginnen</translation>
    </message>
    <message>
        <source>Make the schedule on the right the hand schedule; can be undone</source>
        <translation>Den Schedule rechts zum Hand-Schedule machen; kann zurückgenommen werden</translation>
    </message>
    <message>
        <source>The hand schedule is already what is on the right.</source>
        <translation>Rechts steht schon der Hand-Schedule.</translation>
    </message>
    <message>
        <source>&amp;Find...</source>
        <translation>&amp;Suchen ...</translation>
    </message>
    <message>
        <source>Find text, a register or an opcode</source>
        <translation>Text, ein Register oder einen Opcode suchen</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>&amp;Weitersuchen</translation>
    </message>
    <message>
        <source>Next place of the text</source>
        <translation>Nächste Stelle des Textes</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>&amp;Rückwärts suchen</translation>
    </message>
    <message>
        <source>Previous place of the text</source>
        <translation>Vorige Stelle des Textes</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Go back to what was selected before</source>
        <translation>Zurück zu dem, was zuvor ausgewählt war</translation>
    </message>
    <message>
        <source>Nothing was selected before this.</source>
        <translation>Davor war nichts ausgewählt.</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>Go forward again</source>
        <translation>Wieder vorwärts</translation>
    </message>
    <message>
        <source>There is nothing to go forward to.</source>
        <translation>Es gibt nichts, wohin es vorwärts geht.</translation>
    </message>
    <message>
        <source>&amp;Previous change</source>
        <translation>V&amp;origer Unterschied</translation>
    </message>
    <message>
        <source>Select the previous moved or changed instruction</source>
        <translation>Den vorigen verschobenen oder geänderten Befehl auswählen</translation>
    </message>
    <message>
        <source>No more changes above</source>
        <translation>Keine Unterschiede mehr darüber</translation>
    </message>
    <message>
        <source>&amp;Next change</source>
        <translation>&amp;Nächster Unterschied</translation>
    </message>
    <message>
        <source>Select the next moved or changed instruction</source>
        <translation>Den nächsten verschobenen oder geänderten Befehl auswählen</translation>
    </message>
    <message>
        <source>No more changes below</source>
        <translation>Keine Unterschiede mehr darunter</translation>
    </message>
    <message>
        <source>Go to &amp;offset...</source>
        <translation>Zum O&amp;ffset gehen ...</translation>
    </message>
    <message>
        <source>Select the instruction at an offset</source>
        <translation>Den Befehl an einem Offset auswählen</translation>
    </message>
    <message>
        <source>Follow &amp;live</source>
        <translation>&amp;Live folgen</translation>
    </message>
    <message>
        <source>Show the agent&apos;s best as it is found</source>
        <translation>Den besten des Agenten zeigen, sobald er gefunden ist</translation>
    </message>
    <message>
        <source>Show the best mi&amp;nimised</source>
        <translation>Den Besten mi&amp;nimiert zeigen</translation>
    </message>
    <message>
        <source>Show the agent&apos;s best, also while it runs, without the edits that gain nothing in the model</source>
        <translation>Den besten des Agenten, auch während er läuft, ohne die Änderungen zeigen, die im Modell nichts bringen</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Put docks and tool bars where they were at first</source>
        <translation>Docks und Werkzeugleisten an ihren ersten Platz stellen</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Dark or light as the desktop</source>
        <translation>Dunkel oder hell wie der Desktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Light colours</source>
        <translation>Helle Farben</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Dark colours</source>
        <translation>Dunkle Farben</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Hauptleiste</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernels of this cubin</source>
        <translation>Kernel dieses Cubins</translation>
    </message>
    <message>
        <source>Find text, register, opcode</source>
        <translation>Text, Register, Opcode suchen</translation>
    </message>
    <message>
        <source>Selected instruction</source>
        <translation>Ausgewählter Befehl</translation>
    </message>
    <message>
        <source>Session file</source>
        <translation>Sitzungsdatei</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Mutations</source>
        <translation>Mutationen</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Replay</translation>
    </message>
    <message>
        <source>Hand edits</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Docks in this place</source>
        <translation>Docks an diesem Platz</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>E&amp;xport more</source>
        <translation>&amp;Weiteres exportieren</translation>
    </message>
    <message>
        <source>Export &amp;view</source>
        <translation>&amp;Ansicht exportieren</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Agent</source>
        <translation>A&amp;gent</translation>
    </message>
    <message>
        <source>&amp;Replay</source>
        <translation>&amp;Replay</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Listing &amp;columns</source>
        <translation>&amp;Spalten des Listings</translation>
    </message>
    <message>
        <source>&amp;Folding</source>
        <translation>&amp;Einklappen</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>A&amp;nordnung</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>Diese vergessen</translation>
    </message>
    <message>
        <source>&amp;What&apos;s This?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Then click on something: what it is</source>
        <translation>Danach auf etwas klicken: was es ist</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy what is selected in the view that has the keyboard</source>
        <translation>Kopieren, was in der Ansicht mit der Tastatur ausgewählt ist</translation>
    </message>
    <message>
        <source>What each instruction of a block depends on; the critical path is strong.</source>
        <translation>Wovon jeder Befehl eines Blocks abhängt; der kritische Pfad ist kräftig.</translation>
    </message>
    <message>
        <source>The blocks of the kernel and its loops.</source>
        <translation>Die Blöcke des Kernels und seine Schleifen.</translation>
    </message>
    <message>
        <source>What limits the kernel by the model, and its facts.</source>
        <translation>Was den Kernel nach dem Modell begrenzt, und was er ist.</translation>
    </message>
    <message>
        <source>What the agent does, and the curves of its run.</source>
        <translation>Was der Agent tut, und die Kurven seines Laufs.</translation>
    </message>
    <message>
        <source>Every mutation that was tried, a row each, and what became of it.</source>
        <translation>Jede versuchte Mutation, je eine Zeile, und was aus ihr wurde.</translation>
    </message>
    <message>
        <source>The run step by step, what carried its gain, and what was learned.</source>
        <translation>Der Lauf Schritt für Schritt, was seinen Gewinn trug und was gelernt wurde.</translation>
    </message>
    <message>
        <source>Your own edits; a click goes back to one.</source>
        <translation>Die eigenen Änderungen; ein Klick geht zu einer zurück.</translation>
    </message>
    <message>
        <source>What the legality check found.</source>
        <translation>Was die Prüfung der Zulässigkeit fand.</translation>
    </message>
    <message>
        <source>Which warp issues what in which cycle of the hot loop, by the model.</source>
        <translation>Welcher Warp in welchem Takt der heißen Schleife was absetzt, nach dem Modell.</translation>
    </message>
    <message>
        <source>&amp;Windows</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>The kernel&apos;s source, and which line the selected instruction came from.</source>
        <translation>Die Quelle des Kernels, und aus welcher Zeile der ausgewählte Befehl kam.</translation>
    </message>
    <message>
        <source>A source text is not saved</source>
        <translation>Ein Quelltext ist nicht gespeichert</translation>
    </message>
    <message>
        <source>Its changes are only in this window.</source>
        <translation>Seine Änderungen gibt es nur in diesem Fenster.</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>Schließen, ohne zu speichern</translation>
    </message>
    <message>
        <source>Dependencies</source>
        <translation>Abhängigkeiten</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>no kernel</source>
        <translation>kein Kernel</translation>
    </message>
    <message>
        <source>Close all windows</source>
        <translation>Alle Fenster schließen</translation>
    </message>
    <message>
        <source>session %1, read-only</source>
        <translation>Sitzung %1, nur lesbar</translation>
    </message>
    <message>
        <source>Go on in a copy</source>
        <translation>In einer Kopie fortfahren</translation>
    </message>
    <message>
        <source>You may not write to its file or its folder</source>
        <translation>In ihre Datei oder ihren Ordner dürfen Sie nicht schreiben</translation>
    </message>
    <message>
        <source>This session is read-only</source>
        <translation>Diese Sitzung ist nur lesbar</translation>
    </message>
    <message>
        <source>%1. Everything in it can be looked at, replayed, reported and exported; to log runs, hand edits and measurements, go on in a copy.</source>
        <translation>%1. Alles darin lässt sich ansehen, wiedergeben, berichten und exportieren; um Läufe, Änderungen von Hand und Messungen zu protokollieren, fahren Sie in einer Kopie fort.</translation>
    </message>
    <message>
        <source>Not editable</source>
        <translation>Nicht bearbeitbar</translation>
    </message>
    <message>
        <source>Not done</source>
        <translation>Nicht ausgeführt</translation>
    </message>
    <message>
        <source>Hand edits would be lost</source>
        <translation>Änderungen von Hand gingen verloren</translation>
    </message>
    <message numerus="yes">
        <source>No session could take them: nothing but this window holds %n hand edit(s) of %1.</source>
        <translation>
            <numerusform>Keine Sitzung konnte sie aufnehmen: %n Änderung von Hand an %1 steht nur in diesem Fenster.</numerusform>
            <numerusform>Keine Sitzung konnte sie aufnehmen: %n Änderungen von Hand an %1 stehen nur in diesem Fenster.</numerusform>
        </translation>
    </message>
    <message>
        <source>Log them now</source>
        <translation>Jetzt protokollieren</translation>
    </message>
    <message>
        <source>Leave without them</source>
        <translation>Ohne sie verlassen</translation>
    </message>
    <message>
        <source>%1. Their instructions are written by nvdisasm alone: %2.</source>
        <translation>%1. Ihre Befehle schreibt nur nvdisasm: %2.</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Another process writes this session</source>
        <translation>Ein anderer Prozess schreibt diese Sitzung</translation>
    </message>
    <message>
        <source>What is shown is its log up to now; until that is over nothing else is logged in it.</source>
        <translation>Gezeigt ist ihr Protokoll bis jetzt; solange das dauert, wird nichts anderes darin protokolliert.</translation>
    </message>
    <message>
        <source>Not all of these files were opened</source>
        <translation>Nicht alle diese Dateien wurden geöffnet</translation>
    </message>
    <message>
        <source>A drop opens %1 at most. A folder of cubins opens as one table: drop the folder.</source>
        <translation>Auf einmal öffnen sich höchstens %1. Ein Ordner mit Cubins öffnet sich als eine Tabelle: den Ordner hierher ziehen.</translation>
    </message>
    <message>
        <source>%1 has changed on disk</source>
        <translation>%1 hat sich auf der Platte geändert</translation>
    </message>
    <message>
        <source>It holds other code of %1 now. What is shown, tuned and exported here is the code of before.</source>
        <translation>Sie enthält jetzt anderen Code von %1. Was hier gezeigt, optimiert und exportiert wird, ist der Code von vorher.</translation>
    </message>
    <message>
        <source>Open what is there now</source>
        <translation>Öffnen, was jetzt dort ist</translation>
    </message>
    <message>
        <source>Open it, carry over: %1</source>
        <translation>Öffnen und übernehmen: %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>It is of another kernel: %1.</source>
        <translation>Sie gehört zu einem anderen Kernel: %1.</translation>
    </message>
    <message>
        <source>%1 is not used</source>
        <translation>%1 wird nicht benutzt</translation>
    </message>
    <message>
        <source>%1 Runs go into a new session.</source>
        <translation>%1 Läufe kommen in eine neue Sitzung.</translation>
    </message>
    <message>
        <source>session %1, written by process %2</source>
        <translation>Sitzung %1, geschrieben von Prozess %2</translation>
    </message>
    <message>
        <source>Process %1 writes this session</source>
        <translation>Prozess %1 schreibt diese Sitzung</translation>
    </message>
    <message>
        <source>Hand edits are not logged</source>
        <translation>Änderungen von Hand werden nicht protokolliert</translation>
    </message>
    <message>
        <source>%1 step in %2 (%3).</source>
        <translation>%1 Schritt in %2 (%3).</translation>
    </message>
    <message>
        <source>%1 steps in %2 (%3).</source>
        <translation>%1 Schritte in %2 (%3).</translation>
    </message>
    <message>
        <source>%1 more steps in %2 (%3), %4 in all.</source>
        <translation>%1 weitere Schritte in %2 (%3), insgesamt %4.</translation>
    </message>
    <message>
        <source> That is what the process that searched saw.</source>
        <translation> Das hat der Prozess gesehen, der gesucht hat.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Nachmessen</translation>
    </message>
    <message>
        <source> Nothing was tried.</source>
        <translation> Nichts wurde versucht.</translation>
    </message>
    <message>
        <source> None of these candidates ran well; the log says what became of each.</source>
        <translation> Keiner dieser Kandidaten lief, wie er soll; das Protokoll sagt, was aus jedem wurde.</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Protokoll zeigen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ModelTrust</name>
    <message>
        <source>How well the model ranks schedules of this kernel is not known: in this session no GPU has told enough of them apart.</source>
        <translation>Wie gut das Modell Schedules dieses Kernels ordnet, ist nicht bekannt: In dieser Sitzung hat keine GPU genug davon unterschieden.</translation>
    </message>
    <message>
        <source>How far to trust it on this kernel: of %1 pairs of schedules that the GPU told apart in this session, the model has %2 % the same way round and %3 % the other way (tau %4); its ensemble has tau %5.</source>
        <translation>Wie weit ihm auf diesem Kernel zu trauen ist: Von %1 Paaren von Schedules, die die GPU in dieser Sitzung unterschied, ordnet das Modell %2 % ebenso und %3 % umgekehrt (Tau %4); sein Ensemble hat Tau %5.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::MutationLog</name>
    <message>
        <source>Mutations</source>
        <translation>Mutationen</translation>
    </message>
    <message>
        <source>Mutations of the run</source>
        <translation>Mutationen des Laufs</translation>
    </message>
    <message>
        <source>Position in the log</source>
        <translation>Stelle im Protokoll</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Stay at the newest step</source>
        <translation>Beim neuesten Schritt bleiben</translation>
    </message>
    <message>
        <source>Number of steps</source>
        <translation>Zahl der Schritte</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>No mutations yet. Start an agent, open a session, or edit by hand.</source>
        <translation>Noch keine Mutationen. Einen Agenten starten, eine Sitzung öffnen oder von Hand ändern.</translation>
    </message>
    <message>
        <source>No step passes the filter.</source>
        <translation>Kein Schritt kommt durch den Filter.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>List all steps, this one among them</source>
        <translation>Alle Schritte auflisten, auch diesen</translation>
    </message>
    <message>
        <source>Step %1 is shown, but the filter leaves it out of the list</source>
        <translation>Schritt %1 wird gezeigt, aber der Filter lässt ihn in der Liste aus</translation>
    </message>
    <message>
        <source>Step %1: left out by the filter</source>
        <translation>Schritt %1: vom Filter ausgelassen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::MutationModel</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Gain (model)</source>
        <translation>Modellgewinn</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>, against the schedule the run started from</source>
        <translation>, gegen den Schedule, mit dem der Lauf begann</translation>
    </message>
    <message>
        <source>Measured gain against the original over fresh loads (F8), beside what the run itself saw</source>
        <translation>Gemessener Gewinn gegen das Original über neue Ladevorgänge (F8), neben dem, was der Lauf selbst sah</translation>
    </message>
    <message>
        <source>best: the run&apos;s best from here on; accepted: the agent went on from it; rejected: it did not; repeated: the same words as an earlier step, not evaluated again</source>
        <translation>bester: der beste des Laufs von hier an; angenommen: der Agent ging von ihm weiter; verworfen: nicht; wiederholt: dieselben Wörter wie ein früherer Schritt, nicht noch einmal bewertet</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>repeated</source>
        <translation>wiederholt</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>verworfen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::OutcomeBar</name>
    <message>
        <source>Outcomes of the candidates</source>
        <translation>Ausgänge der Kandidaten</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::OverviewRuler</name>
    <message>
        <source>Overview of the kernel</source>
        <translation>Überblick über den Kernel</translation>
    </message>
    <message>
        <source>Moved (blue), control changed (amber), problems (red), found (green, right), bookmarks (left); click to go there</source>
        <translation>Verschoben (blau), Steuercode geändert (gelb), Probleme (rot), gefunden (grün, rechts), Lesezeichen (links); ein Klick geht dorthin</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::PaletteModel</name>
    <message>
        <source>, not available: %1</source>
        <translation>, nicht verfügbar: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Pane</name>
    <message>
        <source>Schedule on the left</source>
        <translation>Schedule links</translation>
    </message>
    <message>
        <source>Schedule on the right</source>
        <translation>Schedule rechts</translation>
    </message>
    <message>
        <source>Which schedule this side shows</source>
        <translation>Welchen Schedule diese Seite zeigt</translation>
    </message>
    <message>
        <source>Facts of the schedule</source>
        <translation>Über den Schedule</translation>
    </message>
    <message>
        <source>Left listing</source>
        <translation>Linkes Listing</translation>
    </message>
    <message>
        <source>Right listing</source>
        <translation>Rechtes Listing</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Agent&apos;s best (step %1)</source>
        <translation>Bester des Agenten (Schritt %1)</translation>
    </message>
    <message>
        <source>Best, minimised: %1</source>
        <translation>Bester, minimiert: %1</translation>
    </message>
    <message>
        <source>Best, not minimised</source>
        <translation>Bester, nicht minimiert</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::PathField</name>
    <message>
        <source>Choose...</source>
        <translation>Wählen ...</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::PatternModel</name>
    <message numerus="yes">
        <source>%1
%n step(s). Enter goes through them.</source>
        <translation>
            <numerusform>%1
%n Schritt. Enter geht hindurch.</numerusform>
            <numerusform>%1
%n Schritte. Enter geht hindurch.</numerusform>
        </translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Was getan wurde</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Each, model</source>
        <translation>Je Schritt, Modell</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>Je Schritt</translation>
    </message>
    <message>
        <source>Together, model</source>
        <translation>Zusammen, Modell</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>Best one</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Carrying</source>
        <translation>Tragend</translation>
    </message>
    <message>
        <source>Opcode that moved, direction, class of what it mostly passed, control fields changed</source>
        <translation>Opcode, der verschoben wurde, Richtung, Klasse, an der er meist vorbeiging, geänderte Steuerfelder</translation>
    </message>
    <message>
        <source>Accepted steps that did this</source>
        <translation>Angenommene Schritte, die das taten</translation>
    </message>
    <message>
        <source>Mean gain of such a step against the step before it</source>
        <translation>Mittlerer Gewinn eines solchen Schritts gegen den davor</translation>
    </message>
    <message>
        <source>Sum of their gains; measured runs: with the interval of the sum</source>
        <translation>Summe ihrer Gewinne; bei gemessenen Läufen mit dem Intervall der Summe</translation>
    </message>
    <message>
        <source>Gain of the best of them</source>
        <translation>Gewinn des besten von ihnen</translation>
    </message>
    <message>
        <source>Steps with an edit that the minimised winner kept (Minimise)</source>
        <translation>Schritte mit einer Änderung, die der minimierte Sieger behielt (Minimieren)</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::PatternsPage</name>
    <message>
        <source>Learned patterns</source>
        <translation>Gelernte Muster</translation>
    </message>
    <message>
        <source>Patterns of the accepted steps</source>
        <translation>Muster der angenommenen Schritte</translation>
    </message>
    <message>
        <source>Steps of the chosen pattern</source>
        <translation>Schritte des gewählten Musters</translation>
    </message>
    <message>
        <source>No run yet. Start an agent or open a session to see what it learned.</source>
        <translation>Noch kein Lauf. Einen Agenten starten oder eine Sitzung öffnen, um zu sehen, was er lernte.</translation>
    </message>
    <message>
        <source>No accepted step so far: nothing was learned.</source>
        <translation>Bisher kein angenommener Schritt: nichts wurde gelernt.</translation>
    </message>
    <message>
        <source>Choose a pattern to see its steps.</source>
        <translation>Ein Muster wählen, um seine Schritte zu sehen.</translation>
    </message>
    <message>
        <source>and %1 more (Enter shows one after the other)</source>
        <translation>und %1 weitere (Enter zeigt einen nach dem anderen)</translation>
    </message>
    <message>
        <source>Made in step %1</source>
        <translation>Gemacht in Schritt %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Result of the check of the file by itself</source>
        <translation>Ergebnis der Prüfung der Datei für sich</translation>
    </message>
    <message>
        <source>Result of the check against the original</source>
        <translation>Ergebnis der Prüfung gegen das Original</translation>
    </message>
    <message>
        <source>Why the last edit was refused</source>
        <translation>Warum die letzte Änderung abgelehnt wurde</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früherer</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Späterer</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Open a cubin to check its schedules.</source>
        <translation>Ein Cubin öffnen, um seine Schedules zu prüfen.</translation>
    </message>
    <message>
        <source>needs %1, has %2</source>
        <translation>braucht %1, hat %2</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>... and %1 more of the same kind</source>
        <translation>... und %1 weitere dieser Art</translation>
    </message>
    <message>
        <source>... and %1 more</source>
        <translation>... und %1 weitere</translation>
    </message>
    <message>
        <source>The file as it stands: not checked yet.</source>
        <translation>Die Datei, wie sie ist: noch nicht geprüft.</translation>
    </message>
    <message>
        <source>%1 pairs checked</source>
        <translation>%1 Paare geprüft</translation>
    </message>
    <message>
        <source>%1 pairs checked, %2 covered by no table</source>
        <translation>%1 Paare geprüft, %2 in keiner Tabelle</translation>
    </message>
    <message>
        <source>The file as it stands: no finding (%1).</source>
        <translation>Die Datei, wie sie ist: kein Befund (%1).</translation>
    </message>
    <message numerus="yes">
        <source>The file as it stands: %n finding(s) (%1).</source>
        <translation>
            <numerusform>Die Datei, wie sie ist: %n Befund (%1).</numerusform>
            <numerusform>Die Datei, wie sie ist: %n Befunde (%1).</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 against the original: no problems.</source>
        <translation>%1 gegen das Original: keine Probleme.</translation>
    </message>
    <message numerus="yes">
        <source> %n note(s).</source>
        <translation>
            <numerusform> %n Hinweis.</numerusform>
            <numerusform> %n Hinweise.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 against the original: %n problem(s).</source>
        <translation>
            <numerusform>%1 gegen das Original: %n Problem.</numerusform>
            <numerusform>%1 gegen das Original: %n Probleme.</numerusform>
        </translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
    <message>
        <source>%1 against the original</source>
        <translation>%1 gegen das Original</translation>
    </message>
    <message>
        <source>The file as it stands, judged by itself</source>
        <translation>Die Datei, wie sie ist, für sich beurteilt</translation>
    </message>
    <message>
        <source>Notes: legal, if the program keeps a promise</source>
        <translation>Hinweise: zulässig, wenn das Programm etwas verspricht</translation>
    </message>
    <message>
        <source>Notes on the file as it stands</source>
        <translation>Hinweise zur Datei, wie sie ist</translation>
    </message>
    <message>
        <source>Refused: %1. %2</source>
        <translation>Abgelehnt: %1. %2</translation>
    </message>
    <message>
        <source>Preparing the check...</source>
        <translation>Die Prüfung wird vorbereitet ...</translation>
    </message>
    <message>
        <source>Not checked: %1.</source>
        <translation>Nicht geprüft: %1.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ProfileDialog</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>How the profile stands</source>
        <translation>Stand des Profils</translation>
    </message>
    <message>
        <source>The profile is being taken</source>
        <translation>Das Profil wird aufgenommen</translation>
    </message>
    <message>
        <source>Reasons to wait</source>
        <translation>Gründe zu warten</translation>
    </message>
    <message>
        <source>Lines with samples</source>
        <translation>Zeilen mit Proben</translation>
    </message>
    <message>
        <source>&amp;Profile again</source>
        <translation>Erneut &amp;profilieren</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stopp</translation>
    </message>
    <message>
        <source>%1 has the GPU; profile when it is over.</source>
        <translation>%1 hat die GPU; danach profilieren.</translation>
    </message>
    <message>
        <source>The agent has the evaluator; stop or await it.</source>
        <translation>Der Agent hat den Bewerter; ihn anhalten oder abwarten.</translation>
    </message>
    <message>
        <source>A profile</source>
        <translation>Ein Profil</translation>
    </message>
    <message>
        <source>Profiling the original and %1 with Nsight Compute ...</source>
        <translation>Original und %1 werden mit Nsight Compute profiliert ...</translation>
    </message>
    <message>
        <source>Profiling the original with Nsight Compute ...</source>
        <translation>Das Original wird mit Nsight Compute profiliert ...</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Not profiled: %1</source>
        <translation>Nicht profiliert: %1</translation>
    </message>
    <message>
        <source>Stopping ...</source>
        <translation>Wird angehalten ...</translation>
    </message>
    <message>
        <source>Reading the answer ...</source>
        <translation>Die Antwort wird gelesen ...</translation>
    </message>
    <message>
        <source>Not profiled: the program ended with %1 and no answer. %2</source>
        <translation>Nicht profiliert: das Programm endete mit %1 und ohne Antwort. %2</translation>
    </message>
    <message>
        <source>%1 samples of the original.</source>
        <translation>%1 Proben des Originals.</translation>
    </message>
    <message>
        <source>The first %1 of %2 lines.</source>
        <translation>Die ersten %1 von %2 Zeilen.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1, gemessen</translation>
    </message>
    <message>
        <source>%1, modelled</source>
        <translation>%1, modelliert</translation>
    </message>
    <message>
        <source>Of Nsight Compute</source>
        <translation>Von Nsight Compute</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Proben</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Edits there</source>
        <translation>Änderungen dort</translation>
    </message>
    <message>
        <source>%1 samples of the original, %2 of %3. ~: under three square roots of both together.</source>
        <translation>%1 Proben des Originals, %2 von %3. ~: unter drei Wurzeln aus beiden zusammen.</translation>
    </message>
    <message>
        <source>Nsight Compute (ncu) is not on PATH. Install it and start CubinLab again, or read a profile of another machine with File &gt; Import profile.</source>
        <translation>Nsight Compute (ncu) ist nicht im PATH. Installieren Sie es und starten Sie CubinLab neu, oder lesen Sie mit Datei &gt; Profil importieren ein Profil von einer anderen Maschine.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Recovery</name>
    <message numerus="yes">
        <source>%n hand edit(s)</source>
        <translation>
            <numerusform>%n Änderung von Hand</numerusform>
            <numerusform>%n Änderungen von Hand</numerusform>
        </translation>
    </message>
    <message>
        <source>Edits logged after the last autosave</source>
        <translation>Änderungen, die nach dem letzten Sichern protokolliert wurden</translation>
    </message>
    <message>
        <source> with %1</source>
        <translation> mit %1</translation>
    </message>
    <message>
        <source>, an agent was running</source>
        <translation>, ein Agent lief</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message numerus="yes">
        <source>%n more window(s)</source>
        <translation>
            <numerusform>%n weiteres Fenster</numerusform>
            <numerusform>%n weitere Fenster</numerusform>
        </translation>
    </message>
    <message>
        <source>The program ended unexpectedly</source>
        <translation>Das Programm endete unerwartet</translation>
    </message>
    <message>
        <source>It had open: %1. Nothing logged is lost.</source>
        <translation>Offen war: %1. Nichts Protokolliertes ist verloren.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>%1, each proven again.</source>
        <translation>%1, jede noch einmal bewiesen.</translation>
    </message>
    <message>
        <source>No hand edits.</source>
        <translation>Keine Änderungen von Hand.</translation>
    </message>
    <message>
        <source> Later edits were left out: %1.</source>
        <translation> Spätere Änderungen wurden ausgelassen: %1.</translation>
    </message>
    <message>
        <source> The agent&apos;s run is in the log; Agent &gt; Continue run goes on with it.</source>
        <translation> Der Lauf des Agenten steht im Protokoll; Agent &gt; Lauf fortsetzen macht damit weiter.</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>Wiederhergestellt</translation>
    </message>
    <message>
        <source>Not restored</source>
        <translation>Nicht wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ReplayPanel</name>
    <message>
        <source>Replay</source>
        <translation>Replay</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Learned patterns</source>
        <translation>Gelernte Muster</translation>
    </message>
    <message>
        <source>Pages of the replay</source>
        <translation>Seiten des Replays</translation>
    </message>
    <message>
        <source>Minimise</source>
        <translation>Minimieren</translation>
    </message>
    <message>
        <source>Find the few edits that carry the winner&apos;s gain</source>
        <translation>Die wenigen Änderungen finden, die den Gewinn des Siegers tragen</translation>
    </message>
    <message>
        <source>What carries the gain</source>
        <translation>Was den Gewinn trägt</translation>
    </message>
    <message>
        <source>What this step did</source>
        <translation>Was dieser Schritt tat</translation>
    </message>
    <message>
        <source>Note on this step, kept in the session</source>
        <translation>Notiz zu diesem Schritt, in der Sitzung aufbewahrt</translation>
    </message>
    <message>
        <source>Note on this step</source>
        <translation>Notiz zu diesem Schritt</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>Notiz anfügen</translation>
    </message>
    <message>
        <source>Write the note into the session file</source>
        <translation>Die Notiz in die Sitzungsdatei schreiben</translation>
    </message>
    <message>
        <source>No run yet. Start an agent or open a session to see what it learned.</source>
        <translation>Noch kein Lauf. Einen Agenten starten oder eine Sitzung öffnen, um zu sehen, was er lernte.</translation>
    </message>
    <message>
        <source>No step is shown. Click in the timeline, in a chart or in the log, or press Play.</source>
        <translation>Kein Schritt wird gezeigt. In die Zeitleiste, ein Diagramm oder das Protokoll klicken oder abspielen.</translation>
    </message>
    <message>
        <source>The start of the run: nothing was done yet.</source>
        <translation>Der Anfang des Laufs: noch wurde nichts getan.</translation>
    </message>
    <message>
        <source>Step %1 cannot be told: %2</source>
        <translation>Schritt %1 kann nicht erzählt werden: %2</translation>
    </message>
    <message>
        <source>The note could not be kept: %1</source>
        <translation>Die Notiz konnte nicht aufbewahrt werden: %1</translation>
    </message>
    <message>
        <source>Minimising...</source>
        <translation>Wird minimiert ...</translation>
    </message>
    <message>
        <source>Dropping edits while the gain stays</source>
        <translation>Änderungen fallen weg, solange der Gewinn bleibt</translation>
    </message>
    <message>
        <source>%1 of %2 edits carry %3 of %4</source>
        <translation>%1 von %2 Änderungen tragen %3 von %4</translation>
    </message>
    <message>
        <source>Modelled: %1 of %2 edits carry %3 of %4</source>
        <translation>Modelliert: %1 von %2 Änderungen tragen %3 von %4</translation>
    </message>
    <message numerus="yes">
        <source>Made by %n step(s) of the winner&apos;s line, marked with a star</source>
        <translation>
            <numerusform>Gemacht von %n Schritt der Linie des Siegers, mit einem Stern markiert</numerusform>
            <numerusform>Gemacht von %n Schritten der Linie des Siegers, mit einem Stern markiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the accepted steps...</source>
        <translation>Die angenommenen Schritte werden gelesen ...</translation>
    </message>
    <message>
        <source>The steps cannot be read: %1</source>
        <translation>Die Schritte können nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>No run yet. Start an agent or open a session to go through its steps.</source>
        <translation>Noch kein Lauf. Einen Agenten starten oder eine Sitzung öffnen, um seine Schritte durchzugehen.</translation>
    </message>
    <message>
        <source>%1 of %2 edits: %3</source>
        <translation>%1 von %2 Änderungen: %3</translation>
    </message>
    <message>
        <source>%1 of %2 edits: %3 modelled</source>
        <translation>%1 von %2 Änderungen: %3 modelliert</translation>
    </message>
    <message>
        <source>%1 of %2 edits</source>
        <translation>%1 von %2 Änderungen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ReplayTimeline</name>
    <message>
        <source>Step of the run</source>
        <translation>Schritt des Laufs</translation>
    </message>
    <message>
        <source>start of the run</source>
        <translation>Anfang des Laufs</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>
%1 steps here: %2 accepted, %3 improvements, %4 failed</source>
        <translation>
%1 Schritte hier: %2 angenommen, %3 Verbesserungen, %4 fehlgeschlagen</translation>
    </message>
    <message>
        <source>
carries gain of the winner</source>
        <translation>
trägt Gewinn des Siegers</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::RewardChart</name>
    <message>
        <source>Reward and speed-up curves</source>
        <translation>Kurven von Belohnung und Beschleunigung</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>no figure</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>measured against the original %1 %2 %3</source>
        <translation>gegen das Original gemessen %1 %2 %3</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>gemessen: %1</translation>
    </message>
    <message>
        <source>best so far %1</source>
        <translation>bester bisher %1</translation>
    </message>
    <message>
        <source>reward %1</source>
        <translation>Belohnung %1</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>geglättet %1</translation>
    </message>
    <message>
        <source>compared: run %1 %2</source>
        <translation>verglichen: Lauf %1 %2</translation>
    </message>
    <message>
        <source> (other evaluator, gain not shown)</source>
        <translation> (anderer Bewerter, Gewinn nicht gezeigt)</translation>
    </message>
    <message>
        <source>Curves over steps</source>
        <translation>Kurven über den Schritten</translation>
    </message>
    <message>
        <source>No run yet. Start an agent or open a session to see its curves.</source>
        <translation>Noch kein Lauf. Einen Agenten starten oder eine Sitzung öffnen, um seine Kurven zu sehen.</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Measured gain, %</source>
        <translation>Gemessener Gewinn, %</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>The run is being prepared...</source>
        <translation>Der Lauf wird vorbereitet ...</translation>
    </message>
    <message>
        <source>This run has no step yet.</source>
        <translation>Dieser Lauf hat noch keinen Schritt.</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Gain of each candidate, and the best so far</source>
        <translation>Gewinn jedes Kandidaten und der beste bisher</translation>
    </message>
    <message>
        <source>Steps that were measured again (F8), against the original</source>
        <translation>Schritte, die noch einmal gemessen wurden (F8), gegen das Original</translation>
    </message>
    <message>
        <source>Reward of each step, raw and smoothed</source>
        <translation>Belohnung jedes Schritts, roh und geglättet</translation>
    </message>
    <message>
        <source>Episode return and the agent&apos;s own metrics</source>
        <translation>Ertrag der Episode und die eigenen Größen des Agenten</translation>
    </message>
    <message>
        <source>Agent metric to show</source>
        <translation>Gezeigte Größe des Agenten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Keep this run&apos;s curves when another run is shown</source>
        <translation>Die Kurven dieses Laufs behalten, wenn ein anderer gezeigt wird</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Show all steps and follow new ones (F)</source>
        <translation>Alle Schritte zeigen und neuen folgen (F)</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Steps on a logarithmic axis</source>
        <translation>Schritte auf einer logarithmischen Achse</translation>
    </message>
    <message>
        <source>Values under the cursor</source>
        <translation>Werte unter dem Zeiger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Smoothing, comparing, axis and export of the curves</source>
        <translation>Glätten, Vergleichen, Achse und Export der Kurven</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Exponential mean over all steps; 0 shows the raw values only</source>
        <translation>Exponentielles Mittel über alle Schritte; 0 zeigt nur die rohen Werte</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Save the values as CSV, the picture as SVG or PNG</source>
        <translation>Die Werte als CSV, das Bild als SVG oder PNG speichern</translation>
    </message>
    <message>
        <source>%1 file...</source>
        <translation>%1-Datei ...</translation>
    </message>
    <message>
        <source>Export curves</source>
        <translation>Kurven exportieren</translation>
    </message>
    <message>
        <source>%1 could not be written. Choose a folder you may write to.</source>
        <translation>%1 konnte nicht geschrieben werden. Einen Ordner mit Schreibrecht wählen.</translation>
    </message>
    <message>
        <source>There is no run to export: start an agent or open a session first.</source>
        <translation>Es gibt keinen Lauf zu exportieren: zuerst einen Agenten starten oder eine Sitzung öffnen.</translation>
    </message>
    <message>
        <source>Curve of the agent</source>
        <translation>Kurve des Agenten</translation>
    </message>
    <message>
        <source>measured gain</source>
        <translation>gemessener Gewinn</translation>
    </message>
    <message>
        <source>modelled gain</source>
        <translation>modellierter Gewinn</translation>
    </message>
    <message>
        <source>measured again %1</source>
        <translation>nachgemessen %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Ribbons</name>
    <message>
        <source>Moves from the left to the right listing</source>
        <translation>Verschiebungen vom linken zum rechten Listing</translation>
    </message>
    <message>
        <source>Where each moved instruction went; click a curve to select it</source>
        <translation>Wohin jeder verschobene Befehl ging; ein Klick auf eine Kurve wählt ihn aus</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::RunChooser</name>
    <message>
        <source>Run of the session</source>
        <translation>Lauf der Sitzung</translation>
    </message>
    <message>
        <source>Runs of the session: the chosen one is in the charts and the log</source>
        <translation>Läufe der Sitzung: Der gewählte steht in den Diagrammen und im Protokoll</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>started %1, seed %2, on the %3</source>
        <translation>begonnen %1, Seed %2, auf: %3</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>no run</source>
        <translation>kein Lauf</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::RunController</name>
    <message>
        <source>Idle</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
    <message>
        <source>%1 has the GPU; an agent beside it would spoil both figures. Wait until it is over, stop it, or choose the model as evaluator</source>
        <translation>%1 hat die GPU; ein Agent daneben würde beide Zahlen verderben. Warten, bis es vorbei ist, es anhalten oder das Modell als Bewerter wählen</translation>
    </message>
    <message>
        <source>No earlier schedule of this kernel was found: the race begins from the original</source>
        <translation>Kein früherer Schedule dieses Kernels gefunden: Das Rennen beginnt vom Original</translation>
    </message>
    <message>
        <source>The race begins from the original and 1 earlier schedule</source>
        <translation>Das Rennen beginnt vom Original und 1 früheren Schedule</translation>
    </message>
    <message>
        <source>The race begins from the original and %1 earlier schedules</source>
        <translation>Das Rennen beginnt vom Original und %1 früheren Schedules</translation>
    </message>
    <message>
        <source>; left out: %1</source>
        <translation>; ausgelassen: %1</translation>
    </message>
    <message>
        <source>From here on all is logged in %1</source>
        <translation>Von hier an wird alles in %1 protokolliert</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::RunStrip</name>
    <message>
        <source>State of the run</source>
        <translation>Zustand des Laufs</translation>
    </message>
    <message>
        <source>Part of the budget used</source>
        <translation>Verbrauchter Teil des Budgets</translation>
    </message>
    <message>
        <source>Budget and time left</source>
        <translation>Budget und verbleibende Zeit</translation>
    </message>
    <message>
        <source>What the agent does</source>
        <translation>Was der Agent tut</translation>
    </message>
    <message>
        <source>Outcomes</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>Evaluator and its calibration</source>
        <translation>Bewerter und seine Kalibrierung</translation>
    </message>
    <message>
        <source>State of the GPU</source>
        <translation>Zustand der GPU</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM-Takt</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Kein Lauf</translation>
    </message>
    <message>
        <source>%1 % of the budget</source>
        <translation>%1 % des Budgets</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>No evaluator yet</source>
        <translation>Noch kein Bewerter</translation>
    </message>
    <message>
        <source>%1: modelled cycles, unmeasured; nothing to calibrate</source>
        <translation>%1: modellierte Takte, ungemessen; nichts zu kalibrieren</translation>
    </message>
    <message>
        <source>%1: unmeasured</source>
        <translation>%1: ungemessen</translation>
    </message>
    <message>
        <source>finds gains from %1</source>
        <translation>findet Gewinne ab %1</translation>
    </message>
    <message>
        <source>original against itself ±%1 %</source>
        <translation>Original gegen sich selbst ±%1 %</translation>
    </message>
    <message>
        <source>timer step %1 us</source>
        <translation>Zeitschritt %1 us</translation>
    </message>
    <message>
        <source>%1
%2
%3
Smallest effect a promoted comparison finds: %4</source>
        <translation>%1
%2
%3
Kleinste Wirkung, die ein vertiefter Vergleich findet: %4</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>ok, not kept</source>
        <translation>ok, nicht behalten</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>No candidate yet</source>
        <translation>Noch kein Kandidat</translation>
    </message>
    <message>
        <source>%1 accepted of %2</source>
        <translation>%1 von %2 angenommen</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 seen before</source>
        <translation>%1 schon gesehen</translation>
    </message>
    <message>
        <source>GPU clock, temperature and power: no reading</source>
        <translation>Takt, Temperatur und Leistung der GPU: kein Wert</translation>
    </message>
    <message>
        <source>slowed down in %1 blocks</source>
        <translation>in %1 Blöcken gebremst</translation>
    </message>
    <message>
        <source>not throttled</source>
        <translation>nicht gebremst</translation>
    </message>
    <message>
        <source>Run %1, %2</source>
        <translation>Lauf %1, %2</translation>
    </message>
    <message>
        <source>, took %1</source>
        <translation>, dauerte %1</translation>
    </message>
    <message>
        <source>No run: %1</source>
        <translation>Kein Lauf: %1</translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation>Eine GPU wird gesucht</translation>
    </message>
    <message>
        <source>GPU found: %1</source>
        <translation>GPU gefunden: %1</translation>
    </message>
    <message>
        <source>No GPU: the model evaluates, nothing is measured</source>
        <translation>Keine GPU: das Modell bewertet, nichts wird gemessen</translation>
    </message>
    <message>
        <source>Reading %1 steps</source>
        <translation>%1 Schritte werden gelesen</translation>
    </message>
    <message>
        <source>a new best once</source>
        <translation>einmal ein neuer Bester</translation>
    </message>
    <message>
        <source>a new best %1 times</source>
        <translation>%1-mal ein neuer Bester</translation>
    </message>
    <message>
        <source>none better than the start</source>
        <translation>keiner besser als der Start</translation>
    </message>
    <message>
        <source>No GPU: the model evaluates</source>
        <translation>Keine GPU: das Modell bewertet</translation>
    </message>
    <message>
        <source>, goes on elsewhere</source>
        <translation>, läuft anderswo weiter</translation>
    </message>
    <message>
        <source>, %1 so far</source>
        <translation>, bisher %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ScheduleActions</name>
    <message>
        <source>%1, %2 [%3, %4], %5 us against %6 us on %7; %8 fresh loads of each, outputs %9 on %10 input sets</source>
        <translation>%1, %2 [%3, %4], %5 us gegen %6 us auf %7; je %8 neue Ladevorgänge, Ausgaben %9 auf %10 Eingabesätzen</translation>
    </message>
    <message>
        <source>bitwise equal</source>
        <translation>Bit für Bit gleich</translation>
    </message>
    <message>
        <source>DIFFERENT</source>
        <translation>VERSCHIEDEN</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>CUDA cubins (*.cubin);;All files (*)</source>
        <translation>CUDA-Cubins (*.cubin);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>Nicht exportiert</translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation>%1 exportiert</translation>
    </message>
    <message>
        <source>%1 instructions moved, %2 control codes changed; read back and proven legal. Stamp: %3</source>
        <translation>%1 Befehle verschoben, %2 Steuercodes geändert; zurückgelesen und als zulässig bewiesen. Stempel: %3</translation>
    </message>
    <message>
        <source>Nothing to measure</source>
        <translation>Nichts zu messen</translation>
    </message>
    <message>
        <source>%1 is the original schedule.</source>
        <translation>%1 ist der ursprüngliche Schedule.</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Einen Moment</translation>
    </message>
    <message>
        <source>%1 has the GPU; measure when it is over.</source>
        <translation>%1 hat die GPU; danach messen.</translation>
    </message>
    <message>
        <source>Still looking for a GPU.</source>
        <translation>Eine GPU wird noch gesucht.</translation>
    </message>
    <message>
        <source>no usable GPU: %1</source>
        <translation>keine brauchbare GPU: %1</translation>
    </message>
    <message>
        <source>%1 cannot run %2 code</source>
        <translation>%1 kann keinen %2-Code ausführen</translation>
    </message>
    <message>
        <source>there is no workload file beside the cubin</source>
        <translation>neben dem Cubin liegt keine Workload-Datei</translation>
    </message>
    <message>
        <source>A measurement</source>
        <translation>Eine Messung</translation>
    </message>
    <message>
        <source>Measuring %1</source>
        <translation>%1 wird gemessen</translation>
    </message>
    <message>
        <source>against the original, %1 fresh loads of each, in fresh processes.</source>
        <translation>gegen das Original, je %1 neue Ladevorgänge, in neuen Prozessen.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>%1 against the original</source>
        <translation>%1 gegen das Original</translation>
    </message>
    <message>
        <source>%1 of %2 against its original</source>
        <translation>%1 von %2 gegen das Original</translation>
    </message>
    <message>
        <source>Modelled, unmeasured</source>
        <translation>Modelliert, ungemessen</translation>
    </message>
    <message>
        <source>%1 takes %2 modelled cycles, %3 of the original&apos;s speed in the model. Not measured: %4.</source>
        <translation>%1 braucht %2 modellierte Takte, im Modell das %3-Fache der Geschwindigkeit des Originals. Nicht gemessen: %4.</translation>
    </message>
    <message>
        <source>Measuring the best once more</source>
        <translation>Der beste wird noch einmal gemessen</translation>
    </message>
    <message>
        <source>against the original, in %1 fresh processes: the run&apos;s own figure comes from the one that searched.</source>
        <translation>gegen das Original, in %1 neuen Prozessen: Die Zahl des Laufs selbst kommt aus dem, der gesucht hat.</translation>
    </message>
    <message>
        <source>The best of the run in fresh processes</source>
        <translation>Der beste des Laufs in neuen Prozessen</translation>
    </message>
    <message>
        <source>The best of the run of %1 in fresh processes</source>
        <translation>Der beste des Laufs von %1 in neuen Prozessen</translation>
    </message>
    <message>
        <source>Show the best</source>
        <translation>Den besten zeigen</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren ...</translation>
    </message>
    <message>
        <source>%1, %2 [%3, %4], the mean of %5 shapes on %6; %7 fresh loads of each, outputs %8 on %9 input sets</source>
        <translation>%1, %2 [%3, %4], Mittel aus %5 Formen auf %6; je %7 neue Ladevorgänge, Ausgaben %8 auf %9 Eingabesätzen</translation>
    </message>
    <message>
        <source>%1: %2, %3 [%4, %5], %6 us against %7 us</source>
        <translation>%1: %2, %3 [%4, %5], %6 us gegen %7 us</translation>
    </message>
    <message numerus="yes">
        <source>and %n more shape(s), which gain no less</source>
        <translation>
            <numerusform>und %n weitere Form, die nicht weniger gewinnt</numerusform>
            <numerusform>und %n weitere Formen, die nicht weniger gewinnen</numerusform>
        </translation>
    </message>
    <message>
        <source>In each of the workload&apos;s %1 shapes.</source>
        <translation>In jeder der %1 Formen des Workloads.</translation>
    </message>
    <message>
        <source>Cold cache: %1</source>
        <translation>Kalter Cache: %1</translation>
    </message>
    <message>
        <source>Hot cache: %1</source>
        <translation>Heißer Cache: %1</translation>
    </message>
    <message>
        <source>%1: no figure over all %2 shapes</source>
        <translation>%1: kein Wert über alle %2 Formen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SessionBrowser</name>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Sessions of the folder</source>
        <translation>Sitzungen des Ordners</translation>
    </message>
    <message>
        <source>Find a kernel, agent or file</source>
        <translation>Kernel, Agenten oder Datei suchen</translation>
    </message>
    <message>
        <source>Folder of sessions</source>
        <translation>Ordner der Sitzungen</translation>
    </message>
    <message>
        <source>Folder...</source>
        <translation>Ordner ...</translation>
    </message>
    <message>
        <source>About the sessions</source>
        <translation>Über die Sitzungen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open the session in this window</source>
        <translation>Die Sitzung in diesem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open in new window</source>
        <translation>In neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open the session beside what is open</source>
        <translation>Die Sitzung neben dem öffnen, was offen ist</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>Datei zeigen</translation>
    </message>
    <message>
        <source>Show the folder of the file</source>
        <translation>Den Ordner der Datei zeigen</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>Löschen ...</translation>
    </message>
    <message>
        <source>Delete the session&apos;s files after asking</source>
        <translation>Die Dateien der Sitzung nach einer Frage löschen</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Read the folder again</source>
        <translation>Den Ordner noch einmal lesen</translation>
    </message>
    <message>
        <source>Reading the folder ...</source>
        <translation>Der Ordner wird gelesen ...</translation>
    </message>
    <message>
        <source>There are no sessions yet. A session begins with the first hand edit or the first run of an agent, and is kept here.</source>
        <translation>Noch gibt es keine Sitzungen. Eine Sitzung beginnt mit der ersten Änderung von Hand oder dem ersten Lauf eines Agenten und wird hier aufbewahrt.</translation>
    </message>
    <message>
        <source>There is no session in this folder.</source>
        <translation>In diesem Ordner ist keine Sitzung.</translation>
    </message>
    <message>
        <source>Delete the session?</source>
        <translation>Die Sitzung löschen?</translation>
    </message>
    <message>
        <source>%1
%2, %3 steps, %4

The log, its measurements and notes go to the trash. Exported cubins stay.</source>
        <translation>%1
%2, %3 Schritte, %4

Das Protokoll, seine Messungen und Notizen kommen in den Papierkorb. Exportierte Cubins bleiben.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>It is being written now; nothing was deleted.</source>
        <translation>Sie wird gerade geschrieben; nichts wurde gelöscht.</translation>
    </message>
    <message>
        <source>%1 cannot be moved to the trash; it is still there.</source>
        <translation>%1 kann nicht in den Papierkorb verschoben werden und ist noch da.</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s).</source>
        <translation>
            <numerusform>%n Sitzung.</numerusform>
            <numerusform>%n Sitzungen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SessionModel</name>
    <message>
        <source> (locks)</source>
        <translation> (Sperren)</translation>
    </message>
    <message>
        <source>run %1: %2, %3 steps</source>
        <translation>Lauf %1: %2, %3 Schritte</translation>
    </message>
    <message>
        <source>, from run %1, step %2</source>
        <translation>, ab Lauf %1, Schritt %2</translation>
    </message>
    <message numerus="yes">
        <source>, %n instruction(s) locked or out of scope</source>
        <translation>
            <numerusform>, %n Befehl gesperrt oder außerhalb des Bereichs</numerusform>
            <numerusform>, %n Befehle gesperrt oder außerhalb des Bereichs</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing better</source>
        <translation>nichts Besseres</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>interrupted: can go on</source>
        <translation>unterbrochen: kann weitergehen</translation>
    </message>
    <message>
        <source>open in process %1</source>
        <translation>offen in Prozess %1</translation>
    </message>
    <message>
        <source>open in a program</source>
        <translation>offen in einem Programm</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>unlesbar</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>complete, read-only</source>
        <translation>vollständig, nur lesbar</translation>
    </message>
    <message>
        <source>hand edits, interrupted</source>
        <translation>Handarbeit, unterbrochen</translation>
    </message>
    <message>
        <source>interrupted, read-only</source>
        <translation>unterbrochen, nur lesbar</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>went wrong when measured again</source>
        <translation>ging beim Nachmessen falsch</translation>
    </message>
    <message>
        <source>%1 measured again</source>
        <translation>%1 nachgemessen</translation>
    </message>
    <message>
        <source>%1 [%2, %3] over %4 fresh loads against the original; the run itself had said %5</source>
        <translation>%1 [%2, %3] gegen das Original, je %4 neue Ladevorgänge; der Lauf selbst nannte %5</translation>
    </message>
    <message>
        <source>%1 measured again, a shape SLOWER</source>
        <translation>%1 nachgemessen, eine Form SLOWER</translation>
    </message>
    <message>
        <source>%1 UNCLEAR, not measured again in full</source>
        <translation>%1 UNCLEAR, nicht vollständig nachgemessen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Topics of the settings</source>
        <translation>Themen der Einstellungen</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Colours and text sizes, at once in all windows.</source>
        <translation>Farben und Schriftgrößen, sofort in allen Fenstern.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>What the program found on this machine. Everything else works without them.</source>
        <translation>Was das Programm auf dieser Maschine gefunden hat. Alles andere geht auch ohne.</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Where schedules are measured. A worker process owns the GPU; this program never loads the driver.</source>
        <translation>Wo Schedules gemessen werden. Ein Worker-Prozess besitzt die GPU; dieses Programm lädt den Treiber nie.</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>What the agent bar of a new window starts with.</source>
        <translation>Womit die Agentenleiste eines neuen Fensters beginnt.</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Sessions, autosave, recent files.</source>
        <translation>Sitzungen, automatisches Sichern, letzte Dateien.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Every command can have a key of your own.</source>
        <translation>Jeder Befehl kann eine eigene Taste haben.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Shell</name>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>Open a further window, for another kernel or session</source>
        <translation>Ein weiteres Fenster öffnen, für einen anderen Kernel oder eine andere Sitzung</translation>
    </message>
    <message>
        <source>&amp;Sessions...</source>
        <translation>&amp;Sitzungen ...</translation>
    </message>
    <message>
        <source>Look through the sessions: open, continue, delete</source>
        <translation>Die Sitzungen durchsehen: öffnen, fortsetzen, löschen</translation>
    </message>
    <message>
        <source>Restore after a &amp;crash</source>
        <translation>Nach einem A&amp;bsturz wiederherstellen</translation>
    </message>
    <message>
        <source>Bring back what was open when the program was killed</source>
        <translation>Zurückholen, was offen war, als das Programm getötet wurde</translation>
    </message>
    <message>
        <source>No window was lost.</source>
        <translation>Kein Fenster ging verloren.</translation>
    </message>
    <message>
        <source>&amp;Settings...</source>
        <translation>&amp;Einstellungen ...</translation>
    </message>
    <message>
        <source>Colours, text sizes, tools, GPU workers, keys</source>
        <translation>Farben, Schriftgrößen, Werkzeuge, Worker der GPU, Tasten</translation>
    </message>
    <message>
        <source>There is only this window (Ctrl+N opens another).</source>
        <translation>Es gibt nur dieses Fenster (Strg+N öffnet ein weiteres).</translation>
    </message>
    <message>
        <source>Next &amp;window</source>
        <translation>Nächstes Fens&amp;ter</translation>
    </message>
    <message>
        <source>Go to the next window of this program</source>
        <translation>Zum nächsten Fenster dieses Programms gehen</translation>
    </message>
    <message>
        <source>Pre&amp;vious window</source>
        <translation>Vori&amp;ges Fenster</translation>
    </message>
    <message>
        <source>Go to the window before this one</source>
        <translation>Zum Fenster davor gehen</translation>
    </message>
    <message>
        <source>There is no logged run yet: run an agent or edit by hand.</source>
        <translation>Es gibt noch keinen protokollierten Lauf: einen Agenten laufen lassen oder von Hand ändern.</translation>
    </message>
    <message>
        <source>&amp;Listing as text...</source>
        <translation>&amp;Listing als Text ...</translation>
    </message>
    <message>
        <source>Write the schedule on the right as text</source>
        <translation>Den Schedule rechts als Text schreiben</translation>
    </message>
    <message>
        <source>&amp;Differences as text...</source>
        <translation>&amp;Unterschiede als Text ...</translation>
    </message>
    <message>
        <source>Write what turns the schedule on the left into the one on the right</source>
        <translation>Schreiben, was den Schedule links zu dem rechts macht</translation>
    </message>
    <message>
        <source>Log of &amp;mutations as CSV...</source>
        <translation>Protokoll der &amp;Mutationen als CSV ...</translation>
    </message>
    <message>
        <source>Write every step of the shown run as a table</source>
        <translation>Jeden Schritt des gezeigten Laufs als Tabelle schreiben</translation>
    </message>
    <message>
        <source>&amp;Report as HTML...</source>
        <translation>&amp;Bericht als HTML ...</translation>
    </message>
    <message>
        <source>Write one HTML file that tells the shown run to people without this program</source>
        <translation>Eine HTML-Datei schreiben, die den gezeigten Lauf ohne dieses Programm erzählt</translation>
    </message>
    <message>
        <source>An agent is running; stop it first (Shift+F5).</source>
        <translation>Ein Agent läuft; ihn zuerst anhalten (Umschalt+F5).</translation>
    </message>
    <message>
        <source>The session has no run of an agent that could go on.</source>
        <translation>Die Sitzung hat keinen Lauf eines Agenten, der weitergehen könnte.</translation>
    </message>
    <message>
        <source>&amp;Continue run</source>
        <translation>&amp;Lauf fortsetzen</translation>
    </message>
    <message>
        <source>Go on with a stopped or killed run for a further budget</source>
        <translation>Einen angehaltenen oder abgebrochenen Lauf mit weiterem Budget fortsetzen</translation>
    </message>
    <message>
        <source>Run %1 keeps its own locks</source>
        <translation>Lauf %1 behält seine eigenen Sperren</translation>
    </message>
    <message>
        <source>It was started with %1 of %2 instructions open to the agent and goes on with these. The locks and the scope that are set now hold for new runs.</source>
        <translation>Er begann mit %1 von %2 Befehlen offen für den Agenten und geht damit weiter. Die jetzt gesetzten Sperren und der Bereich gelten für neue Läufe.</translation>
    </message>
    <message>
        <source>Text: interface %1, listings %2 points</source>
        <translation>Schrift: Oberfläche %1, Listings %2 Punkt</translation>
    </message>
    <message>
        <source>&amp;Command palette...</source>
        <translation>&amp;Befehlspalette ...</translation>
    </message>
    <message>
        <source>Find and do any command by name</source>
        <translation>Jeden Befehl nach seinem Namen finden und ausführen</translation>
    </message>
    <message>
        <source>Next &amp;pane</source>
        <translation>Nächster &amp;Bereich</translation>
    </message>
    <message>
        <source>Give the keyboard to the next pane</source>
        <translation>Die Tastatur dem nächsten Bereich geben</translation>
    </message>
    <message>
        <source>Previous p&amp;ane</source>
        <translation>Voriger B&amp;ereich</translation>
    </message>
    <message>
        <source>Give the keyboard to the pane before</source>
        <translation>Die Tastatur dem Bereich davor geben</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>&amp;Größere Schrift</translation>
    </message>
    <message>
        <source>Larger text everywhere</source>
        <translation>Überall größere Schrift</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>&amp;Kleinere Schrift</translation>
    </message>
    <message>
        <source>Smaller text everywhere</source>
        <translation>Überall kleinere Schrift</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>&amp;Normale Schriftgröße</translation>
    </message>
    <message>
        <source>Text sizes as at first</source>
        <translation>Schriftgrößen wie am Anfang</translation>
    </message>
    <message>
        <source>Arrange the docks for this work</source>
        <translation>Die Docks für diese Arbeit anordnen</translation>
    </message>
    <message>
        <source>&amp;Save as...</source>
        <translation>&amp;Speichern als ...</translation>
    </message>
    <message>
        <source>Keep this arrangement of the docks under a name</source>
        <translation>Diese Anordnung der Docks unter einem Namen behalten</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Bring this dock to the front and give it the keyboard</source>
        <translation>Dieses Dock nach vorn holen und ihm die Tastatur geben</translation>
    </message>
    <message>
        <source>Two-minute &amp;tour</source>
        <translation>&amp;Tour in zwei Minuten</translation>
    </message>
    <message>
        <source>A guided walk through the main job</source>
        <translation>Ein geführter Gang durch die Hauptaufgabe</translation>
    </message>
    <message>
        <source>&amp;Keys...</source>
        <translation>&amp;Tasten ...</translation>
    </message>
    <message>
        <source>All keys, and how to change them</source>
        <translation>Alle Tasten, und wie man sie ändert</translation>
    </message>
    <message>
        <source>Looking for a GPU ...</source>
        <translation>Eine GPU wird gesucht ...</translation>
    </message>
    <message>
        <source>Measures on %1.</source>
        <translation>Misst auf %1.</translation>
    </message>
    <message>
        <source>No GPU found: agents run on the model, nothing is called measured.</source>
        <translation>Keine GPU gefunden: Agenten laufen auf dem Modell, nichts wird gemessen genannt.</translation>
    </message>
    <message>
        <source>Closing</source>
        <translation>Wird geschlossen</translation>
    </message>
    <message>
        <source>One evaluation is still under way; the window closes when it is logged. Closing again does not wait.</source>
        <translation>Eine Bewertung läuft noch; das Fenster schließt, wenn sie protokolliert ist. Nochmaliges Schließen wartet nicht.</translation>
    </message>
    <message>
        <source>Keep the window open</source>
        <translation>Das Fenster offen lassen</translation>
    </message>
    <message>
        <source>Compiling %1 for %2 ...</source>
        <translation>%1 wird für %2 übersetzt ...</translation>
    </message>
    <message>
        <source>Campaign over a fol&amp;der...</source>
        <translation>Kampagne über einen Or&amp;dner...</translation>
    </message>
    <message>
        <source>Tune all captured kernels of a folder by their share of the program&apos;s time</source>
        <translation>Optimiert alle entnommenen Kernel eines Ordners nach ihrem Anteil an der Zeit des Programms</translation>
    </message>
    <message>
        <source>What &amp;sessions learned...</source>
        <translation>Was &amp;Sitzungen lehrten...</translation>
    </message>
    <message>
        <source>What kinds of edits were worth in all sessions, and where this kernel has such places</source>
        <translation>Was Arten von Änderungen in allen Sitzungen wert waren und wo dieser Kernel solche Stellen hat</translation>
    </message>
    <message>
        <source>There is no workload file beside the cubin.</source>
        <translation>Neben dem Cubin liegt keine Workload-Datei.</translation>
    </message>
    <message>
        <source>The agent has the evaluator; stop or await it.</source>
        <translation>Der Agent hat den Bewerter; ihn anhalten oder abwarten.</translation>
    </message>
    <message>
        <source>%1 has the GPU.</source>
        <translation>%1 hat die GPU.</translation>
    </message>
    <message>
        <source>Pro&amp;file with Nsight Compute...</source>
        <translation>Pro&amp;filieren mit Nsight Compute...</translation>
    </message>
    <message>
        <source>Where the warps wait, in the original and in the schedule on the right</source>
        <translation>Wo die Warps warten, im Original und im Schedule rechts</translation>
    </message>
    <message>
        <source>Not compiled</source>
        <translation>Nicht übersetzt</translation>
    </message>
    <message>
        <source>Compile again</source>
        <translation>Erneut übersetzen</translation>
    </message>
    <message>
        <source>Open the source</source>
        <translation>Quelltext öffnen</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ShortcutModel</name>
    <message>
        <source>also: %1</source>
        <translation>auch: %1</translation>
    </message>
    <message>
        <source>  (changed)</source>
        <translation>  (geändert)</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>Konflikt</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ShortcutPage</name>
    <message>
        <source>Find a command or a key</source>
        <translation>Einen Befehl oder eine Taste suchen</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
        <source>Columns of the commands</source>
        <translation>Spalten der Befehle</translation>
    </message>
    <message>
        <source>New key of the chosen command</source>
        <translation>Neue Taste des gewählten Befehls</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>Keine Taste</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Reset all keys</source>
        <translation>Alle Tasten zurücksetzen</translation>
    </message>
    <message>
        <source>Take the key from there</source>
        <translation>Die Taste dort wegnehmen</translation>
    </message>
    <message>
        <source>What became of the key</source>
        <translation>Was aus der Taste wurde</translation>
    </message>
    <message>
        <source>New key:</source>
        <translation>Neue Taste:</translation>
    </message>
    <message>
        <source>All commands have the keys they ship with.</source>
        <translation>Alle Befehle haben ihre ursprünglichen Tasten.</translation>
    </message>
    <message>
        <source>No command is called &quot;%1&quot;.</source>
        <translation>Kein Befehl heißt „%1“.</translation>
    </message>
    <message>
        <source>Click into the field and press the new key for &quot;%1&quot;. Keys are kept for all windows.</source>
        <translation>In das Feld klicken und die neue Taste für „%1“ drücken. Tasten gelten in allen Fenstern.</translation>
    </message>
    <message>
        <source>%1 keeps its meaning everywhere and cannot be given to a command.</source>
        <translation>%1 behält überall seine Bedeutung und kann keinem Befehl gegeben werden.</translation>
    </message>
    <message>
        <source>%1 belongs to: %2. Nothing was changed.</source>
        <translation>%1 gehört zu: %2. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no key now.</source>
        <translation>„%1“ hat jetzt keine Taste.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is now %2.</source>
        <translation>„%1“ ist jetzt %2.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SourceEdit</name>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit the text of this source</source>
        <translation>Den Text dieser Quelle bearbeiten</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>Compile the text as it is and open the new cubin in place of the old</source>
        <translation>Den Text, wie er ist, übersetzen und das neue Cubin an Stelle des alten öffnen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Write the text to its file</source>
        <translation>Den Text in seine Datei schreiben</translation>
    </message>
    <message>
        <source>flags for nvcc</source>
        <translation>Schalter für nvcc</translation>
    </message>
    <message>
        <source>Flags for nvcc</source>
        <translation>Schalter für nvcc</translation>
    </message>
    <message>
        <source>Behind -cubin -lineinfo -arch: -O3, -D NAME=1, -maxrregcount=64 ...</source>
        <translation>Hinter -cubin -lineinfo -arch: -O3, -D NAME=1, -maxrregcount=64 ...</translation>
    </message>
    <message>
        <source>What the compiler said</source>
        <translation>Was der Compiler gesagt hat</translation>
    </message>
    <message>
        <source>Only a .cu or .ptx that this window compiled can be edited: open one, and its source is here.</source>
        <translation>Bearbeiten lässt sich nur eine .cu oder .ptx, die dieses Fenster übersetzt hat: eine öffnen, dann steht ihr Text hier.</translation>
    </message>
    <message>
        <source>The compiler is at work.</source>
        <translation>Der Compiler arbeitet.</translation>
    </message>
    <message>
        <source>The text is as it lies in its file.</source>
        <translation>Der Text ist so, wie er in der Datei steht.</translation>
    </message>
    <message>
        <source>Compile the source</source>
        <translation>Quelltext übersetzen</translation>
    </message>
    <message numerus="yes">
        <source>The new cubin takes the place of the open one: %n hand edit(s) of its schedule would be lost.</source>
        <translation>
            <numerusform>Das neue Cubin tritt an die Stelle des offenen: %n Handänderung an seinem Schedule ginge verloren.</numerusform>
            <numerusform>Das neue Cubin tritt an die Stelle des offenen: %n Handänderungen an seinem Schedule gingen verloren.</numerusform>
        </translation>
    </message>
    <message>
        <source>Compile and replace</source>
        <translation>Übersetzen und ersetzen</translation>
    </message>
    <message>
        <source>Compiling %1 for %2 ...</source>
        <translation>%1 wird für %2 übersetzt ...</translation>
    </message>
    <message>
        <source>Compiled: the new cubin is open</source>
        <translation>Übersetzt: das neue Cubin ist offen</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s), the first in line %1</source>
        <translation>
            <numerusform>%n Fehler, in Zeile %1</numerusform>
            <numerusform>%n Fehler, der erste in Zeile %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>Another kernel was opened: what was compiled is not</source>
        <translation>Ein anderer Kernel wurde geöffnet, das Übersetzte nicht</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SourceText</name>
    <message>
        <source>Source file</source>
        <translation>Quelldatei</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::SourceView</name>
    <message>
        <source>Open a cubin that was compiled with -lineinfo to see its source.</source>
        <translation>Ein mit -lineinfo übersetztes Cubin öffnen, um seine Quelle zu sehen.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Source files of this kernel</source>
        <translation>Quelldateien dieses Kernels</translation>
    </message>
    <message>
        <source>Find it...</source>
        <translation>Suchen ...</translation>
    </message>
    <message>
        <source>Choose the file where it lies on this machine</source>
        <translation>Die Datei wählen, wo sie auf dieser Maschine liegt</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>Was gezeigt wird</translation>
    </message>
    <message>
        <source>This kernel has no line table: compile it with nvcc -lineinfo.</source>
        <translation>Dieser Kernel hat keine Zeilentabelle: mit nvcc -lineinfo übersetzen.</translation>
    </message>
    <message>
        <source>Not found: %1</source>
        <translation>Nicht gefunden: %1</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>Wo ist %1?</translation>
    </message>
    <message>
        <source>%1 (%1);;All files (*)</source>
        <translation>%1 (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The text was changed: its lines are known again when it is compiled.</source>
        <translation>Der Text wurde geändert: seine Zeilen sind wieder bekannt, sobald er übersetzt ist.</translation>
    </message>
    <message>
        <source>No instruction has a line of it: %1</source>
        <translation>Kein Befehl hat eine Zeile daraus: %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Sparkline</name>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::StallStrip</name>
    <message>
        <source>Stall counts, legal and illegal</source>
        <translation>Stalls, zulässig und unzulässig</translation>
    </message>
    <message numerus="yes">
        <source>%n cycle(s): legal</source>
        <translation>
            <numerusform>%n Takt: zulässig</numerusform>
            <numerusform>%n Takte: zulässig</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::StartPage</name>
    <message>
        <source>CubinLab</source>
        <translation>CubinLab</translation>
    </message>
    <message>
        <source>Open a CUDA cubin to see the compiler&apos;s schedule beside a candidate, tune it by hand or let an agent tune it, and export the same program with a better schedule. Every move is proven legal first.</source>
        <translation>Ein CUDA-Cubin öffnen, um den Schedule des Compilers neben einem Kandidaten zu sehen, ihn von Hand oder durch einen Agenten zu verbessern und dasselbe Programm mit einem besseren Schedule zu exportieren. Jede Verschiebung wird zuerst als zulässig bewiesen.</translation>
    </message>
    <message>
        <source>Open a cubin, program or session...</source>
        <translation>Cubin, Programm oder Sitzung öffnen ...</translation>
    </message>
    <message>
        <source>Open a cubin, program or session</source>
        <translation>Ein Cubin, Programm oder eine Sitzung öffnen</translation>
    </message>
    <message>
        <source>or drop a file or a Triton cache folder anywhere on the window</source>
        <translation>oder eine Datei oder einen Triton-Cache auf das Fenster ziehen</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Letzte Dateien</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Two-minute tour</source>
        <translation>Tour in zwei Minuten</translation>
    </message>
    <message>
        <source>Sessions...</source>
        <translation>Sitzungen ...</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Tools and how to get them...</source>
        <translation>Werkzeuge und woher sie kommen ...</translation>
    </message>
    <message>
        <source>No samples here</source>
        <translation>Keine Beispiele hier</translation>
    </message>
    <message>
        <source>Their folder was not found; CUBINLAB_SAMPLES can name it</source>
        <translation>Ihr Ordner wurde nicht gefunden; CUBINLAB_SAMPLES kann ihn nennen</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>Files you open are listed here</source>
        <translation>Geöffnete Dateien stehen hier</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::StepFilterBar</name>
    <message>
        <source>Filter by kind</source>
        <translation>Nach Art filtern</translation>
    </message>
    <message>
        <source>all kinds</source>
        <translation>alle Arten</translation>
    </message>
    <message>
        <source>Filter by outcome</source>
        <translation>Nach Ausgang filtern</translation>
    </message>
    <message>
        <source>all outcomes</source>
        <translation>alle Ausgänge</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Accepted steps only</source>
        <translation>Nur angenommene Schritte</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>Improvements only</source>
        <translation>Nur Verbesserungen</translation>
    </message>
    <message>
        <source>Only steps that became the run&apos;s best</source>
        <translation>Nur Schritte, die der beste des Laufs wurden</translation>
    </message>
    <message>
        <source>instruction or 0x offset</source>
        <translation>Befehl oder 0x-Offset</translation>
    </message>
    <message>
        <source>Filter by instruction</source>
        <translation>Nach Befehl filtern</translation>
    </message>
    <message>
        <source>Part of an instruction&apos;s text, or its offset in the original (0x0120)</source>
        <translation>Teil des Textes eines Befehls oder sein Offset im Original (0x0120)</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::StepFocus</name>
    <message>
        <source>Start of the run</source>
        <translation>Anfang des Laufs</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::StepPanel</name>
    <message>
        <source>Replay</source>
        <translation>Replay</translation>
    </message>
    <message>
        <source>Previous improvement</source>
        <translation>Vorige Verbesserung</translation>
    </message>
    <message>
        <source>Previous accepted step</source>
        <translation>Voriger angenommener Schritt</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>Next accepted step</source>
        <translation>Nächster angenommener Schritt</translation>
    </message>
    <message>
        <source>Next improvement</source>
        <translation>Nächste Verbesserung</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the steps one after the other</source>
        <translation>Die Schritte nacheinander abspielen</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>am schnellsten</translation>
    </message>
    <message>
        <source>Steps a second</source>
        <translation>Schritte je Sekunde</translation>
    </message>
    <message>
        <source>Position in the run</source>
        <translation>Stelle im Lauf</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>no run</source>
        <translation>kein Lauf</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::TimelineCanvas</name>
    <message>
        <source>Issue timeline</source>
        <translation>Zeitleiste der Befehle</translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>Warp %1</translation>
    </message>
    <message>
        <source>The selected instruction is not in the hot loop</source>
        <translation>Der ausgewählte Befehl ist nicht in der heißen Schleife</translation>
    </message>
    <message>
        <source>The selected instruction is not on the path</source>
        <translation>Der ausgewählte Befehl ist nicht auf dem Pfad</translation>
    </message>
    <message>
        <source>cycle</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>%1 modelled cycles a pass</source>
        <translation>%1 modellierte Takte je Durchgang</translation>
    </message>
    <message>
        <source>%1 modelled cycles on the path</source>
        <translation>%1 modellierte Takte auf dem Pfad</translation>
    </message>
    <message>
        <source>, %1 over all starts</source>
        <translation>, %1 über alle Startabstände</translation>
    </message>
    <message>
        <source>pass %1</source>
        <translation>Durchgang %1</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>nicht gezählt</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::TimelineView</name>
    <message>
        <source>Issue timeline</source>
        <translation>Zeitleiste der Befehle</translation>
    </message>
    <message>
        <source>How far apart warps start</source>
        <translation>Wie weit versetzt Warps beginnen</translation>
    </message>
    <message>
        <source>Warps do not run in step on a GPU: the model&apos;s figures are the mean over these, a timeline shows one</source>
        <translation>Auf einer GPU laufen Warps nicht im Gleichschritt: Die Zahlen des Modells sind das Mittel darüber, eine Zeitleiste zeigt einen Fall</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>Verkleinern (-)</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>Vergrößern (+)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Show the counted passes (F)</source>
        <translation>Die gezählten Durchgänge zeigen (F)</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Issue under the pointer</source>
        <translation>Befehl unter dem Zeiger</translation>
    </message>
    <message>
        <source>issues</source>
        <translation>setzt ab</translation>
    </message>
    <message>
        <source>stall count</source>
        <translation>Stall</translation>
    </message>
    <message>
        <source>scoreboard</source>
        <translation>Scoreboard</translation>
    </message>
    <message>
        <source>unit busy</source>
        <translation>Einheit belegt</translation>
    </message>
    <message>
        <source>register port</source>
        <translation>Registerport</translation>
    </message>
    <message>
        <source>memory queue</source>
        <translation>Speicherschlange</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>not selected</source>
        <translation>nicht gewählt</translation>
    </message>
    <message>
        <source>What the cycles of a warp go into, by the SM model</source>
        <translation>Wofür die Takte eines Warps draufgehen, nach dem SM-Modell</translation>
    </message>
    <message>
        <source>Warps in step</source>
        <translation>Warps im Gleichschritt</translation>
    </message>
    <message>
        <source>Warps %1 cycles apart</source>
        <translation>Warps um %1 Takte versetzt</translation>
    </message>
    <message>
        <source>Open a cubin to see in which cycle each warp of its hot loop issues what.</source>
        <translation>Ein Cubin öffnen, um zu sehen, in welchem Takt jeder Warp seiner heißen Schleife was absetzt.</translation>
    </message>
    <message>
        <source>This kernel has no instructions.</source>
        <translation>Dieser Kernel hat keine Befehle.</translation>
    </message>
    <message>
        <source>Simulating the hot loop...</source>
        <translation>Die heiße Schleife wird simuliert ...</translation>
    </message>
    <message>
        <source>%1 code is not decoded: the model knows nothing of it.</source>
        <translation>Code von %1 wird nicht dekodiert: Das Modell weiß nichts von ihm.</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::ToolsPage</name>
    <message>
        <source>Look again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Path of %1</source>
        <translation>Pfad von %1</translation>
    </message>
    <message>
        <source>looked for: CUDA_HOME, PATH, the usual places</source>
        <translation>gesucht in: CUDA_HOME, PATH, den üblichen Orten</translation>
    </message>
    <message>
        <source>Choose the program %1</source>
        <translation>Das Programm %1 wählen</translation>
    </message>
    <message>
        <source>Looking for tools ...</source>
        <translation>Werkzeuge werden gesucht ...</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>&lt;br&gt;Without it: %1&lt;br&gt;To get it: %2</source>
        <translation>&lt;br&gt;Ohne es: %1&lt;br&gt;So kommt es: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>an NVIDIA driver and a GPU, or a worker on another machine: the page GPU takes its command</source>
        <translation>einen NVIDIA-Treiber und eine GPU, oder einen Worker auf einem anderen Rechner: die Seite GPU nimmt seinen Befehl</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::Tour</name>
    <message>
        <source>Open a kernel</source>
        <translation>Einen Kernel öffnen</translation>
    </message>
    <message>
        <source>A cubin is what &lt;b&gt;nvcc&lt;/b&gt; or Triton made of a kernel. This sample is a batched matrix product for Hopper. Nothing here ever writes the file you open.</source>
        <translation>Ein Cubin ist, was &lt;b&gt;nvcc&lt;/b&gt; oder Triton aus einem Kernel gemacht hat. Dieses Beispiel ist ein gestapeltes Matrixprodukt für Hopper. Nichts hier überschreibt je die geöffnete Datei.</translation>
    </message>
    <message>
        <source>Open the sample %1</source>
        <translation>Das Beispiel %1 öffnen</translation>
    </message>
    <message>
        <source>What limits it?</source>
        <translation>Was begrenzt ihn?</translation>
    </message>
    <message>
        <source>Left is the compiler&apos;s schedule, right a candidate. The &lt;b&gt;Kernel&lt;/b&gt; dock says where each cycle of the hot loop goes by the model, who waits longest and for whom, and what each resource alone would take. Each name there is a link to its line; &lt;b&gt;Dependencies&lt;/b&gt; shows the same loop, its critical path in red.</source>
        <translation>Links steht der Schedule des Compilers, rechts ein Kandidat. Das Dock &lt;b&gt;Kernel&lt;/b&gt; sagt, wofür nach dem Modell jeder Takt der heißen Schleife draufgeht, wer am längsten wartet und auf wen, und was jede Ressource allein bräuchte. Jeder Name dort führt zu seiner Zeile; die &lt;b&gt;Abhängigkeiten&lt;/b&gt; zeigen dieselbe Schleife, ihren kritischen Pfad in Rot.</translation>
    </message>
    <message>
        <source>Show what limits it</source>
        <translation>Zeigen, was ihn begrenzt</translation>
    </message>
    <message>
        <source>Move a load</source>
        <translation>Ein Laden verschieben</translation>
    </message>
    <message>
        <source>A load that is asked for earlier is waited for less. Select one and press &lt;b&gt;Alt+Up&lt;/b&gt;: it moves to the next place that is &lt;b&gt;proven legal&lt;/b&gt;. What the checker refuses changes nothing and says why.</source>
        <translation>Auf ein früher verlangtes Laden wird weniger gewartet. Eines auswählen und &lt;b&gt;Alt+Auf&lt;/b&gt; drücken: Es rückt zum nächsten Platz, der &lt;b&gt;als zulässig bewiesen&lt;/b&gt; ist. Was der Prüfer ablehnt, ändert nichts und sagt, warum.</translation>
    </message>
    <message>
        <source>Select a load and move it up</source>
        <translation>Ein Laden auswählen und nach oben verschieben</translation>
    </message>
    <message>
        <source>Is it faster?</source>
        <translation>Ist es schneller?</translation>
    </message>
    <message>
        <source>&lt;b&gt;F8&lt;/b&gt; compares your schedule with the original. With a GPU it measures on fresh loads and gives a verdict with an interval; without one the model counts cycles, and the program calls that what it is: &lt;b&gt;modelled, unmeasured&lt;/b&gt;.</source>
        <translation>&lt;b&gt;F8&lt;/b&gt; vergleicht den Schedule mit dem Original. Mit einer GPU wird mit neuen Ladevorgängen gemessen, und es gibt ein Urteil mit Intervall; ohne zählt das Modell Takte, und das Programm nennt das, was es ist: &lt;b&gt;modelliert, ungemessen&lt;/b&gt;.</translation>
    </message>
    <message>
        <source>Measure it (F8)</source>
        <translation>Messen (F8)</translation>
    </message>
    <message>
        <source>Let an agent try</source>
        <translation>Einen Agenten versuchen lassen</translation>
    </message>
    <message>
        <source>An agent does what you just did, some thousand times a second on the model. Every mutation is logged as it is made. &lt;b&gt;F5&lt;/b&gt; starts it; pause with F6, stop with Shift+F5.</source>
        <translation>Ein Agent tut dasselbe, auf dem Modell einige tausend Mal in der Sekunde. Jede Mutation wird protokolliert, wenn sie gemacht wird. &lt;b&gt;F5&lt;/b&gt; startet ihn; Pause mit F6, Ende mit Umschalt+F5.</translation>
    </message>
    <message>
        <source>Run 2000 steps</source>
        <translation>2000 Schritte laufen lassen</translation>
    </message>
    <message>
        <source>Find the edit that mattered</source>
        <translation>Die Änderung finden, auf die es ankam</translation>
    </message>
    <message>
        <source>The chart jumps where the best improved: click there and the schedule of that step is on the right. &lt;b&gt;F7&lt;/b&gt; walks through what differs; ribbons show where each instruction came from.</source>
        <translation>Das Diagramm springt, wo der beste besser wurde: ein Klick dort, und der Schedule dieses Schritts steht rechts. &lt;b&gt;F7&lt;/b&gt; geht durch die Unterschiede; Bänder zeigen, woher jeder Befehl kam.</translation>
    </message>
    <message>
        <source>Show the best step and its first change</source>
        <translation>Den besten Schritt und seinen ersten Unterschied zeigen</translation>
    </message>
    <message>
        <source>Take it with you</source>
        <translation>Mitnehmen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Ctrl+E&lt;/b&gt; writes the best schedule as a cubin: proven before, read back and proven again, and stamped with where its figures come from. &lt;b&gt;File &amp;gt; Export more&lt;/b&gt; has listing, differences, the log as CSV and a one-file report.</source>
        <translation>&lt;b&gt;Strg+E&lt;/b&gt; schreibt den besten Schedule als Cubin: vorher bewiesen, zurückgelesen und noch einmal bewiesen und mit der Herkunft seiner Zahlen gestempelt. &lt;b&gt;Datei &amp;gt; Weiteres exportieren&lt;/b&gt; hat Listing, Unterschiede, das Protokoll als CSV und einen Bericht in einer Datei.</translation>
    </message>
    <message>
        <source>Export the best...</source>
        <translation>Den besten exportieren ...</translation>
    </message>
    <message>
        <source>No load of this kernel has a legal place above it. Select any other instruction and press Alt+Up or Alt+Down.</source>
        <translation>Kein Ladebefehl dieses Kernels hat über sich einen zulässigen Platz. Einen anderen Befehl wählen und Alt+Auf oder Alt+Ab drücken.</translation>
    </message>
    <message>
        <source>No run has found a best step yet: let an agent try first.</source>
        <translation>Noch kein Lauf hat einen besten Schritt gefunden: zuerst einen Agenten suchen lassen.</translation>
    </message>
    <message>
        <source>Tell others, and come back</source>
        <translation>Anderen davon erzählen, und wiederkommen</translation>
    </message>
    <message>
        <source>&lt;b&gt;File &amp;gt; Export more &amp;gt; Report&lt;/b&gt; writes one HTML file for people without this program. &lt;b&gt;File &amp;gt; Sessions&lt;/b&gt; lists everything you have tried, with agent, steps, best and state, and opens it again, also after a crash.</source>
        <translation>&lt;b&gt;Datei &amp;gt; Weiteres exportieren &amp;gt; Bericht&lt;/b&gt; schreibt eine HTML-Datei für Leute ohne dieses Programm. &lt;b&gt;Datei &amp;gt; Sitzungen&lt;/b&gt; zeigt alles, was Sie versucht haben, mit Agent, Schritten, Bestem und Zustand, und öffnet es wieder, auch nach einem Absturz.</translation>
    </message>
    <message>
        <source>Show the sessions</source>
        <translation>Sitzungen zeigen</translation>
    </message>
    <message>
        <source>A cubin is what &lt;b&gt;nvcc&lt;/b&gt; or Triton made of a kernel. The samples are not installed here (&lt;b&gt;CUBINLAB_SAMPLES&lt;/b&gt; can name their folder): open a cubin, a program or a &lt;b&gt;.cu&lt;/b&gt; file of your own. Nothing here ever writes the file you open.</source>
        <translation>Ein Cubin ist, was &lt;b&gt;nvcc&lt;/b&gt; oder Triton aus einem Kernel gemacht haben. Die Beispiele sind hier nicht installiert (&lt;b&gt;CUBINLAB_SAMPLES&lt;/b&gt; kann ihren Ordner nennen): Öffnen Sie ein Cubin, ein Programm oder eine &lt;b&gt;.cu&lt;/b&gt;-Datei von sich. Nichts hier schreibt je die Datei, die Sie öffnen.</translation>
    </message>
    <message>
        <source>Open a kernel...</source>
        <translation>Kernel öffnen...</translation>
    </message>
</context>
<context>
    <name>cubinlab::ui::TourPanel</name>
    <message>
        <source>Tour</source>
        <translation>Tour</translation>
    </message>
    <message>
        <source>Step of the tour</source>
        <translation>Schritt der Tour</translation>
    </message>
    <message>
        <source>What this step is about</source>
        <translation>Worum es in diesem Schritt geht</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ getan</translation>
    </message>
    <message>
        <source>This step is done</source>
        <translation>Dieser Schritt ist getan</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation>Die Tour beenden</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>dependences</name>
    <message>
        <source>written, then read</source>
        <translation>geschrieben, dann gelesen</translation>
    </message>
    <message>
        <source>read, then overwritten</source>
        <translation>gelesen, dann überschrieben</translation>
    </message>
    <message>
        <source>written twice</source>
        <translation>zweimal geschrieben</translation>
    </message>
    <message>
        <source>may touch the same bytes</source>
        <translation>dieselben Bytes sind möglich</translation>
    </message>
    <message>
        <source>may not cross</source>
        <translation>dürfen nicht aneinander vorbei</translation>
    </message>
    <message>
        <source>set, then waited for</source>
        <translation>gesetzt, dann abgewartet</translation>
    </message>
    <message>
        <source>keeps its order</source>
        <translation>behält seine Reihenfolge</translation>
    </message>
    <message>
        <source>by the scoreboard of a later one</source>
        <translation>durch das Scoreboard eines späteren</translation>
    </message>
    <message>
        <source>, wait at %1</source>
        <translation>, Warten bei %1</translation>
    </message>
    <message>
        <source>; guarded: %1; %2 cycles there, about %3 until it is complete</source>
        <translation>; geschützt: %1; %2 Takte vorhanden, etwa %3 bis zum Ende</translation>
    </message>
    <message>
        <source>; %1 cycles there, %2 needed, slack %3</source>
        <translation>; %1 Takte vorhanden, %2 nötig, Schlupf %3</translation>
    </message>
    <message>
        <source>; from another pass or block</source>
        <translation>; aus einem anderen Durchgang oder Block</translation>
    </message>
</context>
<context>
    <name>exports</name>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>Export the listing</source>
        <translation>Das Listing exportieren</translation>
    </message>
    <message>
        <source>Text (*.txt *.diff)</source>
        <translation>Text (*.txt *.diff)</translation>
    </message>
    <message>
        <source>Export the differences</source>
        <translation>Die Unterschiede exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Export the log of mutations</source>
        <translation>Das Protokoll der Mutationen exportieren</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>Webseiten (*.html)</translation>
    </message>
    <message>
        <source>Make a report</source>
        <translation>Einen Bericht machen</translation>
    </message>
</context>
<context>
    <name>files</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
</context>
<context>
    <name>graphs</name>
    <message>
        <source>Read after write: the consumer needs the value</source>
        <translation>Lesen nach Schreiben: der Verbraucher braucht den Wert</translation>
    </message>
    <message>
        <source>Write after read: the register may not be overwritten before it was read</source>
        <translation>Schreiben nach Lesen: Das Register darf nicht überschrieben werden, bevor es gelesen wurde</translation>
    </message>
    <message>
        <source>Write after write: the later value has to win</source>
        <translation>Schreiben nach Schreiben: Der spätere Wert muss gewinnen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Accesses that may touch the same bytes</source>
        <translation>Zugriffe, die dieselben Bytes treffen können</translation>
    </message>
    <message>
        <source>Fence</source>
        <translation>Zaun</translation>
    </message>
    <message>
        <source>Nothing may cross this fence or barrier</source>
        <translation>Nichts darf an diesem Zaun oder dieser Barriere vorbei</translation>
    </message>
    <message>
        <source>Scoreboard</source>
        <translation>Scoreboard</translation>
    </message>
    <message>
        <source>Set and wait of one scoreboard</source>
        <translation>Setzen und Abwarten eines Scoreboards</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Ordnung</translation>
    </message>
    <message>
        <source>Order that has to stay for another reason</source>
        <translation>Reihenfolge, die aus einem anderen Grund bleiben muss</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>slack %1</source>
        <translation>Schlupf %1</translation>
    </message>
    <message>
        <source> on </source>
        <translation> auf </translation>
    </message>
    <message>
        <source>, scoreboard %1</source>
        <translation>, Scoreboard %1</translation>
    </message>
    <message>
        <source>, carried to the next iteration</source>
        <translation>, in die nächste Iteration übertragen</translation>
    </message>
    <message>
        <source>latency %1 cycles%2, distance %3 cycles: </source>
        <translation>Latenz %1 Takte%2, Abstand %3 Takte: </translation>
    </message>
    <message>
        <source> (expected)</source>
        <translation> (erwartet)</translation>
    </message>
    <message>
        <source>%1 short%2</source>
        <translation>%1 zu wenig%2</translation>
    </message>
    <message>
        <source>, the scoreboard makes up for it</source>
        <translation>, das Scoreboard gleicht es aus</translation>
    </message>
    <message>
        <source>no slack (critical)</source>
        <translation>kein Schlupf (kritisch)</translation>
    </message>
    <message>
        <source>slack 1 to %1 cycles</source>
        <translation>Schlupf 1 bis %1 Takte</translation>
    </message>
    <message>
        <source>slack above %1</source>
        <translation>Schlupf über %1</translation>
    </message>
    <message>
        <source>, earliest issue in cycle %1 of the block</source>
        <translation>, frühestens im Takt %1 des Blocks</translation>
    </message>
    <message>
        <source>can be delayed by %1 cycles</source>
        <translation>kann um %1 Takte verzögert werden</translation>
    </message>
    <message>
        <source>no slack: delays the block</source>
        <translation>kein Schlupf: verzögert den Block</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Falls through to the next block</source>
        <translation>Läuft in den nächsten Block weiter</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Sprung</translation>
    </message>
    <message>
        <source>Jumps forward</source>
        <translation>Springt vorwärts</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Jumps back to a loop&apos;s header</source>
        <translation>Springt zum Kopf einer Schleife zurück</translation>
    </message>
    <message>
        <source>outside loops</source>
        <translation>außerhalb von Schleifen</translation>
    </message>
    <message>
        <source>loop depth 1</source>
        <translation>Schleifentiefe 1</translation>
    </message>
    <message>
        <source>loop depth 2</source>
        <translation>Schleifentiefe 2</translation>
    </message>
    <message>
        <source>depth 3 and deeper</source>
        <translation>Tiefe 3 und mehr</translation>
    </message>
    <message>
        <source>Block %1: %2 instr</source>
        <translation>Block %1: %2 Bef.</translation>
    </message>
    <message>
        <source>0x%1  depth %2</source>
        <translation>0x%1  Tiefe %2</translation>
    </message>
    <message>
        <source>Block %1, %2 instructions, %3 stall cycles, loop depth %4
ends with %5</source>
        <translation>Block %1, %2 Befehle, %3 Stall-Takte, Schleifentiefe %4
endet mit %5</translation>
    </message>
    <message>
        <source>
leaves to a place that is not known</source>
        <translation>
verlässt zu einer unbekannten Stelle</translation>
    </message>
    <message>
        <source>
entry, or reached from a place that is not known</source>
        <translation>
Eintritt, oder von einer unbekannten Stelle erreicht</translation>
    </message>
    <message>
        <source>%1: block %2 %3 block %4</source>
        <translation>%1: Block %2 %3 Block %4</translation>
    </message>
    <message>
        <source>latency unknown</source>
        <translation>Latenz unbekannt</translation>
    </message>
    <message>
        <source>unknown opcode: nothing passes it, its latency is not known</source>
        <translation>unbekannter Opcode: nichts darf an ihm vorbei, seine Latenz ist nicht bekannt</translation>
    </message>
</context>
<context>
    <name>measured</name>
    <message>
        <source>against the original on %1, %2 cache, %3 fresh loads</source>
        <translation>gegen das Original auf %1, %2-Cache, %3 neue Ladevorgänge</translation>
    </message>
    <message>
        <source>SLOWER in %1, %2 of %3 shapes, while the mean gains.</source>
        <translation>SLOWER in %1, %2 von %3 Formen, während das Mittel gewinnt.</translation>
    </message>
    <message>
        <source>SLOWER in %1, %2 of %3 shapes.</source>
        <translation>SLOWER in %1, %2 von %3 Formen.</translation>
    </message>
    <message>
        <source>, mean of %1 shapes</source>
        <translation>, Mittel aus %1 Formen</translation>
    </message>
</context>
<context>
    <name>metrics</name>
    <message>
        <source>step length</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>edits taken</source>
        <translation>übernommene Änderungen</translation>
    </message>
    <message>
        <source>policy loss</source>
        <translation>Verlust der Strategie</translation>
    </message>
    <message>
        <source>value loss</source>
        <translation>Verlust der Bewertung</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>clipped fraction</source>
        <translation>gekappter Anteil</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>episode return</source>
        <translation>Ertrag der Episode</translation>
    </message>
    <message>
        <source>candidates a second</source>
        <translation>Kandidaten je Sekunde</translation>
    </message>
    <message>
        <source>GPU SM clock, MHz</source>
        <translation>SM-Takt der GPU, MHz</translation>
    </message>
    <message>
        <source>GPU temperature, C</source>
        <translation>GPU-Temperatur, C</translation>
    </message>
    <message>
        <source>GPU power, W</source>
        <translation>GPU-Leistung, W</translation>
    </message>
    <message>
        <source>starts left</source>
        <translation>Anläufe übrig</translation>
    </message>
    <message>
        <source>method number</source>
        <translation>Verfahren Nr.</translation>
    </message>
    <message>
        <source>race number</source>
        <translation>Rennen Nr.</translation>
    </message>
    <message>
        <source>log gain, believed</source>
        <translation>log-Gewinn, geglaubt</translation>
    </message>
    <message>
        <source>log gain, start</source>
        <translation>log-Gewinn, Beginn</translation>
    </message>
    <message>
        <source>since better</source>
        <translation>seit Besserung</translation>
    </message>
    <message>
        <source>log gain, groups</source>
        <translation>log-Gewinn, Gruppen</translation>
    </message>
    <message>
        <source>log gain, climb</source>
        <translation>log-Gewinn, Klettern</translation>
    </message>
    <message>
        <source>log gain, lists</source>
        <translation>log-Gewinn, Listen</translation>
    </message>
    <message>
        <source>log gain, greedy</source>
        <translation>log-Gewinn, Greedy</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>explained by fit</source>
        <translation>vom Fit erklärt</translation>
    </message>
    <message>
        <source>approximate KL</source>
        <translation>genäherte KL</translation>
    </message>
    <message>
        <source>log gain, starts</source>
        <translation>log-Gewinn, Starts</translation>
    </message>
</context>
<context>
    <name>panels</name>
    <message>
        <source>Measured gain</source>
        <translation>Gemessener Gewinn</translation>
    </message>
    <message>
        <source>Modelled gain</source>
        <translation>Modellierter Gewinn</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>in Ordnung</translation>
    </message>
    <message>
        <source>illegal</source>
        <translation>unzulässig</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>wild store</source>
        <translation>wilder Schreibzugriff</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>Fehlzugriff</translation>
    </message>
    <message>
        <source>hang</source>
        <translation>hängt</translation>
    </message>
    <message>
        <source>worker lost</source>
        <translation>Worker verloren</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>move</source>
        <comment>kind of mutation</comment>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>stall</source>
        <comment>kind of mutation</comment>
        <translation>Stall</translation>
    </message>
    <message>
        <source>yield</source>
        <comment>kind of mutation</comment>
        <translation>Yield</translation>
    </message>
    <message>
        <source>barrier</source>
        <comment>kind of mutation</comment>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>wait</source>
        <comment>kind of mutation</comment>
        <translation>warten</translation>
    </message>
    <message>
        <source>reuse</source>
        <comment>kind of mutation</comment>
        <translation>Reuse</translation>
    </message>
    <message>
        <source>mixed</source>
        <comment>kind of mutation</comment>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>move-and-pay</source>
        <comment>kind of mutation</comment>
        <translation>verschieben und bezahlen</translation>
    </message>
    <message>
        <source>reassign</source>
        <comment>kind of mutation</comment>
        <translation>neu zuteilen</translation>
    </message>
</context>
<context>
    <name>replay</name>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>moved up</source>
        <translation>nach oben verschoben</translation>
    </message>
    <message>
        <source>moved down</source>
        <translation>nach unten verschoben</translation>
    </message>
    <message>
        <source>past</source>
        <translation>vorbei an</translation>
    </message>
    <message>
        <source>against the run&apos;s start</source>
        <translation>gegen den Anfang des Laufs</translation>
    </message>
    <message>
        <source>against step %1</source>
        <translation>gegen Schritt %1</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>modelled cycles, unmeasured</source>
        <translation>modellierte Takte, nicht gemessen</translation>
    </message>
    <message>
        <source>timing pairs</source>
        <translation>Zeitpaare</translation>
    </message>
    <message>
        <source>new best</source>
        <translation>neuer bester</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>seen before</source>
        <translation>schon gesehen</translation>
    </message>
    <message>
        <source>carries gain of the winner</source>
        <translation>trägt Gewinn des Siegers</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>nicht behalten</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Note:</source>
        <translation>Notiz:</translation>
    </message>
    <message>
        <source>The agent:</source>
        <translation>Der Agent:</translation>
    </message>
</context>
</TS>
