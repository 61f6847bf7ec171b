struct game;
void game_show(void *game, const char *json);
void game_log(void *game, int code, const char *message, const char *suggestion);
void game_settings(void *game, int granted);

// the snippet
