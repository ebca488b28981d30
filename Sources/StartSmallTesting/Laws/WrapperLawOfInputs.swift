import Foundation
import StartSmall

extension WrapperLaws {
    func unchangedInput() async -> [Violation] {
        let (arrived, received) = (Recorder<Input>(), Recorder<Data>())
        let connector = Connector { input in
            arrived.append(input)
            return await Self.output(to: input.destination)
        }.wrapped(by: make())
        let sent = sent(for: PayloadConsumer { if case .chunk(let data) = $0 { received.append(data) } })
        _ = await ended { await WebAPI.call(with: sent, via: connector) }
        let isReceived = Data(received.elements.joined()) == Self.payload
        // A wrapper may also send its own requests: one request with all parts is enough.
        let lost = arrived.elements.map { input in
            Part.allCases.filter { part in
                if part == .destination { return input.destination.consumer == nil || !isReceived }
                return part.reported(of: input) != part.reported(of: sent)
            }
        }
        let fewest = lost.map { $0.filter { !changed.contains($0) } }.min { $0.count < $1.count }
        return (fewest ?? []).map { part in
            Violation(law: "the input reaches the inner connector", detail: "its \(part) does not")
        }
    }

    /// Returns the input with content in each part.
    private func sent(for consumer: PayloadConsumer) -> Input {
        input.with { input in
            input.queries.append(URLQueryItem(name: Part.query.name, value: Part.query.value))
            if input.methodAndPayload.payload == nil {
                input.methodAndPayload = .put(payload: Payload(.data(Self.payload), mediaType: .octetStream))
            }
            input.destination = .consumer(consumer)
        }
    }

    /// Returns the output of an engine that delivers parts.
    private static func output(to destination: Destination) async -> Output {
        guard let consumer = destination.consumer else { return .data(payload) }
        let response = Response(statusCode: .ok)
        if let failure = await consumer.receive(.head(response)) { return .noResponse(failure) }
        return await consumer.receive(.chunk(payload)).map(Output.noResponse) ?? .hasResponse(response)
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
        case .destination: nil
        }
    }
}
