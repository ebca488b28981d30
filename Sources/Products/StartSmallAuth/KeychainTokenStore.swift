#if KEYCHAIN
    import Dispatch
    import StartSmallFoundation
    #if canImport(Security)
        import Security
    #endif

    extension TokenStore {
        /// Creates a store in the Keychain of an Apple platform; its functions throw ``TokenStoreError``.
        ///
        /// The token can be read after the first unlock of the device, and leaves it in no backup. No test has run this
        /// code: it is compiled only. It excludes no other process: for an app and its extensions, use
        /// ``file(at:waitingFor:clock:)`` in the folder of their group. The system ends an app that it suspends while the app
        /// holds a lock of such a file: refresh within a background task.
        ///
        /// - Parameters:
        ///   - service: the name of the service, such as the identifier of the app's bundle.
        ///   - account: the name of the account.
        public static func keychain(service: String, account: String) -> TokenStore {
            let item = KeychainItem(service: service, account: account)
            // The Keychain is another process, for which no thread of Swift's pool waits; one access at a time.
            let queue = DispatchQueue(label: "StartSmallAuth.keychain")
            return TokenStore(
                load: { try await queue.result { try item.load() } },
                save: { token in try await queue.result { try item.save(token) } },
                replace: { old, new in
                    try await queue.result {
                        guard AccessToken.isSame(try item.load(), old) else { return false }
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

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
            ]
        }

        func load() throws -> AccessToken? {
            var found: CFTypeRef?
            let status = SecItemCopyMatching(
                query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary,
                &found
            )
            if status == errSecItemNotFound { return nil }
            try check(status)
            return try AccessToken(stored: found as? Data ?? Data())
        }

        func save(_ token: AccessToken?) throws {
            guard let token else {
                let status = SecItemDelete(query as CFDictionary)
                return status == errSecItemNotFound ? () : try check(status)
            }
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
