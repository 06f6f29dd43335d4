# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m cubinlab._call FILE: calls the function that capture() was given, in this process."""
import importlib
import pickle
import runpy
import sys


def main():
    with open(sys.argv[1], "rb") as file:
        said = pickle.load(file)
    sys.path[:] = said["path"] + [p for p in sys.path if p not in said["path"]]
    if said["module"] == "__main__":
        # The script without what follows `if __name__ == "__main__"`.
        names = runpy.run_path(said["file"], run_name="__cubinlab__")
        sys.modules["__main__"].__dict__.update(names)  # arguments may be of its classes
        function = names[said["name"].split(".")[0]]
        for part in said["name"].split(".")[1:]:
            function = getattr(function, part)
    else:
        function = importlib.import_module(said["module"])
        for part in said["name"].split("."):
            function = getattr(function, part)
    args, kwargs = pickle.loads(said["arguments"])
    function(*args, **kwargs)


if __name__ == "__main__":
    main()
