"""Run inside a peer's environment, with ``python -I``: PEER CASE OUT REPEATS MEASURE...

Writes the values to OUT/values.npz, and to OUT/times.json the seconds of the conversion and of each evaluation and the
process's peak memory in bytes, before the conversion and in all.

``-I`` keeps this folder off the path, where a peer's module would stand before the library of the same name.
"""

import importlib.util
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np


def peak_memory() -> int:
    """The most memory that this process has held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(name: str, case: str, out: str, repeats: str, *measures: str) -> None:
    spec = importlib.util.spec_from_file_location("peer", Path(__file__).with_name(f"{name}.py"))
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    arrays = {path.stem: np.load(path) for path in Path(case).glob("*.npy")}
    before = peak_memory()
    converted, seconds, evaluate = None, [], []
    for _ in range(int(repeats)):
        converted = None  # two at once would cost memory
        begun = time.perf_counter()
        converted = peer.convert(arrays, measures)
        seconds.append(time.perf_counter() - begun)
    convert = min(seconds)
    for _ in range(int(repeats)):
        begun = time.perf_counter()
        answer = peer.evaluate(converted, measures)
        evaluate.append(time.perf_counter() - begun)
    times = {"convert": convert, "evaluate": evaluate, "before": before, "peak": peak_memory()}
    np.savez(Path(out, "values.npz"), **peer.per_user(answer, measures, len(arrays["recommended"])))
    Path(out, "times.json").write_text(json.dumps(times), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
