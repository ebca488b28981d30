import Foundation
import Testing

@testable import StartSmallCore
@testable import StartSmallEngines

@Suite("address policies") struct AddressPolicyTests {
    private typealias Policy = ConnectionOptions.AddressPolicy

    private func allowed(_ policy: Policy, _ texts: [String]) -> [String] {
        texts.filter { NetworkAddress($0).map(policy.allows) == true }
    }

    private static let texts = [
        "8.8.8.8", "127.0.0.1", "10.1.2.3", "10.2.0.1", "::1", "::ffff:10.1.2.3", "fd00::1", "2606:4700:4700::1111",
    ]

    @Test("the default allows every address, and asks for nothing")
    func any() {
        #expect(ConnectionOptions().addressPolicy == .any)
        #expect(!Policy.any.isRestrictive)
        #expect(allowed(.any, Self.texts) == Self.texts)
    }

    @Test("publicOnly allows public addresses, and those of blocks in their own family alone")
    func publicOnly() {
        #expect(allowed(.publicOnly, Self.texts) == ["8.8.8.8", "2606:4700:4700::1111"])
        let wider = Policy.publicOnly(alsoAllowing: ["10.1.0.0/16", "fd00::1"])
        #expect(allowed(wider, Self.texts) == ["8.8.8.8", "10.1.2.3", "fd00::1", "2606:4700:4700::1111"])
        #expect(Policy.publicOnly(alsoAllowing: []) == .publicOnly)
    }

    @Test("only allows addresses of its blocks, and none without a block")
    func only() {
        #expect(allowed(.only(["127.0.0.0/8", "::1"]), Self.texts) == ["127.0.0.1", "::1"])
        #expect(allowed(.only([]), Self.texts) == [])
    }

    @Test("a custom policy is asked, and is equal to its own copies only")
    func custom() {
        let policy = Policy.custom("mine") { $0.isIPv4 }
        #expect(allowed(policy, Self.texts) == Self.texts.filter { !$0.contains(":") })
        let copy = policy
        #expect(copy == policy)
        #expect(policy != .custom("mine") { $0.isIPv4 })
        #expect("\(policy) \(Policy.custom("a\nb") { _ in true })" == "mine a\\nb")
    }

    @Test("a reason names the policy, the address and its purpose")
    func reasons() {
        let address = NetworkAddress("169.254.169.254")
        #expect(
            Policy.publicOnly.reason(refusing: address)
                == "the address policy .publicOnly refuses 169.254.169.254 (metadata of clouds)"
        )
        #expect(
            Policy.only(["10.0.0.0/8"]).reason(refusing: NetworkAddress("::1"))
                == "the address policy .only([10.0.0.0/8]) refuses ::1"
        )
        #expect(Policy.publicOnly.reason(refusing: nil).hasSuffix("refuses an address"))
    }

    @Test(
        "a malformed block ends each call, and the error names it",
        arguments: [
            Policy.publicOnly(alsoAllowing: ["10.0.0.0/8", "10.1.2.3/16"]), .only(["10.1.2.3/16"]),
        ]
    )
    func malformed(policy: ConnectionOptions.AddressPolicy) {
        let reason = ConnectionOptions(proxy: .none, addressPolicy: policy).rejectionReason
        #expect(reason?.hasPrefix("addressPolicy") == true)
        #expect(reason?.hasSuffix("10.1.2.3/16") == true)
    }

    @Test(
        "a policy and fixed addresses are refused with a proxy and a Unix domain socket, which bypass them",
        arguments: [
            ("addressPolicy", ConnectionOptions(addressPolicy: .publicOnly)),
            ("addressPolicy", ConnectionOptions(addressPolicy: .custom("all") { _ in true })),
            ("resolve", ConnectionOptions(resolve: ["api.example.com": ["192.0.2.1"]])),
        ]
    )
    func bypasses(name: String, options: ConnectionOptions) {
        var options = options
        #expect(options.rejectionReason == nil)
        #expect(options.bypassRejection(environmentNamesProxy: true)?.hasPrefix("\(name) can't be enforced") == true)
        #expect(options.bypassRejection(environmentNamesProxy: false) == nil)
        options.proxy = .none
        #expect(options.bypassRejection(environmentNamesProxy: true) == nil)
        options.proxy = .url("http://me:secret@proxy.example:3128")
        #expect(options.rejectionReason?.hasPrefix("\(name) can't be enforced") == true)
        #expect(options.rejectionReason?.contains("secret") == false)
        options.proxy = .none
        options.unixSocket = URL(filePath: "/tmp/a.sock")
        #expect(options.rejectionReason?.hasPrefix("\(name) has no effect") == true)
    }

    @Test("without a policy and fixed addresses, a proxy and a Unix domain socket are as before")
    func nothingToBypass() {
        let options = ConnectionOptions(proxy: .url("http://proxy.example"), unixSocket: URL(filePath: "/a"))
        #expect(options.rejectionReason == nil)
        #expect(ConnectionOptions().bypassRejection(environmentNamesProxy: true) == nil)
    }

    @Test(
        "a fixed address that is invalid ends each call, and the error says why",
        arguments: [
            ("", "192.0.2.1"), ("a b", "192.0.2.1"), ("a:80", "192.0.2.1"), ("*", "192.0.2.1"), ("*.a.example", "::1"),
            ("127.0.0.1", "192.0.2.1"), ("[::1]", "192.0.2.1"), ("a.1", "192.0.2.1"), ("bücher.example", "192.0.2.1"),
            ("a..example", "192.0.2.1"), ("-a.example", "::1"), ("a-.example", "::1"), ("a.0x7f", "::1"),
            (".", "192.0.2.1"), ("a\n", "192.0.2.1"), ("a,b", "192.0.2.1"),
            (String(repeating: "a", count: 64), "192.0.2.1"), ("a.example", ""), ("a.example", "localhost"),
            ("a.example", "127.1"), ("a.example", "[::1]"), ("a.example", "fe80::1%eth0"), ("a.example", "1.2.3.4,::1"),
        ]
    )
    func invalidAddress(host: String, address: String) {
        let reason = ConnectionOptions(resolve: [host: [address]]).rejectionReason
        #expect(reason?.hasPrefix("resolve has ") == true, "\(reason ?? "")")
        #expect(reason?.contains("\n") == false)
    }

    @Test("a host without addresses, or in two forms, is invalid")
    func invalidHosts() {
        let fixed = ConnectionOptions(resolve: ["A.example": ["::1"]])
        for host in ["a.example", "a.EXAMPLE."] { #expect(fixed.resolves(host), "\(host)") }
        for host in ["b.example", "x.a.example", "[::1]", "127.0.0.1"] { #expect(!fixed.resolves(host), "\(host)") }
        #expect(ConnectionOptions(resolve: ["a.example": []]).rejectionReason?.contains("no address") == true)
        let twice = ["a.example": ["::1"], "A.example.": ["::1"]]
        #expect(ConnectionOptions(resolve: twice).rejectionReason?.contains("twice") == true)
    }

    @Test("fixed addresses are for the port of a request, and for the name with a dot at its end, too")
    func lines() {
        let options = ConnectionOptions(resolve: ["B.example": ["::1", "192.0.2.1"], "a_1.example.": ["192.0.2.2"]])
        #expect(options.rejectionReason == nil)
        #expect(
            options.resolveLines(port: 8443) == [
                "b.example:8443:[::1],192.0.2.1", "b.example.:8443:[::1],192.0.2.1",
                "a_1.example:8443:192.0.2.2", "a_1.example.:8443:192.0.2.2",
            ]
        )
    }
}
