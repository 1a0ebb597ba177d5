# frozen_string_literal: true

# What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
#
# It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with value.

CARDS = %w[EAT_SALAD SWAP_CARROTS FALL_BACK HURRY_AHEAD].freeze
PRICE = 10 # carrots for a card on the market
GOAL_CARROTS = 10 # a hare may enter the goal with so many at most

# A hare and what it has.
class Hare
  attr_reader :field, :carrots, :salads, :cards, :has_eaten, :has_swapped

  def initialize(element)
    @field = element.number("position")
    @carrots = element.number("carrots")
    @salads = element.number("salads")
    @cards = element.child("cards").all("card").map(&:text)
    last = element.child("lastAction")
    @has_eaten = last.attribute("class") == "eatsalad"
    @has_swapped = last.attribute("class") == "card" && last.text == "SWAP_CARROTS"
  end
end

# What the hare does: the class of the move, its number (distance or amount, or 0) and its cards.
Move = Struct.new(:kind, :number, :cards)

# What a player has to know of a state.
class Position
  def initialize(state)
    @track = state.child("board").all("field").map(&:text)
    team = state.number("turn").even? ? "ONE" : "TWO"
    mine, theirs = state.all("hare").partition { |hare| hare.attribute("team") == team }
    @me = Hare.new(mine.first)
    @other = Hare.new(theirs.first)
  end

  # All legal moves.
  def moves
    here = @track[@me.field]
    return [Move.new("eatsalad", 0, [])] if here == "SALAD" && !@me.has_eaten

    found = advances
    hedgehog = @track.first(@me.field).rindex("HEDGEHOG") # nil if there is none behind
    found << Move.new("fallback", 0, []) if hedgehog && hedgehog != @other.field
    if here == "CARROTS"
      found << Move.new("exchangecarrots", 10, [])
      found << Move.new("exchangecarrots", -10, []) if @me.carrots >= 10
    end
    found
  end

  # All moves forward, with each way to play or to buy cards at their end.
  def advances
    found = []
    (1...@track.size - @me.field).each do |distance|
      carrots = @me.carrots - distance * (distance + 1) / 2
      break if carrots.negative?

      arrivals(@me.field + distance, carrots, @me.cards).each do |cards|
        found << Move.new("advance", distance, cards)
      end
    end
    found
  end

  # Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
  #
  # On most fields that is only the empty list. carrots and held (cards) are what the hare has by then.
  def arrivals(field, carrots, held)
    return [] unless field.between?(0, @track.size - 1)

    kind = @track[field]
    is_open =
      case kind
      when "START", "HEDGEHOG" then false
      when "MARKET" then carrots >= PRICE
      when "SALAD" then @me.salads.positive?
      when "GOAL" then carrots <= GOAL_CARROTS && @me.salads.zero?
      else true
      end
    return [] if !is_open || (field == @other.field && kind != "GOAL")
    return CARDS.map { |card| [card] } if kind == "MARKET" # exactly one is bought

    kind == "HARE" ? plays(field, carrots, held) : [[]]
  end

  # Every list of cards that the hare may play on this hare field; some lead on to another field.
  def plays(field, carrots, held)
    ahead = field > @other.field
    CARDS.select { |card| held.include?(card) }.flat_map do |card|
      left = held.dup
      left.delete_at(left.index(card))
      following = [] # the lists of cards that may come after this one
      following = [[]] if card == "EAT_SALAD" && @me.salads.positive?
      following = [[]] if card == "SWAP_CARROTS" && can_swap?(field)
      following = arrivals(@other.field - 1, carrots, left) if card == "FALL_BACK" && ahead
      following = arrivals(@other.field + 1, carrots, left) if card == "HURRY_AHEAD" && !ahead
      following.map { |cards| [card, *cards] }
    end
  end

  # Whether carrots may be swapped: both before the last salad field, and not twice in a row.
  def can_swap?(field)
    early = [field, @other.field].max < @track.rindex("SALAD")
    early && !@me.has_swapped && !@other.has_swapped
  end

  # How good a move is: 2 if it goes into the goal, 1 if it gets to a salad or eats one, otherwise 0.
  def value(move)
    return 1 if move.kind == "eatsalad" || move.cards.include?("EAT_SALAD")
    return 0 if move.kind != "advance"

    { "GOAL" => 2, "SALAD" => 1 }.fetch(@track[@me.field + move.number], 0)
  end
end

# The data of the move to answer with: one of the best, chosen at random.
def choose_move(state)
  position = Position.new(state)
  moves = position.moves
  best = moves.map { |move| position.value(move) }.max
  move = moves.select { |one| position.value(one) == best }.sample
  cards = move.cards.map { |card| "<card>#{card}</card>" }.join
  case move.kind
  when "advance" then "<data class=\"advance\" distance=\"#{move.number}\">#{cards}</data>"
  when "exchangecarrots" then "<data class=\"exchangecarrots\" amount=\"#{move.number}\"/>"
  else "<data class=\"#{move.kind}\"/>"
  end
end
