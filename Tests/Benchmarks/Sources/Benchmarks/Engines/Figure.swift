#if os(Linux)
    import Foundation

    /// The measurements of one process.
    struct Figure: Codable, Sendable {
        var calls: Int
        var seconds: Double

        /// Processor time of all threads, in seconds.
        var cpu: Double

        /// The peak memory of the process, in bytes.
        var peak = 0

        /// Memory at several moments, in bytes, for works that measure its growth.
        var resident: [Int] = []

        var rate: Double { Double(calls) / seconds }
        var microsecondsOfCPU: Double { cpu * 1e6 / Double(calls) }
    }

    /// The system's figures of this process.
    enum ThisProcess {
        /// Processor time of all threads so far, in seconds.
        static var cpu: Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        /// Memory that is in use, in bytes.
        static var resident: Int { status("VmRSS:") }

        /// The peak memory in bytes; `getrusage` would return that of the parent process if it was larger.
        static var peak: Int { status("VmHWM:") }

        private static func status(_ name: String) -> Int {
            let lines =
                (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
            let words = lines.first { $0.hasPrefix(name) }?.split { $0 == " " || $0 == "\t" } ?? []
            return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
        }

        /// The maximum number of descriptors that a process can request.
        static var mostDescriptors: Int { Int(clamping: descriptorLimit.rlim_max) }

        /// Raises the descriptor limit of this process to the maximum.
        static func raiseDescriptorLimit() {
            var limit = descriptorLimit
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }

        private static var descriptorLimit: rlimit {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return limit
        }
    }
#endif
