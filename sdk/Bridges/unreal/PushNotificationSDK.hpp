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

/// The SDK as C++ sees it. There is one in an app, as there is one façade in Swift.
class PushNotificationSDK final {
public:
    using PermissionCallback = std::function<void(bool granted)>;
    using NotificationHandler = std::function<void(const std::string& jsonPayload)>;
    using ActionHandler = std::function<void(const std::string& actionId, const std::string& jsonPayload)>;
    using ErrorHandler = std::function<void(const PushError& error)>;
    /// Without a payload the system opened the app by the link.
    using LinkHandler = std::function<void(const std::string& url, const std::optional<std::string>& jsonPayload)>;
    /// Without an error it is done.
    using Completion = std::function<void(const std::optional<PushError>& error)>;

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
                      userToken ? passable(*userToken) : nullptr, &ended, &letGo);
    }

    /// The player logged out: pushes for that player do not come to this device any more.
    static void logout(Completion completion = nullptr) {
        PushSDK_Logout(handedIn(std::move(completion)), &ended, &letGo);
    }

    /// Hands over a link that the system opened the app by, where the app is told of it: whether the SDK took it.
    static bool open(const std::string& url) { return UnrealPushSDK_OpenURL(passable(url)) != 0; }

    /// Sets the number on the app's icon; 0 removes it.
    static void setBadge(int number) { UnrealPushSDK_SetBadge(number); }

    /// Whether events are reported, the person's consent: so until it is switched off, which also discards what was not
    /// uploaded. It may be set before configure, and outlives the app's launches.
    static void setTrackingEnabled(bool isEnabled) { UnrealPushSDK_SetTrackingEnabled(isEnabled ? 1 : 0); }

    /// Asks for the permission to notify; the callback may be empty, and is called once.
    static void requestPermission(PermissionCallback callback) {
        {
            const std::lock_guard<std::mutex> held(state().mutex);
            state().waiting.push_back(std::move(callback));
        }
        UnrealPushSDK_RequestPermission(&answered);
    }

    /// Sets what is told of a notification, as JSON; an empty one takes the handler away.
    static void onNotification(NotificationHandler handler) {
        UnrealPushSDK_SetNotificationHandler(keep(state().notification, std::move(handler)) ? &notified : nullptr);
    }

    /// Sets what is told of a tapped action; an empty one takes the handler away.
    static void onAction(ActionHandler handler) {
        UnrealPushSDK_SetActionHandler(keep(state().action, std::move(handler)) ? &acted : nullptr);
    }

    /// Sets what is told of links into the app that the options allow; an empty one takes the handler away. Without one the
    /// newest link of a tapped notification is kept for the one that comes, where the options have "links"; else the
    /// system opens it.
    static void onLink(LinkHandler handler) {
        UnrealPushSDK_SetLinkHandler(keep(state().link, std::move(handler)) ? &linked : nullptr);
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
        std::shared_ptr<const NotificationHandler> notification;
        std::shared_ptr<const ActionHandler> action;
        std::shared_ptr<const LinkHandler> link;
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
    static void* handedIn(Completion completion) { return new Completion(std::move(completion)); }
    static void letGo(void* context) { delete static_cast<Completion*>(context); }

    static void ended(void* context, const PushSDKError* error) {
        guarded([context, error] {
            const Completion& completion = *static_cast<Completion*>(context);
            std::optional<PushError> reason;
            if (error) reason = PushError{error->code, error->message, error->recoverySuggestion};
            if (completion) completion(reason);
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
