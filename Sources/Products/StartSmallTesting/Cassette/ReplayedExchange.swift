import StartSmallCore
import StartSmallDiagnostics
import Foundation

extension Exchange {
    /// Whether the call ended without a response, for another reason than that the reader left a stream.
    var isUnanswered: Bool { failure.map { !$0.isCancelled || arrived == nil } ?? false }

    /// The payload in the parts in which it arrived; all of what an edited file has more is in the last one.
    private var parts: [Data] {
        var (rest, parts) = (response.payload, [Data]())
        for size in chunks.dropLast() where !rest.isEmpty {
            parts.append(Data(rest.prefix(max(0, size))))
            rest = rest.dropFirst(max(0, size))
        }
        return parts + (rest.isEmpty ? [] : [Data(rest)])
    }

    /// Returns the output for a replay, with the part that had arrived before a failure.
    func output(for input: Input, in file: String) async -> Output {
        if let omittedResponse {
            let text = "the response's payload is not in the cassette \(file): \(omittedResponse)"
            return .noResponse(.noDataOrNoResponse(debugInfo: text))
        }
        if failure?.isCancelled == true, arrived == nil {
            // So that a `.timeout` ends this call again, and a `.hedge` prefers the other one.
            await Latch().wait()
            return .noResponse(.cancelled)
        }
        var head = response
        (head.payload, head.trailers) = (Data(), [:])
        let text = """
            the recorded call was cancelled here, before its response had ended: \
            the cassette \(file) contains the \(response.payload.count) bytes that had arrived
            """
        let left = ConnectionError.noDataOrNoResponse(debugInfo: text)
        let isOpen = input.delivery == .stream && head.statusCode.isSuccess
        switch failure {
        case nil:
            guard isOpen, !chunks.isEmpty else { return .hasResponse(response) }
            return .open(head, parts, trailers: response.trailers)
        case let failure? where isOpen:
            return .open(head, parts, then: failure.isCancelled ? left : failure.error(after: head))
        case let failure?: return .noResponse(failure.isCancelled ? left : failure.error(after: arrived))
        }
    }
}
