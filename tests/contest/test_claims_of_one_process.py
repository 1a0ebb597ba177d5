"""Several claims of one process on one store: one that is closed takes nothing away from the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'contest' is not installed")

from spielleiter.contest.store.claims import FileClaims

_OTHER = """
import sys
from pathlib import Path
from spielleiter.contest.store.claims import FileClaims
print(FileClaims(Path(sys.argv[1])).take(7))
"""


def taken_by_another_process(path: Path) -> bool:
    answer = subprocess.run([sys.executable, "-c", _OTHER, str(path)], capture_output=True, text=True, check=True)
    return answer.stdout.strip() == "True"


@pytest.mark.skipif(sys.platform == "win32", reason="locks of Windows belong to the open file")
def test_closing_other_claims_of_the_process_keeps_a_claim(tmp_path: Path) -> None:
    path = tmp_path / "season.db-claims"
    season = FileClaims(path)
    assert season.take(7)
    ruling = FileClaims(path)
    assert not ruling.take(7)
    ruling.close()
    assert not taken_by_another_process(path)
    season.close()
    assert taken_by_another_process(path)
