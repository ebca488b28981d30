import Foundation

@testable import StartSmallModels

extension Target {
    /// Dates of RFC 3339, and values of JSON whose type is not known.
    static let models = [rfc3339, extraMember]

    private static let rfc3339 = text(
        "rfc3339",
        words: [
            "2026-11-28", "T09:30:00", ".25", "Z", "+01:00", "-23:59", "9999-12-31", "0000-01-01", "23:59:60", ".9",
        ],
        starts: ["2026-11-28T09:30:00.", "9999-12-31T23:59:59."],
        read: { _ = (Date(rfc3339: $0), PlainDate($0)) },
        check: { text in
            if let date = PlainDate(text) { try promise("a date is written as it is read", date.description == text) }
            guard let date = Date(rfc3339: text) else { return false }
            guard let written = date.rfc3339 else { return true }
            let isClose = Date(rfc3339: written).map { abs($0.timeIntervalSince(date)) < 1e-4 } ?? false
            try promise("a written date is read unchanged", isClose)
            return true
        }
    )

    private static let extraMember = Target(
        name: "extra-member",
        words: [
            "[", "]", "{\"a\":", "}", ",", "null", "true", "\"a\"", "1", "0.1", "1e9", "123456789012345678901234567890",
        ],
        starts: ["[", "{\"a\":", "[[1],"],
        read: { _ = try? JSONDecoder().decode(ExtraMember.self, from: Data($0)) },
        check: { bytes in
            guard let member = try? JSONDecoder().decode(ExtraMember.self, from: Data(bytes)) else { return false }
            let written = try JSONEncoder().encode(member)
            let read = try? JSONDecoder().decode(ExtraMember.self, from: written)
            try promise("a written member is read unchanged", read == member)
            return true
        },
        mostMilliseconds: 5_000
    )
}
