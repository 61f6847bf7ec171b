/* What a game does with preferences and the inbox, and the checks of it. */
#ifndef USERS_H
#define USERS_H

#define ITEM "01920000-0000-7000-8000-000000000001"

/* What came back from a call: how often, the JSON and the code of the error. */
struct answer {
    int answers, releases, error;
    char json[1024];
};

static void answer_json(void *context, const char *json, const PushSDKError *error) {
    struct answer *answer = context;
    answer->answers++;
    answer->error = error ? error->code : 0;
    snprintf(answer->json, sizeof answer->json, "%s", json ? json : "");
}

static void answer_end(void *context, const PushSDKError *error) { answer_json(context, NULL, error); }
static void answer_text(void *context, const char *text) { answer_json(context, text, NULL); }
static void answer_release(void *context) { ((struct answer *)context)->releases++; }

static const char *last_request(void) {
    const char *last = PushHooks_LastRequest();
    return last ? last : "";
}

static void refuses_what_needs_a_player(void) {
    static struct answer answer;
    PushHooks_Start(PushHooksAllows);
    PushSDK_LoadPreferences(&answer, answer_json, answer_release); /* Before the start. */
    CHECK_SOON(answer.answers == 1 && answer.releases == 1);
    CHECK(answer.error == PushSDKErrorNotConfigured);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL));
    PushSDK_GetInboxPage(&answer, NULL, answer_json, answer_release);
    CHECK_SOON(answer.releases == 2);
    CHECK(answer.error == PushSDKErrorLoginRequired && answer.json[0] == 0);
    PushSDK_ArchiveInboxItem(&answer, ITEM, answer_end, answer_release);
    CHECK_SOON(answer.releases == 3);
    CHECK(answer.error == PushSDKErrorLoginRequired);
    CHECK(last_request()[0] == 0);
}

static void says_why_pushes_come_or_do_not(void) {
    static struct answer answer;
    PushHooks_Start(PushHooksAllows);
    PushSDK_GetDiagnostics(&answer, answer_json, answer_release); /* Before the start. */
    CHECK_SOON(answer.releases == 1);
    CHECK(answer.error == PushSDKErrorNotConfigured && answer.json[0] == 0);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", "player-1", NULL));
    PushSDK_GetDiagnostics(&answer, answer_json, answer_release);
    CHECK_SOON(answer.releases == 2);
    CHECK(answer.error == 0 && answer.answers == 2 && HAS(answer.json, "https://api.example.test"));
    CHECK(!HAS(answer.json, "validkey123"));
    PushSDK_SendTestNotification(&answer, answer_json, answer_release);
    CHECK_SOON(answer.releases == 3);
    CHECK(answer.error == PushSDKErrorRegistrationFailed); /* Not registered yet. */
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    PushSDK_SendTestNotification(&answer, answer_json, answer_release);
    CHECK_SOON(answer.releases == 4);
    CHECK(answer.error == 0 && !strcmp(answer.json, "01920000-0000-7000-8000-000000000009"));
    CHECK(HAS(last_request(), "POST installations/") && HAS(last_request(), "/test"));
    PushSDK_SendTestNotification(NULL, NULL, NULL);
    PushSDK_GetDiagnostics(NULL, NULL, NULL);
}

static void keeps_the_preferences(void) {
    static struct answer answer;
    PushHooks_Start(PushHooksAllows);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL));
    PushSDK_Login(NULL, "player-1", "token.of.one", NULL, NULL);
    PushSDK_LoadPreferences(&answer, answer_json, answer_release);
    CHECK_SOON(answer.releases == 1);
    CHECK(answer.error == 0 && HAS(answer.json, "\"push\":{\"isOn\":false,\"source\":\"user\"}"));
    PushSDK_SetPreferences(&answer, "{\"categories\":{\"comment\":{\"push\":null}}}", answer_json, answer_release);
    CHECK_SOON(answer.releases == 2);
    CHECK(answer.error == 0 && HAS(answer.json, "コメント"));
    CHECK(!strcmp(last_request(), "PATCH preferences {\"categories\":{\"comment\":{\"push\":null}}}"));
    PushSDK_SetPreferences(&answer, "{\"comment\":true}", answer_json, answer_release);
    CHECK_SOON(answer.releases == 3);
    CHECK(answer.error == PushSDKErrorInvalidConfiguration);
    PushSDK_SetPreferences(&answer, NULL, answer_json, answer_release);
    CHECK_SOON(answer.releases == 4);
    CHECK(answer.error == PushSDKErrorInvalidConfiguration);
    PushSDK_SetPushEnabled(&answer, 0, answer_end, answer_release);
    CHECK_SOON(answer.releases == 5);
    CHECK(answer.error == PushSDKErrorRegistrationFailed); /* Not registered yet. */
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    PushSDK_SetPushEnabled(&answer, 0, answer_end, answer_release);
    CHECK_SOON(answer.releases == 6);
    CHECK(answer.error == 0 && HAS(last_request(), "PATCH installations/") && HAS(last_request(), "{\"push\":false}"));
    PushSDK_LoadPreferences(NULL, NULL, NULL);
}

static void reads_the_inbox(void) {
    static struct answer answer, update, needed;
    PushHooks_Start(PushHooksAllows);
    PushSDK_SetInboxHandler(&update, answer_text, answer_release);
    PushSDK_SetUserTokenHandler(&needed, answer_text, answer_release);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL));
    PushHooks_AllowToken("token.new");
    PushSDK_Login(NULL, "player-1", "token.old", NULL, NULL);
    PushSDK_GetInboxPage(&answer, "{\"status\":\"unread\",\"limit\":5}", answer_json, answer_release);
    CHECK_SOON(needed.answers >= 1);
    CHECK(!strcmp(needed.json, "player-1"));
    PushSDK_AnswerUserToken("player-1", "token.new");
    CHECK_SOON(answer.releases == 1);
    CHECK(answer.error == 0 && HAS(answer.json, ITEM) && HAS(answer.json, "\"cursor\":\"c1\""));
    CHECK(HAS(answer.json, "\"isRead\":false"));
    CHECK(!strcmp(last_request(), "GET inbox?status=unread&limit=5"));
    CHECK_SOON(update.answers >= 1);
    CHECK(HAS(update.json, "\"unread\":4"));
    PushSDK_GetInboxCounts(&answer, answer_json, answer_release);
    CHECK_SOON(answer.releases == 2);
    CHECK(!strcmp(answer.json, "{\"revision\":3,\"unread\":2,\"unseen\":1}"));
    PushSDK_MarkInbox(&answer, "[\"" ITEM "\"]", "read", answer_end, answer_release);
    CHECK_SOON(answer.releases == 3);
    CHECK(answer.error == 0 && HAS(last_request(), "POST inbox/actions") && HAS(last_request(), "\"action\":\"read\""));
    PushSDK_MarkWholeInbox(&answer, ITEM, "seen", "comment", answer_end, answer_release);
    CHECK_SOON(answer.releases == 4);
    CHECK(answer.error == 0 && HAS(last_request(), "\"up_to\":\"" ITEM "\"") && HAS(last_request(), "comment"));
    PushSDK_ArchiveInboxItem(&answer, ITEM, answer_end, answer_release);
    CHECK_SOON(answer.releases == 5);
    CHECK(answer.error == 0 && HAS(last_request(), "\"action\":\"archive\""));
    const char *wrong[][2] = {{"[\"x\"]", "read"}, {"{}", "read"}, {NULL, "read"}, {"[]", "eaten"}, {"[]", NULL}};
    for (int index = 0; index < 5; index++) {
        PushSDK_MarkInbox(&answer, wrong[index][0], wrong[index][1], answer_end, answer_release);
        CHECK_SOON(answer.releases == 6 + index);
        CHECK(answer.error == PushSDKErrorInvalidConfiguration);
    }
    PushSDK_GetInboxPage(&answer, "{\"status\":\"old\"}", answer_json, answer_release);
    CHECK_SOON(answer.releases == 11);
    CHECK(answer.error == PushSDKErrorInvalidConfiguration);
    PushSDK_SetInboxHandler(NULL, NULL, NULL);
    PushSDK_SetUserTokenHandler(NULL, NULL, NULL);
    CHECK_SOON(update.releases == 1 && needed.releases == 1);
    PushSDK_AnswerUserToken("player-1", NULL);
    PushSDK_AnswerUserToken(NULL, NULL);
}

#endif
