#if canImport(SwiftUI)
    import Foundation
    import PushNotificationSDKCore
    public import SwiftUI
    import UIKit

    /// Shows whoever builds the app why pushes come to this device or do not, and sends it a test: what
    /// ``PushNotificationSDK/diagnostics()`` knows, anew each second while it is on the screen. UIKit shows it in a
    /// `UIHostingController`.
    @available(iOS 15, tvOS 15, *)
    public struct PushNotificationDebugView: View {
        @State private var known: PushNotificationDiagnostics?
        @State private var failure: PushNotificationError?
        @State private var test = TestNotification.notSent

        private let words = DiagnosticsWords(.current)

        /// A view of the SDK's own client.
        public init() {}

        /// The parts of the report, below the button.
        public var body: some View {
            List {
                Section { buttons }
                if let failure { Text(failure.localizedDescription).foregroundColor(.red) }
                if let known { report(of: known) }
            }
            .navigationTitle(words.title)
            .task { await follow() }
        }

        @ViewBuilder private var buttons: some View {
            Button(words.sendTest) { send() }.disabled(test == .sending)
            if let text = test.text(known, in: .current) { Text(text).font(.footnote) }
            #if !os(tvOS)
                if let token = known?.deviceToken {
                    Button(words.copyToken) { UIPasteboard.general.string = token }
                }
                if let text = known?.text {
                    Button(words.copyText) { UIPasteboard.general.string = text }
                }
            #endif
        }

        private func report(of known: PushNotificationDiagnostics) -> some View {
            let sections = Array(DiagnosticsReport(known, in: .current).sections.enumerated())
            return ForEach(sections, id: \.offset) { _, section in
                Section(section.title) {
                    ForEach(Array(section.lines.enumerated()), id: \.offset) { _, line in
                        VStack(alignment: .leading) {
                            Text(line.name).font(.footnote).foregroundColor(.secondary)
                            Text(line.value)
                        }
                        .accessibilityElement(children: .combine)
                    }
                }
            }
        }

        private func follow() async {
            while !Task.isCancelled {
                do throws(PushNotificationError) {
                    known = try await PushNotificationSDK.diagnostics()
                    failure = nil
                } catch {
                    (known, failure) = (nil, error)
                }
                try? await Task.sleep(nanoseconds: 1_000_000_000)
            }
        }

        private func send() {
            test = .sending
            Task {
                do throws(PushNotificationError) {
                    test = .sent(messageID: try await PushNotificationSDK.sendTestNotification())
                } catch {
                    test = .failed(error)
                }
            }
        }
    }
#endif
