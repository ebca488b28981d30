import StartSmall

/// The branch of the library that a call is about; by default, that of the user.
enum Branch: RequestOption {
    typealias Value = String
}

extension CallOption {
    /// Selects a branch of the library for one call.
    public static func branch(_ name: String) -> CallOption { CallOption(Branch.self, name) }
}

extension Wrapper {
    static let branch = Wrapper("branch") { input, next in
        guard let branch = input.options[Branch.self] else { return await next(input) }
        return await next(input.with { $0.headers["X-Branch"] = branch })
    }
}
