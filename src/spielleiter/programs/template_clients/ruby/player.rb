# frozen_string_literal: true

# The moves of __TITLE__: TO BE WRITTEN. The client is there; choose_move is the place for the rules and your ideas.

# The data to answer a request in this state with.
#
# For a game whose move is a square: %(<data class="sc.plugin__YEAR__.Move"><to x="3" y="5"/></data>)
def choose_move(_state)
  raise "write choose_move: it gives the <data> of a move in this state"
end
