// A complete player for Blokus 2027 in plain Go, written from docs/protocol/.
//
// It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
// passes them; at home --room ROOM-ID joins that room, and --game TYPE another game type ("any": whatever there is).
package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"slices"
	"strings"
)

// --- the game --------------------------------------------------------------------------------------------------------

const side = 20

var colors = []string{"BLUE", "YELLOW", "RED", "GREEN"}
var rotations = []string{"NONE", "RIGHT", "MIRROR", "LEFT"}
var pieces = []string{
	"MONO #", "DOMINO ##", "TRIO_L #. ##", "TRIO_I # # #", "TETRO_O ## ##", "TETRO_T ### .#.", "TETRO_I # # # #",
	"TETRO_L #. #. ##", "TETRO_Z ##. .##", "PENTO_L #. #. #. ##", "PENTO_T ### .#. .#.", "PENTO_V #.. #.. ###",
	"PENTO_S .### ##..", "PENTO_Z ##. .#. .##", "PENTO_I # # # # #", "PENTO_P ## ## #.", "PENTO_W #.. ##. .##",
	"PENTO_U #.# ###", "PENTO_R ..# ### .#.", "PENTO_X .#. ### .#.", "PENTO_Y .# ## .# .#",
}

type square struct{ x, y int }

// One way in which a piece can lie; its bounding box begins at 0,0.
type orientation struct {
	rotation string
	flipped  bool
	cells    []square
}

type move struct {
	kind string
	orientation
	x, y int
}

// For each piece every way in which it can lie, each once.
var orientations = allOrientations()

func allOrientations() map[string][]orientation {
	all := map[string][]orientation{}
	for _, piece := range pieces {
		kind, picture, _ := strings.Cut(piece, " ")
		var cells []square
		for y, row := range strings.Fields(picture) {
			for x, mark := range row {
				if mark == '#' {
					cells = append(cells, square{x, y})
				}
			}
		}
		for _, rotation := range rotations {
			for _, flipped := range []bool{false, true} {
				lies := orientation{rotation, flipped, turned(cells, rotation, flipped)}
				same := func(known orientation) bool { return slices.Equal(known.cells, lies.cells) }
				if !slices.ContainsFunc(all[kind], same) {
					all[kind] = append(all[kind], lies)
				}
			}
		}
	}
	return all
}

func turned(piece []square, rotation string, flipped bool) []square {
	left, top := side, side
	cells := slices.Clone(piece)
	for i, c := range cells {
		switch rotation {
		case "RIGHT":
			c = square{-c.y, c.x}
		case "MIRROR":
			c = square{-c.x, -c.y}
		case "LEFT":
			c = square{c.y, -c.x}
		}
		if flipped {
			c.x = -c.x
		}
		cells[i] = c
		left, top = min(left, c.x), min(top, c.y)
	}
	for i := range cells {
		cells[i].x -= left
		cells[i].y -= top
	}
	slices.SortFunc(cells, func(a, b square) int { return (a.y-b.y)*side + a.x - b.x })
	return cells
}

// What a player has to know of a state, as it stands in the XML.
type state struct {
	Turn       int    `xml:"turn,attr"`
	StartPiece string `xml:"startPiece,attr"`
	Fields     []struct {
		X       int    `xml:"x,attr"`
		Y       int    `xml:"y,attr"`
		Content string `xml:"content,attr"`
	} `xml:"board>field"`
	Blue   []string `xml:"blueShapes>shape"`
	Yellow []string `xml:"yellowShapes>shape"`
	Red    []string `xml:"redShapes>shape"`
	Green  []string `xml:"greenShapes>shape"`
}

// The same as the colour to move sees it.
type position struct {
	color   string
	pieces  []string
	covered map[square]string
	isFirst bool
}

func newPosition(s *state) *position {
	number := s.Turn % 4
	p := &position{colors[number], [][]string{s.Blue, s.Yellow, s.Red, s.Green}[number], map[square]string{}, true}
	for _, field := range s.Fields {
		p.covered[square{field.X, field.Y}] = field.Content
		p.isFirst = p.isFirst && field.Content != p.color
	}
	if p.isFirst {
		p.pieces = []string{s.StartPiece}
	}
	return p
}

func (p *position) touches(squares ...square) bool {
	return slices.ContainsFunc(squares, func(s square) bool { return p.covered[s] == p.color })
}

// Whether the colour may cover this square.
func (p *position) isOpen(x, y int) bool {
	return x >= 0 && x < side && y >= 0 && y < side && p.covered[square{x, y}] == "" &&
		!p.touches(square{x - 1, y}, square{x + 1, y}, square{x, y - 1}, square{x, y + 1})
}

// Whether this square is one of those of which a piece must cover at least one.
func (p *position) isCorner(x, y int) bool {
	if !p.isOpen(x, y) {
		return false
	}
	if p.isFirst {
		return x == 0 || x == side-1 || y == 0 || y == side-1
	}
	return p.touches(square{x - 1, y - 1}, square{x + 1, y - 1}, square{x - 1, y + 1}, square{x + 1, y + 1})
}

// All placements of pieces of this size; some of them more than once.
func (p *position) moves(size int) (found []move) {
	for x := range side {
		for y := range side {
			if !p.isCorner(x, y) {
				continue
			}
			for _, kind := range p.pieces {
				for _, lies := range orientations[kind] {
					if len(lies.cells) == size {
						found = append(found, p.movesAt(kind, lies, x, y)...)
					}
				}
			}
		}
	}
	return found
}

// The placements that cover this corner square.
func (p *position) movesAt(kind string, lies orientation, x, y int) (found []move) {
	for _, anchor := range lies.cells {
		left, top := x-anchor.x, y-anchor.y
		blocked := func(c square) bool { return !p.isOpen(left+c.x, top+c.y) }
		if !slices.ContainsFunc(lies.cells, blocked) {
			found = append(found, move{kind, lies, left, top})
		}
	}
	return found
}

// The data of the move to answer with: one of the largest pieces that fit.
func (p *position) choose() string {
	for size := 5; size > 0; size-- {
		if moves := p.moves(size); len(moves) > 0 {
			m := moves[rand.Intn(len(moves))]
			return fmt.Sprintf(`<data class="sc.plugin2027.SetMove"><piece color="%s" kind="%s" rotation="%s" `+
				`isFlipped="%t"><position x="%d" y="%d"/></piece></data>`, p.color, m.kind, m.rotation, m.flipped, m.x, m.y)
		}
	}
	return fmt.Sprintf(`<data class="sc.plugin2027.SkipMove"><color>%s</color></data>`, p.color)
}

// --- the conversation ------------------------------------------------------------------------------------------------

// Any message of the server: what is not in it stays empty.
type message struct {
	XMLName xml.Name
	RoomID  string `xml:"roomId,attr"`
	Message string `xml:"message,attr"`
	Data    struct {
		Class   string `xml:"class,attr"`
		Message string `xml:"message,attr"`
		State   *state `xml:"state"`
		Winner  struct {
			Reason string `xml:"reason,attr"`
		} `xml:"winner"`
	} `xml:"data"`
}

// The next message, as soon as its last byte is there; an error when the document or the connection is over.
func next(decoder *xml.Decoder) (*message, error) {
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		switch tag := token.(type) {
		case xml.StartElement:
			if tag.Name.Local != "protocol" {
				received := &message{}
				return received, decoder.DecodeElement(received, &tag)
			}
		case xml.EndElement:
			return nil, io.EOF
		}
	}
}

// Joins, plays one game and says goodbye.
func play(connection net.Conn, join string) error {
	fmt.Fprint(connection, "<protocol>", join)
	decoder := xml.NewDecoder(connection)
	joined := false
	var latest *state
	for {
		received, err := next(decoder)
		if err != nil {
			return fmt.Errorf("the server left before the end: %w", err)
		}
		name, data := received.XMLName.Local, received.Data
		if name == "room" {
			name = data.Class
		}
		switch name {
		case "joined":
			joined = true
		case "memento":
			latest = data.State
		case "moveRequest":
			fmt.Fprintf(connection, `<room roomId="%s">%s</room>`, escaped(received.RoomID), newPosition(latest).choose())
		case "result":
			log("result:", data.Winner.Reason)
		case "error":
			log("the server complains:", data.Message)
		case "errorpacket":
			log("the server complains:", received.Message)
			if !joined {
				return fmt.Errorf("it was refused")
			}
		case "left":
			fmt.Fprint(connection, "</protocol>")
			io.Copy(io.Discard, connection) // the server says goodbye too, and closes
			return nil
		}
	}
}

func escaped(text string) string {
	var result strings.Builder
	xml.EscapeText(&result, []byte(text))
	return result.String()
}

func log(words ...any) {
	fmt.Fprintln(os.Stderr, words...)
}

// --- the program -----------------------------------------------------------------------------------------------------

// The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.
func readOptions(arguments []string) map[string]string {
	options := map[string]string{
		"--host": "localhost", "--port": "13050", "--reservation": "", "--room": "", "--game": "swc_2027_blokus",
	}
	short := map[string]string{"-h": "--host", "-p": "--port", "-r": "--reservation"}
	for i := 0; i < len(arguments); i++ {
		name, value, hasValue := strings.Cut(arguments[i], "=")
		if long, isShort := short[name]; isShort {
			name = long
		}
		if _, known := options[name]; !known {
			continue
		}
		if !hasValue && i+1 < len(arguments) {
			i++
			value = arguments[i]
		}
		options[name] = value
	}
	return options
}

func joinRequest(options map[string]string) string {
	switch {
	case options["--reservation"] != "":
		return fmt.Sprintf(`<joinPrepared reservationCode="%s"/>`, escaped(options["--reservation"]))
	case options["--room"] != "":
		return fmt.Sprintf(`<joinRoom roomId="%s"/>`, escaped(options["--room"]))
	case options["--game"] == "any":
		return "<join/>"
	}
	return fmt.Sprintf(`<join gameType="%s"/>`, escaped(options["--game"]))
}

func main() {
	options := readOptions(os.Args[1:])
	connection, err := net.Dial("tcp", net.JoinHostPort(options["--host"], options["--port"]))
	if err == nil {
		err = play(connection, joinRequest(options))
		connection.Close()
	}
	if err != nil {
		log("cannot play:", err)
		os.Exit(1)
	}
}
