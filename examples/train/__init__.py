"""Train a network from nothing: ``python -m examples.train piranhas-2019 --minutes 30 --out net.onnx``."""

import os

# A process for each core instead of threads; numpy looks at this when it is first imported.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"
