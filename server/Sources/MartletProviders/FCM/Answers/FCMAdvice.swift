import MartletCore

/// What an operator has to change when FCM refuses everything; with ids and never a secret.
enum FCMAdvice {
    static func notFCM(_ credential: CredentialSummary) -> String {
        "The address of this credential answers with a redirect, so it is not FCM. Check the credential's url."
    }

    static func noProject(_ credential: CredentialSummary) -> String {
        """
        FCM knows no project \(credential.topic). Check project_id in the service account's file, and the credential's \
        url where it has one.
        """
    }

    static func forbidden(_ credential: CredentialSummary) -> String {
        """
        FCM does not let \(account(credential)) send for the project \(credential.topic). Enable the Firebase Cloud \
        Messaging API in the Google Cloud console, and give the account the role Firebase Cloud Messaging API Admin.
        """
    }

    static func unauthenticated(_ credential: CredentialSummary) -> String {
        """
        FCM refuses a new access token of \(account(credential)). Make a new key for the service account in the Firebase \
        console and store it.
        """
    }

    /// What a project lacks whose devices of Apple or of browsers are refused.
    static func thirdParty(_ credential: CredentialSummary) -> String {
        """
        In the Firebase console of \(credential.topic), under Cloud Messaging, upload the APNs key of the iOS app, or the \
        Web Push certificate.
        """
    }

    private static func account(_ credential: CredentialSummary) -> String { credential.teamID ?? "the account" }
}
