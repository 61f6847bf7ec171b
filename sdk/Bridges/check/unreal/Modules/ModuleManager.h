#pragma once

#include "CoreMinimal.h"

class FDefaultModuleImpl {};

#define IMPLEMENT_MODULE(ModuleImplClass, ModuleName) \
    ModuleImplClass StandInModule##ModuleName();      \
    ModuleImplClass StandInModule##ModuleName() { return ModuleImplClass(); }
