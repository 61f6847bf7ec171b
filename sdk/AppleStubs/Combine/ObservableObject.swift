// What of Combine the SDK's views use, by name and type. Compiled by scripts/check-ios and scripts/check-interop, never run.

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
