import Testing

extension Issue {
    /// Whether this issue is no failure; Swift 6.2 has no such issues.
    var isWarning: Bool {
        #if compiler(>=6.3)
            severity < .error
        #else
            false
        #endif
    }
}

extension Test {
    /// Warns at the place of this test; Swift 6.2 prints the text.
    func warn(_ text: String) {
        #if compiler(>=6.3)
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: sourceLocation)
        #else
            print("\(name): \(text)")
        #endif
    }
}
