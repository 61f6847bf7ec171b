/*
 * The class that the SDK makes below an app's delegate, run by GNUstep: what the delegate was it stays, its own methods
 * run as before, and another SDK may do the same before or after. Without ARC: GNUstep's gcc runtime has none.
 */
#include <objc/runtime.h>
#include <string.h>

#include "checks.h"
#import "PushDelegateClass.h"

/* UIKit's and UserNotifications' methods, as far as they are called here. */
@interface NSObject (SystemCalls)
- (void)application:(id)application didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token;
- (void)application:(id)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(id)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(NSUInteger))completion;
- (BOOL)application:(id)application openURL:(NSURL *)url options:(NSDictionary *)options;
- (BOOL)application:(id)application
    continueUserActivity:(id)activity
      restorationHandler:(void (^)(NSArray *))restorationHandler;
- (void)userNotificationCenter:(id)center
       willPresentNotification:(id)notification
         withCompletionHandler:(void (^)(NSUInteger))completion;
- (void)userNotificationCenter:(id)center
    didReceiveNotificationResponse:(id)response
             withCompletionHandler:(void (^)(void))completion;
@end

static NSMutableString *told;

static void tell(NSString *word) { [told appendFormat:@"%@ ", word]; }

static BOOL wasTold(NSString *words) {
    BOOL isSame = [told isEqual:words];
    if (!isSame) fprintf(stderr, "told '%s', not '%s'\n", [told UTF8String], [words UTF8String]);
    [told setString:@""];
    return isSame;
}

/* The SDK's part: runs the app's own method, then says that it heard. */
@interface SDK : NSObject <PushDelegateCalls>
@end

@implementation SDK
- (void)didRegisterWithDeviceToken:(NSData *)token own:(void (^)(void))own {
    own();
    tell([NSString stringWithFormat:@"sdk:token%lu", (unsigned long)[token length]]);
}
- (void)didFailToRegisterWithError:(NSError *)error own:(void (^)(void))own {
    own();
    tell([NSString stringWithFormat:@"sdk:failure%ld", (long)[error code]]);
}
- (void)application:(id)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
                             own:(void (^)(void (^)(NSUInteger)))own
                      completion:(void (^)(NSUInteger))completion {
    (void)application;
    tell([NSString stringWithFormat:@"sdk:push%lu", (unsigned long)[userInfo count]]);
    if (own == nil) return completion(2);
    own(^(NSUInteger result) {
      completion(result);
    });
}
- (BOOL)openURL:(NSURL *)url own:(BOOL (^)(void))own {
    if (own()) return YES;
    tell([@"sdk:open:" stringByAppendingString:[url scheme]]);
    return [[url scheme] isEqual:@"game"];
}
- (BOOL)continueUserActivity:(id)activity own:(BOOL (^)(void))own {
    if (own()) return YES;
    tell([@"sdk:continue:" stringByAppendingString:activity]);
    return [activity isEqual:@"shop"];
}
- (void)center:(id)center
    willPresentNotification:(id)notification
                        own:(void (^)(void (^)(NSUInteger)))own
                 completion:(void (^)(NSUInteger))completion {
    (void)center;
    tell([@"sdk:present:" stringByAppendingString:notification]);
    if (own == nil) return completion(7);
    own(completion);
}
- (void)center:(id)center
    didReceiveNotificationResponse:(id)response
                               own:(void (^)(void (^)(void)))own
                        completion:(void (^)(void))completion {
    (void)center;
    tell([@"sdk:tap:" stringByAppendingString:response]);
    if (own == nil) return completion();
    own(completion);
}
@end

/* An app's delegate with nothing but what it needs itself. */
@interface PlainDelegate : NSObject {
    int launches;
}
- (int)launch;
@end

@implementation PlainDelegate
- (int)launch {
    return ++launches;
}
@end

/* One that hears of everything itself. */
@interface FullDelegate : PlainDelegate
@end

@implementation FullDelegate
- (void)application:(id)application didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token {
    (void)application, (void)token;
    tell(@"app:token");
}
- (void)application:(id)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error {
    (void)application, (void)error;
    tell(@"app:failure");
}
- (void)application:(id)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(NSUInteger))completion {
    (void)application, (void)userInfo;
    tell(@"app:push");
    completion(0);
}
- (BOOL)application:(id)application openURL:(NSURL *)url options:(NSDictionary *)options {
    (void)application, (void)options;
    tell(@"app:open");
    return [[url host] isEqual:@"login"];
}
- (BOOL)application:(id)application
    continueUserActivity:(id)activity
      restorationHandler:(void (^)(NSArray *))restorationHandler {
    (void)application;
    tell(@"app:continue");
    restorationHandler(nil);
    return [activity isEqual:@"login"];
}
- (void)userNotificationCenter:(id)center
       willPresentNotification:(id)notification
         withCompletionHandler:(void (^)(NSUInteger))completion {
    (void)center, (void)notification;
    tell(@"app:present");
    completion(3);
}
- (void)userNotificationCenter:(id)center
    didReceiveNotificationResponse:(id)response
             withCompletionHandler:(void (^)(void))completion {
    (void)center, (void)response;
    tell(@"app:tap");
    completion();
}
@end

/* One of before iOS 7, whose pushes and links come by older methods. */
@interface OldDelegate : PlainDelegate
@end

@implementation OldDelegate
- (void)application:(id)application didReceiveRemoteNotification:(NSDictionary *)userInfo {
    (void)application, (void)userInfo;
    tell(@"app:old-push");
}
- (BOOL)application:(id)application handleOpenURL:(NSURL *)url {
    (void)application, (void)url;
    return YES;
}
@end

/* One that hands on to another what it has not, as SwiftUI's does. */
@interface ForwardingDelegate : PlainDelegate {
  @public
    id target;
}
@end

@implementation ForwardingDelegate
- (BOOL)respondsToSelector:(SEL)name {
    return [super respondsToSelector:name] || [target respondsToSelector:name];
}
- (id)forwardingTargetForSelector:(SEL)name {
    return [target respondsToSelector:name] ? target : nil;
}
@end

/* Two that hand on by invocation: an object as others are, and a proxy, which answers for its target alone. */
@interface InvokingDelegate : PlainDelegate {
  @public
    id target;
}
@end

@interface ProxyDelegate : NSProxy {
  @public
    id target;
}
@end

/* gcc's runtime cannot read the type of a block, which is handed on as any object is. */
static NSMethodSignature *signature(SEL name) {
    const char *text = sel_getName(name);
    char types[16];
    BOOL isQuestion = strcmp(text, "application:openURL:options:") == 0
        || strcmp(text, "application:continueUserActivity:restorationHandler:") == 0;
    snprintf(types, sizeof(types), "%s@:", isQuestion ? @encode(BOOL) : @encode(void));
    for (; *text != 0; text++) {
        if (*text == ':') strcat(types, "@");
    }
    return [NSMethodSignature signatureWithObjCTypes:types];
}

@implementation InvokingDelegate
- (BOOL)respondsToSelector:(SEL)name {
    return [super respondsToSelector:name] || [target respondsToSelector:name];
}
- (NSMethodSignature *)methodSignatureForSelector:(SEL)name {
    return [target respondsToSelector:name] ? signature(name) : [super methodSignatureForSelector:name];
}
- (void)forwardInvocation:(NSInvocation *)invocation {
    [invocation invokeWithTarget:target];
}
@end

@implementation ProxyDelegate
- (BOOL)respondsToSelector:(SEL)name {
    return [target respondsToSelector:name];
}
- (NSMethodSignature *)methodSignatureForSelector:(SEL)name {
    return signature(name);
}
- (void)forwardInvocation:(NSInvocation *)invocation {
    [invocation invokeWithTarget:target];
}
@end

static id object(Class class) { return [[class new] autorelease]; }

static void receiveToken(id delegate) {
    unsigned char bytes[] = {1, 2, 3};
    [delegate application:nil didRegisterForRemoteNotificationsWithDeviceToken:[NSData dataWithBytes:bytes length:3]];
}

static NSUInteger wake(id delegate) {
    __block NSUInteger answer = 99;
    [delegate application:nil
        didReceiveRemoteNotification:[NSDictionary dictionary]
              fetchCompletionHandler:^(NSUInteger result) {
                answer = result;
              }];
    return answer;
}

static NSUInteger present(id delegate) {
    __block NSUInteger answer = 99;
    [delegate userNotificationCenter:nil
             willPresentNotification:@"n"
               withCompletionHandler:^(NSUInteger options) {
                 answer = options;
               }];
    return answer;
}

static BOOL goesOn(id delegate, NSString *activity) {
    return [delegate application:nil
            continueUserActivity:activity
              restorationHandler:^(NSArray *objects) {
                tell(objects == nil ? @"restored" : @"other");
              }];
}

static int taps(id delegate) {
    __block int done = 0;
    [delegate userNotificationCenter:nil
        didReceiveNotificationResponse:@"r"
                 withCompletionHandler:^{
                   done++;
                 }];
    return done;
}

static SDK *sdk;

static void staysWhatItWas(void) {
    PlainDelegate *delegate = object([PlainDelegate class]);
    CHECK([delegate launch] == 1);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK([delegate isKindOfClass:[PlainDelegate class]]);
    // What is derived from `class` must have the methods too.
    CHECK([delegate class] == object_getClass(delegate));
    // What a cast of Swift's asks: the class that was there is above the object's own.
    CHECK(class_getSuperclass(object_getClass(delegate)) == [PlainDelegate class]);
    CHECK([delegate launch] == 2);
    // Other objects of the class, and the class itself, are what they were.
    CHECK(![object([PlainDelegate class]) respondsToSelector:@selector(application:
                                                                 didRegisterForRemoteNotificationsWithDeviceToken:)]);
    CHECK(object_getClass(object([PlainDelegate class])) == [PlainDelegate class]);
}

static void hearsWhatTheAppDoesNot(void) {
    id delegate = object([PlainDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK([delegate respondsToSelector:@selector(application:didRegisterForRemoteNotificationsWithDeviceToken:)]);
    receiveToken(delegate);
    CHECK(wasTold(@"sdk:token3 "));
    [delegate application:nil
        didFailToRegisterForRemoteNotificationsWithError:[NSError errorWithDomain:@"d" code:5 userInfo:nil]];
    CHECK(wasTold(@"sdk:failure5 "));
    CHECK(wake(delegate) == 2);
    CHECK(wasTold(@"sdk:push0 "));
    CHECK([delegate application:nil openURL:[NSURL URLWithString:@"game://shop"] options:nil]);
    CHECK(wasTold(@"sdk:open:game "));
    CHECK(goesOn(delegate, @"shop") && !goesOn(delegate, @"other"));
    CHECK(wasTold(@"sdk:continue:shop sdk:continue:other "));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    CHECK(present(delegate) == 7 && taps(delegate) == 1);
    CHECK(wasTold(@"sdk:present:n sdk:tap:r "));
}

static void ownMethodsRunAsBefore(void) {
    id delegate = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    receiveToken(delegate);
    CHECK(wake(delegate) == 0);
    CHECK(wasTold(@"app:token sdk:token3 sdk:push0 app:push "));
    CHECK([delegate application:nil openURL:[NSURL URLWithString:@"game://login"] options:nil]);
    CHECK(wasTold(@"app:open "));
    CHECK([delegate application:nil openURL:[NSURL URLWithString:@"game://shop"] options:nil]);
    CHECK(![delegate application:nil openURL:[NSURL URLWithString:@"other://shop"] options:nil]);
    CHECK(wasTold(@"app:open sdk:open:game app:open sdk:open:other "));
    CHECK(goesOn(delegate, @"login") && goesOn(delegate, @"shop") && !goesOn(delegate, @"other"));
    CHECK(wasTold(@"app:continue restored app:continue restored sdk:continue:shop app:continue restored "
                  @"sdk:continue:other "));
    CHECK(present(delegate) == 3 && taps(delegate) == 1);
    CHECK(wasTold(@"sdk:present:n app:present sdk:tap:r app:tap "));
}

static void olderMethodsAreCalledStill(void) {
    id delegate = object([OldDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK(wake(delegate) == 1);
    CHECK(wasTold(@"sdk:push0 app:old-push "));
    CHECK(![delegate respondsToSelector:@selector(application:openURL:options:)]);
}

static void whatIsHandedOnIsHandedOn(void) {
    ForwardingDelegate *delegate = object([ForwardingDelegate class]);
    delegate->target = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    receiveToken(delegate);
    CHECK(wake(delegate) == 0);
    CHECK(wasTold(@"app:token sdk:token3 sdk:push0 app:push "));
}

static void whatIsHandedOnByInvocationIsHandedOn(void) {
    InvokingDelegate *invoking = object([InvokingDelegate class]);
    invoking->target = object([FullDelegate class]);
    ProxyDelegate *proxy = [[ProxyDelegate alloc] autorelease];
    proxy->target = object([FullDelegate class]);
    id delegates[] = {invoking, proxy};
    for (int index = 0; index < 2; index++) {
        id delegate = delegates[index];
        CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
        CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
        CHECK(!PushDelegateClassAddToApplicationDelegate(delegate, sdk));
        receiveToken(delegate);
        CHECK(wake(delegate) == 0);
        CHECK(wasTold(@"app:token sdk:token3 sdk:push0 app:push "));
        CHECK([delegate application:nil openURL:[NSURL URLWithString:@"game://login"] options:nil]);
        CHECK(![delegate application:nil openURL:[NSURL URLWithString:@"other://shop"] options:nil]);
        CHECK(wasTold(@"app:open app:open sdk:open:other "));
        CHECK(goesOn(delegate, @"login") && !goesOn(delegate, @"other"));
        CHECK(wasTold(@"app:continue restored app:continue restored sdk:continue:other "));
        CHECK(present(delegate) == 3 && taps(delegate) == 1);
        CHECK(wasTold(@"sdk:present:n app:present sdk:tap:r app:tap "));
    }
}

static void aProxyHasTheMethodsThatItsTargetHasNot(void) {
    ProxyDelegate *delegate = [[ProxyDelegate alloc] autorelease];
    delegate->target = object([OldDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK([delegate respondsToSelector:@selector(application:didRegisterForRemoteNotificationsWithDeviceToken:)]);
    CHECK([delegate respondsToSelector:@selector(launch)]);
    CHECK(![delegate respondsToSelector:@selector(application:openURL:options:)]);
    receiveToken(delegate);
    CHECK(wake(delegate) == 1);
    CHECK(wasTold(@"sdk:token3 sdk:push0 app:old-push "));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    CHECK(present(delegate) == 7 && taps(delegate) == 1);
    CHECK(wasTold(@"sdk:present:n sdk:tap:r "));
}

static void twiceIsOnce(void) {
    id delegate = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    Class made = object_getClass(delegate);
    CHECK(!PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    CHECK(!PushDelegateClassAddToCenterDelegate(delegate, sdk));
    CHECK(object_getClass(delegate) == made);
    receiveToken(delegate);
    CHECK(wasTold(@"app:token sdk:token3 "));
}

/* Another SDK that makes a class below as well, and calls what is above it. */
typedef void (*Function)(void);

static void otherToken(id self, SEL name, id application, id token) {
    tell(@"other:token");
    Class above = object_getClass(self);
    while (strncmp(class_getName(above), "Other_", 6) != 0) above = class_getSuperclass(above);
    Method method = class_getInstanceMethod(class_getSuperclass(above), name);
    if (method != NULL) ((void (*)(id, SEL, id, id))(Function)method_getImplementation(method))(self, name, application, token);
}

static void otherMakesItsClass(id delegate, const char *name) {
    Class class = objc_allocateClassPair(object_getClass(delegate), name, 0);
    class_addMethod(class, @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:), (IMP)(Function)otherToken,
        "v@:@@");
    objc_registerClassPair(class);
    object_setClass(delegate, class);
}

static void worksBesideAnotherSDK(void) {
    id first = object([FullDelegate class]);
    otherMakesItsClass(first, "Other_First");
    CHECK(PushDelegateClassAddToApplicationDelegate(first, sdk));
    receiveToken(first);
    CHECK(wasTold(@"other:token app:token sdk:token3 "));
    CHECK([first isKindOfClass:[FullDelegate class]]);

    id second = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(second, sdk));
    otherMakesItsClass(second, "Other_Second");
    receiveToken(second);
    CHECK(wasTold(@"other:token app:token sdk:token3 "));
    CHECK([second isKindOfClass:[FullDelegate class]] && [second class] == object_getClass(second));
    CHECK(!PushDelegateClassAddToApplicationDelegate(second, sdk));

    id plain = object([PlainDelegate class]);
    otherMakesItsClass(plain, "Other_Plain");
    CHECK(PushDelegateClassAddToApplicationDelegate(plain, sdk));
    receiveToken(plain);
    CHECK(wasTold(@"other:token sdk:token3 "));
}

/* One that derives from what `class` answers, and calls what it found there, as Google's does. */
static Function foundByGoogle;

static void googleToken(id self, SEL name, id application, id token) {
    tell(@"google:token");
    if (foundByGoogle != NULL) ((void (*)(id, SEL, id, id))foundByGoogle)(self, name, application, token);
}

static void googleMakesItsClass(id delegate, const char *name) {
    SEL token = @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:);
    Class class = objc_allocateClassPair([delegate class], name, 0);
    foundByGoogle = (Function)method_getImplementation(class_getInstanceMethod([delegate class], token));
    class_addMethod(class, token, (IMP)(Function)googleToken, "v@:@@");
    objc_registerClassPair(class);
    object_setClass(delegate, class);
}

static void worksBesideOneThatDerivesByClass(void) {
    id first = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(first, sdk));
    CHECK(PushDelegateClassAddToCenterDelegate(first, sdk));
    googleMakesItsClass(first, "Google_First");
    receiveToken(first);
    CHECK(wasTold(@"google:token app:token sdk:token3 "));
    CHECK(wake(first) == 0 && present(first) == 3 && taps(first) == 1);
    CHECK(wasTold(@"sdk:push0 app:push sdk:present:n app:present sdk:tap:r app:tap "));
    CHECK([first isKindOfClass:[FullDelegate class]]);
    CHECK(!PushDelegateClassAddToApplicationDelegate(first, sdk));
    CHECK(PushDelegateClassIsOfApplicationDelegate(first) && PushDelegateClassIsOfCenterDelegate(first));

    id second = object([FullDelegate class]);
    googleMakesItsClass(second, "Google_Second");
    CHECK(PushDelegateClassAddToApplicationDelegate(second, sdk));
    receiveToken(second);
    CHECK(wasTold(@"google:token app:token sdk:token3 "));

    id plain = object([PlainDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(plain, sdk));
    googleMakesItsClass(plain, "Google_Plain");
    receiveToken(plain);
    CHECK(wasTold(@"google:token sdk:token3 "));
}

/* One that takes the made class away, as Google's did while `class` answered with the original one. */
static void whatWasTakenAwayIsSeen(void) {
    id delegate = object([FullDelegate class]);
    CHECK(!PushDelegateClassIsOfApplicationDelegate(delegate));
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK(PushDelegateClassIsOfApplicationDelegate(delegate) && !PushDelegateClassIsOfCenterDelegate(delegate));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    otherMakesItsClass(delegate, "Other_Above");
    CHECK(PushDelegateClassIsOfApplicationDelegate(delegate) && PushDelegateClassIsOfCenterDelegate(delegate));
    object_setClass(delegate, [FullDelegate class]);
    CHECK(!PushDelegateClassIsOfApplicationDelegate(delegate) && !PushDelegateClassIsOfCenterDelegate(delegate));
    receiveToken(delegate);
    CHECK(wasTold(@"app:token "));
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    receiveToken(delegate);
    CHECK(wasTold(@"app:token sdk:token3 "));
}

static void threeWorkTogetherInAnyOrder(void) {
    static const char *orders[] = {"sgo", "sog", "gso", "gos", "osg", "ogs"};
    for (int index = 0; index < 6; index++) {
        id delegate = object([FullDelegate class]);
        char name[16];
        for (const char *who = orders[index]; *who != 0; who++) {
            snprintf(name, sizeof(name), "%s_%d", *who == 'g' ? "Google" : "Other", index);
            if (*who == 's') CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
            if (*who == 'g') googleMakesItsClass(delegate, name);
            if (*who == 'o') otherMakesItsClass(delegate, name);
        }
        receiveToken(delegate);
        // Whoever came later is called first.
        BOOL isGoogleFirst = strchr(orders[index], 'g') > strchr(orders[index], 'o');
        CHECK(wasTold(isGoogleFirst ? @"google:token other:token app:token sdk:token3 "
                                    : @"other:token google:token app:token sdk:token3 "));
    }
}

/* One that exchanges the method of what `class` answers for its own. */
@interface NSObject (Exchanged)
- (void)exchanged_application:(id)application didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token;
- (void)exchanged_userNotificationCenter:(id)center
                 willPresentNotification:(id)notification
                   withCompletionHandler:(void (^)(NSUInteger))completion;
@end

static void exchangedToken(id self, SEL name, id application, id token) {
    (void)name;
    tell(@"exchanged:token");
    [self exchanged_application:application didRegisterForRemoteNotificationsWithDeviceToken:token];
}

static void exchangedPresent(id self, SEL name, id center, id notification, id completion) {
    (void)name;
    tell(@"exchanged:present");
    [self exchanged_userNotificationCenter:center
                   willPresentNotification:notification
                     withCompletionHandler:completion];
}

static void exchange(id delegate, SEL name, SEL other, Function function, const char *types) {
    Class class = [delegate class];
    CHECK(class_addMethod(class, other, (IMP)function, types));
    method_exchangeImplementations(class_getInstanceMethod(class, name), class_getInstanceMethod(class, other));
}

static void worksBesideOneThatExchangesMethods(void) {
    id delegate = object([FullDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    CHECK(PushDelegateClassAddToCenterDelegate(delegate, sdk));
    exchange(delegate, @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:),
        @selector(exchanged_application:didRegisterForRemoteNotificationsWithDeviceToken:), (Function)exchangedToken,
        "v@:@@");
    exchange(delegate, @selector(userNotificationCenter:willPresentNotification:withCompletionHandler:),
        @selector(exchanged_userNotificationCenter:willPresentNotification:withCompletionHandler:),
        (Function)exchangedPresent, "v@:@@@?");
    receiveToken(delegate);
    CHECK(wasTold(@"exchanged:token app:token sdk:token3 "));
    CHECK(present(delegate) == 3);
    CHECK(wasTold(@"exchanged:present sdk:present:n app:present "));
}

/* One that gives the app's class methods, after the SDK has made its own class below. */
@interface LateDelegate : PlainDelegate
@end

@implementation LateDelegate
@end

static void lateToken(id self, SEL name, id application, id token) {
    (void)self, (void)name, (void)application, (void)token;
    tell(@"late:token");
}

static void worksBesideOneThatAddsMethodsLater(void) {
    id delegate = object([LateDelegate class]);
    CHECK(PushDelegateClassAddToApplicationDelegate(delegate, sdk));
    receiveToken(delegate);
    CHECK(wasTold(@"sdk:token3 "));
    SEL name = @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:);
    CHECK(class_addMethod([LateDelegate class], name, (IMP)(Function)lateToken, "v@:@@"));
    receiveToken(delegate);
    CHECK(wasTold(@"late:token sdk:token3 "));
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    told = [NSMutableString new];
    sdk = [SDK new];
    staysWhatItWas();
    hearsWhatTheAppDoesNot();
    ownMethodsRunAsBefore();
    olderMethodsAreCalledStill();
    whatIsHandedOnIsHandedOn();
    whatIsHandedOnByInvocationIsHandedOn();
    aProxyHasTheMethodsThatItsTargetHasNot();
    twiceIsOnce();
    worksBesideAnotherSDK();
    worksBesideOneThatDerivesByClass();
    whatWasTakenAwayIsSeen();
    threeWorkTogetherInAnyOrder();
    worksBesideOneThatExchangesMethods();
    worksBesideOneThatAddsMethodsLater();
    [sdk release];
    [told release];
    [pool release];
    return checksFinish();
}
