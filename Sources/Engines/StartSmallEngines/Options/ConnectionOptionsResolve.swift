import StartSmallCore
import StartSmallSupport

extension ConnectionOptions {
    /// The reason why a fixed address is invalid; nil if all are valid.
    var resolveRejection: String? {
        var known: Set<String> = []
        for (host, addresses) in resolve.sorted(by: { $0.key < $1.key }) {
            let shown = "\"\(host.onOneLine)\""
            guard let name = Self.hostName(host) else {
                return "resolve has a key that is not a host name in ASCII, such as api.example.com: \(shown)"
            }
            if !known.insert(name).inserted { return "resolve has the host \(shown) twice" }
            if addresses.isEmpty { return "resolve has no address for \(shown)" }
            for text in addresses where NetworkAddress(text).map({ $0.zone != nil }) ?? true {
                return "resolve has an entry for \(shown) that is not an address: \(text.onOneLine)"
            }
        }
        return nil
    }

    /// Returns whether the host of a URL has a fixed address.
    package func resolves(_ host: String) -> Bool {
        guard let name = Self.hostName(host) else { return false }
        return resolve.keys.contains { Self.hostName($0) == name }
    }

    /// Returns the lines for `CURLOPT_RESOLVE` that are for a port: `host:port:address,address`.
    ///
    /// libcurl knows a name with a dot at its end as another name.
    package func resolveLines(port: Int) -> [String] {
        resolve.sorted { $0.key < $1.key }.flatMap { host, texts -> [String] in
            guard let name = Self.hostName(host) else { return [] }
            let addresses = texts.compactMap { NetworkAddress($0) }.map { $0.isIPv4 ? "\($0)" : "[\($0)]" }
            return [name, name + "."].map { "\($0):\(port):\(addresses.joined(separator: ","))" }
        }
    }

    /// Returns a host name in lower case without a dot at its end; nil for addresses, patterns and any other text.
    ///
    /// A name has at most 253 characters (RFC 1035 2.3.4), and letters, digits, hyphens and underscores between dots.
    private static func hostName(_ text: String) -> String? {
        let name = (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isLegal = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        guard isLegal, name.utf8.count <= 253, let last = labels.last, !isNumber(last) else { return nil }
        return name
    }

    /// Returns whether a last label is that of an address: digits, or hexadecimal digits after `0x` (WHATWG URL, 3.5).
    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        if label.allSatisfy(\.isASCIIDigit) { return true }
        return label.starts(with: "0x".utf8)
            && label.dropFirst(2).allSatisfy { $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }
}
