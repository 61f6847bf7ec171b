/*
 * The class as it was specified, used: each method is called with values of exactly the specified types and returns
 * nothing. A method that is missing or takes another type does not compile. Checked only, never linked.
 */
#import "PushNotificationSDKBridge.h"

#define RETURNS_NOTHING(call) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(call), void), "it was specified to return nothing")

void specified(NSString *apiURL, NSString *apiKey, NSString *_Nullable playerAccountId, NSError **error,
               void (^completion)(BOOL granted, NSError *_Nullable error), void (^received)(NSDictionary *payload),
               void (^action)(NSString *actionId, NSDictionary *payload));
void specified(NSString *apiURL, NSString *apiKey, NSString *_Nullable playerAccountId, NSError **error,
               void (^completion)(BOOL granted, NSError *_Nullable error), void (^received)(NSDictionary *payload),
               void (^action)(NSString *actionId, NSDictionary *payload)) {
    NSObject *object = [PushNotificationSDKBridge new];
    (void)object;
    RETURNS_NOTHING([PushNotificationSDKBridge configureWithAPIURL:apiURL
                                                            apiKey:apiKey
                                                   playerAccountId:playerAccountId
                                                             error:error]);
    RETURNS_NOTHING([PushNotificationSDKBridge requestNotificationPermissionWithCompletion:completion]);
    RETURNS_NOTHING([PushNotificationSDKBridge setNotificationReceivedHandler:received]);
    RETURNS_NOTHING([PushNotificationSDKBridge setNotificationActionHandler:action]);
}
