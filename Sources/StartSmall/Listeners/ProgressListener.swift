extension Listener {
    /// Listener that is called with how far a call has come, as often as its connector tells.
    public static func progress(
        _ show: @escaping @Sendable (_ progress: TransferProgress, _ call: CallID) -> Void
    ) -> Listener {
        Listener { event, call in
            if case .progress(let progress) = event { show(progress, call) }
        }
    }
}
