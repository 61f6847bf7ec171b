#pragma once

#include "CoreMinimal.h"

class FSubsystemCollectionBase {};

class USubsystem : public UObject {
public:
    virtual void Initialize(FSubsystemCollectionBase &Collection) { (void)Collection; }
    virtual void Deinitialize() {}
};

class UGameInstanceSubsystem : public USubsystem {
public:
    // Of the classes derived from it, which the engine's GENERATED_BODY gives one each.
    using Super = UGameInstanceSubsystem;
};
