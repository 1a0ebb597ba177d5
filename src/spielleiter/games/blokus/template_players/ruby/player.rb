# frozen_string_literal: true

# What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

require "set"

YEAR = __YEAR__
SIDE = 20
COLORS = %w[BLUE YELLOW RED GREEN].freeze
PIECES = {
  "MONO" => "#", "DOMINO" => "##", "TRIO_L" => "#. ##", "TRIO_I" => "# # #", "TETRO_O" => "## ##",
  "TETRO_T" => "### .#.", "TETRO_I" => "# # # #", "TETRO_L" => "#. #. ##", "TETRO_Z" => "##. .##",
  "PENTO_L" => "#. #. #. ##", "PENTO_T" => "### .#. .#.", "PENTO_V" => "#.. #.. ###", "PENTO_S" => ".### ##..",
  "PENTO_Z" => "##. .#. .##", "PENTO_I" => "# # # # #", "PENTO_P" => "## ## #.", "PENTO_W" => "#.. ##. .##",
  "PENTO_U" => "#.# ###", "PENTO_R" => "..# ### .#.", "PENTO_X" => ".#. ### .#.", "PENTO_Y" => ".# ## .# .#"
}.freeze
ROTATIONS = {
  "NONE" => ->(x, y) { [x, y] },
  "RIGHT" => ->(x, y) { [-y, x] },
  "MIRROR" => ->(x, y) { [-x, -y] },
  "LEFT" => ->(x, y) { [y, -x] }
}.freeze

# The same squares in a bounding box that begins at 0,0.
def aligned(cells)
  left = cells.map(&:first).min
  top = cells.map(&:last).min
  cells.map { |x, y| [x - left, y - top] }.sort
end

# Every way in which a piece can lie: squares => [rotation, flipped], each set of squares once.
def orientations(picture)
  rows = picture.split.map(&:chars)
  cells = rows.each_index.flat_map { |y| rows[y].each_index.select { |x| rows[y][x] == "#" }.map { |x| [x, y] } }
  ROTATIONS.to_a.product([false, true]).each_with_object({}) do |((rotation, rotate), flipped), found|
    turned = cells.map { |x, y| rotate.call(x, y) }.map { |x, y| [flipped ? -x : x, y] }
    found[aligned(turned)] ||= [rotation, flipped]
  end
end

ORIENTATIONS = PIECES.transform_values { |picture| orientations(picture) }.freeze

# What a player has to know of a state.
class Position
  attr_reader :color

  def initialize(state)
    @color = COLORS[state.number("turn") % 4]
    fields = state.child("board").all("field")
    @covered = fields.to_h { |field| [[field.number("x"), field.number("y")], field.attribute("content")] }
    @is_first = !@covered.value?(@color)
    left = state.child("#{@color.downcase}Shapes").all("shape").map(&:text)
    @pieces = @is_first ? [state.attribute("startPiece")] : left
  end

  def touches?(*squares)
    squares.any? { |square| @covered[square] == @color }
  end

  # Whether the colour may cover this square of the board.
  def open?(x, y)
    !@covered.key?([x, y]) && !touches?([x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1])
  end

  # Whether this open square is one of those of which a piece must cover at least one.
  def corner?(x, y)
    return touches?([x - 1, y - 1], [x + 1, y - 1], [x - 1, y + 1], [x + 1, y + 1]) unless @is_first

    edges = [x, y].count { |place| [0, SIDE - 1].include?(place) }
    edges > (YEAR == 2021 ? 1 : 0) # in 2021 the first piece covers a corner of the board
  end

  # All placements of pieces of this size: [kind, rotation, flipped, x, y]; some of them more than once.
  def moves(size, open_squares, corners)
    @pieces.select { |kind| PIECES[kind].count("#") == size }.flat_map do |kind|
      ORIENTATIONS[kind].flat_map do |cells, (rotation, flipped)|
        places = corners.product(cells).map { |(x, y), (dx, dy)| [x - dx, y - dy] }
        fitting = places.select { |x, y| cells.all? { |dx, dy| open_squares.include?([x + dx, y + dy]) } }
        fitting.map { |x, y| [kind, rotation, flipped, x, y] }
      end
    end
  end

  # One of the largest pieces that fit, or nil if there is none.
  def choose
    squares = (0...SIDE).to_a
    open_squares = squares.product(squares).select { |x, y| open?(x, y) }.to_set
    corners = open_squares.select { |x, y| corner?(x, y) }.to_a
    5.downto(1) do |size|
      found = moves(size, open_squares, corners)
      return found.sample unless found.empty?
    end
    nil
  end
end

# The data to answer a request in this state with.
def choose_move(state)
  position = Position.new(state)
  color = position.color
  kind, rotation, flipped, x, y = position.choose
  return %(<data class="sc.plugin#{YEAR}.SkipMove"><color>#{color}</color></data>) if kind.nil?

  %(<data class="sc.plugin#{YEAR}.SetMove"><piece color="#{color}" kind="#{kind}" rotation="#{rotation}" ) +
    %(isFlipped="#{flipped}"><position x="#{x}" y="#{y}"/></piece></data>)
end
