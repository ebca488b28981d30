public import StartSmallSupport

extension ConnectionOptions {
    /// The addresses that an engine may connect to.
    ///
    /// ```swift
    /// let options = ConnectionOptions(proxy: .none, addressPolicy: .publicOnly(alsoAllowing: ["10.1.0.0/16"]))
    /// ```
    ///
    /// The policy is asked for each address after the host name is resolved and before anything is sent there, for each
    /// request: for each redirect, each retry, and also for a connection that is used again. Therefore, a host name
    /// that resolves to another address than before (DNS rebinding) gains nothing. A name with allowed and refused
    /// addresses is connected at an allowed one. If all addresses are refused, the call ends with
    /// ``ConnectionError/requestRefused(reason:)``.
    ///
    /// Policies of addresses are equal if they allow the same blocks; a custom policy is equal to its own copies only.
    public struct AddressPolicy: Equatable, Sendable {
        private enum Rule: Equatable, Sendable {
            case any
            case publicOnly(alsoAllowing: [AddressBlock])
            case only([AddressBlock])
            case custom(AddressCheck)
        }

        private let rule: Rule

        /// The first of the given texts that is not a block of addresses; nil if all are.
        let malformedBlock: String?

        private init(_ rule: Rule, malformedBlock: String? = nil) {
            (self.rule, self.malformedBlock) = (rule, malformedBlock)
        }

        /// Allows every address.
        public static let any = AddressPolicy(.any)

        /// Allows addresses of hosts on the public internet (``NetworkAddress/isPublic``).
        public static let publicOnly = AddressPolicy(.publicOnly(alsoAllowing: []))

        /// Allows addresses of hosts on the public internet, and those in blocks.
        ///
        /// A block of IPv4 does not allow IPv6 addresses that embed one of its addresses.
        ///
        /// - Parameter blocks: the blocks, such as `10.1.0.0/16` or `fd00::1`; each call ends with
        ///   ``ConnectionError/engineUnavailable(debugInfo:)`` if one is malformed.
        public static func publicOnly(alsoAllowing blocks: [String]) -> AddressPolicy {
            AddressPolicy(.publicOnly(alsoAllowing: read(blocks)), malformedBlock: malformed(blocks))
        }

        /// Allows addresses in blocks only.
        ///
        /// - Parameter blocks: the blocks, such as `10.1.0.0/16` or `fd00::1`; each call ends with
        ///   ``ConnectionError/engineUnavailable(debugInfo:)`` if one is malformed.
        public static func only(_ blocks: [String]) -> AddressPolicy {
            AddressPolicy(.only(read(blocks)), malformedBlock: malformed(blocks))
        }

        /// Allows the addresses for which a function returns true.
        ///
        /// An IPv6 address may embed one of IPv4 (``NetworkAddress/embeddedIPv4``): a function that refuses some
        /// addresses should begin with ``NetworkAddress/isPublic``.
        ///
        /// - Parameters:
        ///   - name: the name of the policy, for errors.
        ///   - isAllowed: returns whether an address is allowed; called on a thread of the engine or of the
        ///     caller. It must not wait for anything, since other calls wait until it returns.
        public static func custom(
            _ name: String,
            _ isAllowed: @escaping @Sendable (NetworkAddress) -> Bool
        ) -> AddressPolicy {
            AddressPolicy(.custom(AddressCheck(name: name, isAllowed: isAllowed)))
        }

        /// Returns whether an engine may connect to an address.
        public func allows(_ address: NetworkAddress) -> Bool {
            switch rule {
            case .any: true
            case .publicOnly(let blocks): blocks.contains { $0.contains(address) } || address.isPublic
            case .only(let blocks): blocks.contains { $0.contains(address) }
            case .custom(let check): check.isAllowed(address)
            }
        }

        /// Whether some address may be refused, so that the policy has to be asked.
        package var isRestrictive: Bool { rule != .any }

        /// Returns the reason why a request is refused, for its error.
        package func reason(refusing address: NetworkAddress?) -> String {
            let purpose: String? =
                if case .publicOnly = rule { address?.specialPurpose.map { " (\($0))" } } else { nil }
            let refused = address.map { "\($0)" } ?? "an address"
            return "the address policy \(self) refuses \(refused)\(purpose ?? "")"
        }

        private static func read(_ texts: [String]) -> [AddressBlock] { texts.compactMap(AddressBlock.init) }

        private static func malformed(_ texts: [String]) -> String? { texts.first { AddressBlock($0) == nil } }
    }
}

extension ConnectionOptions.AddressPolicy: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The policy, as it is created.
    public var description: String {
        let list = { (blocks: [AddressBlock]) in "[" + blocks.map { "\($0)" }.joined(separator: ", ") + "]" }
        return switch rule {
        case .any: ".any"
        case .publicOnly(let blocks) where blocks.isEmpty: ".publicOnly"
        case .publicOnly(let blocks): ".publicOnly(alsoAllowing: \(list(blocks)))"
        case .only(let blocks): ".only(\(list(blocks)))"
        case .custom(let check): check.name.onOneLine
        }
    }
}

/// A function that allows addresses; equal to its own copies only, as functions can't be compared.
private struct AddressCheck: Equatable, Sendable {
    let name: String
    let isAllowed: @Sendable (NetworkAddress) -> Bool
    private let id = UInt64.random(in: .min ... .max)

    init(name: String, isAllowed: @escaping @Sendable (NetworkAddress) -> Bool) {
        (self.name, self.isAllowed) = (name, isAllowed)
    }

    static func == (one: AddressCheck, other: AddressCheck) -> Bool { one.id == other.id }
}
