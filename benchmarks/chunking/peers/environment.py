"""Where peers are installed: a virtual environment in the cache folder, by pip."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

PACKAGES = (
    "adaptive-oci-chunking==0.1.4",
    "chonkie==1.7.0",
    "semchunk==4.1.1",
    "langchain-text-splitters==1.1.3",
    "semantic-text-splitter==0.33.1",
)


def peers_python() -> Path:
    """Return the interpreter of the environment, made on first use."""
    folder = Path.home() / ".cache" / "clew-benchmarks" / "chunkers"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed"
    wanted = "\n".join(PACKAGES)
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        venv.create(folder, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit("the peers cannot be installed: see what pip says above")
        done.write_text(wanted, encoding="utf-8")
    return python
