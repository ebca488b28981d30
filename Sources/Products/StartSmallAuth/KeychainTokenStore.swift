#if canImport(Darwin) || APPLE_BRANCH
    import Dispatch
    import StartSmallFoundation
    #if canImport(Security)
        import Security
    #endif

    extension TokenStore {
        /// Creates a store in the Keychain of an Apple platform, for apps.
        ///
        /// The token can be read after the first unlock of the device, also in the background, and leaves it in no
        /// backup and by no synchronization. No test has run this code: it is compiled only. An app and its extensions
        /// can use two tokens of one grant at a time; share a ``file(at:waitingFor:clock:)`` in the folder of their
        /// group instead, which excludes that.
        ///
        /// The functions of the store throw ``TokenStoreError``.
        ///
        /// - Parameters:
        ///   - service: the name of the service, such as the identifier of the app's bundle.
        ///   - account: the name of the account.
        public static func keychain(service: String, account: String) -> TokenStore {
            let item = KeychainItem(service: service, account: account)
            return TokenStore(
                load: { try await item.run { try item.load() } },
                save: { token in try await item.run { try item.save(token) } },
                replace: { old, new in
                    try await item.run {
                        guard let stored = try item.load(), stored.isSameGrant(as: old) else { return false }
                        try item.save(new)
                        return true
                    }
                }
            )
        }
    }

    private struct KeychainItem: Sendable {
        let service: String
        let account: String

        /// The Keychain is another process, for which no thread of Swift's pool waits; one access at a time.
        private let queue = DispatchQueue(label: "StartSmallAuth.keychain")

        init(service: String, account: String) { (self.service, self.account) = (service, account) }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
            ]
        }

        func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
            try await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Result { try body() }) }
            }.get()
        }

        func load() throws -> AccessToken? {
            var (found, query) = (nil as CFTypeRef?, query)
            query[kSecReturnData as String] = true
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status)
            guard let data = found as? Data, let token = try? JSONDecoder().decode(AccessToken.self, from: data) else {
                throw TokenStoreError.notAToken
            }
            return token
        }

        func save(_ token: AccessToken) throws {
            let value: [String: Any] = [
                kSecValueData as String: try JSONEncoder().encode(token),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            try check(SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil))
        }

        private func check(_ status: OSStatus) throws {
            if status != errSecSuccess { throw TokenStoreError.system("status \(status) of the Keychain") }
        }
    }
#endif
