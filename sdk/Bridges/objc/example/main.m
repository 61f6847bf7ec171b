/* Runs the game on a phone of the tests, and looks at what it was told. Without ARC: GNUstep's gcc runtime has none. */
#include <string.h>

#include "checks.h"
#import "Game.h"
#import "PushNotificationSDKBridge.h"

static NSString *const address = @"https://api.example.test";
static const char *const gift =
    "{\"aps\":{\"alert\":{\"title\":\"ボーナス\",\"body\":\"100 coins\"}},\"message_id\":\"m-1\",\"missionId\":\"m7\"}";

static int gamesAlive = 0;

/* Shows that a block's objects go when the block goes. */
@interface CountedGame : Game
@end

@implementation CountedGame
- (id)init {
    gamesAlive++;
    return [super init];
}
- (void)dealloc {
    gamesAlive--;
    [super dealloc];
}
@end

static void refusesBadConfigurations(void) {
    PushHooks_Start(PushHooksAllows);
    Game *game = [[Game new] autorelease];
    NSError *error = [game startWithAddress:@"http://api.example.test" key:@"validkey123" player:nil];
    CHECK([[error domain] isEqual:PushNotificationSDKErrorDomain]);
    CHECK([error code] == PushNotificationSDKErrorInvalidConfiguration);
    CHECK([[error localizedDescription] length] > 0);
    CHECK([[[error userInfo] objectForKey:NSLocalizedRecoverySuggestionErrorKey] length] > 0);
    CHECK([game startWithAddress:nil key:@"validkey123" player:nil] != nil);
    CHECK([game startWithAddress:address key:nil player:nil] != nil);
    unichar cut[] = {'v', 'a', 'l', 'i', 'd', 'k', 'e', 'y', 0, '1'};
    NSString *withZero = [NSString stringWithCharacters:cut length:10];
    CHECK([game startWithAddress:address key:withZero player:nil] != nil);
    CHECK([game startWithAddress:address key:@"validkey123" player:withZero] != nil);
    [PushNotificationSDKBridge configureWithAPIURL:address apiKey:@"short" playerAccountId:nil error:NULL];
    CHECK(game->errors == 0);
    [game stop];
}

static void tellsTheGame(void) {
    PushHooks_Start(PushHooksAllows);
    Game *game = [[CountedGame new] autorelease];
    CHECK([game startWithAddress:address key:@"validkey123" player:@"player-12345"] == nil);
    [game ask];
    CHECK_SOON(game->answers == 1);
    CHECK(game->granted && game->refusal == 0);
    PushHooks_Deliver(gift);
    CHECK_SOON(game->notifications == 1);
    CHECK([[game.lastPayload objectForKey:@"title"] isEqual:[NSString stringWithUTF8String:"ボーナス"]]);
    CHECK([[[game.lastPayload objectForKey:@"customData"] objectForKey:@"missionId"] isEqual:@"m7"]);
    PushHooks_Tap("CONFIRM", gift);
    CHECK_SOON(game->actions == 1);
    CHECK([game.lastAction isEqual:@"CONFIRM"] && [[game.lastPayload objectForKey:@"body"] isEqual:@"100 coins"]);
    PushHooks_FailRegistration();
    CHECK_SOON(game->errors == 1);
    CHECK([[game.lastError domain] isEqual:PushNotificationSDKErrorDomain] && [game.lastError code] != 0);
    CHECK(game->alwaysOnMainThread);
    CHECK(gamesAlive == 1);
    [game stop];
}

static void tellsWhoLogsIn(void) {
    PushHooks_Start(PushHooksAllows);
    Game *game = [[CountedGame new] autorelease];
    CHECK([game startWithAddress:address key:@"validkey123" player:nil] == nil);
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastUser() != NULL);
    [game login:@"player-2" token:@"token.of.two"];
    CHECK_SOON(game->logins == 1);
    CHECK(game.lastLogin == nil && !strcmp(PushHooks_LastUser(), "player-2/token.of.two"));
    [game logout];
    CHECK_SOON(game->logins == 2);
    CHECK(game.lastLogin == nil && !strcmp(PushHooks_LastUser(), "-"));
    [game login:nil token:nil];
    CHECK_SOON(game->logins == 3);
    CHECK([game.lastLogin code] == PushNotificationSDKErrorInvalidConfiguration);
    [PushNotificationSDKBridge loginWithPlayerAccountId:@"player-3" userToken:nil completion:nil];
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "player-3"));
    [PushNotificationSDKBridge logoutWithCompletion:nil];
    CHECK_SOON(!strcmp(PushHooks_LastUser(), "-"));
    __block int forgotten = 0;
    NSString *before = [PushNotificationSDKBridge installationID];
    [PushNotificationSDKBridge forgetDeviceWithCompletion:^(NSError *error) { forgotten += error == nil; }];
    CHECK_SOON(forgotten == 1);
    NSString *last = [NSString stringWithUTF8String:PushHooks_LastRequest()];
    CHECK([last isEqual:[@"DELETE installations/" stringByAppendingString:before]]);
    CHECK(![[PushNotificationSDKBridge installationID] isEqual:before]);
    [PushNotificationSDKBridge forgetDeviceWithCompletion:nil];
    CHECK(game->errors == 0 && game->alwaysOnMainThread);
    [game stop];
}

static void opensLinks(void) {
    PushHooks_Start(PushHooksAllows);
    Game *game = [[CountedGame new] autorelease];
    CHECK([game startWithAddress:address key:@"validkey123" player:nil] == nil);
    CHECK(!strcmp(PushHooks_AppGroup(), "group.com.example.game"));
    CHECK_SOON(PushHooks_Buttons("MISSION") == 1);
    PushHooks_Open("{\"aps\":{\"alert\":\"x\"},\"message_id\":\"l-1\",\"deeplink\":\"mygame://mission/7\"}");
    CHECK_SOON(game->links == 1);
    CHECK([[game.lastLink absoluteString] isEqual:@"mygame://mission/7"] && game->linkOfNotification);
    CHECK([PushNotificationSDKBridge openURL:[NSURL URLWithString:@"mygame://shop"]]);
    CHECK_SOON(game->links == 2);
    CHECK([[game.lastLink absoluteString] isEqual:@"mygame://shop"] && !game->linkOfNotification);
    CHECK(![PushNotificationSDKBridge openURL:[NSURL URLWithString:@"file:///etc/passwd"]]);
    NSURL *none = [NSURL URLWithString:@""];
    CHECK(![PushNotificationSDKBridge openURL:none]);
    CHECK_SOON(game->errors == 1);
    CHECK([game.lastError code] == PushNotificationSDKErrorLinkRefused);
    [PushNotificationSDKBridge setFCMToken:@"f:cm"];
    CHECK_SOON(PushHooks_LastToken() && !strcmp(PushHooks_LastToken(), "fcm f:cm"));
    PushHooks_Register();
    [PushNotificationSDKBridge setFCMToken:nil];
    CHECK_SOON(!strncmp(PushHooks_LastToken(), "apns ", 5));
    [PushNotificationSDKBridge setBadge:3];
    CHECK_SOON(PushHooks_Badge() == 3);
    CHECK(!PushHooks_IsTracking()); /* The player was not asked yet. */
    [PushNotificationSDKBridge setTrackingEnabled:YES];
    CHECK(PushHooks_IsTracking());
    [PushNotificationSDKBridge setTrackingEnabled:NO];
    CHECK(!PushHooks_IsTracking());
    NSError *error = nil;
    [PushNotificationSDKBridge setOptions:[NSDictionary dictionaryWithObject:[NSDate date] forKey:@"appGroup"] error:&error];
    CHECK([error code] == PushNotificationSDKErrorInvalidConfiguration);
    [PushNotificationSDKBridge setOptions:[NSDictionary dictionaryWithObject:@"x" forKey:@"appgroup"] error:&error];
    CHECK([error code] == PushNotificationSDKErrorInvalidConfiguration);
    [PushNotificationSDKBridge setOptions:nil error:&error];
    CHECK(error == nil && game->alwaysOnMainThread);
    [game stop];
}

static void tellsOfThePermission(void) {
    PushHooks_Start(PushHooksDenies);
    Game *game = [[CountedGame new] autorelease];
    [game look]; /* Before the start. */
    CHECK_SOON(game->looks == 1);
    CHECK(game->permission == PushNotificationSDKPermissionNotDetermined);
    CHECK(game->refusal == PushNotificationSDKErrorNotConfigured);
    [game openSettings];
    CHECK_SOON(game->settings == 1);
    CHECK(!game->settingsOpened && game->refusal == PushNotificationSDKErrorNotConfigured);
    CHECK([PushNotificationSDKBridge deviceToken] == nil && [PushNotificationSDKBridge installationID] == nil);
    CHECK([game startWithAddress:address key:@"validkey123" player:nil] == nil);
    CHECK_SOON(PushHooks_Buttons("MISSION") == 1); /* The launch is over. */
    [game look];
    CHECK_SOON(game->looks == 2);
    CHECK(game->permission == PushNotificationSDKPermissionNotDetermined && game->refusal == 0);
    [game askQuietly];
    CHECK_SOON(game->answers == 1 && game->changes == 1);
    CHECK(game->granted && game->lastChange == PushNotificationSDKPermissionProvisional);
    CHECK(PushHooks_Granted() ==
          (PushNotificationSDKPermissionOptionAlert | PushNotificationSDKPermissionOptionProvisional));
    PushHooks_ChangePermission(0);
    CHECK_SOON(game->changes == 2);
    CHECK(game->lastChange == PushNotificationSDKPermissionDenied);
    [game look];
    CHECK_SOON(game->looks == 3);
    CHECK(game->permission == PushNotificationSDKPermissionDenied && game->refusal == 0);
    [game openSettings];
    CHECK_SOON(game->settings == 2);
    CHECK(game->settingsOpened && game->refusal == 0 && PushHooks_LastOpened() && strstr(PushHooks_LastOpened(), "settings"));
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    CHECK([[PushNotificationSDKBridge installationID]
        isEqual:[NSString stringWithUTF8String:PushHooks_LastInstallation()]]);
    CHECK([[PushNotificationSDKBridge deviceToken] hasPrefix:@"abab"] && [[PushNotificationSDKBridge deviceToken] length] == 64);
    [PushNotificationSDKBridge openSettingsWithCompletion:nil];
    CHECK(game->errors == 0 && game->alwaysOnMainThread);
    [game stop];
}

static void tellsATapFromAnArrival(void) {
    PushHooks_Start(PushHooksAllows);
    Game *game = [[CountedGame new] autorelease];
    CHECK([game startWithAddress:address key:@"validkey123" player:nil] == nil);
    PushHooks_Deliver(gift);
    CHECK_SOON(game->notifications == 1);
    CHECK(game->opened == 0);
    PushHooks_Open("{\"aps\":{\"alert\":\"tapped\"},\"message_id\":\"m-9\"}");
    CHECK_SOON(game->notifications == 2 && game->opened == 1);
    CHECK([[game.lastPayload objectForKey:@"body"] isEqual:@"tapped"]);
    CHECK_SOON(PushHooks_Field("MISSION", "CONFIRM") != NULL);
    CHECK(!strcmp(PushHooks_Field("MISSION", "CONFIRM"), "Send/"));
    PushHooks_Write("CONFIRM", "明日", gift);
    CHECK_SOON(game->actions == 1);
    CHECK([[game.lastPayload objectForKey:@"userText"] isEqual:[NSString stringWithUTF8String:"明日"]]);
    CHECK(game->opened == 1 && game->alwaysOnMainThread);
    [game stop];
}

static void saysWhyPushesComeOrDoNot(void) {
    PushHooks_Start(PushHooksAllows);
    __block NSString *value = nil;
    __block NSInteger code = 0;
    __block int answers = 0;
    void (^read)(NSString *, NSError *) = ^(NSString *answer, NSError *error) {
        [value release];
        value = [answer retain];
        code = error ? [error code] : 0;
        answers++;
    };
    [PushNotificationSDKBridge getDiagnosticsWithCompletion:read];
    CHECK_SOON(answers == 1);
    CHECK(code == PushNotificationSDKErrorNotConfigured && value == nil);
    [PushNotificationSDKBridge configureWithAPIURL:address apiKey:@"validkey123" playerAccountId:nil error:NULL];
    [PushNotificationSDKBridge sendTestNotificationWithCompletion:read];
    CHECK_SOON(answers == 2);
    CHECK(code == PushNotificationSDKErrorRegistrationFailed);
    [PushNotificationSDKBridge getDiagnosticsWithCompletion:read];
    CHECK_SOON(answers == 3);
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != NULL);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    [PushNotificationSDKBridge sendTestNotificationWithCompletion:read];
    CHECK_SOON(answers == 4);
    CHECK(code == 0 && [value length] == 36);
    CHECK(strstr(PushHooks_LastRequest(), "POST installations/") != NULL);
    [PushNotificationSDKBridge getDiagnosticsWithCompletion:read];
    CHECK_SOON(answers == 5);
    CHECK(code == 0 && [value rangeOfString:@"abababab"].length > 0);
    CHECK([value rangeOfString:@"validkey123"].length == 0);
    [PushNotificationSDKBridge sendTestNotificationWithCompletion:nil];
    [value release];
}

static void keepsPreferencesAndInbox(void) {
    PushHooks_Start(PushHooksAllows);
    __block NSDictionary *value = nil;
    __block NSInteger code = 0;
    __block int answers = 0, updates = 0;
    void (^read)(NSDictionary *, NSError *) = ^(NSDictionary *answer, NSError *error) {
        [value release];
        value = [answer retain];
        code = error ? [error code] : 0;
        answers++;
    };
    void (^end)(NSError *) = ^(NSError *error) { read(nil, error); };
    [PushNotificationSDKBridge setInboxHandler:^(NSDictionary *update) {
        updates += [[update objectForKey:@"counts"] objectForKey:@"unread"] != nil;
    }];
    [PushNotificationSDKBridge setUserTokenHandler:^(NSString *player) {
        [PushNotificationSDKBridge answerUserToken:@"token.new" forPlayer:player];
    }];
    [PushNotificationSDKBridge configureWithAPIURL:address apiKey:@"validkey123" playerAccountId:nil error:NULL];
    [PushNotificationSDKBridge loadPreferencesWithCompletion:read];
    CHECK_SOON(answers == 1);
    CHECK(code == PushNotificationSDKErrorLoginRequired && value == nil);
    PushHooks_AllowToken("token.new");
    [PushNotificationSDKBridge loginWithPlayerAccountId:@"player-1" userToken:@"token.old" completion:nil];
    [PushNotificationSDKBridge loadPreferencesWithCompletion:read];
    CHECK_SOON(answers == 2);
    CHECK(code == 0 && [[value objectForKey:@"categories"] count] == 1);
    CHECK_SOON(updates == 1);
    NSDictionary *off = [NSDictionary dictionaryWithObject:[NSNull null] forKey:@"push"];
    [PushNotificationSDKBridge setPreferences:[NSDictionary dictionaryWithObject:off forKey:@"master"] completion:read];
    CHECK_SOON(answers == 3);
    CHECK(code == 0 && !strcmp(PushHooks_LastRequest(), "PATCH preferences {\"master\":{\"push\":null}}"));
    [PushNotificationSDKBridge inboxPageWithQuery:nil completion:read];
    CHECK_SOON(answers == 4);
    NSString *item = [[[value objectForKey:@"items"] objectAtIndex:0] objectForKey:@"id"];
    CHECK(code == 0 && [item length] == 36);
    [[item retain] autorelease];
    [PushNotificationSDKBridge inboxCountsWithCompletion:read];
    CHECK_SOON(answers == 5);
    CHECK([[value objectForKey:@"unread"] intValue] == 2);
    [PushNotificationSDKBridge markInboxItems:[NSArray arrayWithObject:item] as:@"read" completion:end];
    CHECK_SOON(answers == 6);
    CHECK(code == 0 && strstr(PushHooks_LastRequest(), "\"read\""));
    [PushNotificationSDKBridge markAllInboxItemsUpTo:item as:@"seen" category:nil completion:end];
    CHECK_SOON(answers == 7);
    CHECK(code == 0 && strstr(PushHooks_LastRequest(), "up_to"));
    [PushNotificationSDKBridge archiveInboxItem:item completion:end];
    CHECK_SOON(answers == 8);
    CHECK(code == 0 && strstr(PushHooks_LastRequest(), "archive"));
    [PushNotificationSDKBridge setPushEnabled:NO completion:end];
    CHECK_SOON(answers == 9);
    CHECK(code == PushNotificationSDKErrorRegistrationFailed);
    [PushNotificationSDKBridge setInboxHandler:nil];
    [PushNotificationSDKBridge setUserTokenHandler:nil];
    [value release];
}

static void tellsOfARefusal(int32_t person, NSInteger code) {
    PushHooks_Start(person);
    Game *game = [[Game new] autorelease];
    CHECK([game startWithAddress:address key:@"validkey123" player:nil] == nil);
    [game ask];
    CHECK_SOON(game->answers == 1);
    CHECK(!game->granted && game->refusal == code);
    [PushNotificationSDKBridge requestNotificationPermissionWithCompletion:nil];
    [game stop];
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    refusesBadConfigurations();
    tellsTheGame();
    tellsWhoLogsIn();
    opensLinks();
    tellsOfThePermission();
    tellsATapFromAnArrival();
    saysWhyPushesComeOrDoNot();
    keepsPreferencesAndInbox();
    tellsOfARefusal(PushHooksDenies, 0);
    tellsOfARefusal(PushHooksHasDenied, PushNotificationSDKErrorPermissionDenied);
    [pool release];
    CHECK_SOON(gamesAlive == 0);
    return checksFinish();
}
