#include "PushNotificationSDKC.h"
#include <stddef.h>

void on_login(void *context, const PushSDKError *error);
void snippet(void *game);

void snippet(void *game) {
    // the snippet
    (void)game;
}
