"""The filter of system calls for the sandbox, as the kernel's own little program (classic BPF).

It is a list of what no player needs and what has been a way out before: tracing and mounting, new namespaces, keys,
kernel modules, io_uring, other socket families (vsock knows no namespaces), and leaving the core one was given.
Everything else is allowed; namespaces and the missing rights do the real work.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys

_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16

_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET, as flags of clone."""
_FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6, netlink (the JVM asks it for the interfaces)."""

# The name, then its number on x86_64 and on aarch64.
_FORBIDDEN = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setattr": (314, 274),
}  # fmt: skip
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_X32 = 0x40000000


def player_filter() -> bytes | None:
    """The filter for this machine, or ``None`` where we do not know the numbers of its system calls."""
    known = _ARCHITECTURES.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return None
    architecture, column = known
    refuse = [(_RETURN, 0, 0, _FAIL | errno.EPERM)]
    program = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), *refuse, (_LOAD, 0, 0, _NUMBER)]
    if column == 0:
        program += [(_AT_LEAST, 0, 1, _X32), *refuse]
    for numbers in _FORBIDDEN.values():
        program += [(_EQUAL, 0, 1, numbers[column]), *refuse]
    # Its flags lie in memory, where no filter can look: programs then fall back to clone.
    program += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)]
    program += [
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        *refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]
    program += [(_EQUAL, 0, 2 + len(_FAMILIES), _SOCKET[column]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for left, family in enumerate(reversed(_FAMILIES)):
        program.append((_EQUAL, len(_FAMILIES) - left, 0, family))
    program.append((_RETURN, 0, 0, _FAIL | errno.EAFNOSUPPORT))
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
