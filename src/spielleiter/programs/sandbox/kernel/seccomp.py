"""The filter of system calls for the sandbox, as the kernel's own little program (classic BPF).

It is a list of what no player needs and what has been a way out before: tracing and mounting, new namespaces, keys,
kernel modules, io_uring, other socket families (vsock knows no namespaces), leaving the core one was given, extended
attributes (memory of the kernel without a limit), larger buffers of sockets, netlink for anything but the network's
interfaces. Everything else is allowed; namespaces and the missing rights do the real work.

More can be asked for. Where no control group counts memory, what a process need not map is refused:
memfd, anonymous shared memory, everything of System V. Where the player has no file system
and no processes of its own, sockets with a path and signals to its supervisor are, and System V, which outlives it.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys

_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_LOAD, _AND, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_Instruction = tuple[int, int, int, int]

_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET, as flags of clone."""
_NETLINK, _ROUTE = 16, 0
"""The JVM asks it for the interfaces; by other protocols programs could send uncounted data to themselves."""
_UNIX, _FAMILIES = 1, (2, 10, _NETLINK)
"""The others are IPv4 and IPv6."""
_SOCKET_KIND, _DATAGRAM = 0xF, 2
_SHARED_ANONYMOUS = 0x21
_SOL_SOCKET, _BUFFER_SIZES = 1, (7, 8, 32, 33)
"""SO_SNDBUF and SO_RCVBUF, and the same with FORCE."""

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
_ATTRIBUTES = {"setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463)}
_UNCOUNTED = {"memfd_create": (319, 279), "memfd_secret": (447, 447)}
_SYSTEM_V = {"shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186)}
_SIGNALLING = {
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "prlimit64": (302, 261), "setpriority": (141, 140),
}  # fmt: skip
_CLONE, _CLONE3, _MMAP = (56, 220), (435, 435), (9, 222)
_SOCKET, _SOCKETPAIR, _SETSOCKOPT = (41, 198), (53, 199), (54, 208)
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_X32 = 0x40000000


def player_filter(*, counted: bool, supervisor: int | None = None) -> bytes | None:
    """The filter for this machine, or ``None`` where we do not know the numbers of its system calls.

    ``counted`` says that a control group counts all memory. With a ``supervisor``, the process to be left in peace, the
    player is in no namespace of its own.
    """
    known = _ARCHITECTURES.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return None
    architecture, column = known
    refuse = _fail(errno.EPERM)
    program = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), refuse, (_LOAD, 0, 0, _NUMBER)]
    if column == 0:
        program += [(_AT_LEAST, 0, 1, _X32), refuse]
    for numbers in _FORBIDDEN.values():
        program += [(_EQUAL, 0, 1, numbers[column]), refuse]
    for numbers in _ATTRIBUTES.values():
        # As on a file system that has none, of which every program knows.
        program += [(_EQUAL, 0, 1, numbers[column]), _fail(errno.EOPNOTSUPP)]
    # Its flags lie in memory, where no filter can look: programs then fall back to clone.
    program += [(_EQUAL, 0, 1, _CLONE3[column]), _fail(errno.ENOSYS)]
    program += _if_number(_CLONE[column], [_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), refuse])
    families = (*_FAMILIES, _UNIX) if supervisor is None else _FAMILIES
    known_families = [(_EQUAL, len(families) - number, 0, family) for number, family in enumerate(families)]
    route_only = [_argument(0), (_EQUAL, 0, 3, _NETLINK), _argument(2), (_EQUAL, 1, 0, _ROUTE)]
    protocols = [_fail(errno.EAFNOSUPPORT), *route_only, _fail(errno.EPROTONOSUPPORT)]
    program += _if_number(_SOCKET[column], [_argument(0), *known_families, *protocols])
    program += _fixed_buffers(column)
    if not counted or supervisor is not None:
        program += _not_there(_SYSTEM_V, column)
    if not counted:
        program += _uncounted_memory(column)
    if supervisor is not None:
        program += _signals_to(supervisor, column)
        # Of a pair of sockets a datagram one could still send to any path.
        datagram = [(_AND, 0, 0, _SOCKET_KIND), (_EQUAL, 0, 1, _DATAGRAM), _fail(errno.EPERM)]
        program += _if_number(_SOCKETPAIR[column], [_argument(1), *datagram])
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _uncounted_memory(column: int) -> list[_Instruction]:
    """Refuse memory that stays when no process maps it."""
    program = _not_there(_UNCOUNTED, column)
    shared = [_argument(3), (_AND, 0, 0, _SHARED_ANONYMOUS), (_EQUAL, 0, 1, _SHARED_ANONYMOUS), _fail(errno.EPERM)]
    return program + _if_number(_MMAP[column], shared)


def _fixed_buffers(column: int) -> list[_Instruction]:
    """Let the buffers of sockets be as large as they are."""
    # As if it had been done: the kernel keeps to its own idea of a size, too.
    sizes = [part for option in _BUFFER_SIZES for part in ((_EQUAL, 0, 1, option), _fail(0))]
    return _if_number(
        _SETSOCKOPT[column], [_argument(1), (_EQUAL, 0, 1 + len(sizes), _SOL_SOCKET), _argument(2), *sizes]
    )


def _not_there(calls: dict[str, tuple[int, int]], column: int) -> list[_Instruction]:
    """Fail as a kernel does that does not know these system calls."""
    return [part for numbers in calls.values() for part in ((_EQUAL, 0, 1, numbers[column]), _fail(errno.ENOSYS))]


def _signals_to(pid: int, column: int) -> list[_Instruction]:
    """Refuse signals to ``pid``, to its group, and to all processes; and new limits and priorities of it."""
    program: list[_Instruction] = []
    targets = [(_EQUAL, 0, 1, number & 0xFFFFFFFF) for number in (pid, -pid, -1)]
    for name, numbers in _SIGNALLING.items():
        # For the priority of a process the process is the second argument; all others have it first.
        tests = [part for test in targets for part in (test, _fail(errno.EPERM))]
        program += _if_number(numbers[column], [_argument(1 if name == "setpriority" else 0), *tests])
    return program


def _if_number(number: int, then: list[_Instruction]) -> list[_Instruction]:
    """For this system call ``then``, and allow what comes out of it."""
    return [(_EQUAL, 0, len(then) + 1, number), *then, (_RETURN, 0, 0, _ALLOW)]


def _argument(number: int) -> _Instruction:
    """Load the lower half of an argument: of pids, flags and options there is no other."""
    return (_LOAD, 0, 0, 16 + 8 * number)


def _fail(number: int) -> _Instruction:
    return (_RETURN, 0, 0, _FAIL | number)
