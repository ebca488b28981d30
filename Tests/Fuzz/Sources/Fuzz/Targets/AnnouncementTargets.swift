import Foundation

@testable import StartSmallCore
@testable import StartSmallDiagnostics
@testable import StartSmallForms

extension Target {
    /// The readers of what a server says about its endpoints and the bytes of its payloads.
    static let announcements = [contentDigest, deprecation]

    private static let contentDigest = text(
        "content-digest",
        words: ["sha-256=:", "sha-512=:AAAA:", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", ":", ", ", ";a=\"b\""],
        starts: ["sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"],
        read: { _ = ContentDigest.sha256([$0]) },
        check: { text in
            guard let digest = ContentDigest.sha256([text]) else { return false }
            try promise(
                "a written digest is read unchanged",
                ContentDigest.sha256([ContentDigest.text(digest)]) == digest
            )
            try promise("a long field is not read", text.utf8.count <= 1_024)
            return true
        }
    )

    /// `Deprecation` in the first line, and `Sunset` in the others.
    private static let deprecation = text(
        "deprecation",
        words: ["@", "1688169599", "true", "?1", "\n", "Fri, 30 Jun 2023 23:59:59 GMT", "-"],
        starts: ["@1688169599\nFri, 30 Jun 2023 23:59:59 GMT"],
        read: { _ = notice($0) },
        check: { text in
            guard let found = notice(text) else { return false }
            try promise("a notice has one line", isOneLine(found.description))
            let seconds = abs(found.deprecated?.timeIntervalSince1970 ?? 0)
            try promise("a date has at most 15 digits", seconds < 1e15)
            return true
        }
    )

    private static func notice(_ text: String) -> DeprecationNotice? {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var headers = HTTPHeaders()
        for (name, value) in zip(["Deprecation", "Sunset"], lines) { headers.append(name, value) }
        return DeprecationNotice(Response(statusCode: .ok, headers: headers), endpoint: "GET /")
    }
}
