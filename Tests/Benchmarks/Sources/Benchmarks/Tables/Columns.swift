#if os(Linux)
    import Foundation

    /// A table on a terminal: names on the left, right-aligned figures in columns.
    enum Columns {
        private static let nameWidth = 30
        private static let figureWidth = 12

        static func title(_ title: String, _ columns: [String]) {
            show("\n" + line(title, columns))
        }

        /// Prints a row; "failed" replaces a missing figure.
        static func row(_ name: String, _ figures: [String?]) {
            show(line("  " + name, figures.map { $0 ?? "failed" }))
        }

        /// Prints a requirement, and whether it is reached.
        static func decision(_ name: String, _ figure: Double?, atLeast limit: Double, _ text: (Double) -> String) {
            let decision = (figure ?? 0) >= limit ? "reached" : "MISSED"
            show("    \(name): \(figure.map(text) ?? "failed"), at least \(text(limit)): \(decision)")
        }

        /// Prints a line without buffering, even into a file.
        static func show(_ line: String) {
            print(line)
            fflush(nil)
        }

        private static func line(_ name: String, _ figures: [String]) -> String {
            let start = name.padding(toLength: max(nameWidth, name.count), withPad: " ", startingAt: 0)
            return figures.reduce(start) { line, figure in
                line + String(repeating: " ", count: max(1, figureWidth - figure.count)) + figure
            }
        }
    }

    extension Double {
        /// Formats the number as `12` or `1.2`.
        func text(digits: Int) -> String { String(format: "%.\(digits)f", self) }

        var whole: String { text(digits: 0) }
        var times: String { text(digits: 1) + " ×" }
        var percent: String { (self * 100).whole + " %" }

        /// The number of bytes in MiB.
        var mebibytes: String { (self / 1_048_576).text(digits: 1) }
    }
#endif
