/* GNUstep has no UIKit: what of it the plugins for game engines use. */
#pragma once

#import <Foundation/Foundation.h>

extern NSString *const UIApplicationDidFinishLaunchingNotification;
