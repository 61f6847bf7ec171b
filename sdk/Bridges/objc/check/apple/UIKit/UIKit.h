/* What of Apple's UIKit the plugins for game engines use. */
#pragma once

#include <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

extern NSNotificationName const UIApplicationDidFinishLaunchingNotification;

NS_ASSUME_NONNULL_END
