"""Share a trained model: upload the folder of its adapter, or of the complete model, to the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path

from novum.errors import BadInput
from novum.training.weights.libraries import need_libraries, silence_libraries

_LOG_IN = "log in with `hf auth login`, or set HF_TOKEN to a token that may write"

_TRANSPORT = frozenset({"TransportError", "RequestException", "OSError"})
"""Errors of the network, by their names: the HTTP client of huggingface_hub differs among its versions."""


def upload(place: Path, repository: str, *, public: bool) -> str:
    """Upload all files in `place` to `repository` (`OWNER/NAME`), which is made if it does not exist. Returns its
    address.

    `public`: whether everybody sees it, if it is made now. HF_ENDPOINT names another hub than huggingface.co. Raises
    BadInput if the hub cannot be reached or refuses.
    """
    need_libraries()
    silence_libraries()
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    hub = HfApi(library_name="novum")
    try:
        address = hub.create_repo(repository, private=not public, exist_ok=True)
        hub.upload_folder(repo_id=repository, folder_path=place, commit_message="Model and card")
    except HFValidationError as error:
        raise BadInput(f"{repository!r} is no name on the hub: write OWNER/NAME. ({_first_line(error)})") from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        remedy = _LOG_IN if status in {401, 403} else "try again later; what is there already is not sent twice"
        raise BadInput(f"The hub refused {repository}: {_first_line(error)} To go on, {remedy}.") from error
    except Exception as error:
        if _TRANSPORT.isdisjoint(kind.__name__ for kind in type(error).__mro__):
            raise
        raise BadInput(
            f"{place} cannot be uploaded: {_first_line(error)} Check the network, the proxy and HF_ENDPOINT."
        ) from error
    return str(address)


def _first_line(error: Exception) -> str:
    return f"{str(error).strip().partition(chr(10))[0].rstrip('.') or type(error).__name__}."
