"""A server whose certificate is not trusted gets no request, and is said to be that."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from tests.llm.conftest import Grade

from novum.errors import ModelUnreachable
from novum.llm import Question

SELF_SIGNED = """-----BEGIN CERTIFICATE-----
MIIBqDCCAU2gAwIBAgIUAduUVzH7qjS6wr1w8CtbfO9ePRswCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPbGFiLmV4YW1wbGUub3JnMCAXDTI2MTEyOTA0MDM1NVoYDzIx
MjYxMTA1MDQwMzU1WjAaMRgwFgYDVQQDDA9sYWIuZXhhbXBsZS5vcmcwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQCJMtYvSBcC67ewJufHcJ54ikXcCFDtaghbdiW
1QWsOz0Kj2eCq60HnlIgXEPNjDPetvS0MuLuEU1tWSm8Oblko28wbTAdBgNVHQ4E
FgQU0DBmnl3S/oJ6kRSsD0umDjPRtVswHwYDVR0jBBgwFoAU0DBmnl3S/oJ6kRSs
D0umDjPRtVswDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9sYWIuZXhhbXBs
ZS5vcmcwCgYIKoZIzj0EAwIDSQAwRgIhAPR91fTfGvzz9P9JF5Ottr+n9nWDmgbE
RLrUUeSXJ1sOAiEAtsuIuEGDta1AsMiCB2etH+AIASkGDxeCzIJOVJKJizI=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOFmhCfsbunwWgYCe
91kqIKX8VrjvLGv9KuVoAcwLqGGhRANCAAQCJMtYvSBcC67ewJufHcJ54ikXcCFD
taghbdiW1QWsOz0Kj2eCq60HnlIgXEPNjDPetvS0MuLuEU1tWSm8Oblk
-----END PRIVATE KEY-----
"""
"""Made for this test: lab.example.org until 2126."""


@pytest.fixture
def address(tmp_path):
    """A server that counts nothing: no request reaches it."""
    (tmp_path / "both.pem").write_text(SELF_SIGNED)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "both.pem")
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"https://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_an_untrusted_certificate_is_named_with_what_to_do(grading, address):
    settings = grading.settings(f"server:m@{address}")
    with pytest.raises(ModelUnreachable, match=r"certificate is not trusted \(self-signed.*SSL_CERT_FILE"):
        grading.run(settings, lambda models: models.ask(Question("grade", {"problem": "p"}, Grade)))
