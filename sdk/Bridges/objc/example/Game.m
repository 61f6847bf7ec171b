#import "Game.h"

#include <string.h>

#include "PushHooks.h" /* Only to note which thread the blocks are called on. */
#import "PushNotificationSDKBridge.h"

@implementation Game

@synthesize lastAction, lastPayload, lastError, lastLogin, lastLink;

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
    [PushNotificationSDKBridge setNotificationOpenedHandler:^(NSDictionary *payload) {
        [self noteThread];
        self.lastPayload = payload;
        self->opened++;
    }];
    [PushNotificationSDKBridge setPermissionHandler:^(NSInteger now) {
        [self noteThread];
        self->lastChange = now;
        self->changes++;
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
    [PushNotificationSDKBridge setLinkHandler:^(NSURL *url, NSDictionary *payload) {
        [self noteThread];
        self.lastLink = url;
        self->linkOfNotification = payload != nil;
        self->links++;
    }];
    [PushNotificationSDKBridge installAppDelegate];
    NSError *error = nil;
    [PushNotificationSDKBridge setOptions:[self options] error:&error];
    if (error) return error;
    [PushNotificationSDKBridge configureWithAPIURL:address apiKey:key playerAccountId:player error:&error];
    return error;
}

/* What the start has no argument for. In an app these would be literals. */
- (NSDictionary *)options {
    const char *json = "{\"appGroup\": \"group.com.example.game\","
                       " \"categories\": [{\"identifier\": \"MISSION\", \"actions\": ["
                       "   {\"identifier\": \"CONFIRM\", \"title\": \"Confirm\", \"foreground\": true,"
                       "    \"textInput\": {\"buttonTitle\": \"Send\"}}]}],"
                       " \"links\": [{\"scheme\": \"mygame\"}],"
                       " \"tracksBeforeConsent\": false}"; /* Nothing is counted before the player's yes. */
    NSData *data = [NSData dataWithBytes:json length:strlen(json)];
    return [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL];
}

- (void)login:(NSString *)player token:(NSString *)token {
    [PushNotificationSDKBridge loginWithPlayerAccountId:player userToken:token completion:^(NSError *error) {
        [self noteThread];
        self.lastLogin = error;
        self->logins++;
    }];
}

- (void)logout {
    [PushNotificationSDKBridge logoutWithCompletion:^(NSError *error) {
        [self noteThread];
        self.lastLogin = error;
        self->logins++;
    }];
}

- (void)ask {
    [PushNotificationSDKBridge requestNotificationPermissionWithCompletion:^(BOOL wasGranted, NSError *error) {
        [self noteThread];
        self->granted = wasGranted;
        self->refusal = [error code];
        self->answers++;
    }];
}

- (void)askQuietly {
    NSUInteger options = PushNotificationSDKPermissionOptionAlert | PushNotificationSDKPermissionOptionProvisional;
    [PushNotificationSDKBridge requestNotificationPermissionWithOptions:options completion:^(BOOL wasGranted, NSError *error) {
        [self noteThread];
        self->granted = wasGranted;
        self->refusal = [error code];
        self->answers++;
    }];
}

- (void)look {
    [PushNotificationSDKBridge getPermissionWithCompletion:^(NSInteger now, NSError *error) {
        [self noteThread];
        self->permission = now;
        self->refusal = [error code];
        self->looks++;
    }];
}

- (void)openSettings {
    [PushNotificationSDKBridge openSettingsWithCompletion:^(BOOL wereOpened, NSError *error) {
        [self noteThread];
        self->settingsOpened = wereOpened;
        self->refusal = [error code];
        self->settings++;
    }];
}

- (void)stop {
    [PushNotificationSDKBridge setNotificationOpenedHandler:nil];
    [PushNotificationSDKBridge setPermissionHandler:nil];
    [PushNotificationSDKBridge setNotificationReceivedHandler:nil];
    [PushNotificationSDKBridge setNotificationActionHandler:nil];
    [PushNotificationSDKBridge setLinkHandler:nil];
    [PushNotificationSDKBridge setErrorHandler:nil];
}

@end
