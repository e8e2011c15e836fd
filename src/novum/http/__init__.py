"""What every conversation over HTTP needs, with models as with literature services: proxies, waiting, many at once."""

from novum.http.proxy import proxy_for
from novum.http.retry_after import retry_after
from novum.http.shared import Shared
from novum.http.together import together

__all__ = ["Shared", "proxy_for", "retry_after", "together"]
