"""Bad input of every kind at every address; a file for each person, since files run side by side."""

from __future__ import annotations

from tests.api.bad_input import send_everything
from tests.api.conftest import Site


def test_no_bad_body_or_query_is_an_error_of_ours_or_changes_anything(site: Site) -> None:
    assert send_everything(site, "player") == ([], set())
