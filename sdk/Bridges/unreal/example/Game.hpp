#ifndef GAME_HPP
#define GAME_HPP

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "PushNotificationSDK.hpp"

/// What a game made with the engine has to write for notifications.
class Game {
public:
    /// Sets the handlers and starts the SDK.
    void start(const std::string& apiURL, const std::string& apiKey) {
        using SDK = martlet::PushNotificationSDK;
        // A string that the handler is given is the game's own: it can be kept and handed to the game thread.
        SDK::onNotification([this](const std::string& json) { note(); notifications.push_back(json); });
        SDK::onOpened([this](const std::string& json) { note(); opened.push_back(json); });
        SDK::onPermission([this](martlet::Permission permission) { note(); changes.push_back(permission); });
        SDK::onAction([this](const std::string& action, const std::string& json) {
            note();
            actions.push_back(action);
            payloads.push_back(json);
        });
        SDK::onError([this](const martlet::PushError& error) { note(); errors.push_back(error); });
        SDK::onLink([this](const std::string& url, const std::optional<std::string>& json) {
            note();
            links.push_back(url + (json ? " of a notification" : ""));
        });
        SDK::installAppDelegate();
        // Nothing is counted before the player's yes.
        SDK::setOptions(R"({"appGroup": "group.com.example.game",
                            "categories": [{"identifier": "MISSION", "actions": [
                                {"identifier": "CONFIRM", "title": "Confirm", "foreground": true,
                                 "textInput": {"buttonTitle": "Send", "placeholder": "When?"}}]}],
                            "links": [{"scheme": "mygame"}],
                            "tracksBeforeConsent": false})");
        SDK::configure(apiURL, apiKey, "player-12345");
    }

    /// Asks the person for the permission to notify.
    void ask() {
        martlet::PushNotificationSDK::requestPermission([this](bool granted) { note(); answers.push_back(granted); });
    }

    /// Asks for quiet notifications, without a prompt.
    void askQuietly() {
        martlet::PushNotificationSDK::requestPermission(
            PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional,
            [this](bool granted) { note(); answers.push_back(granted); });
    }

    /// Looks at what the person allows.
    void look() {
        martlet::PushNotificationSDK::getPermission(
            [this](martlet::Permission permission, const std::optional<martlet::PushError>& error) {
                note();
                looks.push_back(permission);
                lastRefusal = error ? error->code : 0;
            });
    }

    /// Leads the person to the system's settings.
    void openSettings() {
        martlet::PushNotificationSDK::openSettings(
            [this](bool wereOpened, const std::optional<martlet::PushError>& error) {
                note();
                settings.push_back(wereOpened);
                lastRefusal = error ? error->code : 0;
            });
    }

    /// The player logs in, with a token where there is one.
    void login(const std::string& player, const std::optional<std::string>& token = std::nullopt) {
        martlet::PushNotificationSDK::login(player, token, [this](const std::optional<martlet::PushError>& error) {
            note();
            logins.push_back(error ? error->code : 0);
        });
    }

    /// The player logs out.
    void logout() {
        martlet::PushNotificationSDK::logout([this](const std::optional<martlet::PushError>& error) {
            note();
            logins.push_back(error ? error->code : 0);
        });
    }

    /// Takes the handlers away: on the main thread, after this the game may go.
    static void stop() {
        martlet::PushNotificationSDK::onNotification(nullptr);
        martlet::PushNotificationSDK::onOpened(nullptr);
        martlet::PushNotificationSDK::onPermission(nullptr);
        martlet::PushNotificationSDK::onAction(nullptr);
        martlet::PushNotificationSDK::onLink(nullptr);
        martlet::PushNotificationSDK::onError(nullptr);
    }

    std::vector<bool> answers, settings;
    std::vector<martlet::Permission> looks, changes;
    int lastRefusal = 0;
    std::vector<std::string> notifications, opened, actions, payloads, links;
    std::vector<int> logins;
    std::vector<martlet::PushError> errors;
    bool alwaysOnMainThread = true;

private:
    const std::thread::id main = std::this_thread::get_id();
    void note() { alwaysOnMainThread = alwaysOnMainThread && std::this_thread::get_id() == main; }
};

#endif
