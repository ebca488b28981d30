import Foundation
import StartSmall
import StartSmallTesting

/// The cost of recording payloads into a cassette.
enum CassetteCost {
    /// The limit of CPU time per megabyte, in milliseconds, for any payload.
    private static let limit = 50.0

    static func measure() async {
        print("\nmilliseconds of CPU time to record a MB, at most \(Int(limit)), median of \(Stopwatch.runs) runs")
        print("  \(padded("", 36))response  request  secrets known")
        for text in RecordedText.all {
            let figures = [
                await cost(of: text, asRequest: false, knowing: false),
                await cost(of: text, asRequest: true, knowing: false),
                await cost(of: text, asRequest: false, knowing: true),
            ]
            let columns = zip(figures, [8, 9, 15]).map { padded(String(Int($0.rounded())), -$1) }
            let decision = figures.allSatisfy { $0.rounded() <= limit } ? "reached" : "MISSED"
            print("  \(padded(text.name, 36))\(columns.joined())   \(decision)")
        }
        print("\n50 MB down and 20 MB up            seconds    file, MB")
        for make in [RecordedText.json, RecordedText.binary] {
            let (down, up) = (make(50 * RecordedText.megabyte), make(20 * RecordedText.megabyte))
            await large("\(down.name), limit by default", down, up, payloadsUpTo: Cassette.defaultPayloadLimit)
            await large("\(down.name), no limit", down, up, payloadsUpTo: .max)
        }
    }

    /// Returns the milliseconds per megabyte.
    ///
    /// - Parameters:
    /// - asRequest: Whether the payload is sent, and not received.
    /// - knowing: Whether an exchange with secrets was recorded before.
    private static func cost(of text: RecordedText, asRequest: Bool, knowing: Bool) async -> Double {
        let file = TemporaryCassette()
        let connector = answering(asRequest ? nil : text).wrapped(by: .record(to: file.url))
        if knowing { _ = await WebAPI.call(with: revealing, via: connector) }
        let input = asRequest ? sending(text) : plain
        var results: [Double] = []
        for _ in 0..<Stopwatch.runs {
            let start = processorTime()
            _ = await WebAPI.call(with: input, via: connector)
            results.append((processorTime() - start) * 1_000 * Double(RecordedText.megabyte) / Double(text.data.count))
        }
        return results.sorted()[Stopwatch.runs / 2]
    }

    private static func large(_ name: String, _ down: RecordedText, _ up: RecordedText, payloadsUpTo limit: Int) async {
        let file = TemporaryCassette()
        let connector = answering(down).wrapped(by: .record(to: file.url, payloadsUpTo: limit))
        let duration = await ContinuousClock().measure { _ = await WebAPI.call(with: sending(up), via: connector) }
        let seconds = (duration / .seconds(1)).formatted(.number.precision(.fractionLength(1)))
        let size = Double(file.size) / Double(RecordedText.megabyte)
        let megabytes = size.formatted(.number.precision(.fractionLength(1)))
        print("  \(padded(name, 32))\(padded(seconds, -8))\(padded(megabytes, -12))")
    }

    private static let plain = Input(url: URL(filePath: "/big"))

    /// A request with secrets.
    private static let revealing = Input(
        url: URL(filePath: "/small"),
        headers: ["Authorization": "Bearer another-secret-token", "X-API-Key": "some-secret-token"]
    )

    private static func sending(_ text: RecordedText) -> Input {
        let payload = Payload(.data(text.data), mediaType: text.mediaType)
        return Input(url: URL(filePath: "/big"), methodAndPayload: .post(payload: payload))
    }

    /// A stub that answers with a payload, or without one.
    private static func answering(_ text: RecordedText?) -> Connector {
        let headers: HTTPHeaders = text?.mediaType.map { ["Content-Type": $0.rawValue] } ?? [:]
        let response = Response(statusCode: .ok, headers: headers, payload: text?.data ?? Data())
        return Connector { _ in .hasResponse(response) }
    }

    /// Returns the CPU time of all threads in seconds: other processes on the machine do not count.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Pads a text with spaces on the right, or on the left if the width is negative.
    private static func padded(_ text: String, _ width: Int) -> String {
        let blanks = String(repeating: " ", count: max(1, abs(width) - text.count))
        return width < 0 ? blanks + text : text + blanks
    }
}

/// A file that is removed with its owner.
private final class TemporaryCassette {
    let url = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID()).json")

    /// The size of the file in bytes.
    var size: Int { (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }

    deinit { try? FileManager.default.removeItem(at: url) }
}
