import Foundation
import StartSmall

extension Set<WrapperDeclaration.Aspect> {
    /// Returns whether a part is one of these, or belongs to one of these.
    func covers(_ part: Element) -> Bool {
        switch part {
        case .header(let name):
            contains(.headers)
                || contains {
                    if case .header(let other) = $0 { other.lowercased() == name.lowercased() } else { false }
                }
        case .query: contains(.queries) || contains(part)
        default: contains(part)
        }
    }
}

extension Input {
    /// Returns the parts that differ from another input.
    func changes(from other: Input) -> Set<WrapperDeclaration.Aspect> {
        var changes: Set<WrapperDeclaration.Aspect> = []
        if methodAndPayload.method != other.methodAndPayload.method { changes.insert(.method) }
        if methodAndPayload.payload != other.methodAndPayload.payload { changes.insert(.payload) }
        if urlWithoutQuery != other.urlWithoutQuery { changes.insert(.url) }
        // An engine opens each response inside of a streaming wrapper.
        let isDeliveredElsewhere = isInMemory != other.isInMemory && delivery != .stream
        if payloadLimit != other.payloadLimit || isDeliveredElsewhere { changes.insert(.delivery) }
        for name in Set((headers.fields + other.headers.fields).map(\.name))
        where headers.values(of: name) != other.headers.values(of: name) {
            changes.insert(.header(name))
        }
        let (items, otherItems) = (allQueries, other.allQueries)
        for name in Set((items + otherItems).map(\.name))
        where items.filter({ $0.name == name }) != otherItems.filter({ $0.name == name }) {
            changes.insert(.query(name))
        }
        return changes
    }

    private var urlWithoutQuery: URL? {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        return components?.url
    }

    /// The query items of the URL, and those that are encoded when the request is sent.
    private var allQueries: [URLQueryItem] {
        (URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []) + queries
    }

    private var isInMemory: Bool { delivery == .memory }
}
