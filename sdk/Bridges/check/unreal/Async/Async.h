#pragma once

#include "CoreMinimal.h"

namespace ENamedThreads {
enum Type { GameThread };
}

/// Has the function called on the thread, soon. The engine's takes a TUniqueFunction<void()>.
void AsyncTask(ENamedThreads::Type Thread, std::function<void()> Function);
