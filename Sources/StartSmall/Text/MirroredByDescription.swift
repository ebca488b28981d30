/// A type whose mirror has nothing but the text of `description`, so that `dump` and failed tests show no secrets.
protocol MirroredByDescription: CustomStringConvertible, CustomReflectable {}

extension MirroredByDescription {
    /// The mirror for `dump` and failed tests: only the text of `description`.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }
}
