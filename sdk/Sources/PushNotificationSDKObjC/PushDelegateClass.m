// A class below a delegate's own, made at run time. With plain functions of the run-time, so that the same file is
// compiled for iOS with ARC and, for scripts/check-bridges, run by GNUstep without it.
#import "PushDelegateClass.h"

#import <objc/runtime.h>
#import <stdio.h>
#import <string.h>

static const char prefix[] = "PushNotificationSDK_";

// One for the process, and set before any object gets a class.
static id<PushDelegateCalls> heard;

// The class that was made here. Another SDK may have put its own below it since.
static Class madeClass(id object) {
    for (Class class = object_getClass(object); class != Nil; class = class_getSuperclass(class)) {
        if (strncmp(class_getName(class), prefix, sizeof(prefix) - 1) == 0) return class;
    }
    return Nil;
}

// Any method, until it is called or added: IMP has other parameters, and on Apple's systems none.
typedef void (*Function)(void);

// Who answers to a message where the made class does not, and how; looked up for each call, because methods may come later.
typedef struct {
    __unsafe_unretained id receiver;
    Function method;
} Own;

// A delegate may hand its messages on to another object, as SwiftUI's does. A proxy may have no method that says so.
static id forwardingTarget(id self, SEL name) {
    SEL asked = @selector(forwardingTargetForSelector:);
    if (class_getInstanceMethod(object_getClass(self), asked) == NULL) return nil;
    id target = [self forwardingTargetForSelector:name];
    return target != self && [target respondsToSelector:name] ? target : nil;
}

// The name under which a made class has `forwardTwo` or its like, for a message that the delegate forwards.
static SEL forwardingName(SEL name) {
    char forwarding[128];
    snprintf(forwarding, sizeof(forwarding), "%s%s", prefix, sel_getName(name));
    return sel_registerName(forwarding);
}

static Own ownMethod(id self, SEL name) {
    Class made = madeClass(self);
    Method method = class_getInstanceMethod(class_getSuperclass(made), name);
    if (method != NULL) return (Own){self, (Function)method_getImplementation(method)};
    id target = forwardingTarget(self, name);
    if (target != nil) return (Own){target, (Function)class_getMethodImplementation(object_getClass(target), name)};
    method = class_getInstanceMethod(made, forwardingName(name));
    return (Own){self, method == NULL ? NULL : (Function)method_getImplementation(method)};
}

// MARK: Forwarding

// Does what the run-time does with a message for which the object's class has no method.
static BOOL forward(id self, SEL name, int count, void *arguments[]) {
    BOOL result = NO;
    NSMethodSignature *signature = [self methodSignatureForSelector:name];
    if (signature == nil) return result;
    NSInvocation *invocation = [NSInvocation invocationWithMethodSignature:signature];
    [invocation setTarget:self];
    [invocation setSelector:name];
    for (int index = 0; index < count; index++) [invocation setArgument:arguments[index] atIndex:index + 2];
    [self forwardInvocation:invocation];
    if ([signature methodReturnLength] == sizeof(result)) [invocation getReturnValue:&result];
    return result;
}

static void forwardTwo(id self, SEL name, id first, id second) {
    forward(self, name, 2, (void *[]){&first, &second});
}

static void forwardThree(id self, SEL name, id first, id second, id third) {
    forward(self, name, 3, (void *[]){&first, &second, &third});
}

// The same for what the system wants an answer to.
static BOOL forwardQuestion(id self, SEL name, id first, id second, id third) {
    return forward(self, name, 3, (void *[]){&first, &second, &third});
}

// MARK: The methods of made classes

// A proxy answers for the object behind it, and knows nothing of methods that its own class was given.
static BOOL respondsToSelector(id self, SEL name, SEL asked) {
    name = @selector(respondsToSelector:);
    Class made = madeClass(self), above = class_getSuperclass(made);
    if (class_getInstanceMethod(made, asked) != class_getInstanceMethod(above, asked)) return YES;
    return ((BOOL(*)(id, SEL, SEL))(Function)class_getMethodImplementation(above, name))(self, name, asked);
}

// Each names its own selector: an SDK that exchanges methods of a delegate's `class` calls ours by a name of its own.

static void didRegister(id self, SEL name, id application, id token) {
    name = @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:);
    Own own = ownMethod(self, name);
    [heard didRegisterWithDeviceToken:token
                                  own:^{
                                    if (own.method == NULL) return;
                                    ((void (*)(id, SEL, id, id))own.method)(own.receiver, name, application, token);
                                  }];
}

static void didFailToRegister(id self, SEL name, id application, id error) {
    name = @selector(application:didFailToRegisterForRemoteNotificationsWithError:);
    Own own = ownMethod(self, name);
    [heard didFailToRegisterWithError:error
                                  own:^{
                                    if (own.method == NULL) return;
                                    ((void (*)(id, SEL, id, id))own.method)(own.receiver, name, application, error);
                                  }];
}

static void didReceiveRemoteNotification(id self, SEL name, id application, id userInfo, id completion) {
    name = @selector(application:didReceiveRemoteNotification:fetchCompletionHandler:);
    Own own = ownMethod(self, name);
    SEL olderName = @selector(application:didReceiveRemoteNotification:);
    Own older = ownMethod(self, olderName);
    void (^run)(void (^)(NSUInteger)) = nil;
    if (own.method != NULL) {
        run = ^(void (^done)(NSUInteger)) {
          ((void (*)(id, SEL, id, id, id))own.method)(own.receiver, name, application, userInfo, (id)done);
        };
    } else if (older.method != NULL) {
        // The system calls the older method only where there is no newer one, and waits for no answer.
        run = ^(void (^done)(NSUInteger)) {
          ((void (*)(id, SEL, id, id))older.method)(older.receiver, olderName, application, userInfo);
          done(1);
        };
    }
    [heard application:application didReceiveRemoteNotification:userInfo own:run completion:completion];
}

static BOOL openURL(id self, SEL name, id application, id url, id options) {
    name = @selector(application:openURL:options:);
    Own own = ownMethod(self, name);
    return [heard openURL:url
                      own:^BOOL {
                        if (own.method == NULL) return NO;
                        return ((BOOL(*)(id, SEL, id, id, id))own.method)(own.receiver, name, application, url, options);
                      }];
}

static BOOL continueUserActivity(id self, SEL name, id application, id activity, id restoration) {
    name = @selector(application:continueUserActivity:restorationHandler:);
    Own own = ownMethod(self, name);
    return [heard continueUserActivity:activity
                                   own:^BOOL {
                                     if (own.method == NULL) return NO;
                                     return ((BOOL(*)(id, SEL, id, id, id))own.method)(own.receiver, name, application,
                                                                                       activity, restoration);
                                   }];
}

static void willPresent(id self, SEL name, id center, id notification, id completion) {
    name = @selector(userNotificationCenter:willPresentNotification:withCompletionHandler:);
    Own own = ownMethod(self, name);
    void (^run)(void (^)(NSUInteger)) = nil;
    if (own.method != NULL) {
        run = ^(void (^done)(NSUInteger)) {
          ((void (*)(id, SEL, id, id, id))own.method)(own.receiver, name, center, notification, (id)done);
        };
    }
    [heard center:center
        willPresentNotification:notification
                            own:run
                     completion:completion];
}

static void didReceiveResponse(id self, SEL name, id center, id response, id completion) {
    name = @selector(userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:);
    Own own = ownMethod(self, name);
    void (^run)(void (^)(void)) = nil;
    if (own.method != NULL) {
        run = ^(void (^done)(void)) {
          ((void (*)(id, SEL, id, id, id))own.method)(own.receiver, name, center, response, (id)done);
        };
    }
    [heard center:center
        didReceiveNotificationResponse:response
                                   own:run
                            completion:completion];
}

// MARK: Making them

// The class of an object that methods are added to; `nil` where the system makes none.
static Class makeClass(id object) {
    Class made = madeClass(object);
    if (made != Nil) return made;
    static unsigned count = 0;
    char name[256];
    snprintf(name, sizeof(name), "%s%u_%s", prefix, count++, class_getName(object_getClass(object)));
    made = objc_allocateClassPair(object_getClass(object), name, 0);
    if (made == Nil) return Nil;
    char types[16];
    snprintf(types, sizeof(types), "%s@::", @encode(BOOL));
    class_addMethod(made, @selector(respondsToSelector:), (IMP)(Function)respondsToSelector, types);
    objc_registerClassPair(made);
    object_setClass(object, made);
    return made;
}

// Keeps how a delegate forwards a message: once its class has a method for it, the run-time no longer does.
static void keepForwarding(id delegate, SEL name, Function forwarding) {
    if (class_getInstanceMethod(object_getClass(delegate), name) != NULL) return;
    if (![delegate respondsToSelector:name] || forwardingTarget(delegate, name) != nil) return;
    // Nobody calls it as a method: its types are of no account.
    class_addMethod(madeClass(delegate), forwardingName(name), (IMP)forwarding, "v@:");
}

static BOOL add(id delegate, SEL name, Function method, Function forwarding, const char *result,
                const char *arguments) {
    keepForwarding(delegate, name, forwarding);
    char types[32];
    snprintf(types, sizeof(types), "%s@:%s", result, arguments);
    return class_addMethod(madeClass(delegate), name, (IMP)method, types);
}

static BOOL prepare(id delegate, id<PushDelegateCalls> calls) {
    if (makeClass(delegate) == Nil) return NO;
#if __has_feature(objc_arc)
    heard = calls;
#else
    if (heard != calls) {
        [heard release];
        heard = [calls retain];
    }
#endif
    return YES;
}

BOOL PushDelegateClassAddToApplicationDelegate(id delegate, id<PushDelegateCalls> calls) {
    // An app that opens links by an older method only goes on to: the system would call the newer one in its place.
    SEL link = @selector(application:openURL:options:);
    BOOL opensLinksByOlder = ![delegate respondsToSelector:link]
        && ([delegate respondsToSelector:@selector(application:openURL:sourceApplication:annotation:)]
            || [delegate respondsToSelector:@selector(application:handleOpenURL:)]);
    if (!prepare(delegate, calls)) return NO;
    SEL token = @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:);
    SEL failure = @selector(application:didFailToRegisterForRemoteNotificationsWithError:);
    SEL push = @selector(application:didReceiveRemoteNotification:fetchCompletionHandler:);
    SEL activity = @selector(application:continueUserActivity:restorationHandler:);
    Function two = (Function)forwardTwo, three = (Function)forwardThree, question = (Function)forwardQuestion;
    if (!add(delegate, token, (Function)didRegister, two, @encode(void), "@@")) return NO;
    add(delegate, failure, (Function)didFailToRegister, two, @encode(void), "@@");
    keepForwarding(delegate, @selector(application:didReceiveRemoteNotification:), two);
    add(delegate, push, (Function)didReceiveRemoteNotification, three, @encode(void), "@@@?");
    if (!opensLinksByOlder) add(delegate, link, (Function)openURL, question, @encode(BOOL), "@@@");
    add(delegate, activity, (Function)continueUserActivity, question, @encode(BOOL), "@@@?");
    return YES;
}

BOOL PushDelegateClassAddToCenterDelegate(id delegate, id<PushDelegateCalls> calls) {
    if (!prepare(delegate, calls)) return NO;
    SEL arrival = @selector(userNotificationCenter:willPresentNotification:withCompletionHandler:);
    SEL response = @selector(userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:);
    Function three = (Function)forwardThree;
    if (!add(delegate, arrival, (Function)willPresent, three, @encode(void), "@@@?")) return NO;
    return add(delegate, response, (Function)didReceiveResponse, three, @encode(void), "@@@?");
}

// MARK: Looking for them

static BOOL hasMethod(id delegate, SEL name) {
    Class made = madeClass(delegate);
    if (made == Nil) return NO;
    return class_getInstanceMethod(made, name) != class_getInstanceMethod(class_getSuperclass(made), name);
}

BOOL PushDelegateClassIsOfApplicationDelegate(id delegate) {
    return hasMethod(delegate, @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:));
}

BOOL PushDelegateClassIsOfCenterDelegate(id delegate) {
    return hasMethod(delegate, @selector(userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:));
}
