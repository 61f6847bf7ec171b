// The push notification SDK for Unreal Engine and other C++ code: one header, C++17, with or without exceptions.
//
// Every function may be called on any thread. Every function object is called on the main thread of the app, which on
// iOS is not Unreal's game thread: hand over with AsyncTask(ENamedThreads::GameThread, ...). What a function object
// throws does not cross into the SDK: it is dropped, and the error handler is told.
#ifndef MARTLET_PUSH_NOTIFICATION_SDK_HPP
#define MARTLET_PUSH_NOTIFICATION_SDK_HPP

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "PushNotificationSDKC.h"
#include "UnrealPushSDKBridge.h"

namespace martlet {

/// What the SDK reports: a code of PushNotificationSDKC.h, what went wrong, what to do about it.
struct PushError {
    int code;
    std::string message;
    std::string recoverySuggestion;
};

/// What the person allows. What a later system adds reads as denied.
enum class Permission : int {
    notDetermined = PushSDKPermissionNotDetermined,
    denied = PushSDKPermissionDenied,
    authorized = PushSDKPermissionAuthorized,
    provisional = PushSDKPermissionProvisional,
    ephemeral = PushSDKPermissionEphemeral,
};

/// The SDK as C++ sees it. There is one in an app, as there is one façade in Swift.
class PushNotificationSDK final {
public:
    using PermissionCallback = std::function<void(bool granted)>;
    /// Before the start there is an error, and the permission is notDetermined.
    using PermissionAnswer = std::function<void(Permission permission, const std::optional<PushError>& error)>;
    using PermissionHandler = std::function<void(Permission permission)>;
    /// Before the start there is an error.
    using SettingsCompletion = std::function<void(bool opened, const std::optional<PushError>& error)>;
    using NotificationHandler = std::function<void(const std::string& jsonPayload)>;
    using ActionHandler = std::function<void(const std::string& actionId, const std::string& jsonPayload)>;
    using ErrorHandler = std::function<void(const PushError& error)>;
    /// Without a payload the system opened the app by the link.
    using LinkHandler = std::function<void(const std::string& url, const std::optional<std::string>& jsonPayload)>;
    /// Without an error it is done.
    using Completion = std::function<void(const std::optional<PushError>& error)>;

    /// JSON, whose members docs/sdk/c.md lists, or an error in its place.
    using JSONAnswer = std::function<void(const std::optional<std::string>& json, const std::optional<PushError>& error)>;
    /// A text, or an error in its place.
    using TextAnswer = JSONAnswer;
    using InboxHandler = std::function<void(const std::string& jsonUpdate)>;
    using UserTokenHandler = std::function<void(const std::string& playerAccountId)>;

    /// The code of the error that says that a function object of the app threw.
    static constexpr int handlerThrew = -1;

    PushNotificationSDK() = delete;

    /// Hands the system's calls to the SDK from now on; the app's own delegates are told everything as well.
    static void installAppDelegate() { PushSDK_InstallAppDelegate(); }

    /// Sets what configure takes beside its arguments: one JSON object, whose members docs/sdk/c.md lists. Called first;
    /// a refusal goes to the error handler and changes nothing.
    static void setOptions(const std::string& jsonOptions) { UnrealPushSDK_SetOptions(passable(jsonOptions)); }

    /// Starts the SDK; a refusal goes to the error handler.
    static void configure(const std::string& apiURL, const std::string& apiKey,
                          const std::optional<std::string>& playerAccountId = std::nullopt) {
        UnrealPushSDK_Configure(passable(apiURL), passable(apiKey),
                                playerAccountId ? passable(*playerAccountId) : nullptr);
    }

    /// A player logged in, with the token that speaks for them where the server asks for one. The completion may be empty,
    /// and is called once, when the server knows.
    static void login(const std::string& playerAccountId, const std::optional<std::string>& userToken = std::nullopt,
                      Completion completion = nullptr) {
        PushSDK_Login(handedIn(std::move(completion)), passable(playerAccountId),
                      userToken ? passable(*userToken) : nullptr, &ended, &letGo<Completion>);
    }

    /// The player logged out: pushes for that player do not come to this device any more.
    static void logout(Completion completion = nullptr) {
        PushSDK_Logout(handedIn(std::move(completion)), &ended, &letGo<Completion>);
    }

    /// Forgets this device: removes what the SDK keeps on it, but for the consent, and has the server delete the
    /// installation. The device is another installation from now on, which is registered when somebody logs in, or with
    /// the next launch. The completion may be empty, and is called once, when the server has deleted it; after
    /// PushSDKErrorNetwork or PushSDKErrorServer it is deleted later.
    static void forgetDevice(Completion completion = nullptr) {
        PushSDK_ForgetDevice(handedIn(std::move(completion)), &ended, &letGo<Completion>);
    }

    /// Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly, by the
    /// registration token that Firebase gives; none goes back to Apple's token. It may be set before configure, and outlives
    /// the app's launches. A text that cannot be such a token changes nothing and goes to the error handler.
    static void setFCMToken(const std::optional<std::string>& token) {
        UnrealPushSDK_SetFCMToken(token ? passable(*token) : nullptr);
    }

    /// Hands over a link that the system opened the app by, where the app is told of it: whether the SDK took it.
    static bool open(const std::string& url) { return UnrealPushSDK_OpenURL(passable(url)) != 0; }

    /// Sets the number on the app's icon; 0 removes it.
    static void setBadge(int number) { UnrealPushSDK_SetBadge(number); }

    /// Whether events are reported, the person's consent: so until it is switched off, which also discards what was not
    /// uploaded. It may be set before configure, and outlives the app's launches. With the option tracksBeforeConsent set
    /// to false none are reported before it is switched on.
    static void setTrackingEnabled(bool isEnabled) { UnrealPushSDK_SetTrackingEnabled(isEnabled ? 1 : 0); }

    /// Asks for the permission to notify; the callback may be empty, and is called once.
    static void requestPermission(PermissionCallback callback) {
        wait(std::move(callback));
        UnrealPushSDK_RequestPermission(&answered);
    }

    /// The same with the PushSDKPermissionOption values that are asked for, added up; the function above asks for badge,
    /// sound and alert.
    static void requestPermission(int options, PermissionCallback callback = nullptr) {
        wait(std::move(callback));
        UnrealPushSDK_RequestPermissionWithOptions(options, &answered);
    }

    /// Asks the system what the person allows now, without a prompt; the answer comes once.
    static void getPermission(PermissionAnswer answer) {
        PushSDK_GetPermission(handedIn(std::move(answer)), &reported, &letGo<PermissionAnswer>);
    }

    /// Opens the app's page in the system's settings, where the person can allow what was refused. The completion may be
    /// empty, and is called once.
    static void openSettings(SettingsCompletion completion = nullptr) {
        PushSDK_OpenSettings(handedIn(std::move(completion)), &shown, &letGo<SettingsCompletion>);
    }

    /// The device token that Apple gave the app last, in hexadecimal; none before one came.
    static std::optional<std::string> deviceToken() { return written(&UnrealPushSDK_GetDeviceToken); }

    /// The id by which the server knows this install; none before configure, and before the device's first unlock.
    static std::optional<std::string> installationID() { return written(&UnrealPushSDK_GetInstallationID); }

    /// Tells why pushes come to this device or do not, as a text for people. It holds no key, secret or user token, and names
    /// the player. Before the start there is an error.
    static void getDiagnostics(TextAnswer answer) {
        PushSDK_GetDiagnostics(handedIn(std::move(answer)), &read, &letGo<TextAnswer>);
    }

    /// Has the server send a notification to this device, and to no other, with a text of its own. The answer may be empty,
    /// and is the notification's id, which the payload has as messageId.
    static void sendTestNotification(TextAnswer answer = nullptr) {
        PushSDK_SendTestNotification(handedIn(std::move(answer)), &read, &letGo<TextAnswer>);
    }

    /// Sets what is told when the person allowed or refused notifications: at the prompt, or in the system's settings,
    /// which is noticed when the app comes to the front. An empty one takes the handler away.
    static void onPermission(PermissionHandler handler) {
        UnrealPushSDK_SetPermissionHandler(keep(state().permission, std::move(handler)) ? &changed : nullptr);
    }

    /// Sets what is told of a notification, as JSON; an empty one takes the handler away.
    static void onNotification(NotificationHandler handler) {
        UnrealPushSDK_SetNotificationHandler(keep(state().notification, std::move(handler)) ? &notified : nullptr);
    }

    /// Sets what is told of a notification that the person tapped; an empty one takes the handler away. The handler of
    /// onNotification is told as well, and cannot tell an arrival from a tap.
    static void onOpened(NotificationHandler handler) {
        UnrealPushSDK_SetOpenedHandler(keep(state().opened, std::move(handler)) ? &opened : nullptr);
    }

    /// Sets what is told of a tapped action; an empty one takes the handler away. What the person wrote, where the action
    /// takes text, is the payload's member userText.
    static void onAction(ActionHandler handler) {
        UnrealPushSDK_SetActionHandler(keep(state().action, std::move(handler)) ? &acted : nullptr);
    }

    /// Sets what is told of links into the app that the options allow; an empty one takes the handler away. Without one the
    /// newest link of a tapped notification is kept for the one that comes, where the options have "links"; else the
    /// system opens it.
    static void onLink(LinkHandler handler) {
        UnrealPushSDK_SetLinkHandler(keep(state().link, std::move(handler)) ? &linked : nullptr);
    }

    /// Reads what the player who is logged in wants. As every call about preferences and inbox it needs a player whose token
    /// is known.
    static void loadPreferences(JSONAnswer answer) {
        PushSDK_LoadPreferences(handedIn(std::move(answer)), &read, &letGo<JSONAnswer>);
    }

    /// Changes what the JSON object names and nothing else; null takes a choice back. The answer may be empty.
    static void setPreferences(const std::string& jsonChange, JSONAnswer answer = nullptr) {
        PushSDK_SetPreferences(handedIn(std::move(answer)), passable(jsonChange), &read, &letGo<JSONAnswer>);
    }

    /// Switches pushes to this device on or off; inbox items stay.
    static void setPushEnabled(bool isEnabled, Completion completion = nullptr) {
        PushSDK_SetPushEnabled(handedIn(std::move(completion)), isEnabled ? 1 : 0, &ended, &letGo<Completion>);
    }

    /// Reads a page of the inbox, newest items first; without a query the newest of what is not archived.
    static void inboxPage(const std::optional<std::string>& jsonQuery, JSONAnswer answer) {
        PushSDK_GetInboxPage(handedIn(std::move(answer)), jsonQuery ? passable(*jsonQuery) : nullptr, &read,
                             &letGo<JSONAnswer>);
    }

    /// Reads how many items the player has not read.
    static void inboxCounts(JSONAnswer answer) {
        PushSDK_GetInboxCounts(handedIn(std::move(answer)), &read, &letGo<JSONAnswer>);
    }

    /// Marks items, a JSON list of their ids, as seen, unseen, read, unread, archived or unarchived. Without a connection the
    /// mark is kept and sent later, which is no error.
    static void markInbox(const std::string& jsonItemIDs, const std::string& mark, Completion completion = nullptr) {
        PushSDK_MarkInbox(handedIn(std::move(completion)), passable(jsonItemIDs), passable(mark), &ended,
                          &letGo<Completion>);
    }

    /// Marks all items up to the newest one that the player saw, as seen, read or archived; of a category, or of all.
    static void markWholeInbox(const std::string& itemID, const std::string& mark = "read",
                               const std::optional<std::string>& category = std::nullopt,
                               Completion completion = nullptr) {
        PushSDK_MarkWholeInbox(handedIn(std::move(completion)), passable(itemID), passable(mark),
                               category ? passable(*category) : nullptr, &ended, &letGo<Completion>);
    }

    /// Puts an item away.
    static void archiveInboxItem(const std::string& itemID, Completion completion = nullptr) {
        PushSDK_ArchiveInboxItem(handedIn(std::move(completion)), passable(itemID), &ended, &letGo<Completion>);
    }

    /// Sets what is told when something changed in the inbox, while the app is in front; an empty one takes the handler away.
    static void onInbox(InboxHandler handler) {
        PushSDK_SetInboxHandler(nullptr, keep(state().inbox, std::move(handler)) ? &updated : nullptr, nullptr);
    }

    /// Sets what is told that a token is needed that speaks for a player; answerUserToken hands it over. An empty one takes
    /// the handler away.
    static void onUserTokenNeeded(UserTokenHandler handler) {
        PushSDK_SetUserTokenHandler(nullptr, keep(state().userToken, std::move(handler)) ? &needed : nullptr, nullptr);
    }

    /// The token that was asked for; none where there is none.
    static void answerUserToken(const std::string& playerAccountId, const std::optional<std::string>& userToken) {
        PushSDK_AnswerUserToken(passable(playerAccountId), userToken ? passable(*userToken) : nullptr);
    }

    /// Sets what is told of errors; an empty one takes the handler away.
    static void onError(ErrorHandler handler) {
        UnrealPushSDK_SetErrorHandler(keep(state().error, std::move(handler)) ? &failed : nullptr);
    }

private:
    // The C functions have no context: what they lead to is here, shared so that a handler outlives its own replacement.
    struct State {
        std::mutex mutex;
        std::deque<PermissionCallback> waiting;
        std::shared_ptr<const PermissionHandler> permission;
        std::shared_ptr<const NotificationHandler> notification;
        std::shared_ptr<const NotificationHandler> opened;
        std::shared_ptr<const ActionHandler> action;
        std::shared_ptr<const LinkHandler> link;
        std::shared_ptr<const InboxHandler> inbox;
        std::shared_ptr<const UserTokenHandler> userToken;
        std::shared_ptr<const ErrorHandler> error;
    };

    // Never destroyed, because a callback may come while the program's statics are being taken down.
    static State& state() {
        static State& only = *new State;
        return only;
    }

    // A text with a zero byte in it would be cut in silence; a byte that is never UTF-8 is refused instead.
    static const char* passable(const std::string& text) {
        return text.find('\0') == std::string::npos ? text.c_str() : "\xff";
    }

    static void wait(PermissionCallback callback) {
        const std::lock_guard<std::mutex> held(state().mutex);
        state().waiting.push_back(std::move(callback));
    }

    static std::optional<std::string> written(int (*write)(char* text, int size)) {
        char text[PushSDKTextSize];
        if (write(text, PushSDKTextSize) <= 0) return std::nullopt;
        return std::string(text);
    }

    template <typename Handler>
    static bool keep(std::shared_ptr<const Handler>& place, Handler handler) {
        const bool some = static_cast<bool>(handler);
        auto next = some ? std::make_shared<const Handler>(std::move(handler)) : nullptr;
        const std::lock_guard<std::mutex> held(state().mutex);
        place.swap(next);
        return some;
    }

    template <typename Handler>
    static std::shared_ptr<const Handler> kept(const std::shared_ptr<const Handler>& place) {
        const std::lock_guard<std::mutex> held(state().mutex);
        return place;
    }

    template <typename Call>
    static void guarded(Call call) noexcept {
#if defined(__cpp_exceptions)
        try {
            call();
        } catch (...) {
            report();
        }
#else
        call();
#endif
    }

#if defined(__cpp_exceptions)
    static void report() noexcept {
        try {
            if (const auto handler = kept(state().error)) {
                (*handler)({handlerThrew, "A handler of the app threw an exception.", "Catch it in the handler."});
            }
        } catch (...) {
            // The error handler itself throws: there is nobody left to tell.
        }
    }
#endif

    // The answers come in the order of the questions, and while a person is being asked all get the same one.
    static void answered(int granted) {
        guarded([granted] {
            PermissionCallback callback;
            {
                const std::lock_guard<std::mutex> held(state().mutex);
                if (state().waiting.empty()) return;
                callback = std::move(state().waiting.front());
                state().waiting.pop_front();
            }
            if (callback) callback(granted != 0);
        });
    }

    static void changed(int permission) {
        guarded([permission] {
            if (const auto handler = kept(state().permission)) (*handler)(static_cast<Permission>(permission));
        });
    }

    static void opened(const char* jsonPayload) {
        guarded([jsonPayload] {
            if (const auto handler = kept(state().opened)) (*handler)(jsonPayload);
        });
    }

    static void notified(const char* jsonPayload) {
        guarded([jsonPayload] {
            if (const auto handler = kept(state().notification)) (*handler)(jsonPayload);
        });
    }

    static void acted(const char* actionId, const char* jsonPayload) {
        guarded([actionId, jsonPayload] {
            if (const auto handler = kept(state().action)) (*handler)(actionId, jsonPayload);
        });
    }

    static void linked(const char* url, const char* jsonPayload) {
        guarded([url, jsonPayload] {
            std::optional<std::string> payload;
            if (jsonPayload) payload = jsonPayload;
            if (const auto handler = kept(state().link)) (*handler)(url, payload);
        });
    }

    // A completion crosses the C border as a context of its own, because logins may end in another order.
    template <typename Function>
    static void* handedIn(Function completion) { return new Function(std::move(completion)); }
    template <typename Function>
    static void letGo(void* context) { delete static_cast<Function*>(context); }

    static std::optional<PushError> reason(const PushSDKError* error) {
        if (!error) return std::nullopt;
        return PushError{error->code, error->message, error->recoverySuggestion};
    }

    static void ended(void* context, const PushSDKError* error) {
        guarded([context, error] {
            const Completion& completion = *static_cast<Completion*>(context);
            if (completion) completion(reason(error));
        });
    }

    static void read(void* context, const char* json, const PushSDKError* error) {
        guarded([context, json, error] {
            const JSONAnswer& answer = *static_cast<JSONAnswer*>(context);
            std::optional<std::string> text;
            if (json) text = json;
            if (answer) answer(text, reason(error));
        });
    }

    static void updated(void*, const char* jsonUpdate) {
        guarded([jsonUpdate] {
            if (const auto handler = kept(state().inbox)) (*handler)(jsonUpdate);
        });
    }

    static void needed(void*, const char* playerAccountId) {
        guarded([playerAccountId] {
            if (const auto handler = kept(state().userToken)) (*handler)(playerAccountId);
        });
    }

    static void reported(void* context, int32_t permission, const PushSDKError* error) {
        guarded([context, permission, error] {
            const PermissionAnswer& answer = *static_cast<PermissionAnswer*>(context);
            if (answer) answer(static_cast<Permission>(permission), reason(error));
        });
    }

    static void shown(void* context, int32_t opened, const PushSDKError* error) {
        guarded([context, opened, error] {
            const SettingsCompletion& completion = *static_cast<SettingsCompletion*>(context);
            if (completion) completion(opened != 0, reason(error));
        });
    }

    static void failed(int code, const char* message, const char* recoverySuggestion) {
        guarded([code, message, recoverySuggestion] {
            if (const auto handler = kept(state().error)) (*handler)({code, message, recoverySuggestion});
        });
    }
};

}  // namespace martlet

#endif
