// What Clang has to see of Apple's root class and of its annotations, so that Swift's importer reads the headers beside
// this one as it reads Apple's. Written for scripts/check-interop; nothing is linked.
#pragma once
#include <stdbool.h>

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_BRIDGED_TO(name) __attribute__((swift_bridge(name)))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@MainActor")))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_SWIFT_DISABLE_ASYNC __attribute__((swift_async(none)))
#define NS_EXTENSION_UNAVAILABLE_IOS __attribute__((availability(ios_app_extension, unavailable)))
#define NS_TYPED_ENUM __attribute__((swift_newtype(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_newtype(struct)))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_UNAVAILABLE __attribute__((unavailable))
#define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
#define API_IOS(version) __attribute__((availability(ios, introduced = version)))
#define API_IOS_UNTIL(first, last) __attribute__((availability(ios, introduced = first, deprecated = last)))
#define NS_ENUM(type, name) \
    enum __attribute__((enum_extensibility(open))) name : type name; \
    enum name : type
#define NS_OPTIONS(type, name) \
    enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; \
    enum __attribute__((flag_enum, enum_extensibility(open))) name : type

typedef bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct objc_selector *SEL;

NS_ASSUME_NONNULL_BEGIN

@protocol NSObject
@property (readonly) NSUInteger hash;
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(null_unspecified SEL)aSelector;
- (null_unspecified id)performSelector:(null_unspecified SEL)aSelector;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
- (null_unspecified id)forwardingTargetForSelector:(null_unspecified SEL)aSelector NS_SWIFT_NAME(forwardingTarget(for:));
- (id)copy;
- (id)mutableCopy;
@end

NS_ASSUME_NONNULL_END
