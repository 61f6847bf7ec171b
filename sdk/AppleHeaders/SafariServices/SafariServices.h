// SafariServices as the SDK's Apple-side sources see it, written here for scripts/check-interop.
#pragma once
#include "../UIKit/UIKit.h"

NS_ASSUME_NONNULL_BEGIN

NS_SWIFT_UI_ACTOR
@interface SFSafariViewController : UIViewController
- (instancetype)initWithURL:(NSURL *)URL NS_DESIGNATED_INITIALIZER;
@end

NS_ASSUME_NONNULL_END
