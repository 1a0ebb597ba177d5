"""Programs that use the package, to read and to change."""
