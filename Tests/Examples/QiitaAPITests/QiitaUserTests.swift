import Foundation
import QiitaAPI
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct QiitaUserTests {
    /// The JSON of the API's documentation, with members that this module does not decode.
    private let payload = #"""
        {
          "description": "Hello, world.",
          "id": "qiita",
          "items_count": 300,
          "name": "Qiita Kitan",
          "permanent_id": 1,
          "profile_image_url": "https://example.com/profile.png",
          "team_only": false,
          "image_monthly_upload_limit": 1048576,
          "image_monthly_upload_remaining": 524288
        }
        """#

    private let qiita = QiitaUser(
        id: "qiita",
        permanentID: 1,
        name: "Qiita Kitan",
        about: "Hello, world."
    )

    @Test("the token's user is fetched", .parity("C8"))
    func authenticated() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(routes: ["GET /api/v2/authenticated_user": .json(payload)], recording: sent)
        let user = await QiitaUser.authenticated.authorized(by: .bearer("t0k3n")).fetch(via: stub)
        #expect(user == .right(qiita))
        let expected = Input(
            url: URL(string: "https://qiita.com/api/v2/authenticated_user")!,
            headers: ["Authorization": "Bearer t0k3n"]
        )
        #expect(sent.elements == [expected])
    }

    @Test("a user without optional members is decoded", .parity("C8"))
    func silent() {
        let payload = #"""
            {"id": "qiita", "permanent_id": 1, "name": null, "description": null}
            """#
        let response = Response(statusCode: .ok, payload: Data(payload.utf8))
        #expect(QiitaUser.from(response: response) == .right(QiitaUser(id: "qiita", permanentID: 1)))
    }

    @Test("an invalid token is decoded as Qiita's problem", .parity("C8"))
    func unauthorized() {
        let payload = #"{"message": "Unauthorized", "type": "unauthorized"}"#
        let response = Response(statusCode: .unauthorized, payload: Data(payload.utf8))
        let problem = QiitaProblem(message: "Unauthorized", type: "unauthorized")
        #expect(QiitaUser.from(response: response) == .left(.problem(problem, response)))
        #expect("\(problem)" == "Unauthorized (unauthorized)")
    }
}
