"""What the engine thinks of positions and recorded games; works without a web server."""
