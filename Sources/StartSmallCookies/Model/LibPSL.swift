import Foundation

/// The public suffix list of the system's libpsl, loaded when it is needed first, and never unloaded.
///
/// A list is read only, and may be read by several threads at the same time (libpsl, "thread-safe").
struct LibPSL: Sendable {
    /// The library; nil where there is none, or none with the functions and the list that are needed.
    static let shared = load("libpsl.so.5")

    // The addresses of a `psl_ctx_t` and of `psl_is_public_suffix2`: pointers are not `Sendable`.
    private let list: UInt
    private let function: UInt

    /// Returns whether a domain is a public suffix.
    ///
    /// - Parameter domain: a domain in lower case, without a NUL.
    func contains(_ domain: String) -> Bool {
        let isPublicSuffix = unsafeBitCast(function, to: IsPublicSuffix2.self)
        return isPublicSuffix(OpaquePointer(bitPattern: list), domain, Self.anyType) != 0
    }

    private typealias IsPublicSuffix2 = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Latest = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias BuiltIn = @convention(c) () -> OpaquePointer?

    /// `PSL_TYPE_ANY` (libpsl.h): `PSL_TYPE_ICANN`, 1, and `PSL_TYPE_PRIVATE`, 2.
    private static let anyType: CInt = 3

    /// Loads a library.
    ///
    /// - Parameter name: the name of the library's file.
    /// - Returns: the library; nil if it is missing, lacks a function, or has no list.
    static func load(_ name: String) -> LibPSL? {
        #if os(Linux) && !APPLE_BRANCH
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            guard let function = dlsym(handle, "psl_is_public_suffix2"), let list = list(in: handle) else {
                dlclose(handle)
                return nil
            }
            return LibPSL(list: UInt(bitPattern: list), function: UInt(bitPattern: function))
        #else
            return nil
        #endif
    }

    #if os(Linux) && !APPLE_BRANCH
        /// Returns the newest list that the library finds (`psl_latest`), or else its own (`psl_builtin`).
        private static func list(in handle: UnsafeMutableRawPointer) -> OpaquePointer? {
            if let latest = dlsym(handle, "psl_latest"), let list = unsafeBitCast(latest, to: Latest.self)(nil) {
                return list
            }
            return dlsym(handle, "psl_builtin").flatMap { unsafeBitCast($0, to: BuiltIn.self)() }
        }
    #endif
}
