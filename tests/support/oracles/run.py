"""Run inside a library's environment: STAGED LIBRARY CASE K prints the library's answers as JSON."""

import importlib
import json
import sys
from pathlib import Path

if __name__ == "__main__":
    staged, library, folder, k = sys.argv[1:]
    sys.path[:0] = [staged, str(Path(__file__).parent)]
    from metric_adapters.case_files import load_case

    found = importlib.import_module("ask_" + library).answers(load_case(Path(folder)), int(k))
    print(json.dumps({name: float(value) for name, value in found.items()}))
