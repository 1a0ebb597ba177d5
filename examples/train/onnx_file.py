"""Just enough of the ONNX format to write a small network: protocol buffers by hand, no package needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

FLOAT = 1
OPSET = 17
IR_VERSION = 8


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


def field(number: int, value: int | str | bytes) -> bytes:
    """One field of a message: a number, a text or another message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(fields: Iterable[tuple[int, int | str | bytes]]) -> bytes:
    return b"".join(field(number, value) for number, value in fields)


class Model:
    """A graph with one input, a row for each position."""

    def __init__(self, name: str, shape: tuple[int, ...], metadata: Mapping[str, str]) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []
        self._inputs = [_value_info(name, shape)]
        self._outputs: list[bytes] = []
        self._metadata = metadata

    def tensor(self, name: str, array: NDArray[np.float32]) -> str:
        dims = ((1, size) for size in array.shape)
        data = np.ascontiguousarray(array, "<f4").tobytes()
        self._tensors.append(message([*dims, (2, FLOAT), (8, name), (9, data)]))
        return name

    def node(self, operator: str, *inputs: str, output: str = "") -> str:
        """Apply ``operator``; the name of the result."""
        output = output or f"{operator}_{len(self._nodes)}"
        self._nodes.append(message([*((1, name) for name in inputs), (2, output), (4, operator)]))
        return output

    def output(self, name: str, size: int) -> None:
        self._outputs.append(_value_info(name, (size,)))

    def to_bytes(self) -> bytes:
        parts = ((1, self._nodes), (5, self._tensors), (11, self._inputs), (12, self._outputs))
        graph = message([(2, "network"), *((number, item) for number, items in parts for item in items)])
        metadata = ((14, message([(1, key), (2, value)])) for key, value in self._metadata.items())
        return message(
            [(1, IR_VERSION), (2, "spielleiter"), (7, graph), (8, message([(1, ""), (2, OPSET)])), *metadata]
        )


def _value_info(name: str, shape: tuple[int, ...]) -> bytes:
    dims = [message([(2, "positions")]), *(message([(1, size)]) for size in shape)]
    tensor = message([(1, FLOAT), (2, message((1, dim) for dim in dims))])
    return message([(1, name), (2, message([(1, tensor)]))])
