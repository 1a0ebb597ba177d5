"""The seasons of the pages' tests."""

from tests.pages.conftest import halfway, played

__all__ = ["halfway", "played"]
