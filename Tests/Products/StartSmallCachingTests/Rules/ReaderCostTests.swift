import Foundation
import StartSmall
import TestSupport
import Testing

@testable import StartSmallCaching

/// The time in which a cache reads and compares fields that a server can send.
@Suite(.enabled(if: isExhaustive)) struct ReaderCostTests {
    @Test("a field is read and compared in linear time", arguments: readers)
    func read(_ reader: ReaderCost) { reader.expectLinear() }

    /// The fields that the rules read, and marks that have a meaning in them.
    private static let fields: [(name: String, words: [String], frames: [String])] = [
        ("Cache-Control", ["no-cache,", "no-cache=\"a\",", "a=\""], ["", "no-cache=\""]),
        ("Vary", ["a,", "*,"], ["", "a,"]),
        ("Connection", ["a,"], [""]),
        ("Content-Encoding", ["identity,", "gzip,"], ["", "identity,"]),
        ("ETag", ["\"a\","], ["", "\"•\"", "W/\"•\""]),
        ("Last-Modified", ["Sun, "], ["", "Sun, "]),
        ("Expires", ["-"], [""]),
        ("Date", ["-"], [""]),
        ("Age", ["1,"], [""]),
        ("Content-Length", ["1"], [""]),
        ("Content-Location", ["/", ".."], ["", "/"]),
        ("Cache-Status", [";", "; hit", "; detail=a"], ["", "StartSmall; detail="]),
        ("X-Any", [], [""]),
    ]

    private static let readers: [ReaderCost] = ofResponses + [ofRequests]

    private static let ofResponses: [ReaderCost] = fields.map { field in
        ReaderCost(field.name, words: field.words, frames: field.frames) { text in
            let input = Input.get(["Accept-Encoding": "gzip"])
            guard case .cacheable(let request) = RequestClass(of: input, CacheOptions()) else { return }
            // New strings for each response, so that a comparison can't end at equal addresses.
            let responses = (0..<2).map { _ in
                let value = String(decoding: Array(text.utf8), as: UTF8.self)
                var headers: HTTPHeaders = ["Date": httpDate()]
                headers.append(field.name, value)
                return Response(statusCode: .ok, headers: headers)
            }
            let rules = CacheRules.standard
            let times = ExchangeTimes(requestedAt: .start, receivedAt: .start)
            let stored = responses.map { StoredResponse($0, requestedAt: .start, receivedAt: .start) }
            _ = rules.storage(of: responses[0], to: request, times)
            _ = rules.decision(on: request, stored, at: .after(9))
            _ = (stored[0] == stored[1], responses[0].cacheStatus)
            var notModified = responses[1]
            notModified.statusCode = .notModified
            _ = stored[0].validated(by: notModified, for: request, times)
            _ = Invalidation.urls(after: .hasResponse(responses[0]), to: .post(), isUnanswered: true)
            _ = StoredFields.updated(responses[0].headers, by: responses[1].headers)
        }
    }

    private static let ofRequests =
        ReaderCost("the fields of a request", words: ["\"a\",", "no-cache,"], frames: ["", "\""]) { text in
            for name in ["Cache-Control", "Accept-Language"] {
                let input = Input.get(HTTPHeaders([.init(name: name, value: text)]))
                guard case .cacheable(let request) = RequestClass(of: input, CacheOptions()) else { continue }
                let stored = StoredResponse.at(["Vary": name, "ETag": "\"a\""]).selected(by: request)
                _ = CacheRules.standard.decision(on: request, [stored], at: .after(9))
                _ = stored.isSelected(by: request)
            }
        }
}
