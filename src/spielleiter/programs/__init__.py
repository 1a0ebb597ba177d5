"""A player program: found, unpacked, packed, launched in the one sandbox, watched, ended; ``check`` tries it out."""
