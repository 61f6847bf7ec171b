/*
 * The push notification SDK for Unreal Engine, and for any other engine in C or C++: the functions of
 * UnityPushSDKBridge.h under another name, with the same rules for threads, strings and handlers.
 *
 * On iOS Unreal's game thread is not the main thread: a callback hands over what it was told. The C++ wrapper is
 * sdk/Bridges/unreal/PushNotificationSDK/Source/PushNotificationSDK/Public/PushNotificationSDK.hpp.
 */
#ifndef UNREAL_PUSH_SDK_BRIDGE_H
#define UNREAL_PUSH_SDK_BRIDGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the SDK. playerAccountId may be NULL or empty: no player yet. A refusal goes to the error handler. */
void UnrealPushSDK_Configure(const char* apiURL, const char* apiKey, const char* playerAccountId);

/*
 * Asks for the permission to notify. The callback is called once, with 1 when it is granted and 0 when it is not; that
 * the person could not be asked also goes to the error handler. With NULL the person is asked all the same.
 */
void UnrealPushSDK_RequestPermission(void (*callback)(int granted));

/*
 * The same with what is asked for, the PushSDKPermissionOption values of PushNotificationSDKC.h added up; the function
 * above asks for badge, sound and alert.
 */
void UnrealPushSDK_RequestPermissionWithOptions(int options, void (*callback)(int granted));

/*
 * Asks the system what the person allows now, without a prompt. The callback is called once, with one of the
 * PushSDKPermission values of PushNotificationSDKC.h; before the start with 0, and the error handler is told.
 */
void UnrealPushSDK_GetPermission(void (*callback)(int permission));

/*
 * Sets what is told when the person allowed or refused notifications: at the prompt, or in the system's settings, which is
 * noticed when the app comes to the front.
 */
void UnrealPushSDK_SetPermissionHandler(void (*handler)(int permission));

/*
 * Opens the app's page in the system's settings, where the person can allow what was refused. The callback is called once,
 * with 1 when the page opened, else 0; before the start the error handler is told as well. It may be NULL.
 */
void UnrealPushSDK_OpenSettings(void (*callback)(int opened));

/*
 * Writes the device token that Apple gave last, in hexadecimal, or the id by which the server knows this install, into the
 * caller's `size` bytes at `text`, with a zero byte behind it. 512 bytes are enough; where there are too few, the text is
 * empty. Each returns the length of the whole text without its zero byte; 0 when there is none: no token came yet, the SDK
 * was not started, or nobody has unlocked the device since it started. `text` may be NULL.
 */
int UnrealPushSDK_GetDeviceToken(char* text, int size);
int UnrealPushSDK_GetInstallationID(char* text, int size);

/* Sets what is told of a notification: one JSON object, whose members docs/sdk/c.md lists. */
void UnrealPushSDK_SetNotificationHandler(void (*handler)(const char* jsonPayload));

/*
 * Sets what is told of a notification that the person tapped, as above. The notification handler is told as well, and
 * cannot tell an arrival from a tap.
 */
void UnrealPushSDK_SetOpenedHandler(void (*handler)(const char* jsonPayload));

/*
 * Sets what is told of a tapped action: its identifier, and the notification as above. What the person wrote, where the
 * action takes text, is the member userText.
 */
void UnrealPushSDK_SetActionHandler(void (*handler)(const char* actionId, const char* jsonPayload));

/* Sets what is told of errors: a PushSDKError code, what went wrong, what to do about it; the texts are never NULL. */
void UnrealPushSDK_SetErrorHandler(void (*handler)(int code, const char* message, const char* recoverySuggestion));

/*
 * Sets what UnrealPushSDK_Configure takes beside its arguments (the app group, categories with buttons, the links that may
 * be opened) as one JSON object, whose members docs/sdk/c.md lists. Call it first; NULL takes the options away. What
 * cannot be read goes to the error handler and changes nothing.
 */
void UnrealPushSDK_SetOptions(const char* jsonOptions);

/*
 * Somebody logged in. userToken is what speaks for the player where the server asks for it, else NULL. What the server
 * refuses, and a player that cannot be one, goes to the error handler.
 */
void UnrealPushSDK_Login(const char* playerAccountId, const char* userToken);

/* The player logged out: pushes for that player do not come to this device any more. */
void UnrealPushSDK_Logout(void);

/*
 * Forgets this device: removes what the SDK keeps on it, but for the consent, and has the server delete the
 * installation. The device is another installation from now on, which is registered when somebody logs in, or with the
 * next launch. Where the server cannot delete it now it is deleted later, and the error handler is told.
 */
void UnrealPushSDK_ForgetDevice(void);

/*
 * Sets what is told of links into the app that the options allow: of tapped notifications with their JSON, and of those
 * that the system opened the app by with NULL in its place. Without a handler the newest link of a tapped notification is
 * kept for the one that comes, where the options have "links"; else the system opens it.
 */
void UnrealPushSDK_SetLinkHandler(void (*handler)(const char* url, const char* jsonPayload));

/* Hands over a link that the system opened the app by, where the app is told of it: 1 when the SDK took it, else 0. */
int UnrealPushSDK_OpenURL(const char* url);

/* Sets the number on the app's icon; 0 removes it. */
void UnrealPushSDK_SetBadge(int number);

/*
 * Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly, by the registration
 * token that Firebase gives; NULL goes back to Apple's token. It may be set before the start, and outlives the app's launches.
 * A text that cannot be such a token changes nothing and goes to the error handler.
 */
void UnrealPushSDK_SetFCMToken(const char* token);

/*
 * Whether events are reported, the person's consent: so until it is set to 0, which also discards what was not uploaded.
 * It may be set before the start, and outlives the app's launches. With the option tracksBeforeConsent set to false none
 * are reported before it is set to 1.
 */
void UnrealPushSDK_SetTrackingEnabled(int isEnabled);

#ifdef __cplusplus
}
#endif

#endif
