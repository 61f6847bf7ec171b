/*
 * A phone for the bridges' tests: what the system and the person do, as calls, on the stand-ins for Apple's frameworks.
 * These functions are in a library of the tests, never in one that an app takes.
 *
 * What Apple's notification center reports is reported on a thread that is not the main one.
 */
#ifndef PUSH_HOOKS_H
#define PUSH_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the person says when the app asks whether it may notify. */
enum { PushHooksDenies = 0, PushHooksAllows = 1, PushHooksHasDenied = 2 };

/* Puts a new phone under the SDK, with nothing stored and a server that takes every device. Called on the main thread. */
void PushHooks_Start(int32_t person);

/* A notification arrives while the app is on the screen: its payload as APNs sends it. */
void PushHooks_Deliver(const char *payload);

/* The person taps an action of a notification. */
void PushHooks_Tap(const char *actionId, const char *payload);

/* The person writes a text into a notification and sends it with an action that takes one. */
void PushHooks_Write(const char *actionId, const char *userText, const char *payload);

/* The person taps the notification itself. */
void PushHooks_Open(const char *payload);

/* The system opens the app by a link: 1 when the app's delegate takes it. Called on the main thread. */
int32_t PushHooks_OpenURL(const char *url);

/* The system registered the phone with APNs: the app's delegate is given a token. Called on the main thread. */
void PushHooks_Register(void);

/*
 * The user of the last registration that reached the server, with a slash and the token that spoke for them where there
 * was one; "-" when it named nobody, NULL when there was none yet. Valid until the next call, on one thread.
 */
const char *PushHooks_LastUser(void);

/* How many buttons the system has for a category; -1 when it does not know the category. */
int32_t PushHooks_Buttons(const char *category);

/*
 * What the field of a button says that takes text: the title of its own button, a slash, and what the empty field says.
 * NULL when there is no such field. Valid until the next call, on one thread.
 */
const char *PushHooks_Field(const char *category, const char *actionId);

/* The app group that the SDK is configured with, else NULL. Valid until the next call, on one thread. */
const char *PushHooks_AppGroup(void);

/* The provider and the token that the last registration named, with a blank between; else NULL. Valid as the next one. */
const char *PushHooks_LastToken(void);

/* The installation that the last registration named, else NULL. Valid until the next call, on one thread. */
const char *PushHooks_LastInstallation(void);

/* The person switches the app's notifications on or off in the system's settings, and comes back. Called on the main thread. */
void PushHooks_ChangePermission(int32_t isAllowed);

/* What the person allows the app, as the bits of UNAuthorizationOptions. */
int32_t PushHooks_Granted(void);

/* What the app had the system open last, else NULL. Valid until the next call, on one thread. */
const char *PushHooks_LastOpened(void);

/* From now on the system opens nothing that the app wants opened. */
void PushHooks_OpenNothing(void);

/* The number on the app's icon. */
int32_t PushHooks_Badge(void);

/* 1 while the SDK reports events, else 0. */
int32_t PushHooks_IsTracking(void);

/* The system cannot register the phone with APNs. */
void PushHooks_FailRegistration(void);

/*
 * The last request about preferences, the inbox or this installation: its method, its path behind /api/v1/ with its query, and
 * its body, with blanks between them. NULL when there was none yet. Valid until the next call, on one thread.
 */
const char *PushHooks_LastRequest(void);

/* From now on the server takes this user token and no other, where it takes every one at the beginning. */
void PushHooks_AllowToken(const char *userToken);

/* Serves the main queue for a moment: what the run loop of an app does. Called on the main thread. */
void PushHooks_ServeMainQueue(void);

/* 1 on the main thread, 0 on another. */
int32_t PushHooks_IsMainThread(void);

#ifdef __cplusplus
}
#endif

#endif
