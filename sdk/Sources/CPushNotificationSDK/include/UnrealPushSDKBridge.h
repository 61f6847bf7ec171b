/*
 * The push notification SDK for Unreal Engine, and for any other engine in C or C++: the functions of
 * UnityPushSDKBridge.h under another name, with the same rules for threads, strings and handlers.
 *
 * On iOS Unreal's game thread is not the main thread: a callback hands over what it was told. The C++ wrapper is
 * sdk/Bridges/unreal/PushNotificationSDK.hpp.
 */
#ifndef UNREAL_PUSH_SDK_BRIDGE_H
#define UNREAL_PUSH_SDK_BRIDGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the SDK. playerAccountId may be NULL: no player yet. A refusal goes to the error handler. */
void UnrealPushSDK_Configure(const char* apiURL, const char* apiKey, const char* playerAccountId);

/*
 * Asks for the permission to notify. The callback is called once, with 1 when it is granted and 0 when it is not; that
 * the person could not be asked also goes to the error handler. With NULL the person is asked all the same.
 */
void UnrealPushSDK_RequestPermission(void (*callback)(int granted));

/* Sets what is told of a notification: one JSON object, whose members docs/sdk/c.md lists. */
void UnrealPushSDK_SetNotificationHandler(void (*handler)(const char* jsonPayload));

/* Sets what is told of a tapped action: its identifier, and the notification as above. */
void UnrealPushSDK_SetActionHandler(void (*handler)(const char* actionId, const char* jsonPayload));

/* Sets what is told of errors: a PushSDKError code, what went wrong, what to do about it; the texts are never NULL. */
void UnrealPushSDK_SetErrorHandler(void (*handler)(int code, const char* message, const char* recoverySuggestion));

#ifdef __cplusplus
}
#endif

#endif
