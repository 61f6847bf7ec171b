// What of Unreal's Core and CoreUObject the plugin and the pages use, with Unreal's names and signatures (UE 5.5), as far
// as a program needs it that runs without the engine. The macros of its reflection say nothing to a compiler.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UFUNCTION(...)
#define UPROPERTY(...)
// The engine's makes Super and StaticClass beside other things; here Super is the class that a class names.
#define GENERATED_BODY()
#define PUSHNOTIFICATIONSDK_API
#define TEXT(text) u##text
#define UE_LOG(Category, Verbosity, Format, ...) StandInLog(Format, __VA_ARGS__)

using int32 = std::int32_t;
using uint8 = std::uint8_t;
using TCHAR = char16_t;

std::u16string StandInWide(const char *Text);
std::string StandInNarrow(const TCHAR *Text);
void StandInLog(const TCHAR *Format, ...);

// As the engine's, these are valid until the end of the statement.
#define UTF8_TO_TCHAR(text) StandInWide(text).c_str()
#define TCHAR_TO_UTF8(text) StandInNarrow(text).c_str()

class FString {
public:
    FString() = default;
    FString(const TCHAR *Text) : Characters(Text) {}
    const TCHAR *operator*() const { return Characters.c_str(); }
    bool IsEmpty() const { return Characters.empty(); }
    bool operator==(const FString &Other) const { return Characters == Other.Characters; }

private:
    std::u16string Characters;
};

/// The engine's objects are collected; the stand-in's end with their scope, and weak pointers know it by the address.
class UObject {
public:
    UObject();
    virtual ~UObject();
    static bool StandInIsAlive(const UObject *Object);
};

template <typename T>
class TWeakObjectPtr {
public:
    TWeakObjectPtr(T *Object) : Object(Object) {}
    T *Get() const { return UObject::StandInIsAlive(Object) ? Object : nullptr; }

private:
    T *Object;
};

/// A delegate of the engine's reflection: it has a weak object and a method of it, by name.
template <typename... Parameters>
class TStandInDelegate {
public:
    template <typename T>
    void BindDynamic(T *Object, void (T::*Method)(Parameters...)) {
        Call = [Object = TWeakObjectPtr<T>(Object), Method](Parameters... Values) {
            if (T *There = Object.Get()) (There->*Method)(Values...);
        };
    }
    bool IsBound() const { return static_cast<bool>(Call); }
    bool ExecuteIfBound(Parameters... Values) const {
        if (Call) Call(Values...);
        return IsBound();
    }

private:
    std::function<void(Parameters...)> Call;
};

template <typename... Parameters>
class TStandInMulticastDelegate {
public:
    template <typename T>
    void AddDynamic(T *Object, void (T::*Method)(Parameters...)) {
        Delegates.emplace_back();
        Delegates.back().BindDynamic(Object, Method);
    }
    bool IsBound() const { return !Delegates.empty(); }
    void Broadcast(Parameters... Values) const {
        for (const auto &Delegate : Delegates) Delegate.ExecuteIfBound(Values...);
    }

private:
    std::vector<TStandInDelegate<Parameters...>> Delegates;
};

#define DECLARE_DYNAMIC_DELEGATE_OneParam(Name, Type1, Name1) using Name = TStandInDelegate<Type1>
#define DECLARE_DYNAMIC_DELEGATE_TwoParams(Name, Type1, Name1, Type2, Name2) \
    using Name = TStandInDelegate<Type1, Type2>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, Type1, Name1) using Name = TStandInMulticastDelegate<Type1>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, Type1, Name1, Type2, Name2) \
    using Name = TStandInMulticastDelegate<Type1, Type2>
