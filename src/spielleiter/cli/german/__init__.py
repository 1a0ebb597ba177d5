"""The command line in German: help texts and typer's own words. Imported only when somebody reads German."""

from __future__ import annotations

from spielleiter.cli.german.translate import german_typer, paragraphs, translate, value_text

__all__ = ["german_typer", "paragraphs", "translate", "value_text"]
