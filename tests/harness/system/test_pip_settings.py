"""pip's settings reach uv."""

import os
from pathlib import Path

import pytest

from metric_harness.libraries.environments import no_index
from metric_harness.system.pip_settings import local_path, parse_config_list, pip_settings, translate, uv_environment


def test_the_settings_of_pip_that_concern_an_installation_are_read_in_pip_s_order():
    text = "\n".join(
        [
            "global.find-links='/a'", "global.timeout='9'", "install.find-links='/b /c'", "download.find-links='/no'",
            "global.extra-index-url='\\nfile:///x/simple\\nfile:///y/simple'", ":env:.timeout='30'", "", "a warning",
        ]
    )  # fmt: skip
    assert parse_config_list(text) == {
        "find-links": "/b /c", "timeout": "30", "extra-index-url": "\nfile:///x/simple\nfile:///y/simple",
    }  # fmt: skip


def test_pip_s_settings_become_uv_s(tmp_path):
    wheels, more = tmp_path / "wheels", tmp_path / "more wheels"
    wheels.mkdir()
    more.mkdir()
    settings = {
        "find-links": f"{wheels}\n {more.as_uri()} https://example.org/links {tmp_path}/missing",
        "index-url": "https://example.org/simple",
        "extra-index-url": "\nhttps://b.example/simple\n  file:///c/simple",
        "no-index": "true",
        "constraint": "/c1.txt /c2.txt",
        "cert": "/certificates.pem",
        "trusted-host": "a.example b.example:80",
        "proxy": "http://proxy.example:8080",
        "default-timeout": "180",
        "quiet": "1",
    }
    assert translate(settings, {}) == {
        "UV_FIND_LINKS": f"{wheels},{more.as_uri()},https://example.org/links",
        "UV_DEFAULT_INDEX": "https://example.org/simple",
        "UV_INDEX": "https://b.example/simple file:///c/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_NO_INDEX": "1",
        "UV_CONSTRAINT": "/c1.txt /c2.txt",
        "UV_INSECURE_HOST": "a.example b.example:80",
        "UV_HTTP_TIMEOUT": "180",
        "SSL_CERT_FILE": "/certificates.pem",
        "HTTPS_PROXY": "http://proxy.example:8080",
    }


def test_no_settings_become_no_variables():
    assert translate({}, {}) == {}
    assert translate({"no-index": "false", "timeout": "soon", "find-links": " "}, {}) == {}


def test_a_single_index_leaves_uv_its_strategy():
    assert translate({"index-url": "https://example.org/simple"}, {}) == {
        "UV_DEFAULT_INDEX": "https://example.org/simple"
    }


@pytest.mark.parametrize(
    ("option", "variable"),
    [
        ("find-links", "UV_FIND_LINKS"), ("index-url", "UV_DEFAULT_INDEX"), ("index-url", "UV_INDEX_URL"),
        ("extra-index-url", "UV_INDEX"), ("extra-index-url", "UV_EXTRA_INDEX_URL"), ("constraint", "UV_CONSTRAINT"),
        ("cert", "SSL_CERT_FILE"), ("proxy", "https_proxy"),
    ],
)  # fmt: skip
def test_a_variable_that_is_set_wins(option, variable):
    assert translate({option: "https://theirs.example"}, {variable: "https://mine.example"}) == {}


def test_relative_paths_are_those_of_the_person_s_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wheels").mkdir()
    given = translate({"find-links": "./wheels", "constraint": "c.txt"}, {})
    assert given == {"UV_FIND_LINKS": str(tmp_path / "wheels"), "UV_CONSTRAINT": str(tmp_path / "c.txt")}


def test_links_are_paths_or_addresses():
    assert local_path("file:///some%20wheels") == Path("/some wheels")
    assert local_path("/wheels") == Path("/wheels")
    assert local_path("https://example.org/links") is None


def test_pip_itself_is_asked(tmp_path, monkeypatch):
    (tmp_path / "wheels").mkdir()
    (tmp_path / "pip.conf").write_text(
        f"[global]\nno-index = true\nfind-links =\n    {tmp_path / 'wheels'}\n    {tmp_path}\n"
    )
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    if "find-links" not in pip_settings():
        pytest.skip("neither this environment nor its base interpreter has pip, whose configuration this reads")
    variables = uv_environment()
    assert variables["UV_FIND_LINKS"] == f"{tmp_path / 'wheels'},{tmp_path}"
    assert no_index(variables) == ["--no-index"]
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert uv_environment()["UV_FIND_LINKS"] == str(tmp_path)
