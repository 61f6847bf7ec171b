// What of SwiftUI the SDK's views use, by name, type and availability, as Apple's interface has them. Compiled by
// scripts/check-ios and scripts/check-interop, never run: no body says anything.
public import Foundation

/// What has no body of its own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("nothing is shown") }  // compiled, never run
}

public struct EmptyView: PrimitiveView {
    public init() {}
}

public struct TupleView<T>: PrimitiveView {}

public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {}

extension Optional: View, PrimitiveView where Wrapped: View {}

extension ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    @_disfavoredOverload
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> { _ConditionalContent() }
    public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> { _ConditionalContent() }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> some View { content }
}

public struct Text: PrimitiveView {
    public init<S: StringProtocol>(_ content: S) {}
    public func font(_ font: Font?) -> Text { self }
    public func foregroundColor(_ color: Color?) -> Text { self }
}

public struct Image: PrimitiveView {
    public init(systemName: String) {}
    public func resizable() -> Image { self }
}

@available(iOS 14.0, tvOS 14.0, *)
public struct Label<Title: View, Icon: View>: PrimitiveView {}

@available(iOS 14.0, tvOS 14.0, *)
extension Label where Title == Text, Icon == Image {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

@available(iOS 15.0, tvOS 15.0, *)
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
}

public struct Button<Label: View>: PrimitiveView {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    @available(iOS 15.0, tvOS 15.0, *)
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

public struct Toggle<Label: View>: PrimitiveView {
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {}
}

@available(iOS 14.0, tvOS 14.0, *)
public struct ProgressView: PrimitiveView {
    public init() {}
}

@available(iOS 15.0, tvOS 15.0, *)
public struct AsyncImage<Content: View>: PrimitiveView {
    public init<I: View, P: View>(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {}
}

public struct Spacer: PrimitiveView {
    public init(minLength: CGFloat? = nil) {}
}

public struct List<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Form<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Parent: View, Content: View, Footer: View>: PrimitiveView {}

extension Section where Parent == EmptyView, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {}
}

extension Section where Parent == Text, Footer == EmptyView {
    @available(iOS 15.0, tvOS 15.0, *)
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}

extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct HStack<Content: View>: PrimitiveView {
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct VStack<Content: View>: PrimitiveView {
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

@available(iOS 15.0, tvOS 15.0, *)
public struct TimelineView<Schedule, Content: View>: PrimitiveView {
    public struct Context {
        public let date: Date
    }
}

@available(iOS 15.0, tvOS 15.0, *)
public protocol TimelineSchedule {}

@available(iOS 15.0, tvOS 15.0, *)
public struct EveryMinuteTimelineSchedule: TimelineSchedule {}

@available(iOS 15.0, tvOS 15.0, *)
extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}

@available(iOS 15.0, tvOS 15.0, *)
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

@available(iOS 15.0, tvOS 15.0, *)
extension TimelineView where Schedule: TimelineSchedule {
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {}
}

// MARK: Previews

public struct NavigationView<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct TabView<Content: View>: PrimitiveView {}

extension TabView {
    public init(@ViewBuilder content: () -> Content) {}
}

@MainActor
@preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}

// MARK: Shapes and colours

public protocol Shape: View, Sendable {}

extension Shape {
    public var body: Never { fatalError("nothing is shown") }  // compiled, never run
    public func fill(_ color: Color) -> some View { Changed<Self>() }
}

public struct Circle: Shape {
    public init() {}
}

public struct Capsule: Shape {
    public init() {}
}

public struct Rectangle: Shape {
    public init() {}
}

public struct RoundedRectangle: Shape {
    public init(cornerRadius: CGFloat) {}
}

public struct Color: Hashable, Sendable {
    public static let primary = Color()
    public static let secondary = Color()
    public static let accentColor = Color()
    public static let red = Color()
    public static let white = Color()
    public func opacity(_ opacity: Double) -> Color { self }
}

extension Color: PrimitiveView {}

public struct Font: Hashable, Sendable {
    public static let largeTitle = Font()
    public static let headline = Font()
    public static let subheadline = Font()
    public static let footnote = Font()
    public static let caption = Font()
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom }
public enum TextAlignment: Sendable { case leading, center, trailing }
public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let topTrailing = Alignment()
}
