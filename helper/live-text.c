/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live-text.h"

#include "describe.h"

char *
tt_live_text_us(const TtSocket *socket, guint32 us)
{
    if (!socket->has_info || us == 0)
        return g_strdup("");
    if (us < 1000)
        return g_strdup_printf("%.2fms", us / 1000.0);
    return g_strdup_printf(us % 1000 && us < 10000 ? "%.1fms" : "%.0fms", us / 1000.0);
}

char *
tt_live_text_idle(const TtSocket *socket)
{
    guint32 ms = MIN(socket->idle_sent_ms, socket->idle_received_ms);

    if (!socket->has_info)
        return g_strdup("");
    if (ms < 1000)
        return g_strdup_printf("%ums", ms);
    if (ms < 10000)
        return g_strdup_printf("%.1fs", ms / 1000.0);
    return tt_describe_age(ms / 1000 + 1, 1);
}

char *
tt_live_text_sum(const GPtrArray *live)
{
    guint n[_TT_SOCKET_VERDICT_N] = {0};
    GString *text = g_string_new(NULL);
    char separator = ':';

    for (guint i = 0; i < live->len; i++)
        n[((const TtLive *) live->pdata[i])->verdict]++;
    g_string_append_printf(text, "%u connection%s", live->len, live->len == 1 ? "" : "s");
    for (TtSocketVerdict verdict = TT_SOCKET_NONE + 1; verdict < _TT_SOCKET_VERDICT_N; verdict++) {
        if (n[verdict] > 0) {
            g_string_append_printf(text, "%c %u %s", separator, n[verdict],
                                   tt_socket_verdict_name(verdict));
            separator = ',';
        }
    }
    if (n[TT_SOCKET_NONE] > 0)
        g_string_append_printf(text, "%c %u not tuned", separator, n[TT_SOCKET_NONE]);
    return g_string_free(text, FALSE);
}
