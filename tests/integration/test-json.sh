#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --json: every command's document follows the schema, and says what the text says.
. "$(dirname "$0")/lib.sh"

SCHEMA=$TEST_DIR/../../data/json/tcptune-nm.schema.json

# json STATUS CONDITION COMMAND...: the exit status; the document `d` is judged at the end, by the schema
# and by the condition, because the judge takes longer to start than all else.
json()
{
    local status=$1 condition=$2

    shift 2
    expect "$status" "$TT_CMD" -j "$@"
    n_documents=$((n_documents + 1))
    cp "$OUT" "$WORLD/$n_documents.json"
    printf 'd["exit_status"] == %s and (%s)\n' "$status" "$condition" >"$WORLD/$n_documents.condition"
}

judge()
{
    /usr/bin/python3 - "$SCHEMA" "$WORLD" "$n_documents" <<'END' || fail 'documents'
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
for n in range(1, int(sys.argv[3]) + 1):
    text = open(f"{sys.argv[2]}/{n}.json").read()
    condition = open(f"{sys.argv[2]}/{n}.condition").read()
    d = json.loads(text)
    jsonschema.validate(d, schema)
    assert eval(condition), f"{text}is not {condition}"
END
}

n_documents=0
start_two_defaults
policy <<'END'
[route]
rto_min=8ms
quickack=yes
[route-hands-off]
match-device=interface-name:eth1
stop-match=yes
END

step 'before'
json 11 'len(d["differences"]) == 2 and d["differences"][0]["after"]["rto_min"] == 8' check
json 0 '[r["state"] for r in d["routes"]] == ["differs"] * 2 and d["monitor"] is None' status
json 0 'd["dry_run"] and d["changed"] and not d["edits"][0]["done"]' apply --dry-run

step 'apply, and again'
json 0 'd["changed"] and all(e["done"] for e in d["edits"]) and len(d["edits"]) == 2' apply
json 0 'not d["changed"] and d["edits"] == []' apply
json 0 'd["differences"] == []' check
json 0 'd["routes"][0]["kernel"]["lock"] == ["rto_min"] and d["routes"][0]["since"]' status
json 0 'len(d["routes"]) == 1 and d["routes"][0]["nexthops"][0]["device"] == "eth0"' \
    status to 203.0.113.1
json 0 'd["routes"][0]["kernel"] == {"lock": []}' status to 192.0.2.1

step 'the policy'
json 0 '[s["name"] for s in d["sections"]] == ["route-hands-off", "route"] and len(d["warnings"]) == 1' \
    policy show
json 0 'd["sections"][1]["keys"][0]["value"] == "8ms"' policy check
json 0 'd["routes"][0]["search"][0]["ends_search"] and len(d["routes"][0]["search"]) == 1' \
    policy test eth1
json 10 'd["error"] == "Device '"'eth9'"' not found."' policy test eth9


step 'the monitor'
start_monitor
json 0 'd["monitor"]["events"] >= 0 and d["monitor"]["fight"] is None' status
stop_monitor

step 'undone'
json 0 'd["changed"] and d["left_alone"] == []' revert
json 0 'd["reverted"]' status

step 'settings of the host'
{ cat /etc/tcptune-nm/tcptune-nm.conf; printf '[host]\ntcp_tw_reuse=yes\ntcp_thin_dupack=yes\n'; } \
    | policy conf.d/host.conf
json 11 'd["dry_run"] and d["host_edits"][0]["after"] == "yes" and not d["host_edits"][0]["done"]' \
    apply --dry-run
json 11 '[h["state"] for h in d["host"]] == ["unavailable", "differs"]' check
json 11 'd["changed"] and d["host_edits"][0]["done"] and "thin_dupack" in d["left_alone"][0]' apply
json 0 'd["host"][1]["kernel"] == "yes" and d["host"][1]["since"] and d["host"][1]["drift"] is None' \
    status
mkdir -p /etc/sysctl.d
echo net.ipv4.tcp_tw_reuse=0 >/etc/sysctl.d/60-other.conf
json 11 'd["host"][1]["drift"] == {"file": "/etc/sysctl.d/60-other.conf", "line": 1, "value": "no"}' \
    check
rm /etc/sysctl.d/60-other.conf
json 0 'd["host_edits"][0]["after"] == "loopback"' revert
rm /etc/tcptune-nm/conf.d/host.conf

step 'what the kernel may hold is text in the document'
ip link add 'a"b\c' type veth peer name other
ip link set other up
ip link set 'a"b\c' up
ip route add default dev 'a"b\c' metric 300
json 0 'any(e["nexthops"][0]["device"] == "a\"b\\c" for e in d["edits"])' apply

step 'a broken policy'
printf 'nonsense\n' | policy
json 1 '"tcptune-nm.conf:1" in d["error"]' check
json 1 'd["error"] and "edits" not in d' apply

step 'only where there is something to say'
expect 2 "$TT_CMD" -j -t status
expect 2 "$TT_CMD" -j -f all status

step 'by the schema'
judge
