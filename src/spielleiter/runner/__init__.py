"""MATCHES and what they are made of: player programs as processes, how to find, start, watch and end them."""
