// Runs the game on a phone of the tests, and looks at what it was told.
#include "checks.h"
#include "Game.hpp"

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace {

const char* const gift =
    R"({"aps":{"alert":{"title":"ボーナス","body":"100 coins"}},"message_id":"m-1","missionId":"m7"})";

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void refusesBadConfigurations() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("http://api.example.test", "validkey123");
    CHECK_SOON(game.errors.size() == 1);
    CHECK(game.errors.back().code == PushSDKErrorInvalidConfiguration);
    CHECK(!game.errors.back().message.empty() && !game.errors.back().recoverySuggestion.empty());
    martlet::PushNotificationSDK::configure("https://api.example.test", std::string("validkey123\0more", 16));
    CHECK_SOON(game.errors.size() == 2);
    CHECK(has(game.errors.back().message, "apiKey"));
    Game::stop();
}

void tellsTheGame() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("https://api.example.test", "validkey123");
    game.ask();
    game.ask();
    CHECK_SOON(game.answers.size() == 2);
    CHECK(game.answers[0] && game.answers[1]);
    PushHooks_Deliver(gift);
    CHECK_SOON(game.notifications.size() == 1);
    CHECK(has(game.notifications.back(), "\"title\":\"ボーナス\"") && has(game.notifications.back(), "\"missionId\":\"m7\""));
    PushHooks_Tap("CONFIRM", gift);
    CHECK_SOON(game.actions.size() == 1);
    CHECK(game.actions.back() == "CONFIRM");
    PushHooks_FailRegistration();
    CHECK_SOON(game.errors.size() == 1);
    CHECK(game.alwaysOnMainThread);
    Game::stop();
    PushHooks_FailRegistration();
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(game.errors.size() == 1);
}

void tellsOfARefusal(int person) {
    PushHooks_Start(person);
    Game game;
    game.start("https://api.example.test", "validkey123");
    game.ask();
    CHECK_SOON(game.answers.size() == 1);
    CHECK(!game.answers.back());
    Game::stop();
}

void tellsWhoLogsIn() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.login("player-1");
    CHECK_SOON(game.logins.size() == 1);
    CHECK(game.logins.back() == PushSDKErrorNotConfigured);
    game.start("https://api.example.test", "validkey123");
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastUser() != nullptr);
    CHECK(std::string(PushHooks_LastUser()) == "player-12345");
    game.login("player-2", "token.of.two");
    CHECK_SOON(game.logins.size() == 2);
    CHECK(game.logins.back() == 0 && std::string(PushHooks_LastUser()) == "player-2/token.of.two");
    game.logout();
    CHECK_SOON(game.logins.size() == 3);
    CHECK(game.logins.back() == 0 && std::string(PushHooks_LastUser()) == "-");
    game.login(std::string("player\0cut", 10));
    CHECK_SOON(game.logins.size() == 4);
    CHECK(game.logins.back() == PushSDKErrorInvalidConfiguration);
    martlet::PushNotificationSDK::login("player-3");
    CHECK_SOON(std::string(PushHooks_LastUser()) == "player-3");
    martlet::PushNotificationSDK::logout();
    CHECK_SOON(std::string(PushHooks_LastUser()) == "-");
    const auto before = martlet::PushNotificationSDK::installationID();
    bool isForgotten = false;
    martlet::PushNotificationSDK::forgetDevice([&](const auto& error) { isForgotten = !error; });
    CHECK_SOON(isForgotten);
    CHECK(has(PushHooks_LastRequest(), ("DELETE installations/" + before.value_or("?")).c_str()));
    CHECK(martlet::PushNotificationSDK::installationID() != before);
    martlet::PushNotificationSDK::forgetDevice();
    CHECK(game.errors.empty() && game.alwaysOnMainThread);
    Game::stop();
}

void opensLinks() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("https://api.example.test", "validkey123");
    CHECK(std::string(PushHooks_AppGroup()) == "group.com.example.game");
    CHECK_SOON(PushHooks_Buttons("MISSION") == 1);
    PushHooks_Open(R"({"aps":{"alert":"x"},"message_id":"l-1","deeplink":"mygame://mission/7"})");
    CHECK_SOON(game.links.size() == 1);
    CHECK(game.links.back() == "mygame://mission/7 of a notification");
    CHECK(martlet::PushNotificationSDK::open("mygame://shop"));
    CHECK_SOON(game.links.size() == 2);
    CHECK(game.links.back() == "mygame://shop");
    CHECK(!martlet::PushNotificationSDK::open(std::string("mygame://shop\0", 14)));
    CHECK(!martlet::PushNotificationSDK::open("file:///etc/passwd"));
    CHECK_SOON(game.errors.size() == 1);
    CHECK(game.errors.back().code == PushSDKErrorLinkRefused);
    martlet::PushNotificationSDK::setFCMToken("f:cm");
    CHECK_SOON(PushHooks_LastToken() && PushHooks_LastToken() == std::string("fcm f:cm"));
    PushHooks_Register();
    martlet::PushNotificationSDK::setFCMToken(std::nullopt);
    CHECK_SOON(has(PushHooks_LastToken(), "apns "));
    martlet::PushNotificationSDK::setBadge(3);
    CHECK_SOON(PushHooks_Badge() == 3);
    CHECK(!PushHooks_IsTracking());  // The player was not asked yet.
    martlet::PushNotificationSDK::setTrackingEnabled(true);
    CHECK(PushHooks_IsTracking());
    martlet::PushNotificationSDK::setTrackingEnabled(false);
    CHECK(!PushHooks_IsTracking());
    martlet::PushNotificationSDK::setOptions(R"({"links": 7})");
    CHECK_SOON(game.errors.size() == 2);
    CHECK(game.errors.back().code == PushSDKErrorInvalidConfiguration && has(game.errors.back().message, "links"));
    CHECK(game.alwaysOnMainThread);
    Game::stop();
}

void tellsOfThePermission() {
    using martlet::Permission;
    using SDK = martlet::PushNotificationSDK;
    PushHooks_Start(PushHooksDenies);
    Game game;
    game.look();  // Before the start.
    CHECK_SOON(game.looks.size() == 1);
    CHECK(game.looks.back() == Permission::notDetermined && game.lastRefusal == PushSDKErrorNotConfigured);
    game.openSettings();
    CHECK_SOON(game.settings.size() == 1);
    CHECK(!game.settings.back() && game.lastRefusal == PushSDKErrorNotConfigured);
    CHECK(!SDK::deviceToken() && !SDK::installationID());
    game.start("https://api.example.test", "validkey123");
    CHECK_SOON(PushHooks_Buttons("MISSION") == 1);  // The launch is over.
    game.look();
    CHECK_SOON(game.looks.size() == 2);
    CHECK(game.looks.back() == Permission::notDetermined && game.lastRefusal == 0);
    game.askQuietly();
    CHECK_SOON(game.answers.size() == 1 && game.changes.size() == 1);
    CHECK(game.answers.back() && game.changes.back() == Permission::provisional);
    CHECK(PushHooks_Granted() == (PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional));
    PushHooks_ChangePermission(0);
    CHECK_SOON(game.changes.size() == 2);
    CHECK(game.changes.back() == Permission::denied);
    game.look();
    CHECK_SOON(game.looks.size() == 3);
    CHECK(game.looks.back() == Permission::denied && game.lastRefusal == 0);
    game.openSettings();
    CHECK_SOON(game.settings.size() == 2);
    CHECK(game.settings.back() && game.lastRefusal == 0);
    CHECK(PushHooks_LastOpened() && has(PushHooks_LastOpened(), "settings"));
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != nullptr);
    CHECK(SDK::installationID() == std::string(PushHooks_LastInstallation()));
    CHECK(SDK::deviceToken().value_or("").size() == 64 && SDK::deviceToken()->substr(0, 4) == "abab");
    SDK::getPermission(nullptr);
    SDK::openSettings();
    SDK::requestPermission(PushSDKPermissionOptionAlert);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    Game::stop();
    PushHooks_ChangePermission(1);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    CHECK(game.changes.size() == 2 && game.alwaysOnMainThread);
}

void tellsATapFromAnArrival() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("https://api.example.test", "validkey123");
    PushHooks_Deliver(gift);
    CHECK_SOON(game.notifications.size() == 1);
    CHECK(game.opened.empty());
    PushHooks_Open(R"({"aps":{"alert":"tapped"},"message_id":"m-9"})");
    CHECK_SOON(game.notifications.size() == 2 && game.opened.size() == 1);
    CHECK(has(game.opened.back(), "tapped"));
    CHECK_SOON(PushHooks_Field("MISSION", "CONFIRM") != nullptr);
    CHECK(std::string(PushHooks_Field("MISSION", "CONFIRM")) == "Send/When?");
    PushHooks_Write("CONFIRM", "明日", gift);
    CHECK_SOON(game.actions.size() == 1);
    CHECK(game.actions.back() == "CONFIRM" && has(game.payloads.back(), "\"userText\":\"明日\""));
    CHECK(game.opened.size() == 1 && game.alwaysOnMainThread);
    Game::stop();
}

void saysWhyPushesComeOrDoNot() {
    using SDK = martlet::PushNotificationSDK;
    PushHooks_Start(PushHooksAllows);
    std::optional<std::string> text;
    int answers = 0, code = 0;
    const auto read = [&](const std::optional<std::string>& known, const std::optional<martlet::PushError>& reason) {
        text = known;
        code = reason ? reason->code : 0;
        answers++;
    };
    SDK::getDiagnostics(read);
    CHECK_SOON(answers == 1);
    CHECK(code == PushSDKErrorNotConfigured && !text);
    SDK::configure("https://api.example.test", "validkey123");
    SDK::sendTestNotification(read);
    CHECK_SOON(answers == 2);
    CHECK(code == PushSDKErrorRegistrationFailed);
    SDK::getDiagnostics(read);
    CHECK_SOON(answers == 3);
    PushHooks_Register();
    CHECK_SOON(PushHooks_LastInstallation() != nullptr);
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    SDK::sendTestNotification(read);
    CHECK_SOON(answers == 4);
    CHECK(code == 0 && text.value_or("").size() == 36);
    CHECK(has(PushHooks_LastRequest(), "POST installations/"));
    SDK::getDiagnostics(read);
    CHECK_SOON(answers == 5);
    CHECK(code == 0 && has(text.value_or(""), "abababab") && !has(text.value_or(""), "validkey123"));
    SDK::sendTestNotification();
}

void keepsPreferencesAndInbox() {
    using SDK = martlet::PushNotificationSDK;
    PushHooks_Start(PushHooksAllows);
    std::string text, update;
    int answers = 0, error = 0;
    const auto read = [&](const std::optional<std::string>& json, const std::optional<martlet::PushError>& reason) {
        text = json.value_or("");
        error = reason ? reason->code : 0;
        answers++;
    };
    const auto end = [&](const std::optional<martlet::PushError>& reason) { read(std::nullopt, reason); };
    SDK::onInbox([&](const std::string& json) { update = json; });
    SDK::onUserTokenNeeded([](const std::string& player) { SDK::answerUserToken(player, "token.new"); });
    SDK::configure("https://api.example.test", "validkey123");
    SDK::loadPreferences(read);
    CHECK_SOON(answers == 1);
    CHECK(error == PushSDKErrorLoginRequired && text.empty());
    PushHooks_AllowToken("token.new");
    SDK::login("player-1", "token.old");
    SDK::loadPreferences(read);
    CHECK_SOON(answers == 2);
    CHECK(error == 0 && has(text, "コメント"));
    CHECK_SOON(has(update, "\"unread\":4"));
    SDK::setPreferences(R"({"master":{"push":null}})", read);
    CHECK_SOON(answers == 3);
    CHECK(std::string(PushHooks_LastRequest()) == R"(PATCH preferences {"master":{"push":null}})");
    SDK::inboxPage(std::nullopt, read);
    CHECK_SOON(answers == 4);
    const std::string item = "01920000-0000-7000-8000-000000000001";
    CHECK(error == 0 && has(text, item.c_str()));
    SDK::inboxCounts(read);
    CHECK_SOON(answers == 5);
    CHECK(has(text, "\"unread\":2"));
    SDK::markInbox("[\"" + item + "\"]", "read", end);
    CHECK_SOON(answers == 6);
    CHECK(error == 0 && has(PushHooks_LastRequest(), "\"read\""));
    SDK::markWholeInbox(item, "seen", "comment", end);
    CHECK_SOON(answers == 7);
    CHECK(error == 0 && has(PushHooks_LastRequest(), "up_to"));
    SDK::archiveInboxItem(item, end);
    CHECK_SOON(answers == 8);
    CHECK(error == 0 && has(PushHooks_LastRequest(), "archive"));
    SDK::setPushEnabled(false, end);
    CHECK_SOON(answers == 9);
    CHECK(error == PushSDKErrorRegistrationFailed);
    SDK::onInbox(nullptr);
    SDK::onUserTokenNeeded(nullptr);
}

// A handler may replace itself, and may be destroyed only when its own call has ended.
void survivesItsOwnReplacement() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("https://api.example.test", "validkey123");
    std::string seen;
    martlet::PushNotificationSDK::onNotification([&seen, mark = std::string(64, 'x')](const std::string& json) {
        martlet::PushNotificationSDK::onNotification(nullptr);
        seen = json + mark;
    });
    PushHooks_Deliver(gift);
    CHECK_SOON(!seen.empty());
    CHECK(has(seen, "xxxx"));
    Game::stop();
}

#if defined(__cpp_exceptions)
void keepsExceptionsOnItsSide() {
    PushHooks_Start(PushHooksAllows);
    Game game;
    game.start("https://api.example.test", "validkey123");
    martlet::PushNotificationSDK::onNotification([](const std::string&) { throw std::runtime_error("the game's own"); });
    PushHooks_Deliver(gift);
    CHECK_SOON(game.errors.size() == 1);
    CHECK(game.errors.back().code == martlet::PushNotificationSDK::handlerThrew);
    martlet::PushNotificationSDK::logout([](const auto&) { throw std::runtime_error("the game's own"); });
    CHECK_SOON(game.errors.size() == 2);
    CHECK(game.errors.back().code == martlet::PushNotificationSDK::handlerThrew);
    martlet::PushNotificationSDK::getPermission([](auto, const auto&) { throw std::runtime_error("the game's own"); });
    CHECK_SOON(game.errors.size() == 3);
    Game::stop();
}
#endif

}  // namespace

int main() {
    refusesBadConfigurations();
    tellsTheGame();
    tellsWhoLogsIn();
    opensLinks();
    tellsOfThePermission();
    tellsATapFromAnArrival();
    saysWhyPushesComeOrDoNot();
    keepsPreferencesAndInbox();
    tellsOfARefusal(PushHooksDenies);
    tellsOfARefusal(PushHooksHasDenied);
    survivesItsOwnReplacement();
#if defined(__cpp_exceptions)
    keepsExceptionsOnItsSide();
#endif
    return checksFinish();
}
