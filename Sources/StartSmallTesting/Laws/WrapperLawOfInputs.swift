import Foundation
import StartSmall

extension WrapperLaws {
    func unchangedInput() async -> [Violation] {
        let arrived = Recorder<Input>()
        let connector = Connector.stub(.status(.noContent), recording: arrived).wrapped(by: make())
        let sent = sent
        _ = await ended { await WebAPI.call(with: sent, via: connector) }
        // A wrapper may also send its own requests: one request with all parts is enough.
        let lost = arrived.elements.map { input in
            Part.allCases.filter { $0.reported(of: input) != $0.reported(of: sent) }
        }
        let fewest = lost.map { $0.filter { !changed.contains($0) } }.min { $0.count < $1.count }
        return (fewest ?? []).map { part in
            Violation(law: "the input reaches the inner connector", detail: "its \(part) does not")
        }
    }

    /// The input with content in each part.
    private var sent: Input {
        input.with { input in
            input.queries.append(URLQueryItem(name: Part.query.name, value: Part.query.value))
            if input.methodAndPayload.payload == nil {
                input.methodAndPayload = .put(payload: Payload(.data(Self.payload), mediaType: .octetStream))
            }
        }
    }

    private static let payload = Data("WrapperLaws".utf8)
}

extension WrapperLaws.Part {
    /// A query item that is the same in all query encodings.
    fileprivate static let query = (name: "wrapperlaws", value: "1")

    /// Returns this part of an input, for comparison.
    fileprivate func reported(of input: Input) -> Data? {
        let recorded = try? input.asRecorded()
        return switch self {
        case .method: Data(input.methodAndPayload.method.utf8)
        case .payload: recorded?.methodAndPayload.body
        case .queries:
            recorded?.url.query(percentEncoded: true)?.split(separator: "&")
                .first { $0 == "\(Self.query.name)=\(Self.query.value)" }.map { Data($0.utf8) }
        }
    }
}
