import Foundation
package import StartSmall
import StartSmallURLSession
package import StartSmallTesting
import Testing

/// One engine in the contract suite; add an engine as another element of ``all``.
package struct EngineUnderTest: Sendable, CustomTestStringConvertible {
    package let name: String

    /// Makes a new connector for a test, with this idle timeout and this connect timeout.
    package let make: @Sendable (_ idle: Duration, _ connect: Duration?) -> Connector

    /// The known defects of the engine, with the reason in words.
    package let defects: [ContractFact: Defect]

    /// The laws of connectors that the engine can't keep, with the reason in words.
    package let unkeptLaws: [ConnectorLaw.ID: Defect]

    package var testDescription: String { name }

    /// Whether all calls share the connections of one engine.
    private var isOne: Bool { name != "curl2" }

    /// The engines, two under `spread` only in `make exhaustive`, or those that `STARTSMALL_ENGINES` names, such as
    /// `curl,curl2`: a sanitizer would check Foundation's own engine too, which is not part of this project.
    package static let all: [EngineUnderTest] = {
        let named = ProcessInfo.processInfo.environment["STARTSMALL_ENGINES"]?.split(separator: ",").map(String.init)
        return (onLinux + [urlSession]).filter { named?.contains($0.name) ?? ($0.isOne || isExhaustive) }
    }()

    /// The engines whose successive calls may use one connection.
    package static let ofSharedConnections = all.filter(\.isOne)

    /// The engines whose errors tell what happened, for tests of that.
    package static let namingErrors = all.filter { $0.defects[.errorNames] == nil }

    private static let urlSession = EngineUnderTest(
        name: "urlSession",
        make: { .urlSession(options: ConnectionOptions(idleTimeout: .limit($1 ?? $0))) },
        defects: .ofURLSession,
        unkeptLaws: .ofURLSession
    )

    #if os(Linux) && !APPLE_BRANCH
        private static let onLinux = [1, 2].map(curl)

        /// One engine over libcurl, or several under `spread`, with two connections to a host for each.
        private static func curl(engines count: Int) -> EngineUnderTest {
            EngineUnderTest(
                name: count == 1 ? "curl" : "curl\(count)",
                make: {
                    var options = ConnectionOptions(connectTimeout: $1 ?? $0, idleTimeout: .limit($0))
                    if count > 1 { options.maxConnectionsPerHost = 2 }
                    let engines = (0..<count).map { [options] _ in Connector.curl(options: options) }
                    return count == 1 ? engines[0] : .spread(over: engines)
                },
                defects: [:],
                unkeptLaws: [:]
            )
        }
    #else
        private static let onLinux: [EngineUnderTest] = []
    #endif

    /// Returns a connector whose limits are long enough for any call that is to succeed.
    package func connector(idle: Duration = .seconds(30), connect: Duration? = nil) -> Connector {
        make(idle, connect)
    }

    /// Checks a fact, unless it is a known defect: then the check must fail, or is not run.
    package func check(_ fact: ContractFact, _ body: () async throws -> Void) async throws {
        try await check(defects[fact], body)
    }

    /// Checks a known defect, or a fact without one.
    package func check(_ defect: Defect?, _ body: () async throws -> Void) async throws {
        switch defect {
        case nil: try await body()
        case .fails(let reason): await withKnownIssue(Comment(rawValue: reason)) { try await body() }
        case .unobserved(let reason):
            await withKnownIssue(Comment(rawValue: reason), isIntermittent: true) { try await body() }
        // `Test.cancel` needs Swift 6.3. A known issue shows the reason in the report of the tests, too.
        case .endsTheProcess(let reason), .isUndetermined(let reason):
            withKnownIssue(Comment(rawValue: reason)) { Issue.record("not run") }
        }
    }
}

/// A known defect of an engine, and its reason.
package enum Defect: Sendable {
    /// The test runs, and must fail; if it passes, the suite reports that.
    case fails(String)

    /// The test runs, and may fail or pass: the expectation comes from documentation or source, and nobody has run the
    /// suite there yet. After the first run, replace it by `.fails`, or remove it.
    case unobserved(String)

    /// The test does not run, as it would end the process.
    case endsTheProcess(String)

    /// The test does not run, as it may fail or pass.
    case isUndetermined(String)
}

/// A part of the contract in which an engine may have a known defect.
package enum ContractFact: Sendable {
    case dotSegments, untypedPayload
    case lowerCase, lowerCaseInterim, noSpaceForReason, fieldWithoutSpace, fieldInTwoCases, latin1Field,
        redirectWithoutLocation
    case brokenRedirect, locationWithoutScheme, ambiguousLength
    case streamWithoutLimit, wholeOfCompressed, timings
    case earlyResponse, expectation, refusedExpectation
    case errorNames
}

#if os(Linux) && !APPLE_BRANCH
    private let noCodes = Defect.isUndetermined(
        "most errors of libcurl have the code NSURLErrorUnknown, or that of another error (EasyHandle.swift)"
    )
#endif

extension [ContractFact: Defect] {
    #if os(Linux) && !APPLE_BRANCH
        /// Foundation on Linux, as of 6.3.1.
        fileprivate static let ofURLSession: Self = [
            .dotSegments: .fails("libcurl removes . and .. from a path unless CURLOPT_PATH_AS_IS is set; it is not"),
            .lowerCaseInterim: .fails("libcurl takes an interim response in lower case for a final one"),
            .noSpaceForReason: .fails("a status line without reason and space is an error (Message.swift)"),
            .fieldWithoutSpace: .fails("a field needs a space after its colon (corelibs #5527, fixed after 6.3.1)"),
            .fieldInTwoCases: .fails("fields come in a dictionary, so that the order of X-A and x-a is lost"),
            .ambiguousLength: .fails("a length is not checked, and of two, the last is used"),
            .latin1Field: .fails("a field that is not UTF-8 is an error (Message.swift)"),
            .locationWithoutScheme: .endsTheProcess(
                "//[::1]/ is fatalError in HTTPURLProtocol.redirectRequest, before the delegate is asked"
            ),
            .earlyResponse: .isUndetermined("while the producer waits, so does the queue that all sessions share"),
            .streamWithoutLimit: .fails("the bytes that wait for a reader are under the limit in memory"),
            .wholeOfCompressed: .fails("a session gives and counts the bytes that it has decompressed"),
            .timings: .fails("of timings, only those of the first byte and of the end are known"),
            .redirectWithoutLocation: .fails("the payload of a redirect that can't be followed is thrown away"),
            .brokenRedirect: .fails("the head of a redirect is reported only after its whole payload"),
            .expectation: .fails("Expect is not sent: libcurl would send the request again after each 417"),
            .refusedExpectation: .isUndetermined("Expect is not sent, so that the production may have begun"),
            .errorNames: noCodes,
        ]
    #else
        fileprivate static let ofURLSession: Self = [
            .lowerCase: .unobserved("how a session reads a status line in lower case is not documented"),
            .lowerCaseInterim: .unobserved("how a session reads a status line in lower case is not documented"),
            .ambiguousLength: .unobserved("how a session reads two lengths is not documented"),
            .latin1Field: .unobserved("a session decodes a byte that is not UTF-8 as ISO-8859-1, without a mark"),
            .untypedPayload: .unobserved("a session adds the type of a form, so the engine sends octet-stream"),
            .fieldInTwoCases: .unobserved("fields come in a dictionary, so that the order of X-A and x-a is lost"),
            .streamWithoutLimit: .unobserved("the bytes that wait for a reader are under the limit in memory"),
            .wholeOfCompressed: .unobserved("a session gives and counts the bytes that it has decompressed"),
        ]
    #endif
}

extension [ConnectorLaw.ID: Defect] {
    #if os(Linux) && !APPLE_BRANCH
        /// Foundation on Linux, as of 6.3.1.
        fileprivate static let ofURLSession: Self = [
            .trailers: .endsTheProcess("a field after the payload is fatalError in NativeProtocol (corelibs #5285)"),
            .closedInHead: .endsTheProcess("an incomplete head is fatalError in NativeProtocol (corelibs #5285)"),
            .pace: .fails("URLSessionTask.suspend does not stop the reading (HTTPURLProtocol)"),
            .endWithoutResponse: noCodes, .malformedResponse: noCodes, .brokenOff: noCodes,
        ]
    #else
        fileprivate static let ofURLSession: Self = [
            .trailers: .unobserved("URLSession has no API for trailers")
        ]
    #endif
}

/// A header field for scripts whose client must receive a payload of a few bytes before the rest is sent.
///
/// `URLSession` on Apple platforms holds back the first 512 bytes, to guess the type of a payload, unless it is JSON.
package let unsniffed = "Content-Type: application/json\r\n"
