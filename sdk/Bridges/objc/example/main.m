/* Runs the game on a phone of the tests, and looks at what it was told. Without ARC: GNUstep's gcc runtime has none. */
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
    tellsOfARefusal(PushHooksDenies, 0);
    tellsOfARefusal(PushHooksHasDenied, PushNotificationSDKErrorPermissionDenied);
    [pool release];
    CHECK_SOON(gamesAlive == 0);
    return checksFinish();
}
