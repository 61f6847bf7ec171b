#if canImport(SwiftUI) && !os(tvOS)
    import PushNotificationSDKCore
    import SwiftUI

    /// What is in the middle of a screen that has nothing to show.
    @available(iOS 15.0, macOS 12.0, *)
    struct PlaceholderView: View {
        let symbol: String
        let text: String
        @Environment(\.pushNotificationTheme) private var theme

        var body: some View {
            VStack(spacing: theme.spacing) {
                Image(systemName: symbol).font(.largeTitle).accessibilityHidden(true)
                Text(text).font(theme.bodyFont).multilineTextAlignment(.center)
            }
            .foregroundColor(theme.detailColor)
            .padding()
        }
    }

    /// What went wrong, and a button that tries again: alone on a screen, or above what is shown all the same.
    @available(iOS 15.0, macOS 12.0, *)
    struct TroubleView: View {
        let trouble: PushNotificationError
        var isAlone = false
        let retry: @MainActor () -> Void
        @Environment(\.pushNotificationTheme) private var theme
        @Environment(\.pushNotificationTexts) private var texts

        var body: some View {
            if isAlone {
                VStack(spacing: theme.spacing) {
                    PlaceholderView(symbol: symbol, text: texts.text(for: trouble))
                    button
                }
            } else {
                HStack(spacing: theme.spacing) {
                    Image(systemName: symbol).accessibilityHidden(true)
                    Text(texts.text(for: trouble)).font(theme.detailFont)
                    Spacer()
                    button
                }
                .foregroundColor(theme.detailColor)
            }
        }

        private var button: some View {
            Button {
                retry()
            } label: {
                Text(texts.retry).frame(minHeight: minimumTapSize).contentShape(Rectangle())
            }
            .buttonStyle(.borderless)
            .foregroundColor(theme.accentColor)
        }

        private var symbol: String {
            if case .networkError = trouble { theme.offlineSymbol } else { theme.troubleSymbol }
        }
    }

    /// The least height of what is tapped, of Apple's Human Interface Guidelines.
    let minimumTapSize: CGFloat = 44
#endif
