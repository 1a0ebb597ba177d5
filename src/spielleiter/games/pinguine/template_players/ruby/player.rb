# frozen_string_literal: true

# What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
#
# It goes to a field with as many fish as possible. To make it better, begin with value.
# Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.

PENGUINS = 4 # of each team
DIRECTIONS = [[2, 0], [-2, 0], [1, 1], [-1, -1], [1, -1], [-1, 1]].freeze

# A penguin comes to a target; start is nil if it is placed. Both are fields [x, y].
Move = Struct.new(:start, :target)

# What a player has to know of a state.
class Position
  def initialize(state)
    @fish = {} # by field [x, y]: how many; fields without fish are left out
    @penguins = { "ONE" => [], "TWO" => [] }
    state.child("board").all("list").each_with_index do |row, y|
      row.all("field").each_with_index do |field, index|
        x = 2 * index + y % 2
        if @penguins.key?(field.text)
          @penguins[field.text] << [x, y]
        elsif field.text != "0"
          @fish[[x, y]] = Integer(field.text)
        end
      end
    end
    @team, other = state.number("turn").even? ? %w[ONE TWO] : %w[TWO ONE]
    @team = other if moves.empty? # A team that cannot move is passed over: it must be the other one that is asked.
  end

  # All legal moves.
  def moves
    own = @penguins[@team]
    return @fish.keys.select { |field| @fish[field] == 1 }.map { |field| Move.new(nil, field) } if own.size < PENGUINS

    own.flat_map { |start| targets(start).map { |target| Move.new(start, target) } }
  end

  # All fields to which the penguin on this field can slide.
  def targets(start)
    found = []
    DIRECTIONS.each do |dx, dy|
      field = [start[0] + dx, start[1] + dy]
      while @fish.key?(field) # holes, penguins and the edge are in the way
        found << field
        field = [field[0] + dx, field[1] + dy]
      end
    end
    found
  end

  # How good a move is: the fish that it gets.
  def value(move)
    @fish[move.target]
  end
end

# The data of the move to answer with: one of the best, chosen at random.
def choose_move(state)
  position = Position.new(state)
  moves = position.moves
  best = moves.map { |move| position.value(move) }.max
  move = moves.select { |one| position.value(one) == best }.sample
  start = move.start ? "<from x=\"#{move.start[0]}\" y=\"#{move.start[1]}\"/>" : ""
  "<data class=\"move\">#{start}<to x=\"#{move.target[0]}\" y=\"#{move.target[1]}\"/></data>"
end
