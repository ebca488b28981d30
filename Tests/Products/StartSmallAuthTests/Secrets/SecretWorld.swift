import Foundation
import StartSmall
import StartSmallCore
import StartSmallDiagnostics
import StartSmallMetrics
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// The forms of real secrets.
enum PlantedForm: CaseIterable {
    /// Letters, digits, `-` and `_`, as most servers issue.
    case opaque

    /// A signed JSON Web Token.
    case webToken

    /// Base64 with `+`, `/` and `=`.
    case base64

    /// A password with characters that each encoding escapes.
    case password
}

/// One sign-in with new secrets: the server that repeats them, and everything that an app could show of it.
final class SecretWorld: Sendable {
    let answer: SecretAnswer
    private let random: Locked<SplitMix64>
    private let planted = Locked<[Planted]>([])
    private let shown = Locked<[(place: String, text: String)]>([])
    private let metrics = CallMetrics()

    /// The tokens that the resource rejects, and the paths that always succeed.
    let rejected = Locked<Set<String>>([])
    let sound: Set<String>

    /// The server of the resource if that needs Digest.
    let digest = Locked<DigestServer?>(nil)
    let folder: URL

    init(_ answer: SecretAnswer, sound: Set<String>, seed: UInt64, in folder: URL) {
        (self.answer, self.sound, self.folder) = (answer, sound, folder)
        random = Locked(SplitMix64(seed: seed))
    }

    /// A secret, and the places and encodings in which nothing tells the kit that it is one.
    private struct Planted {
        let secret: String
        var exceptions: Set<String>
    }

    var count: Int { planted.withLock(\.count) }

    // MARK: - Secrets

    /// Returns a new secret, which must not be shown.
    func secret(_ form: PlantedForm) -> String { plant(text(form)) }

    /// Marks a text as a secret.
    ///
    /// - Parameter places: the beginnings of the places and encodings in which this secret, and no other, is unknown.
    @discardableResult
    func plant(_ secret: String, unknownTo places: Set<String> = []) -> String {
        planted.withLock { planted in
            if let index = planted.firstIndex(where: { $0.secret == secret }) {
                planted[index].exceptions.formUnion(places)
            } else {
                planted.append(Planted(secret: secret, exceptions: places))
            }
        }
        return secret
    }

    func bits() -> UInt64 { random.withLock { $0.next() } }

    private func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8(truncatingIfNeeded: bits()) }) }

    private func text(_ form: PlantedForm) -> String {
        switch form {
        case .opaque: bytes(24).base64URL
        case .webToken: token()
        case .base64: "+/" + bytes(25).base64EncodedString()
        case .password: "p%4 \"\(bytes(6).base64URL)' +&=\(bytes(6).base64URL)/"
        }
    }

    /// Returns a signed token with further claims, each part of which is different from those of any other.
    func token(_ claims: [String: String] = [:]) -> String {
        let kid = bytes(9).base64URL
        let header = Data(#"{"alg":"ES256","kid":"\#(kid)"}"#.utf8).base64URL
        let members = claims.sorted { $0.key < $1.key }.map { #","\#($0.key)":"\#($0.value)""# }.joined()
        let body = Data(#"{"sub":"\#(bytes(9).base64URL)","exp":2000000000,"iat":1\#(members)}"#.utf8).base64URL
        return "\(header).\(body).\(bytes(64).base64URL)"
    }

    // MARK: - What is shown

    /// Keeps everything that a value says about itself.
    func show(_ place: String, _ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        keep(place, "\(value)\n\(String(reflecting: value))\n\(dumped)")
    }

    func keep(_ place: String, _ text: String) { shown.withLock { $0.append((place, text)) } }

    /// Shows an endpoint and what came of it.
    @discardableResult
    func fetch<Problem, Value>(
        _ endpoint: Endpoint<TransformError<Problem>, Value>,
        via connector: Connector
    ) async -> Fetched<TransformError<Problem>, Value> {
        show("endpoint", endpoint)
        show("connector", connector)
        if let input = endpoint.input.right { keep("curl command", input.curlCommand()) }
        let fetched = await endpoint.fetch(via: connector)
        show("fetched", fetched)
        if let error = fetched.left {
            keep("localized", (error as any Error).localizedDescription)
            let response = error.left?.response ?? error.right?.response
            show("challenges", response?.challenges as Any)
        }
        return fetched
    }

    // MARK: - The way to the server

    /// Returns the server, with each listener and recorder of the kit in front.
    func connector(_ inner: Wrapper...) -> Connector {
        let (har, cassette) = (folder.appending(path: "\(bits()).har"), folder.appending(path: "\(bits()).json"))
        files.withLock { $0 += [har, cassette] }
        let logs: [(String, LogVerbosity)] = [
            ("line", .line), ("headers", .headers), ("command", .curl), ("payloads", .payloads),
        ]
        func logging(_ position: String, _ logs: ArraySlice<(String, LogVerbosity)>) -> Wrapper {
            .all(
                logs.map { name, verbosity in
                    .log(verbosity) { (line: String) in self.keep("\(position)log of \(name)", line) }
                }
            )
        }
        let events = Listener { (event: Event) in self.show("event", event) }
        let timeline = Listener.timeline { timeline in
            self.show("timeline", timeline)
            self.keep("timeline", "\(timeline.svg) \(Timeline.text(of: [timeline]))")
        }
        let entries = Wrapper.log(.payloads) { (entry: LogEntry) in self.show("log of entries", entry) }
        return Connector { await self.output(of: $0) }.wrapped(
            by: .listen(to: events),
            .listen(to: timeline),
            .listen(to: .metrics(metrics)),
            .traceparent(),
            logging("outer ", logs.suffix(1)),
            .redirect(),
            .all(inner),
            logging("", logs[...]),
            entries,
            .har(to: har),
            .record(to: cassette)
        )
    }

    private let files = Locked<[URL]>([])

    /// Expects that no secret is in anything that was shown, in any of four encodings.
    func expectNoSecret(in way: String) {
        for file in files.withLock(\.self) {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            keep("file .\(file.pathExtension)", text + text.replacingOccurrences(of: #"\/"#, with: "/"))
        }
        keep("metrics", metrics.snapshot.openMetrics)
        // Together, since most texts are those of several places.
        let places = Dictionary(grouping: shown.withLock(\.self), by: \.place).mapValues { texts in
            Data(Set(texts.map(\.text)).sorted().joined(separator: "\n").utf8)
        }
        for planted in planted.withLock(\.self) {
            for (encoding, needle) in Self.encodings(of: planted.secret) {
                for (place, text) in places where text.range(of: Data(needle.utf8)) != nil {
                    let name = "\(place): \(encoding)"
                    if planted.exceptions.contains(where: name.hasPrefix) { continue }
                    Issue.record(
                        "\(way), \(answer): a secret is in \(name): \(needle)\n\(String(decoding: text, as: UTF8.self))"
                    )
                }
            }
        }
    }

    /// The encodings in which a secret is searched, and the parts of a web token.
    private static func encodings(of secret: String) -> [(String, String)] {
        let padded = Data(secret.utf8).base64EncodedString()
        let parts = secret.hasPrefix("eyJ") ? secret.split(separator: ".").map { ("a part", String($0)) } : []
        return parts + [
            ("as it is", secret), ("percent-encoded", URIEncoding.encoded(secret)),
            ("as in a form", FormEncoding.encoded(secret)),
            ("as in JSON", secret.replacing("\"", with: "\\\"").replacing("/", with: "\\/")),
            // The last characters depend on the padding.
            ("in Base64", String(padded.prefix { $0 != "=" }.dropLast())),
        ]
    }
}
