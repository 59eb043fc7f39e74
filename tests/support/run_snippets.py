"""Run scripts one after the other in a library's Python, each in a namespace of its own.

The standard input holds ``scripts`` by function and ``lacking``, modules for which empty ones stand. A line of JSON a
function goes to the file that the argument names: what its script printed, and its error.
"""

import contextlib
import io
import json
import sys
import traceback
import types


class Lacking(types.ModuleType):
    """A module in which every name is an empty class."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def main():
    sys.path.pop(0)  # this folder's modules are none of the library's
    asked = json.load(sys.stdin)
    for name in asked["lacking"]:
        sys.modules[name] = Lacking(name)
        sys.modules[name].__path__ = []
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], child, sys.modules[name])
    with open(sys.argv[1], "w", encoding="utf-8") as answers:
        for function, script in asked["scripts"].items():
            printed, error = io.StringIO(), ""
            try:
                with contextlib.redirect_stdout(printed):
                    exec(compile(script, function, "exec"), {"__name__": "__main__"})
            except BaseException:
                error = traceback.format_exc() + "\n" + script
            row = {"function": function, "printed": printed.getvalue(), "error": error}
            answers.write(json.dumps(row) + "\n")
            answers.flush()


main()
