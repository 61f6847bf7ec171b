/* Has to be refused by the check: an object goes into a context without its owner's word, which ARC does not allow. */
#import "PushNotificationSDKBridge.h"

#include "PushNotificationSDKC.h"

void broken(void (^block)(NSDictionary *payload));
void broken(void (^block)(NSDictionary *payload)) {
    PushSDK_SetNotificationHandler((void *)block, 0, 0);
}
