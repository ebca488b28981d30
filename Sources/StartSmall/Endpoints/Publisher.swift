// The package Tests compiles this file as StartSmallOpenCombine, to test it where there is no Combine. A flag selects
// this, since `canImport` would sometimes find a module that another package of an app has built.
#if OPEN_COMBINE || canImport(Combine)
    #if OPEN_COMBINE
        @preconcurrency public import OpenCombine
        public import StartSmall
    #else
        @preconcurrency public import Combine
        public import StartSmallCore
    #endif
    import Synchronization

    extension Fetchable {
        /// Calls the API for each subscriber, and publishes the value or the failure.
        ///
        /// ```swift
        /// let subscription = user.publisher(via: .app).receive(on: DispatchQueue.main).sink(
        ///     receiveCompletion: { print($0) },
        ///     receiveValue: { print($0.login) }
        /// )
        /// ```
        ///
        /// The call begins when the subscriber first requests a value, and is cancelled with its subscription. The
        /// publisher sends one value and then its completion, or a failure alone, on any thread. As with the callback
        /// form, listeners receive `succeeded` or `failed` after the subscriber has received its value or failure.
        public func publisher(via connector: Connector) -> AnyPublisher<Value, CallError<Failure>> {
            publishing { fetch(via: connector, $0) }
        }
    }

    /// Publishes the result that `fetch` passes once to its block, with one `fetch` for each subscriber.
    private func publishing<Failure: Error, Value: Sendable>(
        _ fetch: @escaping (_ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void) -> Task<Void, Never>
    ) -> AnyPublisher<Value, CallError<Failure>> {
        Deferred {
            // The subject keeps the value until there is demand for it.
            let subject = CurrentValueSubject<Value?, CallError<Failure>>(nil)
            let call = OneCall()
            return subject.compactMap { $0 }.first().handleEvents(
                receiveCancel: call.cancel,
                receiveRequest: { _ in
                    call.start {
                        fetch { fetched in
                            call.finish()
                            fetched.fold({ subject.send(completion: .failure($0)) }, { subject.send($0) })
                        }
                    }
                }
            )
        }
        .eraseToAnyPublisher()
    }

    /// A call that begins once, and is cancelled only before its result.
    private final class OneCall: Sendable {
        private enum State {
            case waiting
            case running(Task<Void, Never>)
            case over
        }

        private let state = Mutex(State.waiting)

        func start(_ call: () -> Task<Void, Never>) {
            state.withLock { state in
                if case .waiting = state { state = .running(call()) }
            }
        }

        /// Records the result: a subscriber that ends after its value has not cancelled the call.
        func finish() {
            state.withLock { $0 = .over }
        }

        func cancel() {
            let task: Task<Void, Never>? = state.withLock { state in
                defer { state = .over }
                if case .running(let task) = state { return task }
                return nil
            }
            task?.cancel()
        }
    }
#endif
