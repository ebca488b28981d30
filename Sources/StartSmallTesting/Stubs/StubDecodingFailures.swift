import Foundation
import StartSmall

/// The reasons why an endpoint can't decode its own stub.
extension Endpoint {
    /// Returns the statuses with which the endpoint accepts one of these outputs.
    ///
    /// The order is 200, then the others from 201 to 599, and from 100 to 199.
    func acceptedStatuses(for outputs: [Output]) -> some Collection<HTTPStatus> {
        (Array(200...599) + Array(100...199)).lazy.map { HTTPStatus.from(code: $0) }.filter { status in
            outputs.contains { output in
                guard var response = output.response else { return false }
                response.statusCode = status
                return !refuses(response)
            }
        }
    }

    /// Returns whether the endpoint refuses a response because of its status.
    ///
    /// A changed failure does not contain its reason, so any changed failure counts as a refusal.
    private func refuses(_ response: Response) -> Bool {
        guard case .left(let failure) = transform(response) else { return false }
        guard let failure = failure as? any TransformFailure else { return true }
        if case .refused = failure.event { return true }
        return false
    }

    /// Returns no response, with the reason why the endpoint decodes a value from none of these outputs.
    func unreadable(_ outputs: [Output], _ value: Value) -> Output {
        guard let response = outputs[0].response, case .left(let failure) = transform(response)
        else { return outputs[0] }
        let accepted = refuses(response) ? acceptedStatuses(for: outputs).map(\.code) : []
        if refuses(response), failure is any TransformFailure || !accepted.isEmpty {
            let others = accepted.isEmpty ? "nor any other status" : "but \(Self.ranges(of: accepted))"
            let shown = Redaction.standard.shown(text: "\(value)").prefix(Differences.longestText)
            return .unreadable("the endpoint does not accept \(response.statusCode), \(others), for the value \(shown)")
        }
        return .unreadable("the endpoint can't read its own stub, whose encoder may not match its decoder: \(failure)")
    }

    /// Returns codes in ascending order, with consecutive codes as a range: `200–299, 304`.
    private static func ranges(of codes: [Int]) -> String {
        let ranges = codes.sorted().reduce(into: [ClosedRange<Int>]()) { ranges, code in
            if let last = ranges.last, last.upperBound + 1 == code {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
            .joined(separator: ", ")
    }
}

extension Output {
    static func unreadable(_ reason: String) -> Output {
        .noResponse(.malformedPayload(debugInfo: reason))
    }
}
