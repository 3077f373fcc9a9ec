# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What looks at the sources and runs nothing. Sourced by tests/run, which has source_dir and
# verdict().

# shellcheck disable=SC2154

# sources PATTERN...: absolute paths of what git knows.
sources()
{
    git -C "$source_dir" ls-files "$@" | sed "s|^|$source_dir/|"
}

shell_files()
{
    git -C "$source_dir" grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell=' -- . \
        ':!*.c' | sed "s|^|$source_dir/|"
}

check_style()
{
    local formatter=clang-format-14

    command -v $formatter >/dev/null || formatter=clang-format
    sources '*.c' '*.h' | xargs $formatter --dry-run -Werror
    verdict $? 'clang-format: C sources are not formatted'
    (cd "$source_dir" && shell_files | xargs shellcheck -x -S warning)
    verdict $? 'shellcheck'
    [ -z "$(mandoc -Tlint -W warning "$source_dir"/data/man/*.[158] 2>&1 | tee /dev/stderr)" ]
    verdict $? 'manual pages'
}

# check_lint BUILD: with the compile_commands.json of that build.
check_lint()
{
    local tidy=clang-tidy-14

    command -v $tidy >/dev/null || tidy=clang-tidy
    sources '*.c' | xargs -n 4 -P "$(nproc)" $tidy --quiet -p "$1" 2>&1 \
        | sed '/ warnings\? .*generated\.$/d'
    verdict $? 'clang-tidy'
    mkdir -p "$1/cppcheck"
    (cd "$source_dir" && git ls-files '*.c' \
        | cppcheck --file-list=- -j "$(nproc)" --cppcheck-build-dir="$1/cppcheck" \
            -I . -D_GNU_SOURCE --library=gtk,gnu,posix --quiet --error-exitcode=1 \
            --enable=warning,style,performance,portability \
            --suppressions-list=.cppcheck-suppressions \
            --template='{file}:{line}: {severity}: {message} [{id}]')
    verdict $? 'cppcheck'
}
