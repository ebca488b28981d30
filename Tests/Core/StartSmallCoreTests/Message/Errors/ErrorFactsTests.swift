import Foundation
import StartSmall
import TestSupport
import Testing

@testable import StartSmallCore

/// The facts of each error, by which retries, polling, fallbacks, breakers and caches decide.
struct ErrorFactsTests {
    private static let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "")
    private static let response = Response(statusCode: .ok)

    private struct Facts: Equatable {
        var fault: ConnectionError.Fault
        var isTransient: Bool
        var mayHaveBeenSent: Bool
    }

    private static let rows: [(Facts, [ConnectionError])] = [
        (
            Facts(fault: .caller, isTransient: false, mayHaveBeenSent: false),
            [
                .malformedURL(debugInfo: ""), .malformedMethod(debugInfo: ""), .malformedHeader(debugInfo: ""),
                .missingCredentials(debugInfo: ""), .engineUnavailable(debugInfo: ""),
                .timedOut(.noTimeLeft), .proxyFailed(.refusedByProxy(status: 407, "")), .requestRefused(reason: ""),
                .refused(TestRefusal()),
            ]
        ),
        (
            Facts(fault: .caller, isTransient: false, mayHaveBeenSent: true),
            [
                .cancelled, .malformedPayload(debugInfo: ""), .unwritableDestination(debugInfo: ""),
                .rejected(response, reason: ""),
                .refused(TestRefusal(), after: response),
            ]
        ),
        (
            Facts(fault: .limit, isTransient: false, mayHaveBeenSent: true),
            [
                .payloadTooLarge(response, limit: 1), .tooManyRedirects(response, limit: 1),
                .refused(TestRefusal(end: .unknown, fault: .limit), after: response),
            ]
        ),
        (
            Facts(fault: .network, isTransient: true, mayHaveBeenSent: true),
            [
                .timedOut(cause), .connectionLost(cause),
                .refused(TestRefusal(isTransient: true, fault: .network), after: response),
            ]
        ),
        (
            Facts(fault: .network, isTransient: true, mayHaveBeenSent: false),
            [
                .notConnectedToInternet(cause), .hostNotFound(cause), .connectionRefused(cause), .proxyFailed(cause),
                .secureConnectionFailed(cause), .proxyFailed(.refusedByProxy(status: 503, "")),
            ]
        ),
        (
            Facts(fault: .identity, isTransient: false, mayHaveBeenSent: false),
            [.serverCertificateUntrusted(cause), .clientCertificateRejected(cause)]
        ),
        (
            Facts(fault: .service, isTransient: false, mayHaveBeenSent: true),
            [
                .malformedResponse(cause), .unreadablePayload(cause), .noDataOrNoResponse(debugInfo: ""), .other(cause),
                .refused(TestRefusal(fault: .service), after: response),
            ]
        ),
    ]

    @Test("each error has its facts, and a refusal those of its value")
    func facts() {
        for (facts, errors) in Self.rows {
            for error in errors {
                let found = Facts(
                    fault: error.fault,
                    isTransient: error.isTransient,
                    mayHaveBeenSent: error.mayHaveBeenSent
                )
                #expect(found == facts, "\(error)")
                #expect(!error.mayPass || error.name == "testRefusal", "\(error)")
            }
        }
    }

    @Test("two refusals are equal if their types and values are, and are read by their type only")
    func equality() {
        struct Other: Refusal {
            let name = "testRefusal"
            let reason = "by a test"
        }
        let error = ConnectionError.refused(TestRefusal(end: .unknown))
        #expect(error == .refused(TestRefusal(end: .unknown)) && error != .refused(TestRefusal()))
        #expect(error != .refused(Other()) && error != .refused(TestRefusal(end: .unknown), after: Self.response))
        #expect(Set([error, error, .refused(Other())]).count == 2)
        #expect(error.refusal(Other.self) == nil && error.refusal(TestRefusal.self)?.end == .unknown)
        #expect(error.mayPass && !ConnectionError.refused(Other()).mayPass)
    }

    @Test("an error of one call that is nested in another one does not speak for that one")
    func nested() {
        struct Outer: Refusal {
            let name = "outer"
            let reason = "another call failed"
            let inner: ConnectionError
        }
        let inner = ConnectionError.connectionLost(Self.cause)
        let error = ConnectionError.refused(Outer(inner: .refused(Outer(inner: inner), after: Self.response)))
        #expect(error.response == nil && error.cause == nil && !error.isTransient && !error.mayHaveBeenSent)
        #expect(error.refusal(Outer.self)?.inner.refusal(Outer.self)?.inner == inner)
    }
}
