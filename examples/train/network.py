"""A small network with two heads in plain numpy: what to play, and who will win."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from examples.train import onnx_file
from examples.train.symmetry import Symmetry, symmetries
from spielleiter.game import AnyGame

Floats = NDArray[np.float32]
HIDDEN = (256, 64)


@dataclass
class Samples:
    """Positions, and what was learned about them."""

    planes: NDArray[np.uint8]
    actions: NDArray[np.int32]
    """For each position the legal actions, filled up with -1."""
    policies: Floats
    """How good each of them is, together 1."""
    values: Floats
    """The result for the side to move, from -1 to 1."""

    def draw(self, number: int, symmetries: list[Symmetry], rng: np.random.Generator) -> Samples:
        """So many of them by chance, all in one of the mirrors."""
        rows = rng.integers(len(self.values), size=number)
        axes, actions = symmetries[rng.integers(len(symmetries))]
        planes = np.flip(self.planes[rows], axes)
        return Samples(planes, actions[self.actions[rows]], self.policies[rows], self.values[rows])

    @staticmethod
    def join(parts: list[Samples]) -> Samples:
        width = max(part.actions.shape[1] for part in parts)
        padded = [((0, 0), (0, width - part.actions.shape[1])) for part in parts]
        return Samples(
            np.concatenate([part.planes for part in parts]),
            np.concatenate([np.pad(p.actions, pad, constant_values=-1) for p, pad in zip(parts, padded, strict=True)]),
            np.concatenate([np.pad(p.policies, pad) for p, pad in zip(parts, padded, strict=True)]),
            np.concatenate([part.values for part in parts]),
        )


class Network:
    """Planes -> two hidden layers -> a number for each action, and a value from -1 to 1. Learns by Adam."""

    def __init__(self, game: AnyGame, rng: np.random.Generator) -> None:
        encoding = game.encoding
        self.key = game.key
        self.symmetries = symmetries(game)
        self.shape = (len(encoding.planes), *encoding.size)
        self.scale = np.array([1 / plane.highest for plane in encoding.planes], np.float32).reshape(-1, 1, 1)
        sizes = (int(np.prod(self.shape)), *HIDDEN)
        self.weights: dict[str, Floats] = {"policy_b": np.zeros(encoding.actions, np.float32)}
        for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
            self.weights[f"w{layer}"] = rng.normal(0, np.sqrt(2 / inputs), (inputs, outputs)).astype(np.float32)
            self.weights[f"b{layer}"] = np.zeros(outputs, np.float32)
        self.weights["policy_w"] = np.zeros((HIDDEN[-1], encoding.actions), np.float32)
        self.weights["value_w"] = np.zeros((HIDDEN[-1], 1), np.float32)
        self.weights["value_b"] = np.zeros(1, np.float32)
        self._moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self._steps = 0

    def _hidden(self, planes: NDArray[np.uint8]) -> list[Floats]:
        layers = [(planes.reshape(-1, *self.shape) * self.scale).reshape(len(planes), -1)]
        for layer in range(len(HIDDEN)):
            layers.append(np.maximum(layers[-1] @ self.weights[f"w{layer}"] + self.weights[f"b{layer}"], 0))
        return layers

    def judge(self, planes: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """For each position a number for every action, the higher the better, and its value."""
        last = self._hidden(planes)[-1]
        return last @ self.weights["policy_w"] + self.weights["policy_b"], self._value(last)

    def _value(self, last: Floats) -> Floats:
        value: Floats = np.tanh(last @ self.weights["value_w"] + self.weights["value_b"])[:, 0]
        return value

    def learn(self, samples: Samples, rate: float) -> tuple[float, float]:
        """One step of gradient descent on all samples: the losses of both heads."""
        layers = self._hidden(samples.planes)
        last, count = layers[-1], len(samples.values)
        value = self._value(last)
        value_error = value - samples.values
        value_gradient = (2 / count) * (value_error * (1 - value**2))[:, None]

        # Only legal actions are compared.
        actions, targets = samples.actions, samples.policies
        legal = actions >= 0
        logits = last @ self.weights["policy_w"] + self.weights["policy_b"]
        logits = np.where(legal, np.take_along_axis(logits, np.maximum(actions, 0), axis=1), -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        policy_gradient = np.zeros((count, self.weights["policy_b"].size), np.float32)
        policy_gradient[legal.nonzero()[0], actions[legal]] = (chances - targets)[legal] / count

        gradients = {
            "value_w": last.T @ value_gradient,
            "value_b": value_gradient.sum(axis=0),
            "policy_w": last.T @ policy_gradient,
            "policy_b": policy_gradient.sum(axis=0),
        }
        back = value_gradient @ self.weights["value_w"].T + policy_gradient @ self.weights["policy_w"].T
        for layer in reversed(range(len(HIDDEN))):
            back *= layers[layer + 1] > 0
            gradients[f"w{layer}"] = layers[layer].T @ back
            gradients[f"b{layer}"] = back.sum(axis=0)
            if layer:
                back = back @ self.weights[f"w{layer}"].T
        self._adam(gradients, rate)
        policy_loss = -float((targets * np.log(chances + 1e-9)).sum(axis=1).mean())
        return policy_loss, float((value_error**2).mean())

    def _adam(self, gradients: dict[str, Floats], rate: float) -> None:
        self._steps += 1
        rate *= float(np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for name, gradient in gradients.items():
            mean, square = self._moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            self.weights[name] -= rate * (mean / (np.sqrt(square) + 1e-8) + 1e-4 * self.weights[name])

    def save(self, path: Path) -> None:
        """Write the network as ONNX, for the player ``onnx:FILE``."""
        model = onnx_file.Model("observation", self.shape, {"spielleiter.game": self.key})
        at = model.node("Mul", "observation", model.tensor("scale", self.scale[None]))
        at = model.node("Flatten", at)
        for layer in range(len(HIDDEN)):
            at = model.node("Gemm", at, *(model.tensor(f"{k}{layer}", self.weights[f"{k}{layer}"]) for k in "wb"))
            at = model.node("Relu", at)
        for head in ("policy", "value"):
            parameters = (model.tensor(f"{head}_{k}", self.weights[f"{head}_{k}"]) for k in "wb")
            out = model.node("Gemm", at, *parameters, output=head if head == "policy" else "")
            if head == "value":
                model.node("Tanh", out, output="value")
            model.output(head, self.weights[f"{head}_b"].size)
        path.write_bytes(model.to_bytes())
