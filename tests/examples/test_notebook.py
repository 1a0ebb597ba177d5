"""The notebooks of the examples run from top to bottom, and are stored without what they showed the last time."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import spielleiter
from spielleiter.search.engine import why_unavailable
from tests.support.played import needs_engine

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


SHORT = "GAMES, HIDDEN, STEPS, MATCH = 40, 8, 120, 4"
"""The parameters of a notebook that learns, for a run of seconds."""


def is_runnable(path: Path) -> bool:
    """Whether what the notebook needs is here."""
    return path.name != "learn.ipynb" or why_unavailable() is None


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, nbformat.NotebookNode]:
    """All notebooks after a run; a cell that fails raises here."""
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
            patch.setenv(name, str(folder))  # nothing of the reader's own settings, and nothing left in them
        # The package under test, wherever the kernel starts.
        source = str(Path(spielleiter.__file__).parents[1])
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH")))))
        notebooks = {
            path: nbformat.read(path, as_version=nbformat.NO_CONVERT) for path in NOTEBOOKS if is_runnable(path)
        }
        for notebook in notebooks.values():
            for cell in notebook.cells:
                if "parameters" in cell.metadata.get("tags", ()):
                    cell.source = SHORT
            NotebookClient(
                notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": folder}}
            ).execute()
    return notebooks


def test_every_game_played_lately_has_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["blokus.ipynb", "learn.ipynb", "piranhas.ipynb"]


@each_notebook
def test_it_is_stored_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    for cell in code_cells(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


@each_notebook
def test_every_cell_runs_without_a_complaint(path: Path, executed: dict[Path, nbformat.NotebookNode]) -> None:
    if not is_runnable(path):
        pytest.skip("needs the native engine")
    for cell in code_cells(executed[path]):
        assert cell.execution_count is not None
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text


@pytest.mark.parametrize(
    ("name", "pictures", "refusal"),
    [
        ("blokus.ipynb", 3, "the first piece must have the given shape"),
        ("piranhas.ipynb", 4, "The move leads off the board."),
    ],
)
def test_the_game_is_drawn_and_printed(
    name: str, pictures: int, refusal: str, executed: dict[Path, nbformat.NotebookNode]
) -> None:
    [notebook] = [notebook for path, notebook in executed.items() if path.name == name]
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert kinds.count("image/svg+xml") == pictures
    assert kinds.count("text/html") == 1
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    assert refusal in printed
    assert " wins: " in printed or "Draw: " in printed


@needs_engine
def test_the_notebook_that_learns_shows_its_curves_and_a_score(executed: dict[Path, nbformat.NotebookNode]) -> None:
    [notebook] = [notebook for path, notebook in executed.items() if path.name == "learn.ipynb"]
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    pictures = [output.data["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert [picture.count("<polyline") > 0 for picture in pictures[1:]] == [True, True]
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "positions of 40 games, each (13, 8, 8)" in printed
    assert "of 4 points against random moves" in printed
