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

static Own ownMethod(id self, SEL name) {
    Method method = class_getInstanceMethod(class_getSuperclass(madeClass(self)), name);
    if (method != NULL) return (Own){self, (Function)method_getImplementation(method)};
    // A delegate may hand its messages on to another object, as SwiftUI's does.
    id target = [self forwardingTargetForSelector:name];
    if (target == nil || target == self || ![target respondsToSelector:name]) return (Own){nil, NULL};
    return (Own){target, (Function)class_getMethodImplementation(object_getClass(target), name)};
}

// MARK: The methods of made classes

// What `class` said before: an object's made class is nobody's business. Where another class was made above, that says.
static Class reportedClass(id self, SEL name) {
    Class above = class_getSuperclass(madeClass(self));
    Function method = (Function)class_getMethodImplementation(above, name);
    if (method == (Function)class_getMethodImplementation([NSObject class], name)) return above;
    return ((Class(*)(id, SEL))method)(self, name);
}

static void didRegister(id self, SEL name, id application, id token) {
    Own own = ownMethod(self, name);
    [heard didRegisterWithDeviceToken:token
                                  own:^{
                                    if (own.method == NULL) return;
                                    ((void (*)(id, SEL, id, id))own.method)(own.receiver, name, application, token);
                                  }];
}

static void didFailToRegister(id self, SEL name, id application, id error) {
    Own own = ownMethod(self, name);
    [heard didFailToRegisterWithError:error
                                  own:^{
                                    if (own.method == NULL) return;
                                    ((void (*)(id, SEL, id, id))own.method)(own.receiver, name, application, error);
                                  }];
}

static void didReceiveRemoteNotification(id self, SEL name, id application, id userInfo, id completion) {
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
    Own own = ownMethod(self, name);
    return [heard openURL:url
                      own:^BOOL {
                        if (own.method == NULL) return NO;
                        return ((BOOL(*)(id, SEL, id, id, id))own.method)(own.receiver, name, application, url, options);
                      }];
}

static void willPresent(id self, SEL name, id center, id notification, id completion) {
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
    snprintf(types, sizeof(types), "%s@:", @encode(Class));
    class_addMethod(made, @selector(class), (IMP)(Function)reportedClass, types);
    objc_registerClassPair(made);
    object_setClass(object, made);
    return made;
}

static BOOL add(Class made, SEL name, Function method, const char *result, const char *arguments) {
    char types[32];
    snprintf(types, sizeof(types), "%s@:%s", result, arguments);
    return class_addMethod(made, name, (IMP)method, types);
}

static Class prepare(id delegate, id<PushDelegateCalls> calls) {
    Class made = makeClass(delegate);
    if (made == Nil) return Nil;
#if __has_feature(objc_arc)
    heard = calls;
#else
    if (heard != calls) {
        [heard release];
        heard = [calls retain];
    }
#endif
    return made;
}

BOOL PushDelegateClassAddToApplicationDelegate(id delegate, id<PushDelegateCalls> calls) {
    // An app that opens links by an older method only goes on to: the system would call the newer one in its place.
    SEL link = @selector(application:openURL:options:);
    BOOL opensLinksByOlder = ![delegate respondsToSelector:link]
        && ([delegate respondsToSelector:@selector(application:openURL:sourceApplication:annotation:)]
            || [delegate respondsToSelector:@selector(application:handleOpenURL:)]);
    Class made = prepare(delegate, calls);
    if (made == Nil) return NO;
    SEL token = @selector(application:didRegisterForRemoteNotificationsWithDeviceToken:);
    SEL failure = @selector(application:didFailToRegisterForRemoteNotificationsWithError:);
    SEL push = @selector(application:didReceiveRemoteNotification:fetchCompletionHandler:);
    if (!add(made, token, (Function)didRegister, @encode(void), "@@")) return NO;
    add(made, failure, (Function)didFailToRegister, @encode(void), "@@");
    add(made, push, (Function)didReceiveRemoteNotification, @encode(void), "@@@?");
    if (!opensLinksByOlder) add(made, link, (Function)openURL, @encode(BOOL), "@@@");
    return YES;
}

BOOL PushDelegateClassAddToCenterDelegate(id delegate, id<PushDelegateCalls> calls) {
    Class made = prepare(delegate, calls);
    if (made == Nil) return NO;
    SEL arrival = @selector(userNotificationCenter:willPresentNotification:withCompletionHandler:);
    SEL response = @selector(userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:);
    if (!add(made, arrival, (Function)willPresent, @encode(void), "@@@?")) return NO;
    return add(made, response, (Function)didReceiveResponse, @encode(void), "@@@?");
}
