// Hands the system's calls to the SDK when the app has launched, on the main thread and before the engine runs: the tap
// that started the game comes right after. The SDK keeps it until the game has its handlers.
//
// The engine compiles a folder IOS for tvOS and visionOS too, where there is no SDK.
#if WITH_PUSH_SDK

#import <UIKit/UIKit.h>

#include "PushNotificationSDKC.h"

@interface PushNotificationLaunch : NSObject
@end

@implementation PushNotificationLaunch

+ (void)load {
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(didLaunch:)
                                                 name:UIApplicationDidFinishLaunchingNotification
                                               object:nil];
}

+ (void)didLaunch:(NSNotification *)notification {
    (void)notification;
    PushSDK_InstallAppDelegate();
}

@end

#endif
