/*
 * What of Apple's Foundation the bridge and its example use, declared with Apple's types and nullability, so that clang
 * can check them with ARC for iOS on a machine that has no SDK of Apple's. Nothing is linked.
 */
#pragma once

#include <stddef.h>

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define nil ((id)0)
#define Nil ((Class)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)

typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

@class NSString, NSData, NSArray, NSDictionary, NSError, NSURL, NSInvocation, NSMethodSignature;

NS_ASSUME_NONNULL_BEGIN

@protocol NSObject
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isEqual:(nullable id)object;
- (BOOL)respondsToSelector:(SEL)name;
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)new;
+ (Class)class;
- (instancetype)init;
- (nullable id)forwardingTargetForSelector:(SEL)name;
- (NSMethodSignature *)methodSignatureForSelector:(SEL)name;
- (void)forwardInvocation:(NSInvocation *)invocation;
@end

@interface NSMethodSignature : NSObject
@property (readonly) NSUInteger methodReturnLength;
@end

@interface NSInvocation : NSObject
@property (nullable, assign) id target;
@property SEL selector;
+ (NSInvocation *)invocationWithMethodSignature:(NSMethodSignature *)signature;
- (void)setArgument:(void *)argument atIndex:(NSInteger)index;
- (void)getReturnValue:(void *)value;
@end

enum { NSUTF8StringEncoding = 4 };

@interface NSString : NSObject
@property (readonly) NSUInteger length;
@property (nullable, readonly) const char *UTF8String __attribute__((objc_returns_inner_pointer));
+ (nullable instancetype)stringWithUTF8String:(const char *)bytes;
+ (instancetype)alloc;
- (nullable instancetype)initWithData:(NSData *)data encoding:(NSUInteger)encoding;
- (NSUInteger)lengthOfBytesUsingEncoding:(NSUInteger)encoding;
@end

@interface NSConstantString : NSString
@end

@interface NSData : NSObject
+ (instancetype)dataWithBytes:(nullable const void *)bytes length:(NSUInteger)length;
@end

@interface NSDictionary : NSObject
+ (instancetype)dictionary;
+ (instancetype)dictionaryWithObjectsAndKeys:(id)firstObject, ... __attribute__((sentinel(0, 1)));
- (nullable id)objectForKey:(id)key;
@end

@interface NSError : NSObject
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *domain;
@property (readonly, copy) NSDictionary *userInfo;
+ (instancetype)errorWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary *)userInfo;
@end

@interface NSURL : NSObject
@property (nullable, readonly, copy) NSString *absoluteString;
+ (nullable instancetype)URLWithString:(NSString *)text;
@end

typedef NSString *NSNotificationName;

@interface NSNotification : NSObject
@property (readonly, copy) NSNotificationName name;
@end

@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer selector:(SEL)selector name:(nullable NSNotificationName)name object:(nullable id)object;
@end

@interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)object;
+ (nullable NSData *)dataWithJSONObject:(id)object options:(NSUInteger)options error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSUInteger)options error:(NSError **)error;
@end

extern NSString *const NSLocalizedDescriptionKey;
extern NSString *const NSLocalizedRecoverySuggestionErrorKey;

NS_ASSUME_NONNULL_END
