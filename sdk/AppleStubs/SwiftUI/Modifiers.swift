// What of SwiftUI the SDK's views are changed by; see Views.swift.
public import Foundation

public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {}

@MainActor
@preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder func body(content: Content) -> Body
}

extension View {
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View { Changed<Self>() }
    public func environment<V>(_ path: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        Changed<Self>()
    }

    // Looks.
    public func font(_ font: Font?) -> some View { Changed<Self>() }
    public func foregroundColor(_ color: Color?) -> some View { Changed<Self>() }
    @available(iOS 15.0, tvOS 15.0, *)
    public func tint(_ tint: Color?) -> some View { Changed<Self>() }
    public func opacity(_ opacity: Double) -> some View { Changed<Self>() }
    public func lineLimit(_ number: Int?) -> some View { Changed<Self>() }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { Changed<Self>() }
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { Changed<Self>() }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { Changed<Self>() }
    public func frame(maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil) -> some View { Changed<Self>() }
    public func scaledToFill() -> some View { Changed<Self>() }
    public func background<Background: View>(_ background: Background) -> some View { Changed<Self>() }
    @available(iOS 15.0, tvOS 15.0, *)
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        Changed<Self>()
    }
    public func clipShape<S: Shape>(_ shape: S) -> some View { Changed<Self>() }
    public func contentShape<S: Shape>(_ shape: S) -> some View { Changed<Self>() }
    public func listStyle<S: ListStyle>(_ style: S) -> some View { Changed<Self>() }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { Changed<Self>() }

    // What happens.
    public func disabled(_ disabled: Bool) -> some View { Changed<Self>() }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { Changed<Self>() }
    @available(iOS 14.0, tvOS 14.0, *)
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View {
        Changed<Self>()
    }
    @available(iOS 15.0, tvOS 15.0, *)
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Changed<Self>() }
    @available(iOS 15.0, tvOS 15.0, *)
    public func task(_ action: @escaping @Sendable () async -> Void) -> some View { Changed<Self>() }
    @available(iOS 15.0, tvOS 15.0, *)
    public func task<T: Equatable>(id value: T, _ action: @escaping @Sendable () async -> Void) -> some View {
        Changed<Self>()
    }
    @available(iOS 15.0, *)
    @available(tvOS, unavailable)
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing,
        allowsFullSwipe: Bool = true,
        @ViewBuilder content: () -> T
    ) -> some View { Changed<Self>() }
    @available(iOS 15.0, tvOS 15.0, *)
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View { Changed<Self>() }

    // Bars and tabs.
    @available(iOS 14.0, tvOS 14.0, *)
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { Changed<Self>() }
    @available(iOS 14.0, tvOS 14.0, *)
    public func toolbar<Content: View>(@ToolbarContentBuilder content: () -> ToolbarItem<Content>) -> some View {
        Changed<Self>()
    }
    @available(iOS 15.0, *)
    @available(tvOS, unavailable)
    public func badge(_ count: Int) -> some View { Changed<Self>() }
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { Changed<Self>() }
    public func previewDisplayName(_ value: String?) -> some View { Changed<Self>() }

    // VoiceOver.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { Changed<Self>() }
    @available(iOS 14.0, tvOS 14.0, *)
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { Changed<Self>() }
    @available(iOS 14.0, tvOS 14.0, *)
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { Changed<Self>() }
    @available(iOS 14.0, tvOS 14.0, *)
    public func accessibilityHidden(_ hidden: Bool) -> some View { Changed<Self>() }
}

public enum Edge: Sendable {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all: Set = []
        public static let horizontal: Set = []
        public static let vertical: Set = []
    }
}

@available(iOS 15.0, tvOS 15.0, *)
public enum HorizontalEdge: Sendable { case leading, trailing }

public enum AccessibilityChildBehavior: Sendable { case ignore, contain, combine }

public protocol ListStyle {}
public struct PlainListStyle: ListStyle {}
extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}

public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
public struct BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

@available(iOS 14.0, tvOS 14.0, *)
public struct ToolbarItemPlacement: Sendable {
    public static let primaryAction = ToolbarItemPlacement()
}

@available(iOS 14.0, tvOS 14.0, *)
public struct ToolbarItem<Content: View> {
    public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) {}
}

@available(iOS 14.0, tvOS 14.0, *)
@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildBlock<Content: View>(_ content: ToolbarItem<Content>) -> ToolbarItem<Content> { content }
}
