# frozen_string_literal: true

# How a player talks to the game master, in plain Ruby, written from docs/protocol/. The moves are player.rb's.
#
# Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
# --game TYPE another game type ("any": whatever there is).

require "socket"
require_relative "player"

# --- XML: the small part of it that the server uses -------------------------------------------------------------------

# An XML element. What is missing is an empty element, an empty text, or 0.
class Element
  attr_reader :name, :attributes, :children
  attr_accessor :text

  def initialize(name)
    @name = name
    @text = +""
    @attributes = {}
    @children = []
  end

  def attribute(key)
    @attributes.fetch(key, "")
  end

  # The attribute as a whole number.
  def number(key)
    attribute(key).to_i
  end

  def has?(child_name)
    @children.any? { |child| child.name == child_name }
  end

  # The first child of this name.
  def child(child_name)
    @children.find { |child| child.name == child_name } || Element.new("")
  end

  # The children of this name.
  def all(child_name)
    @children.select { |child| child.name == child_name }
  end
end

def escaped(text)
  text.gsub(/[&<>"']/) { |character| "&##{character.ord};" }
end

def unescaped(text)
  text.gsub(/&(?:#x(\h+)|#(\d+)|(\w+));/) do |whole|
    hex, decimal, name = Regexp.last_match.captures
    next { "amp" => "&", "lt" => "<", "gt" => ">", "quot" => '"', "apos" => "'" }.fetch(name, whole) if name

    [hex ? hex.hex : decimal.to_i].pack("U")
  end
end

# The element that begins with this tag.
def started(tag)
  element = Element.new(tag[%r{\A[^\s/]*}])
  tag.scan(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/) do |name, double, single|
    element.attributes[name] = unescaped(double || single)
  end
  element
end

# The next message, as soon as its last byte is there; nil when the document or the connection is over.
def next_message(connection)
  open = [] # the elements that are not closed yet, without <protocol>
  loop do
    # Bytes become text only when a whole token is there, so no character is ever cut.
    text, tag = %w[< >].map { |stop| connection.gets(stop)&.force_encoding(Encoding::UTF_8)&.scrub }
    return nil unless tag&.end_with?(">")

    open.last.text << unescaped(text.chomp("<")) unless open.empty?
    tag = tag.chomp(">")
    return nil if tag == "/protocol"
    next if tag == "protocol" || tag.start_with?("?", "!")

    unless tag.start_with?("/")
      open.push(started(tag))
      next unless tag.end_with?("/")
    end
    return nil if open.empty?

    closed = open.pop
    closed.text = closed.text.strip
    return closed if open.empty?

    open.last.children.push(closed)
  end
end

# --- the conversation -------------------------------------------------------------------------------------------------

# The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest.
def kind(data)
  data.attribute("class").split(".").last.to_s.downcase
end

# Why the game ended: a text for people, which each season has in another place.
def reason(result)
  result.children.reduce(result.attribute("reason")) { |found, child| found.empty? ? reason(child) : found }
end

# Joins, plays one game and says goodbye; whether the game was played.
def play(connection, join)
  connection.write("<protocol>#{join}")
  state = nil
  joined = false
  while (message = next_message(connection))
    data = message.has?("data") ? message.child("data") : nil
    case data ? kind(data) : message.name
    when "joined"
      joined = true
    when "memento"
      state = data.child("state")
    when "moverequest"
      next unless state

      connection.write("<room roomId=\"#{escaped(message.attribute('roomId'))}\">#{choose_move(state)}</room>")
    when "result"
      why = reason(data)
      warn "result: #{why.empty? ? 'the game is over' : why}"
    when "error", "errorpacket"
      warn "the server complains: #{(data || message).attribute('message')}"
      return false unless joined
    when "left"
      connection.write("</protocol>")
      connection.read # the server says goodbye too, and closes
      return true
    end
  end
  false
end

# --- the program ------------------------------------------------------------------------------------------------------

# The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.
def read_options(arguments)
  options = { "host" => "localhost", "port" => "13050", "reservation" => "", "room" => "", "game" => "__GAME_TYPE__" }
  names = { "-h" => "host", "-p" => "port", "-r" => "reservation" }
  options.each_key { |name| names["--#{name}"] = name }
  waiting = arguments.dup
  until waiting.empty?
    given, equals, value = waiting.shift.partition("=")
    options[names[given]] = equals.empty? ? waiting.shift.to_s : value if names.key?(given)
  end
  options
end

def join_request(options)
  reservation, room, game = options.values_at("reservation", "room", "game")
  return "<joinPrepared reservationCode=\"#{escaped(reservation)}\"/>" unless reservation.empty?
  return "<joinRoom roomId=\"#{escaped(room)}\"/>" unless room.empty?

  game == "any" ? "<join/>" : "<join gameType=\"#{escaped(game)}\"/>"
end

def main
  options = read_options(ARGV)
  connection = TCPSocket.new(options["host"], options["port"])
  connection.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
  play(connection, join_request(options))
rescue SocketError, SystemCallError, IOError => problem
  warn "cannot play at #{options['host']}:#{options['port']}: #{problem.message}"
  false
end

exit(main) if $PROGRAM_NAME == __FILE__
