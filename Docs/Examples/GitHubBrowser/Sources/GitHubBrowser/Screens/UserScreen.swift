import StartSmall

/// `github-browser user LOGIN`: shows a user's profile.
enum UserScreen {
    static func show(_ login: String, _ terminal: Terminal, via connector: Connector) async throws(Complaint) {
        let fetched = await Profile.endpoint(of: login).fetch(via: connector)
        for line in lines(try fetched.mapLeft(Complaint.init).get()) { terminal.show(line) }
    }

    /// Returns the shown lines of a user; a member that GitHub does not know has no line.
    static func lines(_ profile: Profile) -> [String] {
        let title = profile.name.map { "\($0) (\(profile.login))" } ?? profile.login
        let counts = "\(profile.repositories) public repositories, \(profile.followers) followers"
        return [title, profile.bio, counts].compactMap(\.self)
    }
}
