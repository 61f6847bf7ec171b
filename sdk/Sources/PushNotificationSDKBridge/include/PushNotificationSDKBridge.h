/*
 * The push notification SDK for Objective-C.
 *
 * Every method may be called on any thread; every block is called on the main queue. A block stays until another one
 * takes its place or nil takes it away. What arrived before there was a handler is kept, within bounds, for the one that
 * comes.
 */
#import <Foundation/Foundation.h>

/* GNUstep has no such regions in its older versions. */
#ifndef NS_ASSUME_NONNULL_BEGIN
#define NS_ASSUME_NONNULL_BEGIN
#define NS_ASSUME_NONNULL_END
#endif

NS_ASSUME_NONNULL_BEGIN

/* The domain of every error here, which is also the one that Swift's errors have. */
extern NSString *const PushNotificationSDKErrorDomain;

/* The codes of the domain: those of PushNotificationSDKC.h. They never change; later versions may add some. */
enum {
    PushNotificationSDKErrorInvalidConfiguration = 1,
    PushNotificationSDKErrorPermissionDenied = 2,
    PushNotificationSDKErrorInvalidToken = 3,
    PushNotificationSDKErrorNetwork = 4,
    PushNotificationSDKErrorServer = 5,
    PushNotificationSDKErrorNotConfigured = 6,
    PushNotificationSDKErrorRegistrationFailed = 7,
    PushNotificationSDKErrorLinkRefused = 8,
    PushNotificationSDKErrorAttachmentFailed = 9,
    PushNotificationSDKErrorEventsRejected = 10,
    PushNotificationSDKErrorLoginRequired = 11
};

/* What the person allows: the values of UNAuthorizationStatus. What a later system adds reads as denied. */
enum {
    PushNotificationSDKPermissionNotDetermined = 0,
    PushNotificationSDKPermissionDenied = 1,
    PushNotificationSDKPermissionAuthorized = 2,
    PushNotificationSDKPermissionProvisional = 3,
    PushNotificationSDKPermissionEphemeral = 4
};

/* What a request asks for, added up: the values of UNAuthorizationOptions, which stand here as well. */
enum {
    PushNotificationSDKPermissionOptionBadge = 1 << 0,
    PushNotificationSDKPermissionOptionSound = 1 << 1,
    PushNotificationSDKPermissionOptionAlert = 1 << 2,
    PushNotificationSDKPermissionOptionProvisional = 1 << 6
};

@interface PushNotificationSDKBridge : NSObject

/*
 * Hands the system's calls to the SDK from now on, without a line in the app's own delegates; they are told everything
 * as well. Call it in didFinishLaunching. An app that forwards the calls itself leaves it out.
 */
+ (void)installAppDelegate;

/*
 * Sets what the start takes beside its arguments: the app group, categories with buttons, the links that may be opened;
 * docs/sdk/c.md lists the members. Call it first; nil takes the options away. On success *error is nil; what cannot be
 * read changes nothing.
 */
+ (void)setOptions:(NSDictionary * _Nullable)options error:(NSError * _Nullable * _Nullable)error;

/* Starts the SDK. On success *error is nil; it is the only sign, since nothing is returned. */
+ (void)configureWithAPIURL:(NSString *)apiURL
                     apiKey:(NSString *)apiKey
            playerAccountId:(NSString * _Nullable)playerAccountId
                      error:(NSError * _Nullable * _Nullable)error;

/*
 * Asks for the permission to notify; the block is called once. An error says why the person could not be asked; a
 * person who was asked and said no is no error. With nil the person is asked all the same.
 */
+ (void)requestNotificationPermissionWithCompletion:(void (^ _Nullable)(BOOL granted, NSError * _Nullable error))completion;

/* The same with what is asked for; the method above asks for badge, sound and alert. */
+ (void)requestNotificationPermissionWithOptions:(NSUInteger)options
                                      completion:(void (^ _Nullable)(BOOL granted, NSError * _Nullable error))completion;

/*
 * Asks the system what the person allows now, without a prompt; the block is called once, with one of the
 * PushNotificationSDKPermission values. Before the start there is an error.
 */
+ (void)getPermissionWithCompletion:(void (^)(NSInteger permission, NSError * _Nullable error))completion;

/*
 * Sets what is told when the person allowed or refused notifications: at the prompt, or in the system's settings, which is
 * noticed when the app comes to the front.
 */
+ (void)setPermissionHandler:(void (^ _Nullable)(NSInteger permission))handler;

/*
 * Opens the app's page in the system's settings, where the person can allow what was refused; the block is called once,
 * with whether it opened. Before the start there is an error.
 */
+ (void)openSettingsWithCompletion:(void (^ _Nullable)(BOOL opened, NSError * _Nullable error))completion;

/* The device token that Apple gave the app last, in hexadecimal; nil before one came. */
+ (NSString * _Nullable)deviceToken;

/* The id by which the server knows this install; nil before the start, and before the device's first unlock. */
+ (NSString * _Nullable)installationID;

/*
 * Tells the block why pushes come to this device or do not, as a text for people. It holds no key, secret or user token, and
 * names the player. Before the start there is an error.
 */
+ (void)getDiagnosticsWithCompletion:(void (^)(NSString * _Nullable text, NSError * _Nullable error))completion;

/*
 * Has the server send a notification to this device, and to no other, with a text of its own. The block is called once, with
 * the notification's id, which the payload has as messageId, or with an error.
 */
+ (void)sendTestNotificationWithCompletion:(void (^ _Nullable)(NSString * _Nullable messageID,
                                                               NSError * _Nullable error))completion;

/* Sets what is told of a notification: its members are those of the JSON object in docs/sdk/c.md. */
+ (void)setNotificationReceivedHandler:(void (^ _Nullable)(NSDictionary *payload))handler;

/*
 * Sets what is told of a notification that the person tapped. The handler above is told as well, and cannot tell an arrival
 * from a tap.
 */
+ (void)setNotificationOpenedHandler:(void (^ _Nullable)(NSDictionary *payload))handler;

/* Sets what is told of a tapped action. What the person wrote, where the action takes text, is the member userText. */
+ (void)setNotificationActionHandler:(void (^ _Nullable)(NSString *actionId, NSDictionary *payload))handler;

/*
 * Somebody logged in, with the token that speaks for them where the server asks for one. The block is called once, when
 * the server knows, or at once when the device has no token yet; the error is nil then.
 */
+ (void)loginWithPlayerAccountId:(NSString *)playerAccountId
                       userToken:(NSString * _Nullable)userToken
                      completion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/* The player logged out: pushes for that player do not come to this device any more. */
+ (void)logoutWithCompletion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/*
 * Forgets this device: removes what the SDK keeps on it, but for the consent, and has the server delete the
 * installation. The device is another installation from now on, which is registered when somebody logs in, or with the
 * next launch. The block is called once, when the server has deleted it; after PushNotificationSDKErrorNetwork or
 * PushNotificationSDKErrorServer it is deleted later.
 */
+ (void)forgetDeviceWithCompletion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/*
 * Sets what is told of links into the app that the options allow: of tapped notifications with their payload, and of those
 * that the system opened the app by with nil in its place. Without a handler the newest link of a tapped notification is
 * kept for the one that comes, where the options have "links"; else the system opens it.
 */
+ (void)setLinkHandler:(void (^ _Nullable)(NSURL *url, NSDictionary * _Nullable payload))handler;

/*
 * Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly, by the registration
 * token that Firebase gives; nil goes back to Apple's token. It may be set before the start, and outlives the app's launches.
 * A text that cannot be such a token changes nothing: the error handler is told PushNotificationSDKErrorInvalidToken.
 */
+ (void)setFCMToken:(NSString * _Nullable)token;

/* Hands over a link that the system opened the app by, where the app is told of it: whether the SDK took it. */
+ (BOOL)openURL:(NSURL *)url;

/* Sets the number on the app's icon; 0 removes it. */
+ (void)setBadge:(NSInteger)number;

/*
 * Whether events are reported, the person's consent: so until it is switched off, which also discards what was not
 * uploaded. It may be set before the start, and outlives the app's launches. With the option tracksBeforeConsent set to NO
 * none are reported before it is switched on.
 */
+ (void)setTrackingEnabled:(BOOL)isEnabled;

/*
 * What the player who is logged in wants, and that player's inbox. Each needs a player whose token is known. A block is
 * called once, with an error or without one; the members of the dictionaries are those of the JSON objects in docs/sdk/c.md.
 */

/* Reads the preferences. */
+ (void)loadPreferencesWithCompletion:(void (^ _Nullable)(NSDictionary * _Nullable preferences,
                                                          NSError * _Nullable error))completion;

/* Changes what the dictionary names and nothing else; NSNull takes a choice back. */
+ (void)setPreferences:(NSDictionary *)change
            completion:(void (^ _Nullable)(NSDictionary * _Nullable preferences, NSError * _Nullable error))completion;

/* Switches pushes to this device on or off; inbox items stay. */
+ (void)setPushEnabled:(BOOL)isEnabled completion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/* Reads a page of the inbox, newest items first; nil is the newest page of what is not archived. */
+ (void)inboxPageWithQuery:(NSDictionary * _Nullable)query
                completion:(void (^ _Nullable)(NSDictionary * _Nullable page, NSError * _Nullable error))completion;

/* Reads how many items the player has not read. */
+ (void)inboxCountsWithCompletion:(void (^ _Nullable)(NSDictionary * _Nullable counts,
                                                      NSError * _Nullable error))completion;

/*
 * Marks items as @"seen", @"unseen", @"read", @"unread", @"archived" or @"unarchived". Without a connection the mark is kept
 * and sent later, which is no error.
 */
+ (void)markInboxItems:(NSArray *)itemIDs
                    as:(NSString *)mark
            completion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/* Marks all items up to the newest one that the player saw, as @"seen", @"read" or @"archived"; of a category or of all. */
+ (void)markAllInboxItemsUpTo:(NSString *)itemID
                           as:(NSString *)mark
                     category:(NSString * _Nullable)category
                   completion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/* Puts an item away. */
+ (void)archiveInboxItem:(NSString *)itemID completion:(void (^ _Nullable)(NSError * _Nullable error))completion;

/* Sets what is told when something changed in the inbox, while the app is in front. */
+ (void)setInboxHandler:(void (^ _Nullable)(NSDictionary *update))handler;

/* Sets what is told that a token is needed that speaks for the player; answerUserToken:forPlayer: hands it over. */
+ (void)setUserTokenHandler:(void (^ _Nullable)(NSString *playerAccountId))handler;

/* The token that was asked for; nil where there is none. */
+ (void)answerUserToken:(NSString * _Nullable)userToken forPlayer:(NSString *)playerAccountId;

/* Sets what is told of errors that no other call reports, such as a registration that failed. */
+ (void)setErrorHandler:(void (^ _Nullable)(NSError *error))handler;

@end

NS_ASSUME_NONNULL_END
