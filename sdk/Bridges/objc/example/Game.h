#import <Foundation/Foundation.h>

/* A game in Objective-C: what it knows of its notifications. Compiled with ARC and without. */
@interface Game : NSObject {
@public
    int answers, errors, actions, notifications, opened, links, logins, looks, changes, settings;
    NSInteger permission, lastChange;
    BOOL settingsOpened;
    BOOL granted, alwaysOnMainThread;
    NSInteger refusal;
    BOOL linkOfNotification;
    NSString *lastAction;
    NSURL *lastLink;
    NSError *lastLogin;
    NSDictionary *lastPayload;
    NSError *lastError;
}
@property (copy) NSString *lastAction;
@property (copy) NSDictionary *lastPayload;
@property (retain) NSError *lastError, *lastLogin;
@property (retain) NSURL *lastLink;

/* Sets the handlers and starts the SDK: nil, or why it does not start. */
- (NSError *)startWithAddress:(NSString *)address key:(NSString *)key player:(NSString *)player;
- (void)ask;
- (void)askQuietly;
- (void)look;
- (void)openSettings;
- (void)login:(NSString *)player token:(NSString *)token;
- (void)logout;
- (void)stop;

@end
