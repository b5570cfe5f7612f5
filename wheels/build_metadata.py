"""The metadata hook: the README and the links for a package index, with addresses that work there.

The address of the repository is the environment variable `GUESSBOOK_REPOSITORY`. In a workflow of
GitHub, it is known without this variable. Without an address, there are no URLs, and the links in
the README stay relative.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# The start of a link or of the source of a picture: no URL, and not an anchor on the same page.
PICTURE = re.compile(r'(!\[[^]]*\]\(|src=")(?!https?:|#)')
LINK = re.compile(r"((?<!!)\[[^]]*\]\()(?!https?:|#)")


def repository() -> str:
    """Return the address of the repository, or "" if it is unknown."""
    named = [os.environ.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")]
    known = "/".join(named) if all(named) else ""
    return os.environ.get("GUESSBOOK_REPOSITORY", known).rstrip("/")


def with_addresses(text: str, address: str, version: str) -> str:
    """Return Markdown with absolute links to the files of a version."""
    text = PICTURE.sub(rf"\g<1>{address}/raw/v{version}/", text)
    return LINK.sub(rf"\g<1>{address}/blob/v{version}/", text)


class Addresses(MetadataHookInterface):
    """Adds the README and the URLs of the project to its metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`, and `urls` if the address of the repository is known."""
        text = Path(self.root, "README.md").read_text("utf-8")
        address, version = repository(), metadata["version"]
        if address:
            text = with_addresses(text, address, version)
            metadata["urls"] = {
                "Repository": address,
                "Documentation": f"{address}/blob/v{version}/docs/index.md",
                "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
