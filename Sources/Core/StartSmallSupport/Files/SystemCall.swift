import StartSmallFoundation

/// Repeats a system call while a signal interrupts it.
package func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
        let count = call()
        if count != -1 || errno != EINTR { return count }
    }
}
