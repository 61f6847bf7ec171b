#pragma once
#import <Foundation/Foundation.h>

#ifndef NS_SWIFT_NAME
#define NS_SWIFT_NAME(name)
#endif
// UIKit calls its delegate on the main thread.
#if __has_attribute(swift_attr)
#define PUSH_MAIN_ACTOR __attribute__((swift_attr("@MainActor")))
#define PUSH_SENDABLE __attribute__((swift_attr("@Sendable")))
#else
#define PUSH_MAIN_ACTOR
#define PUSH_SENDABLE
#endif

NS_ASSUME_NONNULL_BEGIN

/// What hears the system's calls to a delegate that was given methods. `own` runs the delegate's own method, if it has
/// one, and is called at most once and before the method returns. UIKit's and UserNotifications' objects are `id`: this
/// file is compiled where neither is.
@protocol PushDelegateCalls <NSObject>

- (void)didRegisterWithDeviceToken:(NSData *)token own:(void (^)(void))own PUSH_MAIN_ACTOR
    NS_SWIFT_NAME(didRegister(token:own:));

- (void)didFailToRegisterWithError:(NSError *)error own:(void (^)(void))own PUSH_MAIN_ACTOR
    NS_SWIFT_NAME(didFailToRegister(_:own:));

/// The numbers are those of UIBackgroundFetchResult.
- (void)application:(id)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
                             own:(nullable void (^)(void (^)(NSUInteger)))own
                      completion:(void (PUSH_SENDABLE ^)(NSUInteger))completion
    PUSH_MAIN_ACTOR NS_SWIFT_NAME(didReceiveRemote(in:userInfo:own:completion:));

/// `own` says whether the delegate took the link. Not called where it opens links by one of the older methods.
- (BOOL)openURL:(NSURL *)url own:(BOOL (^)(void))own PUSH_MAIN_ACTOR NS_SWIFT_NAME(open(_:own:));

/// A universal link, or something else that a person goes on with. `own` says whether the delegate took it.
- (BOOL)continueUserActivity:(id)activity own:(BOOL (^)(void))own PUSH_MAIN_ACTOR NS_SWIFT_NAME(continueActivity(_:own:));

/// The numbers are those of UNNotificationPresentationOptions.
- (void)center:(id)center
    willPresentNotification:(id)notification
                        own:(nullable void (^)(void (^)(NSUInteger)))own
                 completion:(void (PUSH_SENDABLE ^)(NSUInteger))completion NS_SWIFT_NAME(willPresent(in:notification:own:completion:));

- (void)center:(id)center
    didReceiveNotificationResponse:(id)response
                               own:(nullable void (^)(void (^)(void)))own
                        completion:(void (PUSH_SENDABLE ^)(void))completion NS_SWIFT_NAME(didReceive(in:response:own:completion:));

@end

/// Gives an application's delegate the methods that the calls are about: the object gets a class that is made below its
/// own, as key-value observing does it. It stays what it was for `isKindOfClass:`, casts and everything else that it
/// does; no method of any class is exchanged. A second call for the same object changes nothing.
///
/// `class` answers with the made class: other SDKs derive theirs from the answer, and ours must stay above them.
/// What an object forwards, also by `forwardInvocation:`, it forwards still; a proxy answers for the added methods too.
///
/// Main thread only.
///
/// - Returns: whether the object has the methods now and had not before.
BOOL PushDelegateClassAddToApplicationDelegate(id delegate, id<PushDelegateCalls> calls);

/// The same for a notification center's delegate, which may be the same object.
BOOL PushDelegateClassAddToCenterDelegate(id delegate, id<PushDelegateCalls> calls);

/// Whether an application's delegate has the methods: whoever gave it another class since may have taken them away.
BOOL PushDelegateClassIsOfApplicationDelegate(id delegate);

/// The same of a notification center's delegate.
BOOL PushDelegateClassIsOfCenterDelegate(id delegate);

NS_ASSUME_NONNULL_END
