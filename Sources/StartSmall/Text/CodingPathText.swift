extension [any CodingKey] {
    /// The path as text, such as `users[2].name`; `/` for the root.
    var place: String {
        let path = reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "/" : path
    }
}
