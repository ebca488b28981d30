#if os(Linux)
    import CCurl

    /// The address policy, as libcurl's callbacks ask it.
    extension ConnectionOptions.AddressPolicy {
        /// Returns the policy in memory that the caller has to free; nil if all addresses are allowed.
        func forCallbacks() -> UnsafeMutablePointer<Self>? {
            guard isRestrictive else { return nil }
            let policy = UnsafeMutablePointer<Self>.allocate(capacity: 1)
            policy.initialize(to: self)
            return policy
        }

        /// Asks a policy that ``forCallbacks()`` returned; an address of an unknown kind is refused.
        static let check: ccurl_address_check = { context, address in
            guard let address = NetworkAddress(address.pointee) else { return false }
            return context.assumingMemoryBound(to: ConnectionOptions.AddressPolicy.self).pointee.allows(address)
        }
    }

    extension NetworkAddress {
        /// Creates an address from that of a callback; nil if it is of another kind.
        init?(_ address: ccurl_address) {
            let bytes = withUnsafeBytes(of: address.bytes) { Array($0.prefix(Int(address.count))) }
            self.init(bytes: bytes, zone: address.zone == 0 ? nil : "\(address.zone)")
        }
    }

    extension CurlTransfer {
        /// The reason why the address policy refused the transfer; nil if it did not.
        ///
        /// If the policy allowed an address that can't be reached, that is the failure.
        func refusal(by policy: ConnectionOptions.AddressPolicy) -> String? {
            let transfer = handle.pointee
            guard transfer.has_refused, !transfer.has_allowed || transfer.stop == ccurl_stop_address else { return nil }
            return policy.reason(refusing: NetworkAddress(transfer.refused), hasOthers: transfer.has_refused_others)
        }
    }
#endif
