"""Registers at Glewlwyd what the tests need, by its API for administrators, and prints the cookie of a user's session.

Arguments: the URL of the server, and the client's keys.
"""

import http.cookiejar
import json
import sys
import urllib.parse
import urllib.request

url, keys_path = sys.argv[1:]
with open(keys_path) as file:
    keys = json.load(file)


def session(user, password):
    cookies = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))

    def send(method, path, members):
        headers = {"Content-Type": "application/json"}
        opener.open(urllib.request.Request(url + path, json.dumps(members).encode(), headers, method=method))

    send("POST", "/api/auth/", {"username": user, "password": password})
    return send, cookies


# The account that each new database has.
send, _ = session("admin", "password")
flows = ["code", "client", "device", "refresh"]
common = {
    "iss": f"{url}/api/oidc", "jwt-type": "sha", "jwt-key-size": "256", "key": "a secret of this server alone",
    "access-token-duration": 3600, "refresh-token-duration": 1209600, "code-duration": 600, "allow-non-oidc": True,
    "refresh-token-rolling": False, "refresh-token-one-use": "always", "auth-type-code-revoke-replayed": True,
    "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": True, "oauth-as-iss-id": True,
    "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
    "register-client-allowed": True, "register-client-auth-scope": [], "register-client-credentials-scope": ["read"],
    "request-parameter-allow": True, "client-jwks-parameter": "jwks", "oauth-par-allowed": True, "oauth-par-required": False,
    "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "oauth-par-duration": 90,
    "oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 60, "oauth-dpop-iat-gap-duration": 5,
    # Longer than any test lasts, so that the second poll of a clock that only counts is always one too soon.
    "device-authorization-expiration": 7200, "device-authorization-interval": 600,
    **{f"auth-type-{flow}-enabled": True for flow in flows},
}
nonces = {"iss": f"{url}/api/nonce", "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 2}
for name, own in {"oidc": {}, "nonce": nonces}.items():
    plugin = {"module": "oidc", "name": name, "display_name": name, "enabled": True, "parameters": {**common, **own}}
    send("POST", "/api/mod/plugin/", plugin)
for scope in ["read", "write"]:
    send("POST", "/api/scope/", {"name": scope, "display_name": scope, "password_required": False, "scheme": {}})

clients = {
    "public": ("none", {"confidential": False}),
    "header": ("client_secret_basic", {"client_secret": "a-secret_1.2"}),
    "header:1": ("client_secret_basic", {"client_secret": "a:b%2Bc+d&e=f"}),
    "header 1": ("client_secret_basic", {"client_secret": "a b"}),
    "form": ("client_secret_post", {"client_secret": "a:b%2Bc+d&e=f"}),
    "key": ("private_key_jwt", {"jwks": keys}),
}
types = ["code", "client_credentials", "device_authorization", "refresh_token"]
for name, (method, own) in clients.items():
    client = {
        "client_id": name, "client_name": name, "confidential": True, "enabled": True, "authorization_type": types,
        "redirect_uri": ["https://client.example.com/cb?a=b"], "scope": ["openid", "read", "write"],
        "token_endpoint_auth_method": [method], **own,
    }
    send("POST", "/api/client/", client)
scopes = ["g_profile", "openid", "read", "write"]
send("POST", "/api/user/", {"username": "anna", "password": "a password", "scope": scopes, "enabled": True})

# The consent of the user, which stays.
send, cookies = session("anna", "a password")
for name in clients:
    send("PUT", f"/api/auth/grant/{urllib.parse.quote(name)}", {"scope": "openid read write"})
print(*(f"{cookie.name}={cookie.value}" for cookie in cookies))
