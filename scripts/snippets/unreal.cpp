#include "CoreMinimal.h"
#include "Engine/GameInstance.h"

class UMyGameInstance : public UGameInstance {
public:
    void Init() override;
    void ShowGift(const FString &JsonPayload);
    void OpenGift(const FString &JsonPayload);
    void Follow(const FString &Url, const FString &JsonPayload);
    void Note(const struct FPushNotificationError &Error);
    void Asked(bool bYes, const struct FPushNotificationError &Error);
};

// the snippet
