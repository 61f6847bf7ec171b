/* Runs the game on a phone of the tests, and looks at what it was told. */
#include <pthread.h>
#include <string.h>

#include "checks.h"
#include "game.h"
#include "PushNotificationSDKC.h"
#include "UnityPushSDKBridge.h"
#include "UnrealPushSDKBridge.h"

#define GIFT                                                                     \
    "{\"aps\":{\"alert\":{\"title\":\"ボーナス\",\"body\":\"100 \\\"coins\\\"\"}},"      \
    "\"message_id\":\"m-1\",\"missionId\":\"m7\",\"stage\":{\"n\":3}}"
#define HAS(text, part) (strstr((text), (part)) != NULL)

#include "users.h"

/* What went through the functions without a context. */
static int plainNotifications, plainActions, plainErrors, plainError, plainAnswers, plainGranted = -1;
static int plainLinks, plainLinksAlone, plainOpened, plainChanges, plainChange, plainNumbers, plainNumber;
static void plain_note(const char *json) { plainNotifications += HAS(json, "\"title\":\"ボーナス\""); }
static void plain_open(const char *json) { plainOpened += json[0] == '{'; }
static void plain_change(int permission) { plainChanges++, plainChange = permission; }
static void plain_number(int number) { plainNumbers++, plainNumber = number; }
static void plain_action(const char *action, const char *json) {
    plainActions += !strcmp(action, "LATER") && HAS(json, "\"userText\":\"明日\"");
}
static void plain_link(const char *url, const char *json) {
    plainLinks += !strncmp(url, "mygame://", 9);
    plainLinksAlone += json == NULL;
}
static void plain_answer(int granted) { plainAnswers++, plainGranted = granted; }
static void plain_error(int code, const char *message, const char *suggestion) {
    plainErrors += message[0] != 0 && suggestion[0] != 0;
    plainError = code;
}

static void refuses_bad_configurations(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    CHECK(!game_start(&game, "http://api.example.test", "validkey123", NULL));
    CHECK(game.lastError == PushSDKErrorInvalidConfiguration);
    CHECK(game.lastMessage[0] != 0 && game.lastSuggestion[0] != 0);
    CHECK(!game_start(&game, NULL, "validkey123", NULL));
    CHECK(game.lastError == PushSDKErrorInvalidConfiguration && HAS(game.lastMessage, "apiURL"));
    CHECK(!game_start(&game, "https://api.example.test", NULL, NULL));
    CHECK(HAS(game.lastMessage, "apiKey"));
    CHECK(!game_start(&game, "https://api.example.test", "validkey\xff\xfe", NULL));
    CHECK(HAS(game.lastMessage, "apiKey") && !HAS(game.lastMessage, "validkey"));
    CHECK(!game_start(&game, "https://api.example.test", "validkey123", "\xc3\x28"));
    CHECK(HAS(game.lastMessage, "playerAccountId"));
    CHECK(PushSDK_Configure("http://api.example.test", "validkey123", NULL, NULL) == 0);
    CHECK(game.errors == 0);
    game_stop(&game);
}

static void tells_the_game(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    CHECK(game_start(&game, "https://api.example.test", "validkey123", "player-12345"));
    game_ask(&game);
    CHECK_SOON(game.answers == 1);
    CHECK(game.granted && game.refusal == PushSDKErrorNone);
    PushHooks_Deliver(GIFT);
    CHECK_SOON(game.notifications == 1);
    CHECK(HAS(game.lastPayload, "\"title\":\"ボーナス\"") && HAS(game.lastPayload, "\"body\":\"100 \\\"coins\\\"\""));
    CHECK(HAS(game.lastPayload, "\"missionId\":\"m7\"") && HAS(game.lastPayload, "\"stage\":{\"n\":3}"));
    PushHooks_Tap("CONFIRM", GIFT);
    CHECK_SOON(game.actions == 1);
    CHECK(!strcmp(game.lastAction, "CONFIRM") && HAS(game.lastPayload, "\"missionId\":\"m7\""));
    PushHooks_FailRegistration();
    CHECK_SOON(game.errors == 1);
    CHECK(game.lastError == PushSDKErrorRegistrationFailed && game.lastMessage[0] != 0 && game.lastSuggestion[0] != 0);
    CHECK(game.alwaysOnMainQueue);

    /* The answer's context goes at once, the handlers' when others take their place. */
    CHECK_SOON(__atomic_load_n(&game.released, __ATOMIC_SEQ_CST) == 1);
    static struct game second;
    CHECK(game_start(&second, "https://api.example.test", "validkey123", "player-12345"));
    CHECK_SOON(__atomic_load_n(&game.released, __ATOMIC_SEQ_CST) == 7);
    PushHooks_Deliver("{\"aps\":{\"alert\":\"two\"},\"message_id\":\"m-2\"}");
    CHECK_SOON(second.notifications == 1);
    CHECK(game.notifications == 1);
    game_stop(&second);
    CHECK_SOON(__atomic_load_n(&second.released, __ATOMIC_SEQ_CST) == 6);
    PushHooks_FailRegistration();
    PushHooks_ServeMainQueue();
    CHECK(second.errors == 0 && __atomic_load_n(&second.released, __ATOMIC_SEQ_CST) == 6);
}

static void asks_nobody_before_it_is_started(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    game_ask(&game);
    CHECK_SOON(game.answers == 1);
    CHECK(!game.granted && game.refusal == PushSDKErrorNotConfigured);
}

#define LINKED(id, link) "{\"aps\":{\"alert\":\"x\"},\"message_id\":\"" id "\",\"deeplink\":\"" link "\"}"

static void tells_who_logs_in(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    game_login(&game, "player-1", NULL); /* Before the start. */
    CHECK_SOON(game.logins == 1);
    CHECK(game.lastLogin == PushSDKErrorNotConfigured);
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastUser() != NULL);
    CHECK(!strcmp(PushHooks_LastUser(), "-"));
    game_login(&game, "player-1", NULL);
    CHECK_SOON(game.logins == 2);
    CHECK(game.lastLogin == PushSDKErrorNone && !strcmp(PushHooks_LastUser(), "player-1"));
    game_login(&game, "player-2", "token.of.two");
    CHECK_SOON(game.logins == 3);
    CHECK(!strcmp(PushHooks_LastUser(), "player-2/token.of.two"));
    game_logout(&game);
    CHECK_SOON(game.logins == 4);
    CHECK(game.lastLogin == PushSDKErrorNone && !strcmp(PushHooks_LastUser(), "-"));
    const char *const refused[] = {NULL, "", "\xff"};
    for (int number = 0; number < 3; number++) {
        game_login(&game, refused[number], NULL);
        CHECK_SOON(game.logins == 5 + number);
        CHECK(game.lastLogin == PushSDKErrorInvalidConfiguration);
    }
    game_login(&game, "player-1", "\xff");
    CHECK_SOON(game.logins == 8);
    CHECK(game.lastLogin == PushSDKErrorInvalidConfiguration && game.errors == 0);
    PushSDK_Login(&game, "player-3", NULL, NULL, NULL); /* Nobody wants to know. */
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "player-3"));
    CHECK_SOON(__atomic_load_n(&game.released, __ATOMIC_SEQ_CST) == 8);
    CHECK(game.alwaysOnMainQueue);
    game_stop(&game);
}

static void forgets_the_device(void) {
    static struct answer answer;
    char before[PushSDKTextSize], after[PushSDKTextSize];
    PushHooks_Start(PushHooksAllows);
    PushSDK_ForgetDevice(&answer, answer_end, answer_release); /* Before the start. */
    CHECK_SOON(answer.releases == 1);
    CHECK(answer.error == PushSDKErrorNotConfigured);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL));
    CHECK_SOON(PushHooks_Buttons("martlet_standard") == 0); /* The launch is over. */
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    CHECK(PushSDK_GetInstallationID(before, sizeof before) == 36);
    PushSDK_ForgetDevice(&answer, answer_end, answer_release);
    CHECK_SOON(answer.releases == 2);
    CHECK(answer.error == 0 && HAS(last_request(), "DELETE installations/") && HAS(last_request(), before));
    CHECK(PushSDK_GetInstallationID(after, sizeof after) == 36 && strcmp(before, after));
    PushSDK_Login(NULL, "player-1", NULL, NULL, NULL);
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "player-1"));
    CHECK(!strcmp(PushHooks_LastInstallation(), after));
    PushSDK_ForgetDevice(NULL, NULL, NULL); /* Nobody wants to know. */
    CHECK_SOON(HAS(last_request(), after));
}

static void opens_links_and_takes_options(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    CHECK(!strcmp(PushHooks_AppGroup(), "group.com.example.game"));
    CHECK_SOON(PushHooks_Buttons("MISSION") == 2);
    CHECK(PushHooks_Buttons("OTHER") == -1);
    PushHooks_Open(LINKED("l-1", "mygame://mission/7"));
    CHECK_SOON(game.links == 1);
    CHECK(!strcmp(game.lastLink, "mygame://mission/7") && game.linkOfNotification && game.alwaysOnMainQueue);
    PushHooks_Open(LINKED("l-2", "othergame://mission/7"));
    CHECK_SOON(game.errors == 1);
    CHECK(game.lastError == PushSDKErrorLinkRefused && !HAS(game.lastMessage, "othergame"));
    CHECK(PushHooks_OpenURL("mygame://shop") == 1);
    CHECK_SOON(game.links == 2);
    CHECK(!strcmp(game.lastLink, "mygame://shop") && !game.linkOfNotification);
    CHECK(PushSDK_OpenURL("mygame://shop/1") == 1);
    CHECK_SOON(game.links == 3);
    CHECK(PushSDK_OpenURL(NULL) == 0 && PushSDK_OpenURL("") == 0 && PushSDK_OpenURL("\xff") == 0);
    CHECK(PushSDK_OpenURL("javascript:alert(1)") == 0 && PushSDK_OpenURL("othergame://x") == 0);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(game.links == 3 && game.errors == 3);

    /* What cannot be read changes nothing; NULL takes everything away. */
    PushSDKError error;
    CHECK(PushSDK_SetOptions("{\"appgroup\":\"group.other\"}", &error) == 0);
    CHECK(error.code == PushSDKErrorInvalidConfiguration && HAS(error.message, "appgroup"));
    CHECK(PushSDK_SetOptions("\xff", NULL) == 0);
    CHECK(PushSDK_OpenURL("mygame://shop/2") == 1);
    CHECK(PushSDK_SetOptions(NULL, &error) == 1 && error.code == PushSDKErrorNone);
    CHECK(PushSDK_OpenURL("mygame://shop/3") == 0);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", "p", NULL) == 1);
    CHECK(PushHooks_AppGroup() == NULL);
    game_stop(&game);
}

/* Whether the game's two reads of a text give what is said, and with no byte too many. */
static bool reads(int32_t (*get)(char *, int32_t), const char *expected) {
    char text[PushSDKTextSize], tight[PushSDKTextSize];
    int32_t length = (int32_t)strlen(expected);
    memset(tight, '?', sizeof tight);
    bool fits = get(text, sizeof text) == length && !strcmp(text, expected);
    bool empty = get(tight, length) == length && tight[0] == (length ? 0 : '?') && tight[1] == '?';
    bool exact = get(tight, length + 1) == length && !strcmp(tight, expected) && tight[length + 1] == '?';
    return fits && empty && exact && get(NULL, 0) == length && get(NULL, 99) == length && get(text, -1) == length;
}

static void asks_and_hears_of_the_permission(void) {
    static struct game game;
    PushHooks_Start(PushHooksDenies);
    game_look(&game); /* Before the start. */
    CHECK_SOON(game.permissions == 1);
    CHECK(game.permission == PushSDKPermissionNotDetermined && game.refusal == PushSDKErrorNotConfigured);
    game_open_settings(&game);
    CHECK_SOON(game.settings == 1);
    CHECK(!game.settingsOpened && game.refusal == PushSDKErrorNotConfigured && PushHooks_LastOpened() == NULL);

    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    CHECK_SOON(PushHooks_Buttons("MISSION") == 2); /* The launch is over. */
    game_look(&game);
    CHECK_SOON(game.permissions == 2);
    CHECK(game.permission == PushSDKPermissionNotDetermined && game.refusal == PushSDKErrorNone);
    game_ask_quietly(&game); /* Without a prompt, which this person would refuse. */
    CHECK_SOON(game.answers == 1 && game.changes == 1);
    CHECK(game.granted && game.lastChange == PushSDKPermissionProvisional);
    CHECK(PushHooks_Granted() == (PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional));
    game_ask(&game); /* With one. */
    CHECK_SOON(game.answers == 2 && game.changes == 2);
    CHECK(!game.granted && game.lastChange == PushSDKPermissionDenied);

    game_open_settings(&game);
    CHECK_SOON(game.settings == 2);
    CHECK(game.settingsOpened && game.refusal == PushSDKErrorNone);
    CHECK(PushHooks_LastOpened() && HAS(PushHooks_LastOpened(), "settings"));
    PushHooks_ChangePermission(1);
    CHECK_SOON(game.changes == 3);
    CHECK(game.lastChange == PushSDKPermissionAuthorized);
    PushHooks_OpenNothing();
    game_open_settings(&game);
    CHECK_SOON(game.settings == 3);
    CHECK(!game.settingsOpened && game.refusal == PushSDKErrorNone);
    game_look(&game);
    CHECK_SOON(game.permissions == 3);
    CHECK(game.permission == PushSDKPermissionAuthorized && game.alwaysOnMainQueue && game.errors == 0);
    PushSDK_GetPermission(NULL, NULL, NULL); /* Nobody wants to know. */
    PushSDK_OpenSettings(NULL, NULL, NULL);
    PushSDK_RequestPermissionWithOptions(NULL, -1, NULL, NULL);
    CHECK_SOON(__atomic_load_n(&game.released, __ATOMIC_SEQ_CST) == 8);
    game_stop(&game);
    CHECK_SOON(__atomic_load_n(&game.released, __ATOMIC_SEQ_CST) == 14);
    PushHooks_ChangePermission(0);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(game.changes == 3);
}

static void reads_its_token_and_id(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    CHECK(reads(PushSDK_GetDeviceToken, "") && reads(PushSDK_GetInstallationID, ""));
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    CHECK(reads(PushSDK_GetDeviceToken, ""));
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    CHECK(reads(PushSDK_GetDeviceToken, "abababababababababababababababababababababababababababababababab"));
    CHECK(strlen(PushHooks_LastInstallation()) == 36 && reads(PushSDK_GetInstallationID, PushHooks_LastInstallation()));
    game_stop(&game);
}

static void is_reached_through_firebase(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    PushSDK_SetFCMToken("f:before"); /* Before the start. */
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    CHECK_SOON(PushHooks_LastToken() && !strcmp(PushHooks_LastToken(), "fcm f:before"));
    PushHooks_Register();
    CHECK_SOON(PushSDK_GetDeviceToken(NULL, 0) == 64);
    PushSDK_SetFCMToken("f:cm-1");
    CHECK_SOON(!strcmp(PushHooks_LastToken(), "fcm f:cm-1"));
    PushSDK_SetFCMToken("not a token");
    CHECK_SOON(game.errors == 1);
    CHECK(game.lastError == PushSDKErrorInvalidToken);
    PushSDK_SetFCMToken("\xff");
    CHECK_SOON(game.errors == 2);
    CHECK(game.lastError == PushSDKErrorInvalidToken && !strcmp(PushHooks_LastToken(), "fcm f:cm-1"));
    PushSDK_SetFCMToken(NULL);
    CHECK_SOON(!strncmp(PushHooks_LastToken(), "apns abab", 9));
    game_stop(&game);
}

static void tells_a_tap_from_an_arrival(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    PushHooks_Deliver(GIFT);
    CHECK_SOON(game.notifications == 1);
    CHECK(game.opened == 0);
    PushHooks_Open("{\"aps\":{\"alert\":\"tapped\"},\"message_id\":\"m-9\"}");
    CHECK_SOON(game.notifications == 2 && game.opened == 1);
    CHECK(HAS(game.lastPayload, "tapped") && !HAS(game.lastPayload, "userText"));
    CHECK_SOON(PushHooks_Field("MISSION", "LATER") != NULL);
    CHECK(!strcmp(PushHooks_Field("MISSION", "LATER"), "Send/When?") && !PushHooks_Field("MISSION", "CONFIRM"));
    PushHooks_Write("LATER", "明日 \"朝\"", GIFT);
    CHECK_SOON(game.actions == 1);
    CHECK(!strcmp(game.lastAction, "LATER") && HAS(game.lastPayload, "\"userText\":\"明日 \\\"朝\\\"\""));
    CHECK(game.notifications == 2 && game.opened == 1 && game.alwaysOnMainQueue);
    game_stop(&game);
}

static void keeps_to_its_options(void) {
    PushHooks_Start(PushHooksAllows);
    CHECK(PushSDK_SetOptions("{\"automaticForwarding\":false,\"tracksBeforeConsent\":false}", NULL) == 1);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL) == 1);
    CHECK_SOON(PushHooks_Buttons("martlet_standard") == 0); /* The launch is over. */
    CHECK(PushHooks_IsTracking() == 0);
    PushSDK_SetTrackingEnabled(1);
    CHECK(PushHooks_IsTracking() == 1);
    PushHooks_Register(); /* To a delegate that forwards nothing. */
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(PushSDK_GetDeviceToken(NULL, 0) == 0 && PushHooks_LastInstallation() == NULL);
}

static void sets_badge_and_consent(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    PushSDK_SetBadge(1); /* Before the start there is nothing to set. */
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    PushSDK_SetBadge(7);
    CHECK_SOON(PushHooks_Badge() == 7);
    PushSDK_SetBadge(-1);
    CHECK_SOON(PushHooks_Badge() == 0);
    CHECK(PushHooks_IsTracking() == 0); /* The player was not asked yet. */
    PushSDK_SetTrackingEnabled(1);
    CHECK(PushHooks_IsTracking() == 1);
    PushSDK_SetTrackingEnabled(0);
    CHECK(PushHooks_IsTracking() == 0);
    game_stop(&game);
}

static void keeps_what_came_before_the_handlers(void) {
    static struct game game;
    PushHooks_Start(PushHooksAllows);
    PushSDK_InstallAppDelegate();
    CHECK(PushSDK_SetOptions("{\"links\":[{\"scheme\":\"mygame\"}]}", NULL) == 1);
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL) == 1);
    PushHooks_Deliver(GIFT);
    PushHooks_Tap("CONFIRM", GIFT);
    PushHooks_Open(LINKED("l-0", "mygame://mission/7"));
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(game_start(&game, "https://api.example.test", "validkey123", NULL));
    CHECK_SOON(game.notifications == 2 && game.actions == 1 && game.links == 1);
    CHECK(game.alwaysOnMainQueue && !strcmp(game.lastAction, "CONFIRM"));
    CHECK(!strcmp(game.lastLink, "mygame://mission/7") && game.linkOfNotification && game.errors == 0);
    game_stop(&game);
}

/* A context that tells when it is used after its release. */
struct cookie { int magic; };
static int cookiesBaked, cookiesReleased, cookiesSpoiled, cookiesTold;

static void tell_cookie(void *context, const char *json) {
    cookiesTold++;
    if (((struct cookie *)context)->magic != 4711 || json[0] != '{') cookiesSpoiled++;
}

static void release_cookie(void *context) {
    struct cookie *cookie = context;
    if (cookie->magic != 4711) __atomic_add_fetch(&cookiesSpoiled, 1, __ATOMIC_SEQ_CST);
    cookie->magic = 0;
    free(cookie);
    __atomic_add_fetch(&cookiesReleased, 1, __ATOMIC_SEQ_CST);
}

static void *replace_handlers(void *unused) {
    for (int turn = 0; turn < 2000; turn++) {
        struct cookie *cookie = malloc(sizeof *cookie);
        cookie->magic = 4711;
        __atomic_add_fetch(&cookiesBaked, 1, __ATOMIC_SEQ_CST);
        PushSDK_SetNotificationHandler(cookie, tell_cookie, release_cookie);
    }
    return unused;
}

static void releases_each_context_once(void) {
    PushHooks_Start(PushHooksAllows);
    PushSDK_InstallAppDelegate();
    CHECK(PushSDK_Configure("https://api.example.test", "validkey123", NULL, NULL) == 1);
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, replace_handlers, NULL);
    for (int number = 0; number < 20; number++) {
        char payload[128];
        snprintf(payload, sizeof payload, "{\"aps\":{\"alert\":\"hello\"},\"message_id\":\"race-%d\"}", number);
        PushHooks_Deliver(payload);
        PushHooks_ServeMainQueue();
    }
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    CHECK_SOON(cookiesTold == 20);
    PushSDK_SetNotificationHandler(NULL, NULL, NULL);
    CHECK_SOON(__atomic_load_n(&cookiesReleased, __ATOMIC_SEQ_CST) == 4000);
    CHECK(cookiesBaked == 4000 && cookiesSpoiled == 0);
}

static void tells_of_a_refusal(int person, bool asked) {
    static struct game games[2];
    struct game *game = &games[asked];
    PushHooks_Start(person);
    CHECK(game_start(game, "https://api.example.test", "validkey123", NULL));
    game_ask(game);
    CHECK_SOON(game->answers == 1);
    CHECK(!game->granted);
    CHECK(game->refusal == (asked ? PushSDKErrorNone : PushSDKErrorPermissionDenied));
    game_stop(game);
}

/* Unity's functions; Unreal's are the same ones. */
struct plain {
    void (*configure)(const char *, const char *, const char *);
    void (*ask)(void (*)(int));
    void (*notifications)(void (*)(const char *));
    void (*actions)(void (*)(const char *, const char *));
    void (*errors)(void (*)(int, const char *, const char *));
    void (*options)(const char *);
    void (*login)(const char *, const char *);
    void (*logout)(void);
    void (*links)(void (*)(const char *, const char *));
    int (*open)(const char *);
    void (*badge)(int);
    void (*tracking)(int);
    void (*askFor)(int, void (*)(int));
    void (*permission)(void (*)(int));
    void (*changes)(void (*)(int));
    void (*settings)(void (*)(int));
    void (*opened)(void (*)(const char *));
    int (*token)(char *, int);
    int (*installation)(char *, int);
    void (*firebase)(const char *);
    void (*forget)(void);
};

static void tells_of_the_permission_without_contexts(struct plain sdk) {
    plainErrors = plainAnswers = plainChanges = plainNumbers = 0, plainNumber = plainChange = -1;
    PushHooks_Start(PushHooksAllows);
    sdk.errors(plain_error);
    sdk.changes(plain_change);
    sdk.permission(plain_number); /* Before the start. */
    CHECK_SOON(plainNumbers == 1 && plainErrors == 1);
    CHECK(plainNumber == PushSDKPermissionNotDetermined && plainError == PushSDKErrorNotConfigured);
    sdk.settings(plain_number);
    CHECK_SOON(plainNumbers == 2 && plainErrors == 2);
    CHECK(plainNumber == 0 && plainError == PushSDKErrorNotConfigured);
    CHECK(sdk.token(NULL, 0) == 0 && sdk.installation(NULL, 0) == 0);
    sdk.configure("https://api.example.test", "validkey123", NULL);
    CHECK_SOON(PushHooks_Buttons("martlet_standard") == 0); /* The launch is over. */
    sdk.permission(plain_number);
    CHECK_SOON(plainNumbers == 3);
    CHECK(plainNumber == PushSDKPermissionNotDetermined && plainErrors == 2);
    sdk.askFor(PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional, plain_answer);
    CHECK_SOON(plainAnswers == 1 && plainChanges == 1);
    CHECK(plainGranted == 1 && plainChange == PushSDKPermissionProvisional);
    CHECK(PushHooks_Granted() == (PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional));
    sdk.permission(plain_number);
    CHECK_SOON(plainNumbers == 4);
    CHECK(plainNumber == PushSDKPermissionProvisional);
    sdk.settings(plain_number);
    CHECK_SOON(plainNumbers == 5);
    CHECK(plainNumber == 1 && PushHooks_LastOpened() && HAS(PushHooks_LastOpened(), "settings"));
    PushHooks_ChangePermission(0);
    CHECK_SOON(plainChanges == 2);
    CHECK(plainChange == PushSDKPermissionDenied);
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    char text[PushSDKTextSize];
    CHECK(sdk.installation(text, sizeof text) == 36 && !strcmp(text, PushHooks_LastInstallation()));
    CHECK(sdk.token(text, sizeof text) == 64 && !strncmp(text, "abab", 4) && strlen(text) == 64);
    sdk.permission(NULL);
    sdk.settings(NULL);
    sdk.changes(NULL);
    PushHooks_ChangePermission(1);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(plainChanges == 2 && plainErrors == 2);
    sdk.errors(NULL);
}

static void tells_without_contexts(struct plain sdk) {
    plainNotifications = plainActions = plainErrors = plainAnswers = plainLinks = plainLinksAlone = 0, plainGranted = -1;
    plainOpened = 0;
    PushHooks_Start(PushHooksAllows);
    PushSDK_InstallAppDelegate();
    sdk.configure(NULL, NULL, NULL); /* Before there is a handler, in the same turn of the main queue. */
    sdk.errors(plain_error);
    CHECK_SOON(plainErrors == 1);
    CHECK(plainError == PushSDKErrorInvalidConfiguration);
    sdk.configure("http://api.example.test", "validkey123", "player-12345");
    CHECK_SOON(plainErrors == 2);
    sdk.configure("https://api.example.test", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", NULL);
    CHECK_SOON(plainErrors == 3);
    sdk.options("{\"links\":[{}]}");
    CHECK_SOON(plainErrors == 4);
    sdk.login("player-1", NULL); /* Before the start. */
    CHECK_SOON(plainErrors == 5);
    CHECK(plainError == PushSDKErrorNotConfigured);
    sdk.options("{\"appGroup\":\"group.plain\",\"links\":[{\"scheme\":\"mygame\"}]}");
    sdk.configure("https://api.example.test", "validkey123", "player-12345");
    CHECK(PushHooks_AppGroup() && !strcmp(PushHooks_AppGroup(), "group.plain"));
    sdk.links(plain_link);
    sdk.notifications(plain_note);
    sdk.opened(plain_open);
    sdk.actions(plain_action);
    sdk.ask(plain_answer);
    CHECK_SOON(plainAnswers == 1);
    CHECK(plainGranted == 1);
    sdk.ask(NULL);
    PushHooks_Deliver(GIFT);
    CHECK_SOON(plainNotifications == 1);
    PushHooks_Write("LATER", "明日", GIFT);
    CHECK_SOON(plainActions == 1);
    CHECK(plainOpened == 0);
    PushHooks_Open(LINKED("l-3", "mygame://mission/7"));
    CHECK_SOON(plainLinks == 1);
    CHECK(plainOpened == 1);
    CHECK(sdk.open("mygame://shop") == 1 && sdk.open("othergame://x") == 0);
    CHECK_SOON(plainLinks == 2 && plainErrors == 6);
    CHECK(plainLinksAlone == 1 && plainError == PushSDKErrorLinkRefused);
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastUser() && !strcmp(PushHooks_LastUser(), "player-12345"));
    sdk.login("player-2", "token.of.two");
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "player-2/token.of.two"));
    sdk.logout();
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "-"));
    sdk.firebase("f:cm");
    CHECK_SOON(!strcmp(PushHooks_LastToken(), "fcm f:cm"));
    sdk.firebase(NULL);
    CHECK_SOON(!strncmp(PushHooks_LastToken(), "apns ", 5));
    sdk.login("", NULL);
    CHECK_SOON(plainErrors == 7);
    CHECK(plainError == PushSDKErrorInvalidConfiguration);
    sdk.badge(3);
    CHECK_SOON(PushHooks_Badge() == 3);
    sdk.tracking(0);
    CHECK(PushHooks_IsTracking() == 0);
    sdk.forget();
    CHECK_SOON(HAS(last_request(), "DELETE installations/"));
    sdk.links(NULL);
    sdk.notifications(NULL);
    sdk.opened(NULL);
    sdk.actions(NULL);
    sdk.errors(NULL);
    sdk.configure(NULL, NULL, NULL);
    PushHooks_FailRegistration();
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(plainErrors == 7 && plainNotifications == 1);
}

int main(void) {
    refuses_bad_configurations();
    asks_nobody_before_it_is_started();
    tells_the_game();
    tells_who_logs_in();
    forgets_the_device();
    opens_links_and_takes_options();
    asks_and_hears_of_the_permission();
    reads_its_token_and_id();
    is_reached_through_firebase();
    tells_a_tap_from_an_arrival();
    keeps_to_its_options();
    sets_badge_and_consent();
    keeps_what_came_before_the_handlers();
    releases_each_context_once();
    tells_of_a_refusal(PushHooksDenies, true);
    tells_of_a_refusal(PushHooksHasDenied, false);
    refuses_what_needs_a_player();
    says_why_pushes_come_or_do_not();
    keeps_the_preferences();
    reads_the_inbox();
    const struct plain unity = {
        UnityPushSDK_Configure, UnityPushSDK_RequestPermission, UnityPushSDK_SetNotificationHandler,
        UnityPushSDK_SetActionHandler, UnityPushSDK_SetErrorHandler, UnityPushSDK_SetOptions, UnityPushSDK_Login,
        UnityPushSDK_Logout, UnityPushSDK_SetLinkHandler, UnityPushSDK_OpenURL, UnityPushSDK_SetBadge,
        UnityPushSDK_SetTrackingEnabled, UnityPushSDK_RequestPermissionWithOptions, UnityPushSDK_GetPermission,
        UnityPushSDK_SetPermissionHandler, UnityPushSDK_OpenSettings, UnityPushSDK_SetOpenedHandler, UnityPushSDK_GetDeviceToken,
        UnityPushSDK_GetInstallationID, UnityPushSDK_SetFCMToken, UnityPushSDK_ForgetDevice,
    };
    tells_without_contexts(unity);
    tells_of_the_permission_without_contexts(unity);
    const struct plain unreal = {
        UnrealPushSDK_Configure, UnrealPushSDK_RequestPermission, UnrealPushSDK_SetNotificationHandler,
        UnrealPushSDK_SetActionHandler, UnrealPushSDK_SetErrorHandler, UnrealPushSDK_SetOptions, UnrealPushSDK_Login,
        UnrealPushSDK_Logout, UnrealPushSDK_SetLinkHandler, UnrealPushSDK_OpenURL, UnrealPushSDK_SetBadge,
        UnrealPushSDK_SetTrackingEnabled, UnrealPushSDK_RequestPermissionWithOptions, UnrealPushSDK_GetPermission,
        UnrealPushSDK_SetPermissionHandler, UnrealPushSDK_OpenSettings, UnrealPushSDK_SetOpenedHandler, UnrealPushSDK_GetDeviceToken,
        UnrealPushSDK_GetInstallationID, UnrealPushSDK_SetFCMToken, UnrealPushSDK_ForgetDevice,
    };
    tells_without_contexts(unreal);
    tells_of_the_permission_without_contexts(unreal);
    return checksFinish();
}
