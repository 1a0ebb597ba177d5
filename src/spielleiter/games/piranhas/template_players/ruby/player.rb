# frozen_string_literal: true

# What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
#
# It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
# The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

SIZE = 10
DIRECTIONS = {
  "UP" => [0, 1],
  "UP_RIGHT" => [1, 1],
  "RIGHT" => [1, 0],
  "DOWN_RIGHT" => [1, -1],
  "DOWN" => [0, -1],
  "DOWN_LEFT" => [-1, -1],
  "LEFT" => [-1, 0],
  "UP_LEFT" => [-1, 1]
}.freeze

# What can lie on a square: whose it is, and how heavy.
Content = Struct.new(:owner, :weight)

# The words of both seasons. In 2019 all fish weigh the same.
CONTENTS = {
  "EMPTY" => Content.new("", 0),
  "RED" => Content.new("ONE", 1),
  "BLUE" => Content.new("TWO", 1),
  "OBSTRUCTED" => Content.new("KRAKEN", 0),
  "ONE_S" => Content.new("ONE", 1),
  "ONE_M" => Content.new("ONE", 2),
  "ONE_L" => Content.new("ONE", 3),
  "TWO_S" => Content.new("TWO", 1),
  "TWO_M" => Content.new("TWO", 2),
  "TWO_L" => Content.new("TWO", 3),
  "SQUID" => Content.new("KRAKEN", 0)
}.freeze

# The fish on x,y swims in a direction, and so comes to a target.
Move = Struct.new(:x, :y, :direction, :target_x, :target_y)

# What a player has to know of a state.
class Position
  attr_reader :is_2019

  def initialize(state)
    @is_2019 = state.attribute("class") == "sc.plugin2019.GameState"
    @team, @opponent = state.number("turn").even? ? %w[ONE TWO] : %w[TWO ONE]
    # The lines of the state: columns in 2019, rows in 2026.
    @lines = state.child("board").all(@is_2019 ? "fields" : "row").map do |line|
      line.all("field").map { |field| CONTENTS.fetch(@is_2019 ? field.attribute("state") : field.text) }
    end
  end

  # What lies on a square.
  def at(x, y)
    @is_2019 ? @lines[x][y] : @lines[y][x]
  end

  # All legal moves.
  def moves
    found = []
    SIZE.times do |x|
      SIZE.times do |y|
        next if at(x, y).owner != @team

        DIRECTIONS.each do |direction, (dx, dy)|
          distance = 1 + fish_from(x, y, dx, dy) + fish_from(x, y, -dx, -dy)
          next unless can_swim?(x, y, dx, dy, distance)

          found << Move.new(x, y, direction, x + distance * dx, y + distance * dy)
        end
      end
    end
    found
  end

  # Whether the own fish on this square may swim so far in this direction.
  def can_swim?(x, y, dx, dy, distance)
    target_x = x + distance * dx
    target_y = y + distance * dy
    return false unless inside?(target_x, target_y)
    return false if [@team, "KRAKEN"].include?(at(target_x, target_y).owner)

    # Own fish and krakens may be passed, opponents not.
    (1...distance).none? { |step| at(x + step * dx, y + step * dy).owner == @opponent }
  end

  # How many fish lie from this square on in this direction, the square itself not counted.
  def fish_from(x, y, dx, dy)
    count = 0
    x += dx
    y += dy
    while inside?(x, y)
      count += 1 if at(x, y).weight.positive?
      x += dx
      y += dy
    end
    count
  end

  # How good a move is: the weight of the fish that it eats, 0 if it eats none.
  def value(move)
    at(move.target_x, move.target_y).weight
  end

  def inside?(x, y)
    x.between?(0, SIZE - 1) && y.between?(0, SIZE - 1)
  end
end

# The data of the move to answer with: one of the best, chosen at random.
def choose_move(state)
  position = Position.new(state)
  moves = position.moves
  best = moves.map { |move| position.value(move) }.max
  move = moves.select { |one| position.value(one) == best }.sample
  start = "x=\"#{move.x}\" y=\"#{move.y}\""
  return "<data class=\"move\" #{start} direction=\"#{move.direction}\"/>" if position.is_2019

  "<data class=\"move\"><from #{start}/><direction>#{move.direction}</direction></data>"
end
