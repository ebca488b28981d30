#if os(Linux)
    import Foundation

    /// A table as a bar chart in SVG: readable on light and dark pages, and as plain text.
    struct Plot {
        struct Bar {
            var name: String
            var value: Double
            var isOurs: Bool
        }

        private static let (width, nameWidth, labelWidth) = (720.0, 200.0, 70.0)
        private static let (barHeight, rowHeight, titleHeight) = (14.0, 20.0, 34.0)

        let title: String
        private(set) var groups: [(title: String, bars: [Bar])] = []

        init(title: String) { self.title = title }

        mutating func add(_ title: String, _ bars: [Bar]) {
            groups.append((title, bars))
        }

        /// Writes the chart to the file of `make bench PLOT=FILE`, if it has one.
        func write() throws {
            guard let path = ProcessInfo.processInfo.environment["PLOT"] else { return }
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
            Columns.show("\nplotted in \(path)")
        }

        var svg: String {
            var (body, y) = ("", Self.titleHeight)
            let most = groups.flatMap(\.bars).map(\.value).max() ?? 1
            for group in groups {
                body += text(group.title, x: 0, y: y + 14, "group")
                y += Self.rowHeight + 4
                for bar in group.bars {
                    body += self.bar(bar, y, of: most)
                    y += Self.rowHeight
                }
                y += 10
            }
            return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(y))" role="img">
                <title>\(title.escaped)</title>
                <style>
                text { font: 13px system-ui, sans-serif; fill: #1f2328; }
                .title { font-size: 16px; font-weight: 600; } .group { font-weight: 600; } .name { text-anchor: end; }
                rect { fill: #8c959f; } .ours { fill: #d9480f; }
                @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3; } rect { fill: #6e7681; } .ours { fill: #ff8c42; } }
                </style>
                \(text(title, x: 0, y: 18, "title"))\(body)</svg>

                """
        }

        private func bar(_ bar: Bar, _ y: Double, of most: Double) -> String {
            let room = Self.width - Self.nameWidth - Self.labelWidth
            let length = max(1, (room * bar.value / max(most, 1)).rounded())
            let kind = bar.isOurs ? " class=\"ours\"" : ""
            return text(bar.name, x: Self.nameWidth - 8, y: y + 12, "name")
                + "<rect x=\"\(Self.nameWidth.whole)\" y=\"\((y + 1).whole)\" width=\"\(length.whole)\""
                + " height=\"\(Self.barHeight.whole)\"\(kind)/>\n"
                + text(bar.value.whole, x: Self.nameWidth + length + 6, y: y + 12, "value")
        }

        private func text(_ text: String, x: Double, y: Double, _ kind: String) -> String {
            "<text x=\"\(x.whole)\" y=\"\(y.whole)\" class=\"\(kind)\">\(text.escaped)</text>\n"
        }
    }

    extension String {
        fileprivate var escaped: String {
            replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        }
    }
#endif
