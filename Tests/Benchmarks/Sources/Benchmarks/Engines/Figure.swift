#if os(Linux)
    import Foundation

    /// What one process has measured.
    struct Figure: Codable, Sendable {
        var calls: Int
        var seconds: Double

        /// Processor time of all threads, in seconds.
        var cpu: Double

        /// The most memory that the process ever had, in bytes.
        var peak = 0

        /// Memory at several moments, in bytes, where it is the course of it that counts.
        var resident: [Int] = []

        var rate: Double { Double(calls) / seconds }
        var microsecondsOfCPU: Double { cpu * 1e6 / Double(calls) }
    }

    /// What the system knows of this process.
    enum ThisProcess {
        /// Processor time of all threads so far, in seconds.
        static var cpu: Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        /// Memory that is in use, in bytes.
        static var resident: Int { status("VmRSS:") }

        /// The most that ever was; `getrusage` would tell that of the process that started this one, where it was more.
        static var peak: Int { status("VmHWM:") }

        private static func status(_ name: String) -> Int {
            let lines =
                (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
            let words = lines.first { $0.hasPrefix(name) }?.split { $0 == " " || $0 == "\t" } ?? []
            return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
        }

        /// How many descriptors a process may have that asks for all it can get.
        static var mostDescriptors: Int { Int(clamping: descriptorLimit.rlim_max) }

        /// Lets this process have as many descriptors as it may.
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
