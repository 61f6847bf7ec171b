/*
 * The functions as they were specified for Unity, beside the header: a declaration that differs does not compile.
 * Unreal's are held to them by main.c of the C example, which puts both into the same pointers.
 */
#include "UnityPushSDKBridge.h"

void UnityPushSDK_Configure(const char* apiURL, const char* apiKey, const char* playerAccountId);
void UnityPushSDK_RequestPermission(void (*callback)(int granted));
void UnityPushSDK_SetNotificationHandler(void (*handler)(const char* jsonPayload));
void UnityPushSDK_SetActionHandler(void (*handler)(const char* actionId, const char* jsonPayload));
