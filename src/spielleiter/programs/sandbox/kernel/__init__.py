"""What the Linux kernel has for the sandbox: control groups, a filter of system calls, users, its table of sockets."""
