"""The moves of __TITLE__: TO BE WRITTEN. The client is there; choose_move is the place for the rules and your ideas."""


def choose_move(state):
    """The <data> to answer a request in this <state> with: an ElementTree element, with get, find and findall.

    For a game whose move is a square it could be: f'<data class="sc.plugin__YEAR__.Move"><to x="{x}" y="{y}"/></data>'
    """
    raise NotImplementedError("write choose_move: it gives the <data> of a move in this state")


if __name__ == "__main__":
    import client

    client.main()
