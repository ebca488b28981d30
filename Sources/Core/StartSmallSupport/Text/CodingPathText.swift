extension [any CodingKey] {
    /// The path as text, such as `users[2].name`; `/` for the root.
    package var place: String {
        let path = reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "/" : path
    }
}
