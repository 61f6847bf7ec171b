// What of SwiftUI the SDK's views use to keep and to hand on values; see Views.swift.
@_exported public import Combine
public import Foundation

@MainActor
@preconcurrency
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
    public var wrappedValue: ObjectType { fatalError("nothing is shown") }  // compiled, never run
    public var projectedValue: Wrapper { Wrapper() }

    @MainActor
    @preconcurrency
    @dynamicMemberLookup
    public struct Wrapper {
        public subscript<Subject>(dynamicMember path: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject>
        {
            fatalError("nothing is shown")  // compiled, never run
        }
    }
}

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError("nothing is shown") }  // compiled, never run
        nonmutating set {}
    }
}

@propertyWrapper
public struct Binding<Value> {
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    public var wrappedValue: Value {
        get { fatalError("nothing is shown") }  // compiled, never run
        nonmutating set {}
    }
}

@propertyWrapper
public struct ScaledMetric<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
}

public struct EnvironmentValues {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }
    @available(iOS 14.0, tvOS 14.0, *)
    public var scenePhase: ScenePhase { .active }
    @available(iOS 15.0, tvOS 15.0, *)
    public var dynamicTypeSize: DynamicTypeSize {
        get { .large }
        set {}
    }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

@propertyWrapper
public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError("nothing is shown") }  // compiled, never run
}

@available(iOS 14.0, tvOS 14.0, *)
public enum ScenePhase: Sendable { case background, inactive, active }

@available(iOS 15.0, tvOS 15.0, *)
public enum DynamicTypeSize: Sendable { case large, accessibility3 }
