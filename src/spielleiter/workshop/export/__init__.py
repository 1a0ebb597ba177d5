"""The workshop as a folder of files for any web space: its pages, and who answers them in the browser."""
