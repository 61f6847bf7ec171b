#include "PushNotificationSDK.hpp"

using Push = martlet::PushNotificationSDK;

void snippet(const std::string &Url);

void snippet(const std::string &Url) {
    // the snippet
    static_cast<void>(Url);
}
