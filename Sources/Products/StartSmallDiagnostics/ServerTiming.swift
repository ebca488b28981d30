public import StartSmallCore
import StartSmallSupport

/// A part of the time that a server took for a response, as its `Server-Timing` says (W3C Server Timing 4).
public struct ServerTiming: Equatable, Sendable {
    /// The name of the part, a token, such as `db`.
    public var name: String

    /// The duration; nil if the server gives none, or one that is no number of milliseconds.
    public var duration: Duration?

    /// The description, a text of the server; nil without one.
    public var text: String?

    /// Creates a part.
    public init(_ name: String, duration: Duration? = nil, text: String? = nil) {
        (self.name, self.duration, self.text) = (name, duration, text)
    }
}

extension Response {
    /// The parts of the server's time, in the order of its `Server-Timing` fields and trailers.
    ///
    /// A member that is no part of the grammar is left out, and so is all after the first 64 parts.
    public var serverTimings: [ServerTiming] {
        var timings: [ServerTiming] = []
        for value in headers.values(of: "Server-Timing") + trailers.values(of: "Server-Timing") {
            var field = HeaderScanner(value)
            repeat {
                if timings.count == ServerTiming.most { return timings }
                field.skipBlanks()
                let name = field.token()
                if !name.isEmpty { timings.append(ServerTiming(name, parametersIn: &field)) }
                field.skip(to: ",")
            } while field.take(",")
        }
        return timings
    }
}

extension ServerTiming {
    /// The maximum number of parts: 64, more than any page of a profiler shows.
    fileprivate static let most = 64

    /// The longest duration in milliseconds: a year, far from an overflow.
    private static let longest = 366.0 * 86_400_000

    /// Reads the parameters of a part; of two with one name, the first one counts (4.1).
    fileprivate init(_ name: String, parametersIn field: inout HeaderScanner) {
        self.init(name)
        var names: Set<String> = []
        field.skipBlanks()
        while field.take(";") {
            field.skipBlanks()
            let parameter = field.token().lowercased()
            field.skipBlanks()
            guard field.take("=") else { continue }
            field.skipBlanks()
            let value = field.take("\"") ? field.quoted() : field.token()
            if names.insert(parameter).inserted {
                switch parameter {
                case "dur": duration = Double(value).flatMap { 0...Self.longest ~= $0 ? .milliseconds($0) : nil }
                case "desc": text = value
                default: break
                }
            }
            field.skipBlanks()
        }
    }
}
