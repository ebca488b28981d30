import Foundation
import Testing

import StartSmall
@testable import StartSmallURLSession

@Suite struct URLSessionChallengeTests {
    private static let hash = Data(repeating: 7, count: 32)
    private static let pin = "sha256//" + hash.base64EncodedString()
    private static let other = "sha256//" + Data(count: 32).base64EncodedString()
    private static let file = URL(filePath: "/a")

    @Test("without pins and certificates, the system evaluates a server's trust", arguments: [nil, "expired"])
    func system(failure: String?) {
        let challenge = URLSessionChallenge.serverTrust(failure: failure, keyHash: nil)
        #expect(challenge.disposition(by: ConnectionOptions()) == .performDefault)
    }

    @Test("a server with a pinned key is trusted if its certificate is", arguments: [[pin], [other, pin]])
    func pinned(pins: [String]) {
        let options = ConnectionOptions(publicKeyPins: pins)
        let trusted = URLSessionChallenge.serverTrust(failure: nil, keyHash: Self.hash)
        #expect(trusted.disposition(by: options) == .trustServer)
        let expired = URLSessionChallenge.serverTrust(failure: "expired", keyHash: Self.hash)
        let disposition = expired.disposition(by: options)
        #expect(error(disposition)?.name == "serverCertificateUntrusted")
        #expect(error(disposition)?.cause?.text == "expired")
    }

    @Test("a server with another key, or with one of an unknown kind, is not trusted", arguments: [hash, nil])
    func notPinned(keyHash: Data?) {
        for caFile in [nil, Self.file] {
            let options = ConnectionOptions(caFile: caFile, publicKeyPins: [Self.other])
            let disposition = URLSessionChallenge.serverTrust(failure: nil, keyHash: keyHash).disposition(by: options)
            #expect(error(disposition)?.name == "serverCertificateUntrusted")
        }
    }

    @Test("with given certificates, a server is trusted by these alone")
    func authority() {
        let options = ConnectionOptions(caFile: Self.file)
        #expect(URLSessionChallenge.serverTrust(failure: nil, keyHash: nil).disposition(by: options) == .trustServer)
        let disposition = URLSessionChallenge.serverTrust(failure: "no anchor", keyHash: nil).disposition(by: options)
        #expect(error(disposition)?.name == "serverCertificateUntrusted")
    }

    @Test("the client certificate is sent if the options have one")
    func client() {
        let options = ConnectionOptions(clientCertificate: .pkcs12(file: Self.file, password: ""))
        #expect(URLSessionChallenge.clientCertificate.disposition(by: options) == .sendClientCertificate)
        #expect(URLSessionChallenge.clientCertificate.disposition(by: ConnectionOptions()) == .performDefault)
    }

    @Test("the proxy's password is sent once, and only to the proxy of the options")
    func proxy() {
        let options = ConnectionOptions(proxy: .url("http://me:secret@proxy.example:3128"))
        #expect(URLSessionChallenge.proxyPassword(failureCount: 0).disposition(by: options) == .sendProxyPassword)
        #expect(URLSessionChallenge.proxyPassword(failureCount: 1).disposition(by: options) == .performDefault)
        for proxy in [ConnectionOptions.Proxy.system, .none, .url("http://proxy.example:3128")] {
            let options = ConnectionOptions(proxy: proxy)
            #expect(URLSessionChallenge.proxyPassword(failureCount: 0).disposition(by: options) == .performDefault)
        }
    }

    @Test("any other challenge is left to the session, so that a 401 is a response")
    func others() {
        let options = ConnectionOptions(publicKeyPins: [Self.pin])
        #expect(URLSessionChallenge.other.disposition(by: options) == .performDefault)
    }

    private func error(_ disposition: URLSessionChallenge.Disposition) -> ConnectionError? {
        if case .fail(let error) = disposition { error } else { nil }
    }
}
