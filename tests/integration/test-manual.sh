#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tcptune-nm(1) names every option, command, key word, exit status and JSON member that there is, and no
# other. (Policy keys against tcptune-nm.conf(5): unit/test-manual.c.)
. "$(dirname "$0")/lib.sh"

SOURCE=$TEST_DIR/../..
PAGE=$SOURCE/data/man/tcptune-nm.1

# section NAME: its lines in the page.
section()
{
    awk -v name=".Sh $1" '/^\.Sh / { inside = $0 == name } inside' "$PAGE"
}

same()
{
    assert_same "$(sort -u <<<"$2")" "$(sort -u <<<"$3")" "$1: program (first) and page"
}

step options
same options \
    "$("$TT_CMD" --help 2>&1 | sed -nE 's/^  -(.), --([a-z-]+).*/\1 \2/p')" \
    "$(section OPTIONS | sed -nE 's/^\.It Fl (.) , Fl Fl ([a-z-]+).*/\1 \2/p')"

step commands
commands()
{
    local command below

    for command in $("$TT_CMD" --complete-args '' | grep -vx help); do
        below=$("$TT_CMD" --complete-args "$command" '' | grep -vx help || true)
        if [ "$command" = policy ]; then
            sed 's/^/policy /' <<<"$below"
        else
            printf '%s\n' "$command"
        fi
    done
}
same commands "$(commands)" \
    "$(section COMMANDS | sed -nE '/^\.Ss/q; s/^\.It Ic ([a-z , ]+).*/\1/p' | sed 's/ , */\n/g' \
        | sed -E 's/ +$//' | grep .)"

step 'key words'
for command in $("$TT_CMD" --complete-args '' | grep -vxE 'help|policy|start|stop|restart'); do
    line=$(section COMMANDS | grep -E "^\.It Ic $command( |$)" || fail "no $command in the page")
    for word in $("$TT_CMD" --complete-args "$command" '' | grep -vx help); do
        case $word in
        --*) wanted="Fl Fl ${word#--}" ;;
        *) wanted="Cm $word" ;;
        esac
        grep -qE -- "$wanted( |$)" <<<"$line" || fail "$command $word is not in the page"
    done
    for word in $(grep -oE '(Fl Fl|Cm) [a-z-]+' <<<"$line" | sed -E 's/Fl Fl /--/; s/Cm //'); do
        "$TT_CMD" --complete-args "$command" "$word" | grep -qxF -- "$word" \
            || fail "$command $word is in the page, and the program does not know it"
    done
done

step 'exit statuses'
same 'exit statuses' \
    "$(sed -nE 's/^ *TT_EXIT_[A-Z_]+ = ([0-9]+),.*/\1/p' "$SOURCE/helper/exit.h")" \
    "$(section 'EXIT STATUS' | sed -nE 's/^\.It ([0-9]+)$/\1/p')"

step 'JSON'
same 'members of the document' \
    "$(/usr/bin/python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1]))["properties"]))' \
        "$SOURCE/data/json/tcptune-nm.schema.json")" \
    "$(section JSON | sed -nE 's/^\.It Li (.*)/\1/p' | sed 's/ , */\n/g')"
