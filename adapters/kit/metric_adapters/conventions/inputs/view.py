"""The old place of :class:`metric_adapters.subject.CannotShow`."""

from metric_adapters.subject import CannotShow

__all__ = ["CannotShow"]
