"""What the wheel holds beside the packages: the folder of each library, as data. Hatchling runs this when it builds."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Libraries(BuildHookInterface):
    """Adds every folder of ``adapters`` that has a ``library.toml``."""

    def initialize(self, version, build_data):
        """Name the folders and where they go; an editable install reads them where they are."""
        if version == "editable":
            return
        for page in sorted(Path(self.root, "adapters").glob("*/library.toml")):
            build_data["force_include"][str(page.parent)] = f"metric_harness/_libraries/{page.parent.name}"
