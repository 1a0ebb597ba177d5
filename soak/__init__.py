"""What takes a night to prove: servers killed, disks full, clocks that jump, hostile clients: ``make soak``."""
