extension Dictionary {
    /// Sets a value; a new key takes the place of any other one if there are as many as allowed.
    package mutating func set(_ value: Value, for key: Key, atMost count: Int) {
        if self.count >= count, self[key] == nil { _ = popFirst() }
        self[key] = value
    }
}
