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
    Game::stop();
}
#endif

}  // namespace

int main() {
    refusesBadConfigurations();
    tellsTheGame();
    tellsOfARefusal(PushHooksDenies);
    tellsOfARefusal(PushHooksHasDenied);
    survivesItsOwnReplacement();
#if defined(__cpp_exceptions)
    keepsExceptionsOnItsSide();
#endif
    return checksFinish();
}
