/* A game in C: everything that it has to write for notifications. */
#include "game.h"

#include <stdio.h>

#include "PushHooks.h" /* Only to note which thread the callbacks come on. */
#include "PushNotificationSDKC.h"

/* A string is valid until the callback returns, so the game keeps a copy. */
static void keep(char *copy, size_t size, const char *text) {
    snprintf(copy, size, "%s", text);
}

static void note_thread(struct game *game) {
    game->alwaysOnMainQueue = game->alwaysOnMainQueue && PushHooks_IsMainThread();
}

static void on_permission(void *context, int32_t granted, const PushSDKError *error) {
    struct game *game = context;
    note_thread(game);
    game->answers++;
    game->granted = granted != 0;
    game->refusal = error ? error->code : PushSDKErrorNone;
}

static void on_status(void *context, int32_t permission, const PushSDKError *error) {
    struct game *game = context;
    note_thread(game);
    game->permissions++;
    game->permission = permission;
    game->refusal = error ? error->code : PushSDKErrorNone;
}

static void on_change(void *context, int32_t permission) {
    struct game *game = context;
    note_thread(game);
    game->changes++;
    game->lastChange = permission;
}

static void on_settings(void *context, int32_t opened, const PushSDKError *error) {
    struct game *game = context;
    note_thread(game);
    game->settings++;
    game->settingsOpened = opened != 0;
    game->refusal = error ? error->code : PushSDKErrorNone;
}

static void on_notification(void *context, const char *jsonPayload) {
    struct game *game = context;
    note_thread(game);
    keep(game->lastPayload, sizeof game->lastPayload, jsonPayload);
    game->notifications++;
}

static void on_opened(void *context, const char *jsonPayload) {
    struct game *game = context;
    note_thread(game);
    keep(game->lastPayload, sizeof game->lastPayload, jsonPayload);
    game->opened++;
}

static void on_action(void *context, const char *actionId, const char *jsonPayload) {
    struct game *game = context;
    note_thread(game);
    keep(game->lastAction, sizeof game->lastAction, actionId);
    keep(game->lastPayload, sizeof game->lastPayload, jsonPayload);
    game->actions++;
}

static void on_link(void *context, const char *url, const char *jsonPayload) {
    struct game *game = context;
    note_thread(game);
    keep(game->lastLink, sizeof game->lastLink, url);
    game->linkOfNotification = jsonPayload != NULL;
    game->links++;
}

static void on_login(void *context, const PushSDKError *error) {
    struct game *game = context;
    note_thread(game);
    game->lastLogin = error ? error->code : PushSDKErrorNone;
    game->logins++;
}

static void on_error(void *context, const PushSDKError *error) {
    struct game *game = context;
    note_thread(game);
    game->lastError = error->code;
    keep(game->lastMessage, sizeof game->lastMessage, error->message);
    keep(game->lastSuggestion, sizeof game->lastSuggestion, error->recoverySuggestion);
    game->errors++;
}

/* Called once for every context that was handed in; a game that allocates one for a handler frees it here. */
static void on_release(void *context) {
    struct game *game = context;
    __atomic_add_fetch(&game->released, 1, __ATOMIC_SEQ_CST);
}

/* What the three texts of PushSDK_Configure do not say. */
static const char *const options =
    "{\"appGroup\": \"group.com.example.game\","
    " \"categories\": [{\"identifier\": \"MISSION\", \"actions\": ["
    "   {\"identifier\": \"CONFIRM\", \"title\": \"Confirm\", \"foreground\": true},"
    "   {\"identifier\": \"LATER\", \"title\": \"Later\","
    "    \"textInput\": {\"buttonTitle\": \"Send\", \"placeholder\": \"When?\"}}]}],"
    " \"links\": [{\"scheme\": \"mygame\"}],"
    " \"tracksBeforeConsent\": false}"; /* Nothing is counted before the player's yes. */

bool game_start(struct game *game, const char *address, const char *key, const char *player) {
    game->alwaysOnMainQueue = true;
    PushSDK_SetNotificationHandler(game, on_notification, on_release);
    PushSDK_SetOpenedHandler(game, on_opened, on_release);
    PushSDK_SetPermissionHandler(game, on_change, on_release);
    PushSDK_SetActionHandler(game, on_action, on_release);
    PushSDK_SetLinkHandler(game, on_link, on_release);
    PushSDK_SetErrorHandler(game, on_error, on_release);

    PushSDK_InstallAppDelegate();
    PushSDKError error;
    if (PushSDK_SetOptions(options, &error) && PushSDK_Configure(address, key, player, &error)) return true;
    game->lastError = error.code;
    keep(game->lastMessage, sizeof game->lastMessage, error.message);
    keep(game->lastSuggestion, sizeof game->lastSuggestion, error.recoverySuggestion);
    return false;
}

void game_ask(struct game *game) {
    PushSDK_RequestPermission(game, on_permission, on_release);
}

void game_ask_quietly(struct game *game) {
    int32_t options = PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional;
    PushSDK_RequestPermissionWithOptions(game, options, on_permission, on_release);
}

void game_look(struct game *game) {
    PushSDK_GetPermission(game, on_status, on_release);
}

void game_open_settings(struct game *game) {
    PushSDK_OpenSettings(game, on_settings, on_release);
}

void game_login(struct game *game, const char *player, const char *token) {
    PushSDK_Login(game, player, token, on_login, on_release);
}

void game_logout(struct game *game) {
    PushSDK_Logout(game, on_login, on_release);
}

void game_stop(struct game *game) {
    (void)game;
    PushSDK_SetNotificationHandler(NULL, NULL, NULL);
    PushSDK_SetOpenedHandler(NULL, NULL, NULL);
    PushSDK_SetPermissionHandler(NULL, NULL, NULL);
    PushSDK_SetActionHandler(NULL, NULL, NULL);
    PushSDK_SetLinkHandler(NULL, NULL, NULL);
    PushSDK_SetErrorHandler(NULL, NULL, NULL);
}
