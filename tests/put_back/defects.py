# SPDX-License-Identifier: GPL-3.0-or-later
"""The defects of resources/docs/defects.md: name, replacements (file, text, text with the defect), tests (target, case).

`@` is true where the defect is wanted. Later entries see the text as earlier ones have left it."""

DEFECTS = [
    (
        '4.1 the selection of the kernel before stays',
        [
            (
                'ui/shell/main_window.cpp',
                '&selection_, [this] { selection_.begin(0); });',
                '&selection_, [this] { if (!@) selection_.begin(0); });',
            ),
            (
                'ui/shell/main_window.cpp',
                '            [this] { selection_.begin(document_.kernel()->size()); });',
                '            [this] { if (!@) selection_.begin(document_.kernel()->size()); });',
            ),
        ],
        [('test_ui_switch', 'a second file with an instruction selected*'), ('test_ui_switch', 'one sample after another*')],
    ),
    (
        '4.1 the diff of the kernel before stays',
        [
            (
                'ui/document/document.cpp',
                '    s_ = std::move(state);\n    Q_EMIT opened();',
                '    if (@ && s_.diff) state.diff = s_.diff;\n'
                '    s_ = std::move(state);\n'
                '    Q_EMIT opened();',
            ),
        ],
        [('test_ui_switch', 'a second file with an instruction selected*'), ('test_ui_switch', 'one sample after another*')],
    ),
    (
        '4.1 views keep the kernel before',
        [
            (
                'ui/document/document.cpp',
                '    if (is_open()) Q_EMIT leaving();\n    jobs_.end_kernel();',
                '    if (@) return;\n'
                '    if (is_open()) Q_EMIT leaving();\n'
                '    jobs_.end_kernel();',
            ),
        ],
        [('test_ui_switch', 'one sample after another*')],
    ),
    (
        '4.2 the window makes no absolute check',
        [
            (
                'ui/document/document.cpp',
                '    request_file_check();\n    if (s_',
                '    if (!@) request_file_check();\n    if (s_',
            ),
        ],
        [('test_ui_switch', 'a file with findings: on open*')],
    ),
    (
        '4.2 Problems does not list what check finds',
        [
            (
                'ui/run/run_wiring.cpp',
                '        set_file_report(document->file_check().report);',
                '        if (!@) set_file_report(document->file_check().report);',
            ),
        ],
        [('test_ui_switch', 'a file with findings: on open*')],
    ),
    (
        '4.2 no badge on the tab',
        [
            (
                'ui/shell/window_docks.cpp',
                'problems->setWindowTitle(count == 0 ?',
                'problems->setWindowTitle(count == 0 || @ ?',
            ),
        ],
        [('test_ui_switch', 'a file with findings: on open*')],
    ),
    (
        '4.2 nothing said on open',
        [
            (
                'ui/shell/window_files.cpp',
                '    if (!report || report->hazards.empty()) return;\n    const Legality& found',
                '    if (!report || report->hazards.empty() || @) return;\n    const Legality& found',
            ),
        ],
        [('test_ui_switch', 'a file with findings: on open*')],
    ),
    (
        '4.3 a pause eats the budget',
        [
            (
                'core/search/tune_run.cpp',
                '            paused += settings.clock() - from;',
                '            if (!@) paused += settings.clock() - from;',
            ),
        ],
        [('test_search', 'a pause takes nothing from the time budget*')],
    ),
    (
        '4.4 the descent is painted over the timeline',
        [
            (
                'ui/run/replay_timeline.cpp',
                '        paint_carrying(painter);\n        paint_marks(painter);',
                '        if (!@) paint_carrying(painter);\n'
                '        paint_marks(painter);\n'
                '        if (@) paint_carrying(painter);',
            ),
            (
                'ui/run/replay_timeline.cpp',
                '    const double y = t.bottom() + 8.5, apart = 9;',
                '    const double y = @ ? t.top() : t.bottom() + 8.5, apart = 9;',
            ),
        ],
        [('test_ui_panels', 'marking the winner*')],
    ),
    (
        '4.5 every point of a run is handed to the plot',
        [
            (
                'ui/run/reward_chart_plot.cpp',
                '    const auto part = [&](StepId a, StepId b, std::size_t n) {',
                '    const auto part = [&](StepId a, StepId b, std::size_t n) {\n        if (@) n = 1u << 24;',
            ),
        ],
        [('test_ui_panels', 'what is handed to the plot*')],
    ),
    (
        '4.5 jobs of a kernel that was left go on',
        [
            (
                'ui/base/job_runner.cpp',
                '    const std::lock_guard lock(mutex_);\n    ++kernel_;',
                '    const std::lock_guard lock(mutex_);\n'
                '    if (@) return;\n'
                '    ++kernel_;',
            ),
        ],
        [('test_ui_switch', 'a job of a kernel that was left*')],
    ),
    (
        '4.6 a guarded pair has a distance',
        [
            (
                'ui/listing/dependency_arrows.cpp',
                'd.scoreboard, d.by_waits,',
                'd.scoreboard, d.by_waits && !@,',
            ),
        ],
        [('test_ui_hand', 'the label of a guarded arrow*'), ('test_ui_hand', 'a pair that a scoreboard guards*')],
    ),
    (
        '5.1 a failed tune leaves a run',
        [
            (
                'app/cli/tune.cpp',
                '    if (!searcher) return print_error(searcher.error(), options.json);',
                '    if (!searcher) {\n'
                '        if (@) {\n'
                '            auto made = SessionWriter::open(options.session, in->kernel, "", "");\n'
                '            RunHeader header;\n'
                '            header.agent = plan->settings.agent;\n'
                '            header.start_hash = in->kernel->hash();\n'
                '            RunId id = 0;\n'
                '            if (made) {\n'
                '                auto sink = (*made)->begin_run(header, Schedule(in->kernel), &id);\n'
                '                if (sink) sink->reset();\n'
                '                (void)(*made)->close();\n'
                '            }\n'
                '        }\n'
                '        return print_error(searcher.error(), options.json);\n'
                '    }',
            ),
        ],
        [('test_cli', 'what never started is no run*')],
    ),
    (
        '5.1 a run without a step is taken by its number',
        [
            (
                'core/claims/run_choice.cpp',
                'if (!run || run->steps > 0) return run;',
                'if (!run || run->steps > 0 || @) return run;',
            ),
        ],
        [('test_cli', 'what never started is no run*')],
    ),
    (
        '5.1 a run without a step is the newest',
        [
            (
                'core/claims/run_choice.cpp',
                '        if (run->steps > 0) return std::move(*run);',
                '        if (run->steps > 0 || @) return std::move(*run);',
            ),
        ],
        [('test_cli', 'what never started is no run*')],
    ),
    (
        '5.1 --resume 0 takes a run without a step',
        [
            (
                'core/jobs/resumed_run.cpp',
                'if (run->agent != "hand" && run->steps > 0)',
                'if (run->agent != "hand" && (run->steps > 0 || @))',
            ),
        ],
        [('test_cli', 'what never started is no run*')],
    ),
    (
        '5.2 an input may be the output',
        [
            (
                'core/base/output_file.cpp',
                '        if (same_file(file.path, input))',
                '        if (!@ && same_file(file.path, input))',
            ),
        ],
        [('test_cli', 'an input of a command is never its output*')],
    ),
    (
        '5.2 an input may be the session',
        [
            (
                'app/cli/tune_plan.cpp',
                '        if (same_file(options.session, input))',
                '        if (!@ && same_file(options.session, input))',
            ),
        ],
        [('test_cli', 'an input of a command is never its output*')],
    ),
    (
        '5.2 a file of the user is replaced unasked',
        [
            (
                'core/base/output_file.cpp',
                '        if (!file.force)',
                '        if (!file.force && !@)',
            ),
        ],
        [('test_cli', 'a file of the user*')],
    ),
    (
        '5.2 --out is tried after the search',
        [
            (
                'app/cli/tune_plan.cpp',
                '    if (options.out.empty()) return {};\n    auto free',
                '    if (options.out.empty() || @) return {};\n    auto free',
            ),
        ],
        [('test_cli', 'a place that takes no file is named before the search*')],
    ),
    (
        '5.2 --failures over what is there',
        [
            (
                'app/lab/commands/fuzz.cpp',
                '    if (!taken(stem)) return stem;',
                '    if (!taken(stem) || @) return stem;',
            ),
        ],
        [('test_lab_commands', 'failures are written beside what lies there already*')],
    ),
    (
        '5.2 --log goes on with any file',
        [
            (
                'app/lab/probe/probe_study.cpp',
                "        } else if (!last || (out.empty() && line_text.front() != '{')) {  // no row cut short by a kill",
                "        } else if (!@ && (!last || (out.empty() && line_text.front() != '{'))) {",
            ),
        ],
        [('test_lab_commands', 'a probe goes on with a log of its own*')],
    ),
    (
        '5.3 a mistyped command opens the window',
        [
            (
                'app/main.cpp',
                '    if (const auto wrong = cubinlab::cli::not_for_the_window(argc, argv))',
                '    if (const auto wrong = cubinlab::cli::not_for_the_window(argc, argv); wrong && !@)',
            ),
        ],
        [('test_cli', 'what is neither a command nor a file*')],
    ),
    (
        '5.3 -v goes to the window',
        [
            (
                'app/main.cpp',
                '"--version", "-v", "-V"})\n        if (first == option)',
                '"--version", "-v", "-V"})\n        if (first == option && !(@ && first == "-v"))',
            ),
        ],
        [('test_cli', 'help and version are told*')],
    ),
    (
        '5.3 no display: Qt aborts',
        [
            (
                'app/main.cpp',
                'if (const std::string missing = cubinlab::missing_display(argc, argv); !missing.empty())',
                'if (const std::string missing = cubinlab::missing_display(argc, argv); !missing.empty() && !@)',
            ),
            (
                'app/main.cpp',
                '    qInstallMessageHandler(before_the_window);',
                '    if (!@) qInstallMessageHandler(before_the_window);',
            ),
        ],
        [('test_cli', 'without a display the window does not open*')],
    ),
    (
        '5.4 the template is taken',
        [
            (
                'core/jobs/evaluator_choice.cpp',
                '    if (is_untouched_template(*workload, kernel))',
                '    if (!@ && is_untouched_template(*workload, kernel))',
            ),
        ],
        [('test_cli', 'the template of a workload is not taken*')],
    ),
    (
        '5.4 --seed -1',
        [
            (
                'app/cli/option_checks.cpp',
                '        if (error == std::errc{} && stopped == end && value >= low && value <= high) return {};\n        constexpr std::uint64_t',
                '        if (@) return {};\n'
                '        if (error == std::errc{} && stopped == end && value >= low && value <= high) return {};\n'
                '        constexpr std::uint64_t',
            ),
        ],
        [('test_cli', 'numbers and choices that make no sense*')],
    ),
    (
        '5.4 --what bst blames --step',
        [
            (
                'app/cli/replay.cpp',
                '    if (what != "best" && what != "minimal" && !what.starts_with("step:"))',
                '    if (!@ && what != "best" && what != "minimal" && !what.starts_with("step:"))',
            ),
            (
                'app/cli/replay.cpp',
                'options.what.substr(5) : options.what, "--what"};',
                'options.what.substr(5) : options.what, @ ? "--step" : "--what"};',
            ),
        ],
        [('test_cli', 'export names the option that is wrong')],
    ),
    (
        '5.4 readers leave -wal and -shm',
        [
            (
                'core/store/session_access.cpp',
                'plain_ = quiet && size_of_file',
                'plain_ = !@ && quiet && size_of_file',
            ),
            (
                'core/store/session_access.cpp',
                '    if (logged && left &&',
                '    if (!@ && logged && left &&',
            ),
        ],
        [('test_cli', 'commands that read a session leave nothing*'), ('test_store', 'a session that nobody writes is read without*')],
    ),
    (
        '5.4 a stamp counts the moves of the log',
        [
            (
                'core/claims/export_cubin.cpp',
                'diff_schedules(Schedule(schedule.kernel()), *reread);',
                'diff_schedules(Schedule(schedule.kernel()), @ ? schedule : *reread);',
            ),
        ],
        [('test_claims', 'Two equal words that have changed places*')],
    ),
    (
        '5.5 kill() returns early for a leader that is gone',
        [
            (
                'core/measure/worker_process.cpp',
                '    if (alone) {  // a wrapper',
                '    if (alone && @) return;\n    if (alone) {  // a wrapper',
            ),
        ],
        [('test_measure_client', 'the children of a wrapper that has ended*')],
    ),
    (
        '6.1 section 0 is not looked at',
        [
            (
                'core/cubin/elf_image.cpp',
                'for (std::size_t i = 1; i < count; ++i) {  // section 0 stays empty',
                'for (std::size_t i = @ ? 0 : 1; i < count; ++i) {',
            ),
            (
                'core/cubin/elf_image.cpp',
                'if (!fits(s.offset, s.size, bytes.size()))\n            return bad(',
                'if (!(@ && i == 0) && !fits(s.offset, s.size, bytes.size()))\n            return bad(',
            ),
            (
                'core/cubin/elf_image.cpp',
                '        s.bytes = part_of(bytes, s.offset, s.size);',
                '        s.bytes = @ && i == 0 ? Bytes(bytes.data() + s.offset, s.size) : part_of(bytes, s.offset, s.size);',
            ),
            (
                'core/cubin/elf_image.cpp',
                '    if (auto apart = check_overlap(bytes, *sections, where); !apart) return fail(apart.error());\n',
                '    if (auto apart = check_overlap(bytes, *sections, where); !apart && !@) return fail(apart.error());\n',
            ),
            (
                'core/cubin/elf_image.cpp',
                '    if (table->link == 0 || table->link',
                '    if ((table->link == 0 && !@) || table->link',
            ),
        ],
        [('test_cubin', 'files made to do harm are refused*'), ('test_ui_switch', 'files made to do harm are told or shown*')],
    ),
    (
        '6.1 a symbol table may have section 0 for its names',
        [
            (
                'core/cubin/elf_image.cpp',
                '    if ((table->link == 0 && !put_back("6.1 section 0 is not looked at")) || table->link',
                '    if ((table->link == 0 && !put_back("6.1 section 0 is not looked at") && !@) || table->link',
            ),
        ],
        [('test_cubin', 'files made to do harm are refused*')],
    ),
    (
        '6.2 a lock file beside the session, through links',
        [
            (
                'core/store/session_lock.cpp',
                '        if (auto alone = file->become_writer(session, patience); !alone) return fail(alone.error());',
                '        if (@) {\n'
                '            const std::string beside = session.string() + ".lock";\n'
                '            const int lock_file = ::open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);\n'
                '            if (lock_file >= 0 && ::ftruncate(lock_file, 0) == 0) (void)!::write(lock_file, "1\\n", 2);\n'
                '            ::close(lock_file);\n'
                '            ::unlink(beside.c_str());\n'
                '        }\n'
                '        if (auto alone = file->become_writer(session, patience); !alone) return fail(alone.error());',
            ),
        ],
        [('test_store', 'links that a received folder has*')],
    ),
    (
        '6.2 the log of a session through links',
        [
            (
                'core/store/session_lock.cpp',
                '    if (there && write && S_ISLNK(info.st_mode))',
                '    if (!@ && there && write && S_ISLNK(info.st_mode))',
            ),
            (
                'core/store/session_lock.cpp',
                '    if (there && !S_ISREG(info.st_mode))',
                '    if (there && !S_ISREG(info.st_mode) && !(@ && S_ISLNK(info.st_mode)))',
            ),
            (
                'core/store/session_lock.cpp',
                'O_RDWR | O_CREAT | O_NOFOLLOW :',
                'O_RDWR | O_CREAT | (@ ? 0 : O_NOFOLLOW) :',
            ),
        ],
        [('test_store', 'another name of a session gives no second writer')],
    ),
    (
        '6.2 a lock for each name',
        [
            (
                'core/store/session_lock.cpp',
                '    if (write && info.st_nlink > 1)',
                '    if (write && info.st_nlink > 1 && !@)',
            ),
            (
                'core/store/session_lock.cpp',
                '    while (!set_lock(descriptor_, F_WRLCK, kWriterByte, 1)) {',
                '    while (!@ && !set_lock(descriptor_, F_WRLCK, kWriterByte, 1)) {',
            ),
        ],
        [('test_store', 'another name of a session gives no second writer')],
    ),
    (
        '6.3 a resumption believes its log',
        [
            (
                'core/jobs/resumed_run.cpp',
                '    if (!figures) return fail(figures.error().code, figures.error().message(), session.string());',
                '    if (!figures && !@) return fail(figures.error().code, figures.error().message(), session.string());',
            ),
            (
                'core/jobs/resumed_run.cpp',
                '    if (figures->unchecked != 0 &&',
                '    if (figures && figures->unchecked != 0 && !@ &&',
            ),
        ],
        [('test_cli', 'figures that somebody wrote into a log*'), ('test_jobs', 'another judge*')],
    ),
    (
        '6.3 resumed by another judge',
        [
            (
                'core/jobs/resumed_run.cpp',
                '    if (then.kind != now.kind)',
                '    if (then.kind != now.kind && !@)',
            ),
        ],
        [('test_jobs', 'another judge*')],
    ),
    (
        '6.3 resumed with other launch settings',
        [
            (
                'core/jobs/resumed_run.cpp',
                '    if (now.kind == EvaluatorKind::Model &&\n',
                '    if (!@ && now.kind == EvaluatorKind::Model &&\n',
            ),
        ],
        [('test_jobs', 'another judge*')],
    ),
    (
        '6.3 verify believes a modelled figure',
        [
            (
                'core/claims/evidence_check.cpp',
                '    const auto checked = check_lone_figure(candidate, run, record, resumed);',
                '    const auto checked = @ ? Result<std::string>(std::string()) : check_lone_figure(candidate, run, record, resumed);',
            ),
        ],
        [('test_cli', 'verify makes a bundle*')],
    ),
    (
        '6.3 a claim believes its log',
        [
            (
                'core/claims/claim.cpp',
                '    auto unchecked = check_step_figure(reader, kernel, run, step);',
                '    auto unchecked = @ || put_back("6.3 a resumption believes its log") || put_back("6.3 a report believes its log") ? Result<std::string>(std::string()) : check_step_figure(reader, kernel, run, step);',
            ),
        ],
        [('test_stored_figures', 'an edited log gives no stamp*')],
    ),
    (
        '6.3 a report believes its log',
        [
            (
                'core/claims/run_report.cpp',
                '    auto figures = check_run_figures(reader, *kernel, *run, FiguresOf::BestSteps, stop);',
                '    auto figures = @ ? Result<FiguresChecked>(FiguresChecked{}) : check_run_figures(reader, *kernel, *run, FiguresOf::BestSteps, stop);',
            ),
        ],
        [('test_stored_figures', 'an edited log gives no stamp*')],
    ),
    (
        '6.3 replay --verify believes its log',
        [
            (
                'app/cli/replay.cpp',
                '    auto figures = check_run_figures(reader, rebuilt.kernel, rebuilt.run, FiguresOf::EveryStep, stop.token());',
                '    auto figures = @ ? Result<FiguresChecked>(FiguresChecked{}) : check_run_figures(reader, rebuilt.kernel, rebuilt.run, FiguresOf::EveryStep, stop.token());',
            ),
        ],
        [('test_stored_figures', 'an edited log gives no stamp*')],
    ),
    (
        '6.5 names without a budget',
        [
            (
                'core/cubin/elf_image.cpp',
                'if (!end && room < rest.size()) return overlapping();',
                'if (!end && room < rest.size() && !@) return overlapping();',
            ),
            (
                'core/cubin/elf_image.cpp',
                'std::min(rest.size(), budget_ + 1);',
                '@ ? rest.size() : std::min(rest.size(), budget_ + 1);',
            ),
            (
                'core/cubin/elf_image.cpp',
                '        if (name.size() > budget_) return overlapping();',
                '        if (name.size() > budget_ && !@) return overlapping();',
            ),
        ],
        [('test_cubin', 'names that share one long text are refused')],
    ),
    (
        '6.5 a name copied for each relocation',
        [
            (
                'core/cubin/cubin_parser.cpp',
                'symbol->name.size() <= name_bytes_left_)',
                '(@ || symbol->name.size() <= name_bytes_left_))',
            ),
        ],
        [('test_cubin', 'a long name that many relocations repeat*')],
    ),
    (
        '6.5 sections may overlap',
        [
            (
                'core/cubin/elf_image.cpp',
                '!apart && !put_back("6.1 section 0 is not looked at"))',
                '!apart && !put_back("6.1 section 0 is not looked at") && !@)',
            ),
        ],
        [('test_cubin', 'a section that says it is the bytes of another is refused')],
    ),
    (
        '6.5 parameters without a bound',
        [
            (
                'core/cubin/cubin_parser.cpp',
                '        if (param.offset + std::size_t{param.size} > kMaxParamBytes || total > kMaxParamBytes)',
                '        if (!@ && (param.offset + std::size_t{param.size} > kMaxParamBytes || total > kMaxParamBytes))',
            ),
        ],
        [('test_cubin', 'files made to do harm are refused*')],
    ),
    (
        '6.5 the list of kernels searched for each',
        [
            (
                'core/cubin/cubin.cpp',
                '    thread_local std::size_t last = 0;',
                '    thread_local std::size_t last = 0;\n    if (@) last = 0;',
            ),
        ],
        [('test_cubin', 'sixteen times the kernels*')],
    ),
    (
        '6.5 blocks of any length',
        [
            (
                'core/analysis/hazard_checker.cpp',
                '        if (block.count > kMostInBlock)',
                '        if (block.count > kMostInBlock && !@)',
            ),
        ],
        [('test_hazard_checker', 'a kernel of which too much would have to be kept*')],
    ),
    (
        '6.5 dependences between blocks without a bound',
        [
            (
                'core/analysis/hazard_checker.cpp',
                '    if (!impl->pairs.complete())',
                '    if (!@ && !impl->pairs.complete())',
            ),
        ],
        [('test_hazard_checker', 'a kernel of which too much would have to be kept*')],
    ),
    (
        '6.5 pending results without a bound',
        [
            (
                'core/analysis/hazard_checker.cpp',
                '    if (!impl->scoreboards.complete())',
                '    if (!@ && !impl->scoreboards.complete())',
            ),
        ],
        [('test_hazard_checker', 'a kernel of which too much would have to be kept*')],
    ),
    (
        '6.5 the symbols searched for each kernel',
        [
            (
                'core/cubin/cubin_parser.cpp',
                '    for (const std::uint32_t i : parts_[text_index].functions) {\n'
                '        const ElfSymbol& symbol = elf_.symbols[i];\n'
                '',
                '    if (@)\n'
                '        for (const ElfSymbol& symbol : elf_.symbols)\n'
                '            if (symbol.section == text_index && symbol.name.empty()) kernel.functions.push_back({0, {}});\n'
                '    for (const std::uint32_t i : parts_[text_index].functions) {\n'
                '        const ElfSymbol& symbol = elf_.symbols[i];\n'
                '',
            ),
        ],
        [('test_cubin', 'sixteen times the kernels*')],
    ),
    (
        '6.6 not defensive',
        [
            (
                'core/store/sqlite.cpp',
                'sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1,',
                'sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, @ ? 0 : 1,',
            ),
        ],
        [('test_store', 'every connection is set up for files of others')],
    ),
    (
        '6.6 the schema is trusted',
        [
            (
                'core/store/sqlite.cpp',
                'sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0,',
                'sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, @ ? 1 : 0,',
            ),
        ],
        [('test_store', 'every connection is set up for files of others')],
    ),
    (
        '6.6 cells unchecked',
        [
            (
                'core/store/sqlite.cpp',
                '    return exec("PRAGMA cell_size_check = ON");',
                '    return exec(@ ? "PRAGMA cell_size_check = OFF" : "PRAGMA cell_size_check = ON");',
            ),
        ],
        [('test_store', 'every connection is set up for files of others')],
    ),
    (
        '6.6 no limits',
        [
            (
                'core/store/sqlite.cpp',
                '    for (const Limit& limit : kLimits)\n',
                '    for (const Limit& limit : kLimits)\n'
                '        if (!@)\n'
                '',
            ),
        ],
        [('test_store', 'every connection is set up for files of others')],
    ),
    (
        '6.6 a row may take for ever',
        [
            (
                'core/store/sqlite.cpp',
                '    sqlite3_progress_handler(db_, kOpcodes',
                '    if (!@) sqlite3_progress_handler(db_, kOpcodes',
            ),
        ],
        [('test_store', 'a row that would take for ever is given up')],
    ),
    (
        '6.6 no quick_check',
        [
            (
                'core/store/session_checks.cpp',
                '    if (file_bytes > kCheckedWhole) return {};',
                '    if (file_bytes > kCheckedWhole || @) return {};',
            ),
        ],
        [('test_store', 'damage that no row shows*')],
    ),
    (
        '6.6 any schema',
        [
            (
                'core/store/session_checks.cpp',
                'session_migrations()); !status) return status;',
                'session_migrations()); !status && !@) return status;',
            ),
        ],
        [('test_store', 'a session with another schema is refused*')],
    ),
    (
        '6.6 zstd without a bound',
        [
            (
                'core/store/compress.cpp',
                '    if (size > limit ||',
                '    if (!@) if (size > limit ||',
            ),
        ],
        [('test_store', 'a compressed value that would grow beyond measure*')],
    ),
    (
        '6.6 locks beyond the kernel',
        [
            (
                'core/store/instruction_ranges.cpp',
                '*last < *first || *last >= size)',
                '*last < *first || (*last >= size && !@))',
            ),
            (
                'core/store/instruction_ranges.cpp',
                '        if (*last - *first >= 2',
                '        if (!@ && *last - *first >= 2',
            ),
        ],
        [('test_store', 'locks beyond the kernel*')],
    ),
    (
        '6.6 the same locks over and over',
        [
            (
                'core/store/instruction_ranges.cpp',
                '        if (!put_back("6.6 locks beyond the kernel") && *last - *first >= 2',
                '        if (!put_back("6.6 locks beyond the kernel") && !@ && *last - *first >= 2',
            ),
        ],
        [('test_store', 'locks beyond the kernel*')],
    ),
    (
        '6.6 steps out of order',
        [
            (
                'core/store/session_reader.cpp',
                '            if (!follows(record->step, record->parent, best_only ? record->step - 1 : last) ||\n                record->step <= last)',
                '            if (!@ && (!follows(record->step, record->parent, best_only ? record->step - 1 : last) ||\n                record->step <= last))',
            ),
        ],
        [('test_store', 'step numbers and parents that make no sense*')],
    ),
    (
        '6.6 figures that are no numbers',
        [
            (
                'core/store/outcome_row.cpp',
                '        if (!std::isfinite(number)) wrong',
                '        if (!std::isfinite(number) && !@) wrong',
            ),
            (
                'core/store/step_row.cpp',
                '    if (!std::isfinite(record.reward)) return',
                '    if (!std::isfinite(record.reward) && !@) return',
            ),
        ],
        [('test_store', 'figures that are no numbers are refused')],
    ),
    (
        '6.7 JSON of any depth',
        [
            (
                'core/base/bounded_json.cpp',
                '                if (++depth > kMostJsonDepth) return too_deep();',
                '                if (++depth > kMostJsonDepth && !@) return too_deep();',
            ),
        ],
        [('test_base', 'JSON is nested 64 deep*')],
    ),
    (
        '6.7 CBOR of any depth',
        [
            (
                'core/base/bounded_json.cpp',
                '    if (std::string problem = CborScan(bytes).run(); !problem.empty())',
                '    if (std::string problem = CborScan(bytes).run(); !problem.empty() && !@)',
            ),
        ],
        [('test_base', 'CBOR: what our writer makes*')],
    ),
    (
        '6.7 inf and NaN from a worker',
        [
            (
                'core/measure/protocol.cpp',
                '    if (!(std::abs(value) <= kLargestNumber) && !',
                '    if (!@ && !(std::abs(value) <= kLargestNumber) && !',
            ),
            (
                'core/measure/protocol.cpp',
                '    if (!holds) throw std::runtime_error(what);',
                '    if (!holds && !@) throw std::runtime_error(what);',
            ),
        ],
        [('test_measure', 'figures that nothing measured can have*')],
    ),
    (
        '6.7 impossible figures from a worker',
        [
            (
                'core/measure/protocol.cpp',
                '    if (!holds && !put_back("6.7 inf and NaN from a worker")) throw',
                '    if (!holds && !@ && !put_back("6.7 inf and NaN from a worker")) throw',
            ),
        ],
        [('test_measure', 'figures that nothing measured can have*')],
    ),
    (
        '6.7 samples that are no numbers',
        [
            (
                'core/measure/protocol.cpp',
                '        if (!std::isfinite(sample)) throw',
                '        if (!std::isfinite(sample) && !@) throw',
            ),
        ],
        [('test_measure', 'figures that nothing measured can have*')],
    ),
    (
        '6.7 numbers out of range from a worker',
        [
            (
                'core/measure/protocol.cpp',
                '    const auto bad = [&] { return std::runtime_error(fmt::format("{} is out of range", key)); };',
                '    if (@) return static_cast<T>(field.get<std::int64_t>());\n    const auto bad = [&] { return std::runtime_error(fmt::format("{} is out of range", key)); };',
            ),
        ],
        [('test_measure', 'figures that nothing measured can have*')],
    ),
    (
        '6.7 damaged frames are read',
        [
            (
                'core/measure/frame.cpp',
                '    if (hash_bytes(body, length).lo !=',
                '    if (!@ && hash_bytes(body, length).lo !=',
            ),
        ],
        [('test_measure', 'Damaged streams*')],
    ),
    (
        '6.7 frames of any size',
        [
            (
                'core/measure/frame.cpp',
                '    if (length > kMaxFrameBytes) return',
                '    if (length > kMaxFrameBytes && !@) return',
            ),
        ],
        [('test_measure', 'A frame that says it is larger than any*')],
    ),
    (
        '6.7 no handler at the top',
        [
            (
                'core/base/guarded.cpp',
                '    program_name = program;\n',
                '    program_name = program;\n'
                '    if (@) return work();\n'
                '',
            ),
        ],
        [('test_base', 'an exception at the top of a process*')],
    ),
    (
        '6.7 a thread ends in an abort',
        [
            (
                'core/base/guarded.cpp',
                '    std::set_terminate(end_process);',
                '    if (!@) std::set_terminate(end_process);',
            ),
        ],
        [('test_base', 'an exception at the top of a process*')],
    ),
    (
        '6.7 a job of the window is not guarded',
        [
            (
                'ui/base/job_runner.cpp',
                '        job->thrown = guarded([&]',
                '        if (@) job->work(job->stop.get_token());\n        else job->thrown = guarded([&]',
            ),
        ],
        [('test_ui_gate', 'a job of the window that throws*')],
    ),
    (
        '6.7 the thread of a run is not guarded',
        [
            (
                'ui/run/live_run.cpp',
                '        if (auto thrown = guarded(',
                '        if (@) result = work(stop);\n        else if (auto thrown = guarded(',
            ),
        ],
        [('test_ui_gate', 'a job of the window that throws*')],
    ),
    (
        '6.8 a session reads any file',
        [
            (
                'core/jobs/session_workload.cpp',
                '        if (!lies_beside(file, session))',
                '        if (!@ && !lies_beside(file, session))',
            ),
        ],
        [('test_cli', "a session's workload*")],
    ),
    (
        '6.8 a bundle reads any file',
        [
            (
                'core/claims/evidence_check.cpp',
                '            if (file->path.parent_path() != out.folder ||\n',
                '            if (@) continue;\n'
                '            if (file->path.parent_path() != out.folder ||\n'
                '',
            ),
        ],
        [('test_claims', 'Input files travel with a bundle*')],
    ),
    (
        '6.8 input files of a bundle may be others',
        [
            (
                'core/claims/evidence_check.cpp',
                '} else if (hash_bytes(*bytes).hex() !=',
                '} else if (!@ && hash_bytes(*bytes).hex() !=',
            ),
        ],
        [('test_claims', 'Input files travel with a bundle*')],
    ),
    (
        '6.8 names reach the terminal',
        [
            (
                'app/cli/output.cpp',
                '        else if (!steers(c))',
                '        else if (!steers(c) || @)',
            ),
        ],
        [('test_cli', 'names from a file are shown*'), ('test_cli', 'names and texts from a session are shown*')],
    ),
    (
        '6.8 a stored listing is believed',
        [
            (
                'core/sass/disassembler.cpp',
                '*lines); !wrong.empty()) {',
                '*lines); !wrong.empty() && !@) {',
            ),
        ],
        [('test_cli', 'a stored listing that says other*')],
    ),
    (
        '6.8 labels take rich text',
        [
            (
                'ui/base/plain_text.cpp',
                '        if (label != nullptr && label',
                '        if (!@ && label != nullptr && label',
            ),
        ],
        [('test_ui_switch', 'no label*')],
    ),
    (
        '6.8 tool tips take rich text',
        [
            (
                'ui/base/plain_text.cpp',
                '    if (event->type() != QEvent::ToolTip ||',
                '    if (@ || event->type() != QEvent::ToolTip ||',
            ),
        ],
        [('test_ui_switch', 'no label*')],
    ),
    (
        '6.8 tips are not escaped',
        [
            (
                'ui/base/plain_text.cpp',
                '    if (!Qt::mightBeRichText(text)) return text;',
                '    if (!Qt::mightBeRichText(text) || @) return text;',
            ),
        ],
        [('test_ui_switch', 'no label*')],
    ),
    (
        '6.8 messages are not escaped',
        [
            (
                'ui/base/message_bar.cpp',
                '.arg(message.title.toHtmlEscaped(), message.text.toHtmlEscaped()));',
                '.arg(@ ? message.title : message.title.toHtmlEscaped(), @ ? message.text : message.text.toHtmlEscaped()));',
            ),
        ],
        [('test_ui_switch', 'a file whose name is a page of HTML*')],
    ),
    (
        '6.9 every word seen is kept',
        [
            (
                'core/search/known_outcomes.cpp',
                '    if (order_.size() < kMost) {',
                '    if (order_.size() < kMost || @) {',
            ),
        ],
        [('test_search', 'of the words that a run has seen*')],
    ),
    (
        '6.9 a report reads a run at once',
        [
            (
                'core/claims/run_curve.cpp',
                '        auto page = reader.figures(run.id, after, kPage);',
                '        auto page = reader.figures(run.id, after, @ ? 0 : kPage);',
            ),
        ],
        [('test_jobs', 'a report of a run takes its rows by the page*')],
    ),
    (
        '6.9 a report reads every whole row',
        [
            (
                'core/claims/stored_figures.cpp',
                '        auto page = reader.best_steps(run, after, kPage);',
                '        auto page = @ ? reader.steps(run, after, kPage) : reader.best_steps(run, after, kPage);',
            ),
        ],
        [('test_jobs', 'a report of a run takes its rows by the page*')],
    ),
    (
        '6.9 figures are checked with the run at once',
        [
            (
                'core/claims/run_curve.cpp',
                '        auto page = reader.steps(run, after, kPage);',
                '        auto page = reader.steps(run, after, @ ? 0 : kPage);',
            ),
        ],
        [('test_jobs', 'the figures of a whole run are checked by the page')],
    ),
    (
        '6.9 a resumption reads the words of a run at once',
        [
            (
                'core/jobs/resumed_run.cpp',
                '        constexpr std::size_t kPage = 16384;',
                '        const std::size_t kPage = @ ? SIZE_MAX / 2 : 16384;',
            ),
        ],
        [('test_jobs', 'a resumption begins at the newest state*')],
    ),
    (
        '6.9 a resumption reads the steps at once',
        [
            (
                'core/search/tune_resume.cpp',
                '        auto next = history.steps(after, kResumePage);',
                '        auto next = history.steps(after, @ ? 0 : kResumePage);',
            ),
        ],
        [('test_jobs', 'a resumption begins at the newest state*')],
    ),
    (
        '6.9 a resumption proposes all steps again',
        [
            (
                'core/search/tune_resume.cpp',
                '    if (*saved) (void)restore(**saved, history);',
                '    if (*saved && !@) (void)restore(**saved, history);',
            ),
        ],
        [('test_jobs', 'a resumption begins at the newest state*')],
    ),
    (
        '6.9 a record for each step in the curves',
        [
            (
                'ui/run/run_curves.cpp',
                '        if (r.best && r.outcome.ok())',
                '        if ((r.best || @) && r.outcome.ok())',
            ),
        ],
        [('test_ui_curves', '1.8 million steps*')],
    ),
    (
        '6.10 SIGHUP ends the process',
        [
            (
                'app/cli/stop_on_signal.cpp',
                '    if (::sigaction(SIGHUP,',
                '    if (!@ && ::sigaction(SIGHUP,',
            ),
        ],
        [('test_cli', 'a terminal that goes away*')],
    ),
    (
        '6.10 SIGPIPE ends the process',
        [
            (
                'app/cli/stop_on_signal.cpp',
                '    std::signal(SIGPIPE, SIG_IGN);',
                '    if (!@) std::signal(SIGPIPE, SIG_IGN);',
            ),
        ],
        [('test_cli', 'a terminal that goes away*')],
    ),
    (
        '6.10 pipes and devices are read',
        [
            (
                'core/base/file.cpp',
                '    if (!S_ISREG(info.st_mode))\n',
                '    if (!S_ISREG(info.st_mode) && !@)\n',
            ),
        ],
        [('test_base', 'pipes and devices are not read*')],
    ),
    (
        '6.10 pipes and devices as outputs',
        [
            (
                'core/base/output_file.cpp',
                '    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))',
                '    if (!@ && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))',
            ),
        ],
        [('test_base', 'folders*')],
    ),
    (
        '6.10 a dangling link as output',
        [
            (
                'core/base/output_file.cpp',
                '::lstat(file.path.c_str(), &info) != 0) {',
                '(@ ? ::stat(file.path.c_str(), &info) : ::lstat(file.path.c_str(), &info)) != 0) {',
            ),
        ],
        [('test_base', 'folders*')],
    ),
    (
        '6.10 a 0600 file readable to all',
        [
            (
                'core/base/file.cpp',
                '    mode_t mode = before.st_mode & 0777;',
                '    mode_t mode = @ ? 0644 : before.st_mode & 0777;',
            ),
        ],
        [('test_base', 'what takes the place of a file keeps*')],
    ),
    (
        '6.10 a link is followed',
        [
            (
                'core/base/file.cpp',
                '    if (::rename(temporary.c_str(), path.c_str()) != 0)',
                '    if (::rename(temporary.c_str(), (@ && replaces ? std::filesystem::weakly_canonical(path) : path).c_str()) != 0)',
            ),
        ],
        [('test_base', 'what takes the place of a file keeps*')],
    ),
    (
        '6.10 damaged journals are deleted',
        [
            (
                'ui/shell/recovery_journal.cpp',
                '            QFile::rename(file.filePath(),',
                '            if (@) QFile::remove(file.filePath());\n            else QFile::rename(file.filePath(),',
            ),
        ],
        [('test_ui_shell', 'damaged*')],
    ),
]
