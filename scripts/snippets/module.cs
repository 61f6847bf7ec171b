using System.IO;
using UnrealBuildTool;

class Game : ModuleRules
{
    public Game(ReadOnlyTargetRules Target) : base(Target)
    {
        // the snippet
    }
}
