// Runs the plugin's file under GNUstep: nothing is installed before the launch is over, and then once. GNUstep's
// notification center is not there yet when classes are loaded, as Apple's is: the file is compiled with -Dload=begin.
#import <UIKit/UIKit.h>

#include <stdio.h>

NSString *const UIApplicationDidFinishLaunchingNotification = @"UIApplicationDidFinishLaunchingNotification";

void PushSDK_InstallAppDelegate(void);

@interface PushNotificationLaunch : NSObject
+ (void)begin;
@end

static int installed = 0;

void PushSDK_InstallAppDelegate(void) {
    installed++;
}

int main(void) {
    int passed = 0, failed = 0;
    [PushNotificationLaunch begin];
    if (installed == 0) passed++; else failed++;
    [[NSNotificationCenter defaultCenter] postNotificationName:UIApplicationDidFinishLaunchingNotification object:nil];
    if (installed == 1) passed++; else failed++;
    printf("%d passed, %d failed\n", passed, failed);
    return failed;
}
