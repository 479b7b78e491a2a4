#include "simnode/programs.h"

#include <algorithm>
#include <array>

namespace basalt::simnode {
namespace {

constexpr auto kQuick = std::to_array<std::string_view>(
    {"basename", "cat",      "chmod",  "chown", "cp",    "cut",      "date",     "df",    "dirname",
     "du",       "echo",     "env",    "find",  "free",  "head",     "hostname", "id",    "ln",
     "ls",       "mkdir",    "mktemp", "mv",    "nproc", "printenv", "printf",   "ps",    "pwd",
     "readlink", "realpath", "rm",     "rmdir", "sed",   "seq",      "sort",     "stat",  "sync",
     "tac",      "tail",     "tar",    "tee",   "touch", "tr",       "true",     "uname", "uniq",
     "uptime",   "wc",       "whoami", "which"});

constexpr auto kBuiltins = std::to_array<std::string_view>(
    {":", "alias", "cd", "echo", "export", "hash", "local", "printf", "pwd", "readonly", "shopt",
     "source", "true", "ulimit", "umask", "unset", "wait"});

constexpr auto kOnlyInShells = std::to_array<std::string_view>(
    {":", "alias", "cd", "exec", "exit", "export", "local", "set", "shopt", "source", "unset"});

// What busybox's images have beside the quick ones.
constexpr auto kBusybox = std::to_array<std::string_view>(
    {"ash",     "awk",       "base64",     "bash",     "bc",       "bunzip2",   "busybox",
     "bzip2",   "cal",       "chgrp",      "chroot",   "cksum",    "clear",     "cmp",
     "comm",    "cpio",      "crond",      "dd",       "diff",     "dmesg",     "dos2unix",
     "ed",      "egrep",     "expand",     "expr",     "factor",   "fallocate", "false",
     "fgrep",   "flock",     "fold",       "fsync",    "ftpget",   "ftpput",    "fuser",
     "getopt",  "grep",      "groups",     "gunzip",   "gzip",     "hexdump",   "hostid",
     "httpd",   "ifconfig",  "inotifyd",   "install",  "ip",       "kill",      "killall",
     "less",    "link",      "ln",         "logger",   "login",    "logname",   "lsof",
     "md5sum",  "microcom",  "mkfifo",     "mknod",    "mkpasswd", "more",      "mount",
     "nc",      "netstat",   "nice",       "nl",       "nohup",    "nslookup",  "od",
     "passwd",  "paste",     "patch",      "pgrep",    "pidof",    "ping",      "ping6",
     "pkill",   "pmap",      "pstree",     "renice",   "reset",    "resize",    "rev",
     "route",   "run-parts", "setsid",     "sh",       "sha1sum",  "sha256sum", "sha512sum",
     "shred",   "shuf",      "sleep",      "split",    "strings",  "stty",      "su",
     "sum",     "tcpsvd",    "telnet",     "telnetd",  "test",     "tftp",      "time",
     "timeout", "top",       "traceroute", "truncate", "tsort",    "tty",       "udpsvd",
     "umount",  "unexpand",  "unlink",     "unxz",     "unzip",    "uudecode",  "uuencode",
     "vi",      "watch",     "wget",       "who",      "xargs",    "xxd",       "xz",
     "yes",     "zcat",      "[",          "[["});

template <class List>
bool IsIn(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// "docker.io/library/busybox:1.36@sha256:…" is busybox.
std::string_view ImageName(std::string_view image) {
  image = image.substr(0, image.find('@'));
  image = image.substr(image.find_last_of('/') + 1);
  return image.substr(0, image.find(':'));
}

}  // namespace

bool EndsSoonAndWell(std::string_view name) { return IsIn(kQuick, name); }

bool IsShellBuiltin(std::string_view name) { return IsIn(kBuiltins, name); }

bool IsOnlyInShells(std::string_view name) { return IsIn(kOnlyInShells, name); }

bool IsMissing(std::string_view program, std::string_view image) {
  if (ImageName(image) != "busybox") return false;
  const std::size_t slash = program.find_last_of('/');
  if (slash != std::string_view::npos) {
    const std::string_view directory = program.substr(0, slash);
    if (directory != "/bin" && directory != "/sbin" && directory != "/usr/bin" &&
        directory != "/usr/sbin") {
      return false;
    }
    program.remove_prefix(slash + 1);
  }
  return program.find('$') == std::string_view::npos && !IsIn(kQuick, program) &&
         !IsIn(kBusybox, program);
}

}  // namespace basalt::simnode
