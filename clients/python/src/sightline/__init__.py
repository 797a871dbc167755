"""Client of Sightline: a method for each operation under its area, and the account."""

from ._async import AsyncSightline
from ._client import Sightline
from ._errors import SightlineError
from ._generated import *  # noqa: F403  resources, error classes
from ._generated import __all__ as _generated_names
from ._types import Answer, CallOptions, OAuthClient

__all__ = ["Answer", "AsyncSightline", "CallOptions", "OAuthClient", "Sightline", "SightlineError", *_generated_names]
