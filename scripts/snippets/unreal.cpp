// What of the engine the page uses, by name and type.
#include <string>

using TCHAR = char16_t;
#define TEXT(text) u##text
#define UTF8_TO_TCHAR(text) fromUTF8(text)
#define UE_LOG(Category, Verbosity, Format, ...) logged(Format, __VA_ARGS__)

const TCHAR *fromUTF8(const char *text);
void logged(const TCHAR *format, ...);

struct FString {
    explicit FString(const TCHAR *text);
};

namespace ENamedThreads {
enum Type { GameThread };
}

template <typename Function> void AsyncTask(ENamedThreads::Type thread, Function function) {
    if (thread == ENamedThreads::GameThread) function();
}

struct UGameInstance {
    virtual ~UGameInstance() = default;
    virtual void Init() {}
};

struct UMyGameInstance : UGameInstance {
    using Super = UGameInstance;
    void Init() override;
};

void ShowGift(const FString &text);

// the snippet
