extension PolicyCompiler {
    /// The operand of `numeric`: an operator and a number, or two of each.
    func numeric(_ array: Node) throws(FilterPolicyError) -> Pattern {
        guard array.kind == .array else { throw error("Value of numeric must be an array.", at: standing(array)) }
        let parts = array.children.map { node($0) }
        guard let first = parts.first, first.kind == .string else {
            throw error("Invalid member in numeric match: \(shown(parts, 0))", at: standing(parts, 0, array))
        }
        let name = first.text.string
        let isLower = name == ">" || name == ">="
        guard isLower || ["=", "<", "<="].contains(name) else {
            throw error("Unrecognized numeric range operator: \(name)", at: standing(parts, 1, array))
        }
        let number = try operand(parts, 1, array, name == "=" ? "equals" : name)
        if isLower, parts.count > 2 {
            return .numbers(try range(from: .init(number: number, isIncluded: name == ">="), parts, array))
        }
        guard parts.count == 2 else { throw error(Self.tooMany, at: standing(parts, 2, array)) }
        switch name {
        case "=": return .equals(.number(number))
        case ">", ">=": return .numbers(NumberRange(bottom: .init(number: number, isIncluded: name == ">=")))
        default: return .numbers(NumberRange(top: .init(number: number, isIncluded: name == "<=")))
        }
    }

    private func range(
        from bottom: NumberRange.Bound,
        _ parts: [Node],
        _ array: Node
    ) throws(FilterPolicyError) -> NumberRange {
        guard parts[2].kind == .string else {
            throw error("Bad value in numeric range: \(shown(parts, 2))", at: standing(parts[2]))
        }
        let name = parts[2].text.string
        guard name == "<" || name == "<=" else {
            throw error("Bad numeric range operator: \(name)", at: parts[2].end)
        }
        let top = try operand(parts, 3, array, name)
        guard parts.count == 4 else {
            throw error("Too many terms in numeric range expression", at: standing(parts, 4, array))
        }
        guard bottom.number < top else { throw error("Bottom must be less than top", at: array.end) }
        return NumberRange(bottom: bottom, top: .init(number: top, isIncluded: name == "<="))
    }

    private func operand(
        _ parts: [Node],
        _ index: Int,
        _ array: Node,
        _ name: String
    ) throws(FilterPolicyError) -> FilterNumber {
        guard index < parts.count, parts[index].kind == .number else {
            throw error("Value of \(name) must be numeric", at: standing(parts, index, array))
        }
        return number(parts[index])
    }

    /// Where the reader stands at a part, or behind the bracket if there is none.
    private func standing(_ parts: [Node], _ index: Int, _ array: Node) -> Int {
        index < parts.count ? standing(parts[index]) : array.end
    }

    /// The token at a part as Jackson shows it.
    private func shown(_ parts: [Node], _ index: Int) -> String {
        guard index < parts.count else { return "]" }
        return switch parts[index].kind {
        case .object: "{"
        case .array: "["
        case .string: parts[index].text.string
        case .number: JavaNumber.text(of: parts[index].text).string
        case .yes: "true"
        case .no: "false"
        case .null: "null"
        }
    }
}
