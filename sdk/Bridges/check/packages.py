"""Fails where the package for Unity or the plugin for Unreal is not what their engines take: JSON that cannot be read,
a version other than the SDK's, a file without its .meta, a property list that is none. What scripts/package-engines
packs is looked at too:

    python3 packages.py FOLDER POSTPROCESSED

FOLDER has the two packed files; POSTPROCESSED is a build's folder of PostProcess.cs.
"""

import json
import plistlib
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
UNITY = ROOT / "sdk/Bridges/unity"
UNREAL = ROOT / "sdk/Bridges/unreal/PushNotificationSDK"
FACADE = ROOT / "sdk/Sources/PushNotificationSDKCore/Facade/PushNotificationSDK.swift"
# The assets of games name the settings' script by its id: it never changes.
SETTINGS_ID = "da8c96d6f8d486c92ce46bdeca2339aa"

passed, failed = 0, 0


def check(fact, what):
    global passed, failed
    if fact:
        passed += 1
    else:
        failed += 1
        print(f"not so: {what}", file=sys.stderr)


def is_hidden(path):
    """Whether Unity leaves a path of the package alone."""
    return any(part.endswith("~") or part.startswith(".") for part in path.relative_to(UNITY).parts)


def check_metas():
    ids = {}
    assets = [path for path in UNITY.rglob("*") if not is_hidden(path) and path.suffix != ".meta"]
    for path in assets:
        meta = path.with_name(path.name + ".meta")
        if not meta.is_file():
            check(False, f"{path.relative_to(ROOT)} has a .meta; Unity leaves out what has none in a package")
            continue
        text = meta.read_text()
        found = re.search(r"^guid: ([0-9a-f]{32})$", text, re.M)
        check(found, f"{meta.name} has an id")
        check(("folderAsset: yes" in text) == path.is_dir(), f"{meta.name} is of the kind that its asset is")
        ids.setdefault(found[1] if found else None, []).append(path)
    check(all(len(paths) == 1 for paths in ids.values()), f"no two assets have one id: {ids}")
    orphans = [meta for meta in UNITY.rglob("*.meta") if not meta.with_suffix("").exists()]
    check(not orphans, f"every .meta has its asset: {orphans}")
    check(ids.get(SETTINGS_ID) == [UNITY / "Editor/PushNotificationSettings.cs"], "the settings keep their id")
    plugin = (UNITY / "Runtime/Plugins/iOS/PushNotificationLaunch.m.meta").read_text()
    enabled = re.findall(r"- first:\n +(\S.*?): ?(\S*)\n +second:\n +enabled: (\d)", plugin)
    check(enabled == [("Any", "", "0"), ("Editor", "Editor", "0"), ("iPhone", "iOS", "1")],
        f"it is for iOS alone: {enabled}")


def check_unity(version):
    manifest = json.loads((UNITY / "package.json").read_text())
    check(re.fullmatch(r"[a-z0-9]+(\.[a-z0-9-]+){2,}", manifest["name"]), "the package has a name that Unity takes")
    check(manifest["version"] == version, f"its version is the SDK's, {version}")
    check(re.fullmatch(r"\d{4}\.\d", manifest["unity"]), "it says which Unity it needs")
    check(manifest["displayName"] and manifest["description"], "and what it is")
    for sample in manifest["samples"]:
        check((UNITY / sample["path"]).is_dir(), f"the sample {sample['displayName']} is there")
    places = {
        "Runtime/Martlet.PushNotificationSDK.asmdef": [],
        "Editor/Martlet.PushNotificationSDK.Editor.asmdef": ["Editor"],
    }
    names = set()
    for place, platforms in places.items():
        assembly = json.loads((UNITY / place).read_text())
        # On all platforms, where the calls end with Unavailable: a game for several needs no conditions.
        check(assembly["includePlatforms"] == platforms and not assembly["excludePlatforms"], f"{place}: {platforms}")
        check(Path(place).stem == assembly["name"], f"{place} has the name of its assembly")
        names.add(assembly["name"])
    sample = json.loads((UNITY / "Samples~/Notifications/Notifications.asmdef").read_text())
    check(set(sample["references"]) <= names, "the sample refers to assemblies of the package")


def check_unreal(version):
    plugin = json.loads((UNREAL / "PushNotificationSDK.uplugin").read_text())
    check(plugin["FileVersion"] == 3 and plugin["VersionName"] == version,
        f"the plugin's version is the SDK's, {version}")
    for module in plugin["Modules"]:
        rules = UNREAL / f"Source/{module['Name']}/{module['Name']}.Build.cs"
        check(f"class {module['Name']} : ModuleRules" in rules.read_text(), f"{module['Name']} has its rules")
    for name, world in (("", "development"), ("Shipping", "production")):
        entitlements = plistlib.loads((UNREAL / f"Resources/IOS/PushNotifications{name}.entitlements").read_bytes())
        check(entitlements["aps-environment"] == world, f"entitlements for {world}")
        check(entitlements["com.apple.security.application-groups"][0].startswith("group."), "with a group")


def check_packed(folder, version):
    with tarfile.open(folder / f"com.martlet.push-notification-sdk-{version}.tgz") as archive:
        names = set(archive.getnames())
    for name in ("package.json", "package.json.meta", "Runtime/PushNotificationSDK.cs", "Editor/XcodePostProcess.cs",
                 "Extension~/NotificationService.swift", "Frameworks~/LICENSE"):
        check(f"package/{name}" in names, f"the tarball has {name}")
    modules = {name.split("/")[2] for name in names if ".xcframework/" in name}
    check(len(modules) == 7 and "PushNotificationServiceExtension.xcframework" in modules,
        f"and seven frameworks: {modules}")
    check(not any("/check/" in name or name.endswith(".exe") for name in names), "and nothing of the tests")
    with zipfile.ZipFile(folder / f"PushNotificationSDK-{version}-unreal.zip") as archive:
        names = set(archive.namelist())
    for name in ("PushNotificationSDK.uplugin", "Source/PushNotificationSDK/Public/PushNotificationSDK.hpp",
                 "Source/PushNotificationSDK/Private/IOS/PushNotificationLaunch.mm", "ThirdParty/LICENSE"):
        check(f"PushNotificationSDK/{name}" in names, f"the zip file has {name}")
    modules = {name.split("/")[3] for name in names if ".xcframework/" in name}
    check(len(modules) == 6, f"and six frameworks: {modules}")


def check_extension(build):
    """The property lists that the step after Unity's build wrote."""
    information = plistlib.loads((build / "NotificationService/Info.plist").read_bytes())
    extension = information["NSExtension"]
    check(extension["NSExtensionPointIdentifier"] == "com.apple.usernotifications.service",
        "the extension is one for notifications")
    check(extension["NSExtensionPrincipalClass"] == "$(PRODUCT_MODULE_NAME).NotificationService", "and names its class")
    check(information["CFBundlePackageType"] == "XPC!", "and is an extension")
    entitlements = plistlib.loads((build / "NotificationService/NotificationService.entitlements").read_bytes())
    check(entitlements == {"com.apple.security.application-groups": ["group.com.example.game"]},
        "its group is the game's")


def main():
    folder, build = Path(sys.argv[1]), Path(sys.argv[2])
    version = re.search(r'static let version = "([0-9.]+)"', FACADE.read_text())[1]
    check_metas()
    check_unity(version)
    check_unreal(version)
    check_packed(folder, version)
    check_extension(build)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
