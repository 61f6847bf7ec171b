// UserNotifications as the SDK's Apple-side sources see it: the same selectors, optionality and availability as Apple's,
// written here for scripts/check-interop. Apple annotates no actor in it: its delegates are called on any thread.
#pragma once
#include "../Foundation/Foundation.h"

NS_ASSUME_NONNULL_BEGIN

@class UNNotification, UNNotificationAttachment, UNNotificationCategory, UNNotificationContent, UNNotificationRequest,
    UNNotificationResponse, UNNotificationSettings, UNNotificationSound, UNNotificationTrigger;

typedef NS_OPTIONS(NSUInteger, UNAuthorizationOptions) {
    UNAuthorizationOptionBadge = 1 << 0,
    UNAuthorizationOptionSound = 1 << 1,
    UNAuthorizationOptionAlert = 1 << 2,
    UNAuthorizationOptionCarPlay = 1 << 3,
    UNAuthorizationOptionCriticalAlert = 1 << 4,
    UNAuthorizationOptionProvidesAppNotificationSettings = 1 << 5,
    UNAuthorizationOptionProvisional = 1 << 6,
};

typedef NS_ENUM(NSInteger, UNAuthorizationStatus) {
    UNAuthorizationStatusNotDetermined = 0,
    UNAuthorizationStatusDenied,
    UNAuthorizationStatusAuthorized,
    UNAuthorizationStatusProvisional,
    UNAuthorizationStatusEphemeral API_IOS(14.0),
};

typedef NS_ENUM(NSInteger, UNNotificationSetting) {
    UNNotificationSettingNotSupported = 0,
    UNNotificationSettingDisabled,
    UNNotificationSettingEnabled,
};

typedef NS_ENUM(NSInteger, UNAlertStyle) {
    UNAlertStyleNone = 0,
    UNAlertStyleBanner,
    UNAlertStyleAlert,
};

typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
    UNNotificationPresentationOptionBadge = 1 << 0,
    UNNotificationPresentationOptionSound = 1 << 1,
    UNNotificationPresentationOptionAlert API_IOS_UNTIL(10.0, 14.0) = 1 << 2,
    UNNotificationPresentationOptionList API_IOS(14.0) = 1 << 3,
    UNNotificationPresentationOptionBanner API_IOS(14.0) = 1 << 4,
};

typedef NS_OPTIONS(NSUInteger, UNNotificationActionOptions) {
    UNNotificationActionOptionAuthenticationRequired = 1 << 0,
    UNNotificationActionOptionDestructive = 1 << 1,
    UNNotificationActionOptionForeground = 1 << 2,
};

typedef NS_OPTIONS(NSUInteger, UNNotificationCategoryOptions) {
    UNNotificationCategoryOptionCustomDismissAction = 1 << 0,
    UNNotificationCategoryOptionAllowInCarPlay = 1 << 1,
    UNNotificationCategoryOptionHiddenPreviewsShowTitle = 1 << 2,
    UNNotificationCategoryOptionHiddenPreviewsShowSubtitle = 1 << 3,
};

typedef NS_ENUM(NSUInteger, UNNotificationInterruptionLevel) {
    UNNotificationInterruptionLevelPassive,
    UNNotificationInterruptionLevelActive,
    UNNotificationInterruptionLevelTimeSensitive,
    UNNotificationInterruptionLevelCritical,
} API_IOS(15.0);

extern NSString *const UNNotificationDefaultActionIdentifier;
extern NSString *const UNNotificationDismissActionIdentifier;
extern NSString *const UNErrorDomain;
extern NSString *const UNNotificationAttachmentOptionsTypeHintKey;
extern NSString *const UNNotificationAttachmentOptionsThumbnailHiddenKey;

@interface UNNotificationSound : NSObject <NSCopying>
@property (class, readonly, copy) UNNotificationSound *defaultSound NS_SWIFT_NAME(default);
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNNotificationAttachment : NSObject <NSCopying>
@property (readonly, copy) NSString *identifier;
@property (readonly, copy) NSURL *URL NS_SWIFT_NAME(url);
@property (readonly, copy) NSString *type;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNNotificationContent : NSObject <NSCopying, NSMutableCopying>
@property (readonly, copy) NSArray<UNNotificationAttachment *> *attachments;
@property (readonly, copy, nullable) NSNumber *badge;
@property (readonly, copy) NSString *body;
@property (readonly, copy) NSString *categoryIdentifier;
@property (readonly, copy, nullable) UNNotificationSound *sound;
@property (readonly, copy) NSString *subtitle;
@property (readonly, copy) NSString *threadIdentifier;
@property (readonly, copy) NSString *title;
@property (readonly, copy) NSDictionary *userInfo;
@property (readonly, copy, nullable) NSString *targetContentIdentifier;
@property (readonly) UNNotificationInterruptionLevel interruptionLevel API_IOS(15.0);
@property (readonly) double relevanceScore API_IOS(15.0);
@end

@interface UNMutableNotificationContent : UNNotificationContent
@property (readwrite, copy) NSArray<UNNotificationAttachment *> *attachments;
@property (readwrite, copy, nullable) NSNumber *badge;
@property (readwrite, copy) NSString *body;
@property (readwrite, copy) NSString *categoryIdentifier;
@property (readwrite, copy, nullable) UNNotificationSound *sound;
@property (readwrite, copy) NSString *subtitle;
@property (readwrite, copy) NSString *threadIdentifier;
@property (readwrite, copy) NSString *title;
@property (readwrite, copy) NSDictionary *userInfo;
@end

@interface UNNotificationTrigger : NSObject <NSCopying>
@property (readonly) BOOL repeats;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNPushNotificationTrigger : UNNotificationTrigger
@end

@interface UNNotificationRequest : NSObject <NSCopying>
@property (readonly, copy) NSString *identifier;
@property (readonly, copy) UNNotificationContent *content;
@property (readonly, copy, nullable) UNNotificationTrigger *trigger;
+ (instancetype)requestWithIdentifier:(NSString *)identifier
                              content:(UNNotificationContent *)content
                              trigger:(nullable UNNotificationTrigger *)trigger;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNNotification : NSObject <NSCopying>
@property (readonly, copy) NSDate *date;
@property (readonly, copy) UNNotificationRequest *request;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNNotificationResponse : NSObject <NSCopying>
@property (readonly, copy) UNNotification *notification;
@property (readonly, copy) NSString *actionIdentifier;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNTextInputNotificationResponse : UNNotificationResponse
@property (readonly, copy) NSString *userText;
@end

@interface UNNotificationAction : NSObject <NSCopying>
@property (readonly, copy) NSString *identifier;
@property (readonly, copy) NSString *title;
@property (readonly) UNNotificationActionOptions options;
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNTextInputNotificationAction : UNNotificationAction
@property (readonly, copy) NSString *textInputButtonTitle;
@property (readonly, copy) NSString *textInputPlaceholder;
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options
                textInputButtonTitle:(NSString *)textInputButtonTitle
                textInputPlaceholder:(NSString *)textInputPlaceholder;
@end

@interface UNNotificationCategory : NSObject <NSCopying>
@property (readonly, copy) NSString *identifier;
@property (readonly, copy) NSArray<UNNotificationAction *> *actions;
@property (readonly, copy) NSArray<NSString *> *intentIdentifiers;
@property (readonly) UNNotificationCategoryOptions options;
@property (readonly, copy) NSString *hiddenPreviewsBodyPlaceholder;
+ (instancetype)categoryWithIdentifier:(NSString *)identifier
                               actions:(NSArray<UNNotificationAction *> *)actions
                     intentIdentifiers:(NSArray<NSString *> *)intentIdentifiers
                               options:(UNNotificationCategoryOptions)options;
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNNotificationSettings : NSObject <NSCopying>
@property (readonly) UNAuthorizationStatus authorizationStatus;
@property (readonly) UNNotificationSetting soundSetting;
@property (readonly) UNNotificationSetting badgeSetting;
@property (readonly) UNNotificationSetting alertSetting;
@property (readonly) UNNotificationSetting notificationCenterSetting;
@property (readonly) UNNotificationSetting lockScreenSetting;
@property (readonly) UNAlertStyle alertStyle;
- (instancetype)init NS_UNAVAILABLE;
@end

@protocol UNUserNotificationCenterDelegate;

@interface UNUserNotificationCenter : NSObject
@property (weak, nullable) id<UNUserNotificationCenterDelegate> delegate;
+ (UNUserNotificationCenter *)currentNotificationCenter NS_SWIFT_NAME(current());
- (instancetype)init NS_UNAVAILABLE;
- (void)requestAuthorizationWithOptions:(UNAuthorizationOptions)options
                      completionHandler:(void (^)(BOOL granted, NSError *_Nullable error))completionHandler;
- (void)setNotificationCategories:(NSSet<UNNotificationCategory *> *)categories;
- (void)getNotificationCategoriesWithCompletionHandler:(void (^)(NSSet<UNNotificationCategory *> *categories))completionHandler;
- (void)getNotificationSettingsWithCompletionHandler:(void (^)(UNNotificationSettings *settings))completionHandler;
- (void)getDeliveredNotificationsWithCompletionHandler:(void (^)(NSArray<UNNotification *> *notifications))completionHandler;
- (void)removeDeliveredNotificationsWithIdentifiers:(NSArray<NSString *> *)identifiers;
- (void)removeAllDeliveredNotifications;
- (void)setBadgeCount:(NSInteger)newBadgeCount
    withCompletionHandler:(void (^_Nullable)(NSError *_Nullable error))completionHandler API_IOS(16.0);
@end

@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions options))completionHandler
    NS_SWIFT_NAME(userNotificationCenter(_:willPresent:withCompletionHandler:));
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))completionHandler
    NS_SWIFT_NAME(userNotificationCenter(_:didReceive:withCompletionHandler:));
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    openSettingsForNotification:(nullable UNNotification *)notification
    NS_SWIFT_NAME(userNotificationCenter(_:openSettingsFor:));
@end

@interface UNNotificationServiceExtension : NSObject
- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *contentToDeliver))contentHandler
    NS_SWIFT_NAME(didReceive(_:withContentHandler:));
- (void)serviceExtensionTimeWillExpire;
@end

NS_ASSUME_NONNULL_END
