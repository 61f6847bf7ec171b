#import "Game.h"

#include "PushHooks.h" /* Only to note which thread the blocks are called on. */
#import "PushNotificationSDKBridge.h"

@implementation Game

@synthesize lastAction, lastPayload, lastError;

- (void)noteThread {
    alwaysOnMainThread = alwaysOnMainThread && PushHooks_IsMainThread() != 0;
}

- (NSError *)startWithAddress:(NSString *)address key:(NSString *)key player:(NSString *)player {
    alwaysOnMainThread = YES;
    [PushNotificationSDKBridge setNotificationReceivedHandler:^(NSDictionary *payload) {
        [self noteThread];
        self.lastPayload = payload;
        self->notifications++;
    }];
    [PushNotificationSDKBridge setNotificationActionHandler:^(NSString *actionId, NSDictionary *payload) {
        [self noteThread];
        self.lastAction = actionId;
        self.lastPayload = payload;
        self->actions++;
    }];
    [PushNotificationSDKBridge setErrorHandler:^(NSError *error) {
        [self noteThread];
        self.lastError = error;
        self->errors++;
    }];
    [PushNotificationSDKBridge installAppDelegate];
    NSError *error = nil;
    [PushNotificationSDKBridge configureWithAPIURL:address apiKey:key playerAccountId:player error:&error];
    return error;
}

- (void)ask {
    [PushNotificationSDKBridge requestNotificationPermissionWithCompletion:^(BOOL wasGranted, NSError *error) {
        [self noteThread];
        self->granted = wasGranted;
        self->refusal = [error code];
        self->answers++;
    }];
}

- (void)stop {
    [PushNotificationSDKBridge setNotificationReceivedHandler:nil];
    [PushNotificationSDKBridge setNotificationActionHandler:nil];
    [PushNotificationSDKBridge setErrorHandler:nil];
}

@end
