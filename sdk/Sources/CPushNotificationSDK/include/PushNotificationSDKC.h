/*
 * The C ABI under the bridges, for callers that need a context with each callback: the Objective-C bridge, and engines
 * and languages of one's own.
 *
 * Threads, strings and handlers are as UnityPushSDKBridge.h says. A context is the caller's own pointer; the SDK hands it
 * back and looks at nothing in it. `release` is called exactly once for each context that was handed in, on any thread,
 * when no callback can come with it any more: after the answer, or after another handler took its place and the last
 * call to the old one returned. It may be NULL.
 */
#ifndef PUSH_NOTIFICATION_SDK_C_H
#define PUSH_NOTIFICATION_SDK_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The codes never change; later versions may add some. */
enum {
    PushSDKErrorNone = 0,
    /* The address, the key or the player is none that the SDK accepts, or a text is missing or not UTF-8. */
    PushSDKErrorInvalidConfiguration = 1,
    /* The person refused notifications before; only the system's settings change that. */
    PushSDKErrorPermissionDenied = 2,
    /* The device token is not one. */
    PushSDKErrorInvalidToken = 3,
    /* The server could not be reached. */
    PushSDKErrorNetwork = 4,
    /* The server answered and refused. */
    PushSDKErrorServer = 5,
    /* The SDK was not started yet. */
    PushSDKErrorNotConfigured = 6,
    /* The system gave no device token. */
    PushSDKErrorRegistrationFailed = 7,
    /* A link of a notification was not opened. */
    PushSDKErrorLinkRefused = 8,
    /* The image, sound or movie of a notification was not attached. */
    PushSDKErrorAttachmentFailed = 9,
    /* Events were refused by the server and are not sent again. */
    PushSDKErrorEventsRejected = 10,
    /* Nobody is logged in, or there is no token that speaks for the player. */
    PushSDKErrorLoginRequired = 11
};

/* The most bytes of an error's text, its zero byte included; longer ones are cut between characters. */
enum { PushSDKErrorTextSize = 512 };

/* An error, with nothing in it to free. */
typedef struct PushSDKError {
    int32_t code;
    char message[PushSDKErrorTextSize];
    char recoverySuggestion[PushSDKErrorTextSize];
} PushSDKError;

/* What the person allows: the values of UNAuthorizationStatus. What a later system adds reads as denied. */
enum {
    /* The person was not asked yet. */
    PushSDKPermissionNotDetermined = 0,
    /* The person refused; only the system's settings change that. */
    PushSDKPermissionDenied = 1,
    PushSDKPermissionAuthorized = 2,
    /* Quiet notifications, on trial: asking without PushSDKPermissionOptionProvisional upgrades them. */
    PushSDKPermissionProvisional = 3,
    /* For the few hours of an App Clip. */
    PushSDKPermissionEphemeral = 4
};

/* What a request asks for, added up: the values of UNAuthorizationOptions. */
enum {
    PushSDKPermissionOptionBadge = 1 << 0,
    PushSDKPermissionOptionSound = 1 << 1,
    PushSDKPermissionOptionAlert = 1 << 2,
    /* Quiet notifications, without a prompt. */
    PushSDKPermissionOptionProvisional = 1 << 6
};

/* Room enough for what PushSDK_GetDeviceToken and PushSDK_GetInstallationID write, its zero byte included. */
enum { PushSDKTextSize = 512 };

/*
 * Hands the system's calls (device tokens, notifications, taps) to the SDK from now on, without a line in the app's own
 * delegates: they stay, and are told everything as well. Call it on the main thread while the app starts, so that the
 * tap that started it is seen; on another thread it is done later. An app that forwards the calls itself leaves it out.
 */
void PushSDK_InstallAppDelegate(void);

/*
 * Starts the SDK: 1, or 0 and why in `error`, which may be NULL. The error handler is not told, because the caller is.
 * playerAccountId may be NULL or empty: no player yet.
 */
int32_t PushSDK_Configure(const char *apiURL, const char *apiKey, const char *playerAccountId, PushSDKError *error);

/*
 * Sets what PushSDK_Configure takes beside its arguments (the app group, categories with buttons, the links that may be
 * opened) as one JSON object, whose members docs/sdk/c.md lists. Call it first; NULL takes the options away. 1, or 0 and
 * why in `error`, which may be NULL; then nothing has changed.
 */
int32_t PushSDK_SetOptions(const char *jsonOptions, PushSDKError *error);

/*
 * Somebody logged in. userToken is what speaks for the player where the server asks for it, else NULL; it is kept in memory
 * only. `callback` is called once, when the server knows, or at once when the device has no token yet; `error` is NULL then.
 */
void PushSDK_Login(void *context, const char *playerAccountId, const char *userToken,
                   void (*callback)(void *context, const PushSDKError *error), void (*release)(void *context));

/* The player logged out: pushes for that player do not come to this device any more. */
void PushSDK_Logout(void *context, void (*callback)(void *context, const PushSDKError *error),
                    void (*release)(void *context));

/*
 * Forgets this device: removes what the SDK keeps on it, but for the consent, and has the server delete the
 * installation. The device is another installation from now on, which is registered when somebody logs in, or with the
 * next launch. `callback` is called once, when the server has deleted it; after PushSDKErrorNetwork or
 * PushSDKErrorServer it is deleted later.
 */
void PushSDK_ForgetDevice(void *context, void (*callback)(void *context, const PushSDKError *error),
                          void (*release)(void *context));

/*
 * Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly, by the registration
 * token that Firebase gives; NULL goes back to Apple's token. It may be set before the start, and outlives the app's launches.
 * A text that cannot be such a token changes nothing: the error handler is told PushSDKErrorInvalidToken.
 */
void PushSDK_SetFCMToken(const char *token);

/* Hands over a link that the system opened the app by, where the app is told of it: 1 when the SDK took it, else 0. */
int32_t PushSDK_OpenURL(const char *url);

/* Sets the number on the app's icon; 0 removes it. */
void PushSDK_SetBadge(int32_t number);

/*
 * Whether events are reported, the person's consent: so until it is set to 0, which also discards what was not uploaded.
 * It may be set before the start, and outlives the app's launches. With the option tracksBeforeConsent set to false none
 * are reported before it is set to 1.
 */
void PushSDK_SetTrackingEnabled(int32_t isEnabled);

/*
 * Asks for the permission to notify. `callback` is called once; `error` is NULL when the person answered, now or earlier
 * with yes, and says why nobody was asked otherwise. With NULL for `callback` the person is asked all the same.
 */
void PushSDK_RequestPermission(void *context,
                               void (*callback)(void *context, int32_t granted, const PushSDKError *error),
                               void (*release)(void *context));

/*
 * The same with the PushSDKPermissionOption values that are asked for, added up; the function above asks for badge, sound
 * and alert.
 */
void PushSDK_RequestPermissionWithOptions(void *context, int32_t options,
                                          void (*callback)(void *context, int32_t granted, const PushSDKError *error),
                                          void (*release)(void *context));

/*
 * Asks the system what the person allows now, without a prompt. `callback` is called once, with one of the
 * PushSDKPermission values; before the start with an error.
 */
void PushSDK_GetPermission(void *context,
                           void (*callback)(void *context, int32_t permission, const PushSDKError *error),
                           void (*release)(void *context));

/*
 * Sets what is told when the person allowed or refused notifications, or with NULL takes it away: at the prompt, or in the
 * system's settings, which is noticed when the app comes to the front.
 */
void PushSDK_SetPermissionHandler(void *context,
                                  void (*handler)(void *context, int32_t permission),
                                  void (*release)(void *context));

/*
 * Opens the app's page in the system's settings, where the person can allow what was refused. `callback` is called once,
 * with 1 when the page opened, else 0; before the start with an error. It may be NULL.
 */
void PushSDK_OpenSettings(void *context,
                          void (*callback)(void *context, int32_t opened, const PushSDKError *error),
                          void (*release)(void *context));

/*
 * Writes the device token that Apple gave last, in hexadecimal, or the id by which the server knows this install, into the
 * caller's `size` bytes at `text`, with a zero byte behind it. PushSDKTextSize bytes are enough; where there are too few,
 * the text is empty. Each returns the length of the whole text without its zero byte; 0 when there is none: no token came
 * yet, the SDK was not started, or nobody has unlocked the device since it started. `text` may be NULL.
 */
int32_t PushSDK_GetDeviceToken(char *text, int32_t size);
int32_t PushSDK_GetInstallationID(char *text, int32_t size);

/*
 * Tells the callback why pushes come to this device or do not, as a text for people: device, permission, owner, delegates,
 * events, and the last answers and errors. It holds no key, secret or user token, and names the player. `callback` is called
 * once; `text` is NULL where there is an error, as before the start, and `error` is NULL where there is none.
 */
void PushSDK_GetDiagnostics(void *context,
                            void (*callback)(void *context, const char *text, const PushSDKError *error),
                            void (*release)(void *context));

/*
 * Has the server send a notification to this device, and to no other, with a text of its own. `callback` is called once, with
 * the notification's id, which the push has as its messageId, or with an error. It may be NULL.
 */
void PushSDK_SendTestNotification(void *context,
                                  void (*callback)(void *context, const char *messageID, const PushSDKError *error),
                                  void (*release)(void *context));

/* Sets what is told of a notification, or with NULL takes it away. */
void PushSDK_SetNotificationHandler(void *context,
                                    void (*handler)(void *context, const char *jsonPayload),
                                    void (*release)(void *context));

/*
 * Sets what is told of a notification that the person tapped, or with NULL takes it away. The notification handler is told
 * as well, and cannot tell an arrival from a tap.
 */
void PushSDK_SetOpenedHandler(void *context,
                              void (*handler)(void *context, const char *jsonPayload),
                              void (*release)(void *context));

/*
 * Sets what is told of a tapped action, or with NULL takes it away. What the person wrote, where the action takes text, is
 * the payload's member userText.
 */
void PushSDK_SetActionHandler(void *context,
                              void (*handler)(void *context, const char *actionId, const char *jsonPayload),
                              void (*release)(void *context));

/* Sets what is told of errors, or with NULL takes it away. */
void PushSDK_SetErrorHandler(void *context,
                             void (*handler)(void *context, const PushSDKError *error),
                             void (*release)(void *context));

/*
 * Sets what is told of links into the app that the options allow, or with NULL takes it away: of tapped notifications with
 * their JSON, and of those that the system opened the app by with NULL in its place. Without a handler the newest link of a
 * tapped notification is kept for the one that comes, where the options have "links"; else the system opens it.
 */
void PushSDK_SetLinkHandler(void *context,
                            void (*handler)(void *context, const char *url, const char *jsonPayload),
                            void (*release)(void *context));

/*
 * What the player who is logged in wants, and that player's inbox. Every function below needs a player whose token is known,
 * else it answers with PushSDKErrorLoginRequired. `callback` is called once; `json` is NULL where there is an error, and
 * `error` is NULL where there is none. docs/sdk/c.md lists the members of what goes in and comes out.
 */

/* Reads the preferences. */
void PushSDK_LoadPreferences(void *context,
                             void (*callback)(void *context, const char *json, const PushSDKError *error),
                             void (*release)(void *context));

/* Changes what the JSON object names and nothing else; null takes a choice back. Answers with the preferences afterwards. */
void PushSDK_SetPreferences(void *context, const char *jsonChange,
                            void (*callback)(void *context, const char *json, const PushSDKError *error),
                            void (*release)(void *context));

/* Switches pushes to this device on or off; inbox items stay. */
void PushSDK_SetPushEnabled(void *context, int32_t isEnabled,
                            void (*callback)(void *context, const PushSDKError *error),
                            void (*release)(void *context));

/* Reads a page of the inbox, newest items first. jsonQuery says which one; NULL is the newest of what is not archived. */
void PushSDK_GetInboxPage(void *context, const char *jsonQuery,
                          void (*callback)(void *context, const char *json, const PushSDKError *error),
                          void (*release)(void *context));

/* Reads how many items the player has not read. */
void PushSDK_GetInboxCounts(void *context,
                            void (*callback)(void *context, const char *json, const PushSDKError *error),
                            void (*release)(void *context));

/*
 * Marks items, a JSON list of their ids, as seen, unseen, read, unread, archived or unarchived. Without a connection the mark
 * is kept and sent later, which is no error. Reading or archiving an item takes its notification away from this device.
 */
void PushSDK_MarkInbox(void *context, const char *jsonItemIDs, const char *mark,
                       void (*callback)(void *context, const PushSDKError *error), void (*release)(void *context));

/*
 * Marks all items up to the newest one that the player saw, as seen, read or archived; only those of a category, which may be
 * NULL.
 */
void PushSDK_MarkWholeInbox(void *context, const char *itemID, const char *mark, const char *category,
                            void (*callback)(void *context, const PushSDKError *error),
                            void (*release)(void *context));

/* Puts an item away. */
void PushSDK_ArchiveInboxItem(void *context, const char *itemID,
                              void (*callback)(void *context, const PushSDKError *error),
                              void (*release)(void *context));

/*
 * Sets what is told when something changed in the inbox, or with NULL takes it away: while the app is in front, the counts at
 * once and then with each change.
 */
void PushSDK_SetInboxHandler(void *context,
                             void (*handler)(void *context, const char *jsonUpdate),
                             void (*release)(void *context));

/*
 * Sets what is told that a token is needed that speaks for the player, or with NULL takes it away: there is none yet, or the
 * server refused the last one. PushSDK_AnswerUserToken hands it over, or NULL where there is none; an answer that takes longer
 * than a request may comes too late.
 */
void PushSDK_SetUserTokenHandler(void *context,
                                 void (*handler)(void *context, const char *playerAccountId),
                                 void (*release)(void *context));
void PushSDK_AnswerUserToken(const char *playerAccountId, const char *userToken);

#ifdef __cplusplus
}
#endif

#endif
