// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
package main

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

const year = __YEAR__
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

// What a player has to know of a state.
type position struct {
	color   string
	pieces  []string
	covered map[square]string
	isFirst bool
}

func newPosition(state *Element) *position {
	p := &position{color: colors[state.Number("turn")%4], covered: map[square]string{}, isFirst: true}
	for _, field := range state.Child("board").All("field") {
		content := field.Attribute("content")
		p.covered[square{field.Number("x"), field.Number("y")}] = content
		p.isFirst = p.isFirst && content != p.color
	}
	for _, shape := range state.Child(strings.ToLower(p.color) + "Shapes").All("shape") {
		p.pieces = append(p.pieces, shape.Text)
	}
	if p.isFirst {
		p.pieces = []string{state.Attribute("startPiece")}
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
		onSide, onEnd := x == 0 || x == side-1, y == 0 || y == side-1
		if year == 2021 { // the first piece covers a corner of the board
			return onSide && onEnd
		}
		return onSide || onEnd
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
			return fmt.Sprintf(`<data class="sc.plugin%d.SetMove"><piece color="%s" kind="%s" rotation="%s" `+
				`isFlipped="%t"><position x="%d" y="%d"/></piece></data>`, year, p.color, m.kind, m.rotation, m.flipped, m.x, m.y)
		}
	}
	return fmt.Sprintf(`<data class="sc.plugin%d.SkipMove"><color>%s</color></data>`, year, p.color)
}

// The data to answer a request in this state with.
func chooseMove(state *Element) string {
	return newPosition(state).choose()
}
