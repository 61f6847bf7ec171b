#ifndef GAME_H
#define GAME_H

#include <stdbool.h>

/* What this game knows of its notifications. */
struct game {
    int answers, notifications, opened, actions, links, errors;
    int permissions, permission, changes, lastChange;
    int settings;
    bool settingsOpened;
    bool granted;
    int refusal;
    int lastError;
    char lastPayload[4096];
    char lastAction[64];
    char lastLink[256];
    bool linkOfNotification;
    int logins, lastLogin;
    char lastMessage[512];
    char lastSuggestion[512];
    bool alwaysOnMainQueue;
    int released;
};

/* Starts the SDK and sets the handlers: false, with the message in lastMessage, when the SDK refuses. */
bool game_start(struct game *game, const char *address, const char *key, const char *player);

/* Asks the person for the permission to notify. */
void game_ask(struct game *game);

/* Asks for quiet notifications, without a prompt. */
void game_ask_quietly(struct game *game);

/* Looks at what the person allows, into `permission`. */
void game_look(struct game *game);

/* Leads the person to the system's settings. */
void game_open_settings(struct game *game);

/* The player logs in, with a token where there is one, or out. */
void game_login(struct game *game, const char *player, const char *token);
void game_logout(struct game *game);

/* Takes the handlers away. */
void game_stop(struct game *game);

#endif
