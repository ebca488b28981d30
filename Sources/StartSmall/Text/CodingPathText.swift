extension [any CodingKey] {
    /// Such as `users[2].name`; `/` for the whole.
    var place: String {
        let path = reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "/" : path
    }
}
