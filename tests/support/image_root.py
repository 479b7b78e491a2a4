"""The image that scripts/image makes, unpacked: programs run from its root as in a container."""

import pathlib
import shutil
import subprocess
import tarfile

from . import tools

USER = 65532


class NoRoot(Exception):
    """This process may not change its root; the text says what would let it."""


def make(folder, binary=None):
    """Makes the image in a folder; returns that folder."""
    program = binary or tools.BUILD / "release" / "basalt"
    subprocess.run([str(tools.ROOT / "scripts" / "image"), "--binary", str(program), "--output",
                    str(folder)], check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path(folder)


def unpack(layers, root):
    """Lays the layers' files out below `root`, as a container engine does."""
    for layer in layers:
        with tarfile.open(layer) as archive:
            archive.extractall(root)


class Root:
    """A root of its own for one program, which sees nothing else of this machine's files."""

    def __init__(self, unpacked, folder):
        self.path = pathlib.Path(folder)
        shutil.copytree(unpacked, self.path, symlinks=True, copy_function=_link)
        (self.path / "tmp").chmod(0o1777)

    def write(self, path, text, mode=0o644):
        """What a volume would bring: a file that the program finds at `path`."""
        target = self.path / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)

    def command(self, *arguments):
        """How to run a program of it as the image's user, with nothing but /tmp to write to. The root
        is read-only in a mount namespace of its own; nothing of that is left afterwards."""
        script = ('mount --bind "$0" "$0" && mount --bind "$0/tmp" "$0/tmp" && '
                  'mount -o remount,bind,ro "$0" && '
                  f'exec chroot --userspec={USER}:{USER} "$0" "$@"')
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script,
                str(self.path), *arguments]

    @staticmethod
    def check():
        """Raises NoRoot where this process may not do that."""
        result = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
        if result.returncode != 0:
            raise NoRoot("needs root: unshare --mount is not allowed")


def _link(source, target):
    pathlib.Path(target).hardlink_to(source)
