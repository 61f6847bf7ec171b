#include "PushNotificationSDKC.h"
#include <stddef.h>

void on_login(void *context, const PushSDKError *error);
void on_answer(void *context, int32_t granted, const PushSDKError *error);
void on_permission(void *context, int32_t permission, const PushSDKError *error);
void on_permission_change(void *context, int32_t permission);
void on_json(void *context, const char *json, const PushSDKError *error);
void on_token_needed(void *context, const char *playerAccountId);
void on_inbox(void *context, const char *jsonUpdate);
void game_note(void *game, const char *text);
void snippet(void *game);

void snippet(void *game) {
    // the snippet
    (void)game;
}
