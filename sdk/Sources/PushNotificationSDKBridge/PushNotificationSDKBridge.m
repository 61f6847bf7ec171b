#import "PushNotificationSDKBridge.h"

#include <Block.h>
#include <string.h>

#include "PushNotificationSDKC.h"

/* One source for ARC, with which apps are built, and for counting by hand, which is what GNUstep's older runtime has. */
#if __has_feature(objc_arc)
#define BORROWED __bridge
#define OWNED(object) (object)
#define WITH_POOL(statement) @autoreleasepool { statement; }
#else
#define BORROWED
#define OWNED(object) [(object) autorelease]
#define WITH_POOL(statement)                                   \
    {                                                          \
        NSAutoreleasePool *pool = [NSAutoreleasePool new];     \
        statement;                                             \
        [pool release];                                        \
    }
#endif

#define SAME_CODE(name) _Static_assert((int)PushNotificationSDKError##name == (int)PushSDKError##name, "one table")
SAME_CODE(InvalidConfiguration);
SAME_CODE(PermissionDenied);
SAME_CODE(InvalidToken);
SAME_CODE(Network);
SAME_CODE(Server);
SAME_CODE(NotConfigured);
SAME_CODE(RegistrationFailed);
SAME_CODE(LinkRefused);
SAME_CODE(AttachmentFailed);
SAME_CODE(EventsRejected);
SAME_CODE(LoginRequired);

#define SAME_PERMISSION(name) \
    _Static_assert((int)PushNotificationSDKPermission##name == (int)PushSDKPermission##name, "Apple's values")
SAME_PERMISSION(NotDetermined);
SAME_PERMISSION(Denied);
SAME_PERMISSION(Authorized);
SAME_PERMISSION(Provisional);
SAME_PERMISSION(Ephemeral);
SAME_PERMISSION(OptionBadge);
SAME_PERMISSION(OptionSound);
SAME_PERMISSION(OptionAlert);
SAME_PERMISSION(OptionProvisional);

NSString *const PushNotificationSDKErrorDomain = @"PushNotificationSDK.PushNotificationError";

typedef void (^PermissionBlock)(BOOL granted, NSError *error);
typedef void (^StatusBlock)(NSInteger permission, NSError *error);
typedef void (^ChangeBlock)(NSInteger permission);
typedef void (^NotificationBlock)(NSDictionary *payload);
typedef void (^ActionBlock)(NSString *actionId, NSDictionary *payload);
typedef void (^LinkBlock)(NSURL *url, NSDictionary *payload);
typedef void (^ErrorBlock)(NSError *error);
typedef void (^DictionaryBlock)(NSDictionary *value, NSError *error);
typedef void (^TextBlock)(NSString *text);
typedef void (^TextAnswerBlock)(NSString *text, NSError *error);

/* A block crosses the C border as a context that is counted there, and given back with released(). */
#define CONTEXT_OF(block) ((block) ? _Block_copy((BORROWED const void *)(block)) : NULL)

static void released(void *context) {
    if (context) _Block_release(context);
}

/* A text with a zero character in it would be cut in silence; a byte that is never UTF-8 is refused instead. */
static const char *passable(NSString *text) {
    const char *bytes = [text UTF8String];
    if (text && !bytes) return "\xff";
    if (bytes && strlen(bytes) != [text lengthOfBytesUsingEncoding:NSUTF8StringEncoding]) return "\xff";
    return bytes;
}

static NSString *text(const char *bytes) {
    NSString *known = bytes ? [NSString stringWithUTF8String:bytes] : nil;
    return known ? known : @"";
}

static NSError *object(const PushSDKError *error) {
    if (!error || error->code == PushSDKErrorNone) return nil;
    NSDictionary *info =
        [NSDictionary dictionaryWithObjectsAndKeys:text(error->message), NSLocalizedDescriptionKey,
                                                   text(error->recoverySuggestion),
                                                   NSLocalizedRecoverySuggestionErrorKey, nil];
    return [NSError errorWithDomain:PushNotificationSDKErrorDomain code:error->code userInfo:info];
}

static NSDictionary *dictionary(const char *json) {
    NSData *data = [NSData dataWithBytes:json length:strlen(json)];
    id value = [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL];
    return [value isKindOfClass:[NSDictionary class]] ? value : [NSDictionary dictionary];
}

static void answered(void *context, int32_t granted, const PushSDKError *error) {
    WITH_POOL(((BORROWED PermissionBlock)context)(granted != 0, object(error)))
}

static void reported(void *context, int32_t permission, const PushSDKError *error) {
    WITH_POOL(((BORROWED StatusBlock)context)(permission, object(error)))
}

static void changed(void *context, int32_t permission) {
    WITH_POOL(((BORROWED ChangeBlock)context)(permission))
}

static void notified(void *context, const char *jsonPayload) {
    WITH_POOL(((BORROWED NotificationBlock)context)(dictionary(jsonPayload)))
}

static void acted(void *context, const char *actionId, const char *jsonPayload) {
    WITH_POOL(((BORROWED ActionBlock)context)(text(actionId), dictionary(jsonPayload)))
}

/* A link that Foundation does not read is none. */
static void tell(LinkBlock block, const char *url, const char *jsonPayload) {
    NSURL *link = [NSURL URLWithString:text(url)];
    if (link) block(link, jsonPayload ? dictionary(jsonPayload) : nil);
}

static void linked(void *context, const char *url, const char *jsonPayload) {
    WITH_POOL(tell((BORROWED LinkBlock)context, url, jsonPayload))
}

static void ended(void *context, const PushSDKError *error) {
    WITH_POOL(((BORROWED ErrorBlock)context)(object(error)))
}

static void failed(void *context, const PushSDKError *error) {
    WITH_POOL(((BORROWED ErrorBlock)context)(object(error)))
}

static void valued(void *context, const char *json, const PushSDKError *error) {
    WITH_POOL(((BORROWED DictionaryBlock)context)(json ? dictionary(json) : nil, object(error)))
}

static void told(void *context, const char *known, const PushSDKError *error) {
    WITH_POOL(((BORROWED TextAnswerBlock)context)(known ? text(known) : nil, object(error)))
}

static void asked(void *context, const char *playerAccountId) {
    WITH_POOL(((BORROWED TextBlock)context)(text(playerAccountId)))
}

/* The JSON of a value; what JSON cannot hold becomes a text that is none, which the SDK refuses. */
static NSString *json(id value) {
    if (!value) return nil;
    if (![NSJSONSerialization isValidJSONObject:value]) return @"";
    NSData *data = [NSJSONSerialization dataWithJSONObject:value options:0 error:NULL];
    NSString *known = data ? [[NSString alloc] initWithData:data encoding:NSUTF8StringEncoding] : nil;
    return known ? OWNED(known) : @"";
}

/* A text that the SDK writes into a place of the caller's; nil where there is none. */
static NSString *written(int32_t (*write)(char *text, int32_t size)) {
    char bytes[PushSDKTextSize];
    return write(bytes, PushSDKTextSize) > 0 ? [NSString stringWithUTF8String:bytes] : nil;
}

@implementation PushNotificationSDKBridge

+ (void)installAppDelegate {
    PushSDK_InstallAppDelegate();
}

+ (void)setOptions:(NSDictionary *)options error:(NSError **)error {
    PushSDKError reason;
    int32_t accepted = PushSDK_SetOptions(passable(json(options)), &reason);
    if (error) *error = accepted ? nil : object(&reason);
}

+ (void)configureWithAPIURL:(NSString *)apiURL
                     apiKey:(NSString *)apiKey
            playerAccountId:(NSString *)playerAccountId
                      error:(NSError **)error {
    PushSDKError reason;
    int32_t accepted = PushSDK_Configure(passable(apiURL), passable(apiKey), passable(playerAccountId), &reason);
    if (error) *error = accepted ? nil : object(&reason);
}

+ (void)requestNotificationPermissionWithCompletion:(PermissionBlock)completion {
    PushSDK_RequestPermission(CONTEXT_OF(completion), completion ? answered : NULL, released);
}

+ (void)requestNotificationPermissionWithOptions:(NSUInteger)options completion:(PermissionBlock)completion {
    PushSDK_RequestPermissionWithOptions(CONTEXT_OF(completion), (int32_t)(options & INT32_MAX),
                                         completion ? answered : NULL, released);
}

+ (void)getPermissionWithCompletion:(StatusBlock)completion {
    PushSDK_GetPermission(CONTEXT_OF(completion), completion ? reported : NULL, released);
}

+ (void)setPermissionHandler:(ChangeBlock)handler {
    PushSDK_SetPermissionHandler(CONTEXT_OF(handler), handler ? changed : NULL, released);
}

+ (void)openSettingsWithCompletion:(PermissionBlock)completion {
    PushSDK_OpenSettings(CONTEXT_OF(completion), completion ? answered : NULL, released);
}

+ (NSString *)deviceToken {
    return written(PushSDK_GetDeviceToken);
}

+ (NSString *)installationID {
    return written(PushSDK_GetInstallationID);
}

+ (void)getDiagnosticsWithCompletion:(TextAnswerBlock)completion {
    PushSDK_GetDiagnostics(CONTEXT_OF(completion), completion ? told : NULL, released);
}

+ (void)sendTestNotificationWithCompletion:(TextAnswerBlock)completion {
    PushSDK_SendTestNotification(CONTEXT_OF(completion), completion ? told : NULL, released);
}

+ (void)setNotificationReceivedHandler:(NotificationBlock)handler {
    PushSDK_SetNotificationHandler(CONTEXT_OF(handler), handler ? notified : NULL, released);
}

+ (void)setNotificationOpenedHandler:(NotificationBlock)handler {
    PushSDK_SetOpenedHandler(CONTEXT_OF(handler), handler ? notified : NULL, released);
}

+ (void)setNotificationActionHandler:(ActionBlock)handler {
    PushSDK_SetActionHandler(CONTEXT_OF(handler), handler ? acted : NULL, released);
}

+ (void)loginWithPlayerAccountId:(NSString *)playerAccountId
                       userToken:(NSString *)userToken
                      completion:(ErrorBlock)completion {
    PushSDK_Login(CONTEXT_OF(completion), passable(playerAccountId), passable(userToken), completion ? ended : NULL,
                  released);
}

+ (void)logoutWithCompletion:(ErrorBlock)completion {
    PushSDK_Logout(CONTEXT_OF(completion), completion ? ended : NULL, released);
}

+ (void)forgetDeviceWithCompletion:(ErrorBlock)completion {
    PushSDK_ForgetDevice(CONTEXT_OF(completion), completion ? ended : NULL, released);
}

+ (void)setLinkHandler:(LinkBlock)handler {
    PushSDK_SetLinkHandler(CONTEXT_OF(handler), handler ? linked : NULL, released);
}

+ (void)setFCMToken:(NSString *)token {
    PushSDK_SetFCMToken(passable(token));
}

+ (BOOL)openURL:(NSURL *)url {
    return PushSDK_OpenURL(passable([url absoluteString])) != 0;
}

+ (void)setBadge:(NSInteger)number {
    PushSDK_SetBadge(number < 0 ? 0 : number > INT32_MAX ? INT32_MAX : (int32_t)number);
}

+ (void)setTrackingEnabled:(BOOL)isEnabled {
    PushSDK_SetTrackingEnabled(isEnabled ? 1 : 0);
}

+ (void)loadPreferencesWithCompletion:(DictionaryBlock)completion {
    PushSDK_LoadPreferences(CONTEXT_OF(completion), completion ? valued : NULL, released);
}

+ (void)setPreferences:(NSDictionary *)change completion:(DictionaryBlock)completion {
    PushSDK_SetPreferences(CONTEXT_OF(completion), passable(json(change)), completion ? valued : NULL, released);
}

+ (void)setPushEnabled:(BOOL)isEnabled completion:(ErrorBlock)completion {
    PushSDK_SetPushEnabled(CONTEXT_OF(completion), isEnabled ? 1 : 0, completion ? ended : NULL, released);
}

+ (void)inboxPageWithQuery:(NSDictionary *)query completion:(DictionaryBlock)completion {
    PushSDK_GetInboxPage(CONTEXT_OF(completion), passable(json(query)), completion ? valued : NULL, released);
}

+ (void)inboxCountsWithCompletion:(DictionaryBlock)completion {
    PushSDK_GetInboxCounts(CONTEXT_OF(completion), completion ? valued : NULL, released);
}

+ (void)markInboxItems:(NSArray *)itemIDs as:(NSString *)mark completion:(ErrorBlock)completion {
    PushSDK_MarkInbox(CONTEXT_OF(completion), passable(json(itemIDs)), passable(mark), completion ? ended : NULL,
                      released);
}

+ (void)markAllInboxItemsUpTo:(NSString *)itemID
                           as:(NSString *)mark
                     category:(NSString *)category
                   completion:(ErrorBlock)completion {
    PushSDK_MarkWholeInbox(CONTEXT_OF(completion), passable(itemID), passable(mark), passable(category),
                           completion ? ended : NULL, released);
}

+ (void)archiveInboxItem:(NSString *)itemID completion:(ErrorBlock)completion {
    PushSDK_ArchiveInboxItem(CONTEXT_OF(completion), passable(itemID), completion ? ended : NULL, released);
}

+ (void)setInboxHandler:(NotificationBlock)handler {
    PushSDK_SetInboxHandler(CONTEXT_OF(handler), handler ? notified : NULL, released);
}

+ (void)setUserTokenHandler:(TextBlock)handler {
    PushSDK_SetUserTokenHandler(CONTEXT_OF(handler), handler ? asked : NULL, released);
}

+ (void)answerUserToken:(NSString *)userToken forPlayer:(NSString *)playerAccountId {
    PushSDK_AnswerUserToken(passable(playerAccountId), passable(userToken));
}

+ (void)setErrorHandler:(ErrorBlock)handler {
    PushSDK_SetErrorHandler(CONTEXT_OF(handler), handler ? failed : NULL, released);
}

@end
