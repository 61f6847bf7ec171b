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

/* Puts a new phone under the SDK, with nothing stored and no network. Called on the main thread. */
void PushHooks_Start(int32_t person);

/* A notification arrives while the app is on the screen: its payload as APNs sends it. */
void PushHooks_Deliver(const char *payload);

/* The person taps an action of a notification. */
void PushHooks_Tap(const char *actionId, const char *payload);

/* The system cannot register the phone with APNs. */
void PushHooks_FailRegistration(void);

/* Serves the main queue for a moment: what the run loop of an app does. Called on the main thread. */
void PushHooks_ServeMainQueue(void);

/* 1 on the main thread, 0 on another. */
int32_t PushHooks_IsMainThread(void);

#ifdef __cplusplus
}
#endif

#endif
