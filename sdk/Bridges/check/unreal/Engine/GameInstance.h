#pragma once

#include "CoreMinimal.h"

class UGameInstance : public UObject {
public:
    using Super = UGameInstance;
    virtual void Init() {}
    template <typename T>
    T *GetSubsystem() const {
        static T Only;
        return &Only;
    }
};
