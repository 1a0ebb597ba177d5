"""Train a network from nothing: ``python -m examples.train ostseeschach-2022 --minutes 30 --out net.onnx``."""
