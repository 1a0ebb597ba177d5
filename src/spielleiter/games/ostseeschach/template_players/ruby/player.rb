# frozen_string_literal: true

# What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
#
# It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.

SIZE = 8
# Where the pieces go, as steps [forward, to the side].
STEPS = {
  "Herzmuschel" => [[1, -1], [1, 1]],
  "Moewe" => [[1, 0], [-1, 0], [0, 1], [0, -1]],
  "Seestern" => [[1, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]],
  "Robbe" => [[2, 1], [2, -1], [1, 2], [1, -2], [-1, 2], [-1, -2], [-2, 1], [-2, -1]]
}.freeze

# A piece or a stack of pieces; a stack moves as its uppermost piece.
Piece = Struct.new(:kind, :team, :height)

# The piece on x,y goes to a target.
Move = Struct.new(:x, :y, :target_x, :target_y)

# What a player has to know of a state.
class Position
  def initialize(state)
    @team = state.number("turn").even? ? "ONE" : "TWO"
    @pieces = {} # by square [x, y]; x counts the lines from the start line of ONE
    state.child("board").child("pieces").all("entry").each do |entry|
      square = entry.child("coordinates")
      piece = entry.child("piece")
      @pieces[[square.number("x"), square.number("y")]] =
        Piece.new(piece.attribute("type"), piece.attribute("team"), piece.number("count"))
    end
  end

  # All legal moves.
  def moves
    forward = @team == "ONE" ? 1 : -1
    found = []
    @pieces.each do |(x, y), piece|
      next if piece.team != @team

      STEPS.fetch(piece.kind).each do |ahead, aside|
        target_x = x + forward * ahead
        target_y = y + aside
        found << Move.new(x, y, target_x, target_y) if open?(target_x, target_y)
      end
    end
    found
  end

  # Whether a piece may end its move here: on the board, and not on an own piece.
  def open?(x, y)
    there = @pieces[[x, y]]
    x.between?(0, SIZE - 1) && y.between?(0, SIZE - 1) && (there.nil? || there.team != @team)
  end

  # How many ambers this move wins.
  def ambers(move)
    piece = @pieces[[move.x, move.y]]
    below = @pieces[[move.target_x, move.target_y]]
    last_line = @team == "ONE" ? SIZE - 1 : 0
    count = 0
    count += 1 if below && piece.height + below.height >= 3
    count += 1 if move.target_x == last_line && piece.kind != "Robbe"
    count
  end

  # How good a move is: two for each amber, one for landing on an opponent.
  def value(move)
    lands_on_opponent = @pieces.key?([move.target_x, move.target_y])
    2 * ambers(move) + (lands_on_opponent ? 1 : 0)
  end
end

# The data of the move to answer with: one of the best, chosen at random.
def choose_move(state)
  position = Position.new(state)
  moves = position.moves
  best = moves.map { |move| position.value(move) }.max
  move = moves.select { |one| position.value(one) == best }.sample
  start = "<from x=\"#{move.x}\" y=\"#{move.y}\"/>"
  "<data class=\"move\">#{start}<to x=\"#{move.target_x}\" y=\"#{move.target_y}\"/></data>"
end
