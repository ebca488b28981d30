import StartSmall

/// `github-browser user LOGIN`: who somebody is.
enum UserScreen {
    static func show(_ login: String, _ terminal: Terminal, via connector: Connector) async throws(Complaint) {
        let fetched = await Profile.endpoint(of: login).fetch(via: connector)
        for line in lines(try fetched.mapLeft(Complaint.init).get()) { terminal.show(line) }
    }

    /// What is shown of a user; what GitHub does not know has no line.
    static func lines(_ profile: Profile) -> [String] {
        let title = profile.name.map { "\($0) (\(profile.login))" } ?? profile.login
        let counts = "\(profile.repositories) public repositories, \(profile.followers) followers"
        return [title, profile.bio, counts].compactMap(\.self)
    }
}
