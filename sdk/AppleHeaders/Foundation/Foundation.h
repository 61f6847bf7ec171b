// What the SDK's Apple-side sources see of Foundation's Objective-C half: the same selectors as Apple's, written here
// for scripts/check-interop. The Swift half is beside this file, and the toolchain's own.
#pragma once
#include "../ObjectiveC/ObjectiveC.h"

NS_ASSUME_NONNULL_BEGIN

@protocol NSCopying
- (id)copyWithZone:(nullable void *)zone;
@end

@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable void *)zone;
@end

@class NSCoder;
@protocol NSCoding
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

@interface NSCoder : NSObject
@end

NS_BRIDGED_TO("Swift.String")
@interface NSString : NSObject <NSCopying>
@end
NS_BRIDGED_TO("FoundationEssentials.Data")
@interface NSData : NSObject <NSCopying>
@end
NS_BRIDGED_TO("FoundationEssentials.Date")
@interface NSDate : NSObject <NSCopying>
@end
NS_BRIDGED_TO("FoundationEssentials.URL")
@interface NSURL : NSObject <NSCopying>
@end
NS_BRIDGED_TO("FoundationEssentials.UUID")
@interface NSUUID : NSObject <NSCopying>
@end
NS_BRIDGED_TO("Swift.Array")
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying>
@end
NS_BRIDGED_TO("Swift.Dictionary")
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
@end
NS_BRIDGED_TO("Swift.Set")
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying>
@end
NS_BRIDGED_TO("Swift.Error")
@interface NSError : NSObject <NSCopying>
@end

NS_SWIFT_SENDABLE
@interface NSLock : NSObject
- (void)lock;
- (void)unlock;
@end

NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly) BOOL isMainThread;
@end

NS_SWIFT_NAME(OutputStream)
@interface NSOutputStream : NSObject
@property (nullable, readonly, copy) NSError *streamError;
+ (nullable instancetype)outputStreamWithURL:(NSURL *)url append:(BOOL)shouldAppend NS_SWIFT_NAME(init(url:append:));
- (void)open;
- (void)close;
- (NSInteger)write:(const unsigned char *)buffer maxLength:(NSUInteger)len;
@end

typedef NS_ENUM(NSUInteger, NSDateFormatterStyle) {
    NSDateFormatterNoStyle NS_SWIFT_NAME(none) = 0,
    NSDateFormatterMediumStyle NS_SWIFT_NAME(medium) = 2,
} NS_SWIFT_NAME(DateFormatter.Style);

NS_SWIFT_NAME(DateFormatter)
@interface NSDateFormatter : NSObject
@property (null_resettable, copy) NSString *dateFormat;
@property NSDateFormatterStyle dateStyle;
@property NSDateFormatterStyle timeStyle;
- (NSString *)stringFromDate:(NSDate *)date NS_SWIFT_NAME(string(from:));
@end

@interface NSValue : NSObject <NSCopying>
@end
@interface NSNumber : NSValue
- (NSNumber *)initWithInteger:(NSInteger)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithBool:(BOOL)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithDouble:(double)value NS_SWIFT_NAME(init(value:));
@property (readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@end
@interface NSNull : NSObject <NSCopying>
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@end

typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);

NS_BRIDGED_TO("Foundation.Notification")
@interface NSNotification : NSObject <NSCopying>
@property (readonly, copy) NSNotificationName name;
@property (nullable, readonly, strong) id object;
@property (nullable, readonly, copy) NSDictionary *userInfo;
@end

extern NSString *const NSUserActivityTypeBrowsingWeb;

@interface NSUserActivity : NSObject
@property (readonly, copy) NSString *activityType;
@property (nullable, copy) NSURL *webpageURL;
- (instancetype)initWithActivityType:(NSString *)activityType NS_DESIGNATED_INITIALIZER;
@end

NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property (class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(NotificationCenter)
@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter NS_SWIFT_NAME(default);
- (void)postNotificationName:(NSNotificationName)name object:(nullable id)object NS_SWIFT_NAME(post(name:object:));
- (void)postNotificationName:(NSNotificationName)name
                      object:(nullable id)object
                    userInfo:(nullable NSDictionary *)userInfo NS_SWIFT_NAME(post(name:object:userInfo:));
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)object
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void (NS_SWIFT_SENDABLE ^)(NSNotification *notification))block
    NS_SWIFT_NAME(addObserver(forName:object:queue:using:));
- (void)removeObserver:(id)observer;
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(UserDefaults)
@interface NSUserDefaults : NSObject
@property (class, readonly, strong) NSUserDefaults *standardUserDefaults NS_SWIFT_NAME(standard);
- (nullable instancetype)initWithSuiteName:(nullable NSString *)suiteName;
- (nullable id)objectForKey:(NSString *)defaultName;
- (nullable NSString *)stringForKey:(NSString *)defaultName;
- (nullable NSData *)dataForKey:(NSString *)defaultName;
- (BOOL)boolForKey:(NSString *)defaultName;
- (void)setObject:(nullable id)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)setBool:(BOOL)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)removeObjectForKey:(NSString *)defaultName;
@end

// MARK: Networking

NS_BRIDGED_TO("Foundation.URLRequest")
NS_SWIFT_SENDABLE
@interface NSURLRequest : NSObject <NSCopying, NSMutableCopying>
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLResponse)
@interface NSURLResponse : NSObject <NSCopying>
@property (nullable, readonly, copy) NSURL *URL NS_SWIFT_NAME(url);
@property (nullable, readonly, copy) NSString *MIMEType NS_SWIFT_NAME(mimeType);
@property (readonly) long long expectedContentLength;
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(HTTPURLResponse)
@interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
@end

NS_SWIFT_NAME(URLProtectionSpace)
@interface NSURLProtectionSpace : NSObject <NSCopying>
@property (readonly, copy) NSString *host;
@property (readonly) NSInteger port;
@property (readonly, copy) NSString *authenticationMethod;
@end

NS_SWIFT_NAME(URLCredential)
@interface NSURLCredential : NSObject <NSCopying>
@end

NS_SWIFT_NAME(URLAuthenticationChallenge)
@interface NSURLAuthenticationChallenge : NSObject
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@end

typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential = 0,
    NSURLSessionAuthChallengePerformDefaultHandling = 1,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
    NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NS_SWIFT_NAME(URLSession.AuthChallengeDisposition);

typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel = 0,
    NSURLSessionResponseAllow = 1,
} NS_SWIFT_NAME(URLSession.ResponseDisposition);

typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0,
    NSURLRequestReloadIgnoringLocalCacheData = 1,
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);

@protocol NSURLSessionDelegate;
@class NSURLCache, NSHTTPCookieStorage, NSURLCredentialStorage;

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLCache)
@interface NSURLCache : NSObject
@end
NS_SWIFT_SENDABLE
NS_SWIFT_NAME(HTTPCookieStorage)
@interface NSHTTPCookieStorage : NSObject
@end
NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLCredentialStorage)
@interface NSURLCredentialStorage : NSObject
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionConfiguration)
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NS_SWIFT_NAME(default);
@property double timeoutIntervalForRequest;
@property double timeoutIntervalForResource;
@property NSURLRequestCachePolicy requestCachePolicy;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders NS_SWIFT_NAME(httpAdditionalHeaders);
@property BOOL HTTPShouldSetCookies NS_SWIFT_NAME(httpShouldSetCookies);
@property BOOL waitsForConnectivity;
@property (nullable, strong) NSURLCache *URLCache NS_SWIFT_NAME(urlCache);
@property (nullable, strong) NSHTTPCookieStorage *HTTPCookieStorage NS_SWIFT_NAME(httpCookieStorage);
@property (nullable, strong) NSURLCredentialStorage *URLCredentialStorage NS_SWIFT_NAME(urlCredentialStorage);
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionTask)
@interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
- (void)cancel;
- (void)resume;
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionDataTask)
@interface NSURLSessionDataTask : NSURLSessionTask
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSession)
@interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue;
@property (readonly, retain) NSOperationQueue *delegateQueue;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request NS_SWIFT_NAME(dataTask(with:));
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url NS_SWIFT_NAME(dataTask(with:));
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionDelegate)
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition disposition,
                                  NSURLCredential *_Nullable credential))completionHandler
    NS_SWIFT_NAME(urlSession(_:didReceive:completionHandler:));
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionTaskDelegate)
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void (^)(NSURLRequest *_Nullable request))completionHandler
    NS_SWIFT_NAME(urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:));
- (void)URLSession:(NSURLSession *)session
                    task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error NS_SWIFT_NAME(urlSession(_:task:didCompleteWithError:));
@end

NS_SWIFT_SENDABLE
NS_SWIFT_NAME(URLSessionDataDelegate)
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:(void (^)(NSURLSessionResponseDisposition disposition))completionHandler
    NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:completionHandler:));
- (void)URLSession:(NSURLSession *)session
          dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveData:(NSData *)data NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:));
@end

NS_ASSUME_NONNULL_END
