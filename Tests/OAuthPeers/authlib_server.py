"""An authorization server by authlib and Flask, and an API that needs its tokens. Arguments: a port, and the client's keys.

What authlib leaves to an app is here: the clients, the records, and a page on which a user approves by a POST.
"""

import json
import sys
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, request
from joserfc.jwk import KeySet

port, keys_path = int(sys.argv[1]), sys.argv[2]
issuer = f"http://127.0.0.1:{port}"
with open(keys_path) as file:
    client_keys = KeySet.import_key_set(json.load(file))
app = Flask(__name__)


class Client(ClientMixin):
    def __init__(self, id, method, secret=None):
        self.client_id, self.method, self.secret = id, method, secret

    def get_client_id(self):
        return self.client_id

    def get_allowed_scope(self, scope):
        return " ".join(each for each in (scope or "read").split() if each in ("read", "write"))

    def check_redirect_uri(self, uri):
        return uri == "https://client.example.com/cb?a=b"

    def check_client_secret(self, secret):
        return secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, type):
        return type == "code"

    def check_grant_type(self, type):
        return True


class Token(TokenMixin):
    def __init__(self, members, client, user):
        self.members, self.client, self.user, self.revoked = members, client, user, False
        self.expires = time.time() + members["expires_in"]

    def check_client(self, client):
        return self.client is client

    def get_scope(self):
        return self.members.get("scope", "")

    def is_expired(self):
        return time.time() >= self.expires

    def is_revoked(self):
        return self.revoked


class Code:
    def __init__(self, request):
        self.client, self.user, self.scope = request.client, request.user, request.scope
        self.redirect_uri = request.payload.redirect_uri
        self.code_challenge = request.payload.data["code_challenge"]
        self.code_challenge_method = request.payload.data["code_challenge_method"]

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


clients = {
    each.client_id: each
    for each in [
        Client("public", "none"),
        Client("header", "client_secret_basic", "a-secret_1.2"),
        Client("header:1", "client_secret_basic", "a:b%2Bc+d&e=f"),
        Client("header 1", "client_secret_basic", "a b"),
        Client("form", "client_secret_post", "a:b%2Bc+d&e=f"),
        Client("key", JWTBearerClientAssertion.CLIENT_AUTH_METHOD),
    ]
}
codes, tokens, devices, decisions, assertion_ids = {}, [], {}, {}, set()


def token_of(text, name=None):
    names = [name] if name else ["access_token", "refresh_token"]
    return next((each for each in tokens if any(each.members.get(name) == text for name in names)), None)


def save_token(members, request):
    tokens.append(Token(members, request.client, request.user))


app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True)
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
every_method = ["client_secret_basic", "client_secret_post", JWTBearerClientAssertion.CLIENT_AUTH_METHOD, "none"]


class KeyAuthentication(JWTBearerClientAssertion):
    def get_audiences(self):
        return [issuer]

    def validate_jti(self, claims, jti):
        is_new = jti not in assertion_ids
        assertion_ids.add(jti)
        return is_new

    def resolve_client_public_key(self, client):
        return client_keys


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = every_method[:-1]


class JWTBearer(JWTBearerGrant):
    def resolve_issuer_client(self, id):
        return clients.get(id)

    def resolve_client_public_key(self, client):
        return client_keys

    def authenticate_user(self, subject):
        return subject

    def get_audiences(self):
        return [issuer]

    def has_granted_permission(self, client, user):
        return True


class AuthorizationCode(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = every_method

    def save_authorization_code(self, code, request):
        codes[code] = Code(request)

    def query_authorization_code(self, code, client):
        return codes[code] if code in codes and codes[code].client is client else None

    def delete_authorization_code(self, code):
        for text in [text for text in codes if codes[text] is code]:
            del codes[text]

    def authenticate_user(self, code):
        return code.user


class RefreshToken(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = every_method
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        token = token_of(text, "refresh_token")
        return token if token and not token.revoked else None

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        token.revoked = True


class DeviceCode(DeviceCodeGrant):
    def query_device_credential(self, code):
        return devices.get(code)

    def query_user_grant(self, code):
        return decisions.get(code)

    def should_slow_down(self, device):
        last, device["polled"] = device.get("polled"), time.time()
        return last is not None and device["polled"] - last < device["interval"]


class DeviceAuthorization(DeviceAuthorizationEndpoint):
    # Longer than any test lasts, so that the second poll of a clock that only counts is always one too soon.
    INTERVAL, EXPIRES_IN = 600, 7200

    def get_verification_uri(self):
        return f"{issuer}/activate"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(client_id=client_id, scope=scope, **data)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = every_method

    def query_token(self, text, hint):
        return token_of(text)

    def revoke_token(self, token, request):
        token.revoked = True


class Introspection(IntrospectionEndpoint):
    def check_permission(self, token, client, request):
        return True

    def query_token(self, text, hint):
        return token_of(text)

    def introspect_token(self, token):
        return {
            "client_id": token.client.client_id, "scope": token.get_scope(), "sub": token.user, "aud": [issuer],
            "exp": token.expires,
        }


class Registration(ClientRegistrationEndpoint):
    def authenticate_token(self, request):
        return request.headers.get("Authorization") == "Bearer initial"

    def get_server_metadata(self):
        return {}

    def save_client(self, info, metadata, request):
        clients[info["client_id"]] = Client(
            info["client_id"], metadata["token_endpoint_auth_method"], info["client_secret"]
        )


class Issuer(IssuerParameter):
    def get_issuer(self):
        return issuer


class Tokens(BearerTokenValidator):
    def authenticate_token(self, text):
        return token_of(text, "access_token")


server.register_client_auth_method(KeyAuthentication.CLIENT_AUTH_METHOD, KeyAuthentication())
for grant in [ClientCredentials, RefreshToken, DeviceCode, JWTBearer]:
    server.register_grant(grant)
server.register_grant(AuthorizationCode, [CodeChallenge(required=True)])
for endpoint in [DeviceAuthorization, Revocation, Introspection, Registration]:
    server.register_endpoint(endpoint)
server.register_extension(Issuer())
needs_token = ResourceProtector()
needs_token.register_token_validator(Tokens())


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    names = {
        "token_endpoint": "token", "authorization_endpoint": "authorize", "revocation_endpoint": "revoke",
        "introspection_endpoint": "introspect", "device_authorization_endpoint": "device",
        "registration_endpoint": "register",
    }
    urls = {name: f"{issuer}/{path}" for name, path in names.items()}
    return {"issuer": issuer, **urls, "authorization_response_iss_parameter_supported": True}


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    try:
        grant = server.get_consent_grant(end_user=None)
    except OAuth2Error as error:
        return {"error": error.error, "error_description": error.description}, 400
    if request.method == "GET":
        return f"<form method=post>{grant.client.client_id}?<button name=user value=anna>yes</button></form>"
    return server.create_authorization_response(grant_user=request.form.get("user"), grant=grant)


@app.post("/activate")
def activate():
    decisions[request.form["user_code"]] = (request.form["user"], request.form["approves"] == "yes")
    return {}


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device", endpoint="device_authorization")
@app.post("/revoke", endpoint="revocation")
@app.post("/introspect", endpoint="introspection")
@app.post("/register", endpoint="client_registration")
def endpoint():
    return server.create_endpoint_response(request.endpoint)


@app.get("/api")
@needs_token("read")
def api():
    return {"user": current_token.user, "scope": current_token.get_scope()}


app.run(port=port, threaded=True)
