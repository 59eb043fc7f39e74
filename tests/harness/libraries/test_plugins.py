"""Libraries that others bring: a distribution with an entry point, and a variable that names folders."""

import json
import os
import subprocess
import sys

import pytest

from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.plugins import GROUP, VARIABLE
from metric_harness.system.errors import HarnessError
from tests.support.places import ROOT

PLUGIN = ROOT / "docs" / "examples" / "plugin"


def test_a_variable_names_further_folders(monkeypatch):
    monkeypatch.setenv(VARIABLE, str(PLUGIN / "toy_adapters"))
    assert find_libraries()["toy"].live
    monkeypatch.setenv(VARIABLE, f"{PLUGIN}{os.pathsep}/nowhere")
    with pytest.raises(HarnessError, match="METRIC_HARNESS_ADAPTERS: /nowhere is no folder"):
        find_libraries()


def installed(folder, name, value):
    """A distribution's metadata with one entry point, as an installer leaves it."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")


def test_a_plugin_whose_package_is_gone_is_named(tmp_path, monkeypatch):
    installed(tmp_path, "gone", "no_such_package_anywhere")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HarnessError, match=r"the plug-in gone of gone 1\.0: there is no package no_such"):
        find_libraries()


@pytest.mark.slow
def test_a_sample_plugin_is_built_installed_and_found(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path / "wheel", PLUGIN]
    subprocess.run(list(map(str, build)), check=True)
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run(list(map(str, install)), check=True)
    paths = [str(target), *(str(ROOT / one) for one in ("harness", "reference", "reports", "adapters/kit"))]
    shown = subprocess.run(
        [sys.executable, "-m", "metric_harness", "library", "list", "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [row["family"] for row in json.loads(shown.stdout) if row["library"] == "toy"] == ["ml"]
