// What of Unity's iOS player the page uses, by name and type.
#import <Foundation/Foundation.h>

@class UIApplication;

@interface UnityAppController : NSObject
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)options;
@end

#define IMPL_APP_CONTROLLER_SUBCLASS(Name) \
    extern const char *AppControllerClassName; \
    const char *AppControllerClassName = [Name class] ? #Name : nullptr;
