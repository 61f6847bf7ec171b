#import <Foundation/Foundation.h>

#ifndef GNUSTEP
// What of Apple's Foundation an app's code uses beside what the bridge itself does.
@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
@end

@interface NSArray : NSObject
+ (instancetype)arrayWithObjects:(const id[])objects count:(NSUInteger)count;
@end

@interface NSDictionary (Literals)
+ (instancetype)dictionaryWithObjects:(const id[])objects forKeys:(const id[])keys count:(NSUInteger)count;
- (id)objectForKeyedSubscript:(id)key;
@end

@interface NSString (Comparing)
- (BOOL)isEqualToString:(NSString *)other;
@end

@interface NSError (Texts)
@property (readonly, copy) NSString *localizedDescription;
@property (readonly, copy) NSString *localizedRecoverySuggestion;
@end

void NSLog(NSString *format, ...);
#else
// Its own are casts, which the literals @YES and @NO do not take.
#undef YES
#define YES __objc_yes
#undef NO
#define NO __objc_no
#endif

#import "PushNotificationSDKBridge.h"

@interface Snippet : NSObject
- (void)showGift:(id)missionId title:(NSString *)title;
- (void)confirm:(NSDictionary *)payload;
- (void)show:(NSURL *)url;
- (void)settings:(BOOL)granted;
- (void)launch;
@end

@interface Snippet (Launch)
- (void)launched;
@end

@implementation Snippet (Launch)
- (void)launched {
    // the snippet
}
@end
