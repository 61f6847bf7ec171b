// UIKit as the SDK's Apple-side sources and its example see it: the same selectors, isolation, optionality and
// availability as Apple's, written here for scripts/check-interop.
#pragma once
#include "../UserNotifications/UserNotifications.h"

NS_ASSUME_NONNULL_BEGIN

@class UIApplication, UIScene, UISceneConfiguration, UISceneConnectionOptions, UISceneSession, UIViewController, UIWindow;

NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@end

// MARK: The application

typedef NS_ENUM(NSInteger, UIApplicationState) {
    UIApplicationStateActive,
    UIApplicationStateInactive,
    UIApplicationStateBackground,
} NS_SWIFT_NAME(UIApplication.State);

typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
    UIBackgroundFetchResultNewData,
    UIBackgroundFetchResultNoData,
    UIBackgroundFetchResultFailed,
};

typedef NSUInteger UIBackgroundTaskIdentifier NS_TYPED_ENUM;
extern UIBackgroundTaskIdentifier const UIBackgroundTaskInvalid;

typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);
typedef NSString *UIApplicationOpenURLOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.OpenURLOptionsKey);
typedef NSString *UIApplicationOpenExternalURLOptionsKey NS_TYPED_ENUM
    NS_SWIFT_NAME(UIApplication.OpenExternalURLOptionsKey);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsRemoteNotificationKey
    NS_SWIFT_NAME(UIApplicationLaunchOptionsKey.remoteNotification);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsURLKey NS_SWIFT_NAME(UIApplicationLaunchOptionsKey.url);

extern NSNotificationName const UIApplicationDidFinishLaunchingNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.didFinishLaunchingNotification);
extern NSNotificationName const UIApplicationDidBecomeActiveNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification);
extern NSNotificationName const UIApplicationWillResignActiveNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.willResignActiveNotification);
extern NSNotificationName const UIApplicationDidEnterBackgroundNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification);
extern NSNotificationName const UIApplicationWillEnterForegroundNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification);
extern NSNotificationName const UIApplicationWillTerminateNotification
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.willTerminateNotification);
extern NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable
    NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIApplication.protectedDataDidBecomeAvailableNotification);
extern NSString *const UIApplicationOpenSettingsURLString NS_SWIFT_UI_ACTOR
    NS_SWIFT_NAME(UIApplication.openSettingsURLString);

@protocol UIApplicationDelegate;

NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
@property (class, readonly, strong) UIApplication *sharedApplication NS_SWIFT_NAME(shared)
    NS_EXTENSION_UNAVAILABLE_IOS;
// UIKit keeps no delegate alive that an app sets itself.
@property (nullable, assign) id<UIApplicationDelegate> delegate;
@property (readonly) UIApplicationState applicationState;
@property (readonly) NSSet<UIScene *> *connectedScenes API_IOS(13.0);
@property (readonly, getter=isProtectedDataAvailable) BOOL protectedDataAvailable;
@property (readonly, getter=isRegisteredForRemoteNotifications) BOOL registeredForRemoteNotifications;
@property NSInteger applicationIconBadgeNumber API_IOS_UNTIL(2.0, 17.0);
- (void)registerForRemoteNotifications;
- (void)unregisterForRemoteNotifications;
- (BOOL)canOpenURL:(NSURL *)url;
- (void)openURL:(NSURL *)url
              options:(NSDictionary<UIApplicationOpenExternalURLOptionsKey, id> *)options
    completionHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(BOOL success))completion
    NS_SWIFT_NAME(open(_:options:completionHandler:)) NS_EXTENSION_UNAVAILABLE_IOS;
- (UIBackgroundTaskIdentifier)beginBackgroundTaskWithExpirationHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(void))handler;
- (UIBackgroundTaskIdentifier)beginBackgroundTaskWithName:(nullable NSString *)taskName
                                        expirationHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(void))handler;
- (void)endBackgroundTask:(UIBackgroundTaskIdentifier)identifier;
@end

NS_SWIFT_UI_ACTOR
@protocol UIUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)activity;
@end

NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
- (BOOL)application:(UIApplication *)application
    willFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(UIApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler;
- (BOOL)application:(UIApplication *)app
            openURL:(NSURL *)url
            options:(NSDictionary<UIApplicationOpenURLOptionsKey, id> *)options
    NS_SWIFT_NAME(application(_:open:options:));
- (BOOL)application:(UIApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:(void (^)(NSArray<id<UIUserActivityRestoring>> *_Nullable restorableObjects))restorationHandler
    NS_SWIFT_NAME(application(_:continue:restorationHandler:));
- (UISceneConfiguration *)application:(UIApplication *)application
    configurationForConnectingSceneSession:(UISceneSession *)connectingSceneSession
                                   options:(UISceneConnectionOptions *)options
    NS_SWIFT_NAME(application(_:configurationForConnecting:options:)) API_IOS(13.0);
- (void)applicationDidBecomeActive:(UIApplication *)application;
- (void)applicationWillResignActive:(UIApplication *)application;
- (void)applicationDidEnterBackground:(UIApplication *)application;
- (void)applicationWillEnterForeground:(UIApplication *)application;
- (void)applicationWillTerminate:(UIApplication *)application;
@end

NS_SWIFT_UI_ACTOR
@interface UIDevice : NSObject
@property (class, readonly, strong) UIDevice *currentDevice NS_SWIFT_NAME(current);
@property (readonly, strong) NSString *name;
@property (readonly, strong) NSString *model;
@property (readonly, strong) NSString *systemName;
@property (readonly, strong) NSString *systemVersion;
@property (nullable, readonly, strong) NSUUID *identifierForVendor;
@end

NS_SWIFT_UI_ACTOR
@interface UIPasteboard : NSObject
@property (class, readonly, strong) UIPasteboard *generalPasteboard NS_SWIFT_NAME(general);
@property (nullable, copy) NSString *string;
@end

// MARK: Scenes

typedef NS_ENUM(NSInteger, UISceneActivationState) {
    UISceneActivationStateUnattached = -1,
    UISceneActivationStateForegroundActive,
    UISceneActivationStateForegroundInactive,
    UISceneActivationStateBackground,
} NS_SWIFT_NAME(UIScene.ActivationState);

typedef NSString *UISceneSessionRole NS_TYPED_ENUM NS_SWIFT_NAME(UISceneSession.Role);

NS_SWIFT_UI_ACTOR
@interface UISceneConfiguration : NSObject
@property (nullable, readonly) NSString *name;
@property (nullable) Class delegateClass;
- (instancetype)initWithName:(nullable NSString *)name sessionRole:(UISceneSessionRole)sessionRole;
@end

NS_SWIFT_UI_ACTOR
@interface UISceneSession : NSObject
@property (readonly, copy) UISceneConfiguration *configuration;
@property (readonly) NSString *persistentIdentifier;
@end

NS_SWIFT_UI_ACTOR
NS_SWIFT_NAME(UIScene.OpenURLOptions)
@interface UISceneOpenURLOptions : NSObject
@property (nullable, readonly) NSString *sourceApplication;
@end

NS_SWIFT_UI_ACTOR
@interface UIOpenURLContext : NSObject
@property (readonly, copy) NSURL *URL NS_SWIFT_NAME(url);
@property (readonly, strong) UISceneOpenURLOptions *options;
@end

NS_SWIFT_UI_ACTOR
NS_SWIFT_NAME(UIScene.ConnectionOptions)
@interface UISceneConnectionOptions : NSObject
@property (readonly, copy) NSSet<UIOpenURLContext *> *URLContexts NS_SWIFT_NAME(urlContexts);
@property (readonly, copy) NSSet<NSUserActivity *> *userActivities;
@property (nullable, readonly) UNNotificationResponse *notificationResponse;
@end

@protocol UISceneDelegate;

NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
@property (readonly) UISceneSession *session;
@property (nullable, strong) id<UISceneDelegate> delegate;
@property (readonly) UISceneActivationState activationState;
@end

// Apple's says no actor: it is read where the response is.
@interface UNNotificationResponse (UIKitAdditions)
@property (nullable, readonly) UIScene *targetScene API_IOS(13.0);
@end

NS_SWIFT_UI_ACTOR
@protocol UISceneDelegate <NSObject>
@optional
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
                 options:(UISceneConnectionOptions *)connectionOptions NS_SWIFT_NAME(scene(_:willConnectTo:options:));
- (void)sceneDidDisconnect:(UIScene *)scene;
- (void)sceneDidBecomeActive:(UIScene *)scene;
- (void)sceneWillResignActive:(UIScene *)scene;
- (void)sceneWillEnterForeground:(UIScene *)scene;
- (void)sceneDidEnterBackground:(UIScene *)scene;
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts;
- (void)scene:(UIScene *)scene
    continueUserActivity:(NSUserActivity *)userActivity NS_SWIFT_NAME(scene(_:continue:));
@end

NS_SWIFT_UI_ACTOR
@protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property (nullable, strong) UIWindow *window;
@end

NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene
@property (readonly) NSArray<UIWindow *> *windows;
@end

// MARK: Views

typedef struct CGRect {
    double x, y, width, height;
} CGRect;

typedef NS_OPTIONS(NSUInteger, UIViewAutoresizing) {
    UIViewAutoresizingFlexibleWidth = 1 << 1,
    UIViewAutoresizingFlexibleHeight = 1 << 4,
} NS_SWIFT_NAME(UIView.AutoresizingMask);

typedef NS_ENUM(NSInteger, NSTextAlignment) {
    NSTextAlignmentLeft = 0,
    NSTextAlignmentCenter = 1,
    NSTextAlignmentRight = 2,
    NSTextAlignmentNatural = 4,
};

NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder
@property CGRect frame;
@property CGRect bounds;
@property UIViewAutoresizing autoresizingMask;
@property (readonly, copy) NSArray<UIView *> *subviews;
@property (nullable, readonly) UIWindow *window;
@property (getter=isUserInteractionEnabled) BOOL userInteractionEnabled;
- (void)addSubview:(UIView *)view;
@end

NS_SWIFT_UI_ACTOR
@interface UILabel : UIView
@property (nullable, copy) NSString *text;
@property NSInteger numberOfLines;
@property NSTextAlignment textAlignment;
@end

NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder <NSCoding>
@property (null_resettable, strong) UIView *view;
@property (nullable, copy) NSString *title;
@property (nullable, readonly) UIViewController *presentedViewController NS_SWIFT_NAME(presentedViewController);
@property (nullable, readonly) UIViewController *presentingViewController NS_SWIFT_NAME(presentingViewController);
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil
                         bundle:(nullable NSBundle *)nibBundleOrNil NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
- (void)viewDidLoad;
- (void)viewDidAppear:(BOOL)animated;
- (void)presentViewController:(UIViewController *)viewControllerToPresent
                     animated:(BOOL)flag
                   completion:(void (^_Nullable)(void))completion NS_SWIFT_NAME(present(_:animated:completion:));
- (void)dismissViewControllerAnimated:(BOOL)flag
                           completion:(void (^_Nullable)(void))completion NS_SWIFT_NAME(dismiss(animated:completion:));
@end

NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
@property (nullable, weak) UIWindowScene *windowScene;
@property (nullable, strong) UIViewController *rootViewController;
@property (readonly, getter=isKeyWindow) BOOL keyWindow;
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene;
- (void)makeKeyAndVisible;
@end

typedef NS_ENUM(NSInteger, UIAlertControllerStyle) {
    UIAlertControllerStyleActionSheet = 0,
    UIAlertControllerStyleAlert,
} NS_SWIFT_NAME(UIAlertController.Style);

typedef NS_ENUM(NSInteger, UIAlertActionStyle) {
    UIAlertActionStyleDefault = 0,
    UIAlertActionStyleCancel,
    UIAlertActionStyleDestructive,
} NS_SWIFT_NAME(UIAlertAction.Style);

NS_SWIFT_UI_ACTOR
@interface UIAlertAction : NSObject
+ (instancetype)actionWithTitle:(nullable NSString *)title
                          style:(UIAlertActionStyle)style
                        handler:(void (^_Nullable)(UIAlertAction *action))handler;
@end

NS_SWIFT_UI_ACTOR
@interface UIAlertController : UIViewController
+ (instancetype)alertControllerWithTitle:(nullable NSString *)title
                                 message:(nullable NSString *)message
                          preferredStyle:(UIAlertControllerStyle)preferredStyle;
- (void)addAction:(UIAlertAction *)action NS_SWIFT_NAME(addAction(_:));
@end

NS_ASSUME_NONNULL_END
