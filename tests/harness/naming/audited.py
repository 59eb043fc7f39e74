"""What an audit finds in one function, and functions that deceive it."""

from metric_harness import audit
from metric_reports.record import validate_audit
from tests.support.places import SUPPORT

DECEIVERS = SUPPORT / "styles" / "deceivers.py"


def subject(target, **settings):
    result = audit(target, **settings)
    validate_audit(result.to_json())
    (only,) = result.to_json()["subjects"]
    return only


def codes(found):
    return [finding["code"] for finding in found["findings"]]
