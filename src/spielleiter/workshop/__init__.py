"""The workshop: a player as it stands in an editor, run, judged and explained, in the browser as well as here.

Plain Python without sockets, threads and files, so that it runs unchanged in Pyodide, in a worker of the page
``/workshop/GAME``. ``session`` answers the requests of that page.
"""
