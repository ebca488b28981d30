public import StartSmallCore

extension Listener {
    /// Returns a listener that is called with the progress of a call, as often as the connector reports it.
    public static func progress(
        _ show: @escaping @Sendable (_ progress: TransferProgress, _ call: CallID) -> Void
    ) -> Listener {
        Listener { event, call in
            if case .progress(let progress) = event { show(progress, call) }
        }
    }
}
