/* What of Apple's run-time library the SDK uses, with Apple's types. */
#pragma once
#import <Foundation/Foundation.h>

typedef struct objc_method *Method;
typedef void (*IMP)(void);

Class object_getClass(id object);
Class object_setClass(id object, Class class);
const char *class_getName(Class class);
Class class_getSuperclass(Class class);
Method class_getInstanceMethod(Class class, SEL name);
IMP class_getMethodImplementation(Class class, SEL name);
IMP method_getImplementation(Method method);
BOOL class_addMethod(Class class, SEL name, IMP method, const char *types);
const char *sel_getName(SEL name);
SEL sel_registerName(const char *name);
Class objc_allocateClassPair(Class superclass, const char *name, size_t extraBytes);
void objc_registerClassPair(Class class);
