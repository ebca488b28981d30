/// Durations as readable text.
enum DurationText {
    /// Returns a text such as `12.3 ms`, `4.56 s` and `2 min 3 s`, rounded down.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if seconds >= 60 { return "\(seconds / 60) min \(seconds % 60) s" }
        if seconds >= 1 {
            let hundredths = String(attoseconds / 10_000_000_000_000_000)
            return "\(seconds).\(hundredths.count < 2 ? "0" : "")\(hundredths) s"
        }
        let tenths = attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
