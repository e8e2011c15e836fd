"""What every conversation over HTTP needs, with models as with literature services: proxies, waiting, many at once."""

from novum.transport.proxy import proxy_for
from novum.transport.retry_after import retry_after
from novum.transport.shared import Shared
from novum.transport.together import together

__all__ = ["Shared", "proxy_for", "retry_after", "together"]
