// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.
package main

import (
	"fmt"
	"math/rand"
)

const size = 8

// One way in which a piece may go: so many squares forward, and so many to the side.
type step struct{ ahead, aside int }

var steps = map[string][]step{
	"Herzmuschel": {{1, -1}, {1, 1}},
	"Moewe":       {{1, 0}, {-1, 0}, {0, 1}, {0, -1}},
	"Seestern":    {{1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
	"Robbe":       {{2, 1}, {2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}},
}

// A piece or a stack of pieces; a stack moves as its uppermost piece.
type piece struct {
	kind, team string
	height     int // 0: there is no piece
}

// The piece on x,y goes to a target.
type move struct{ x, y, targetX, targetY int }

// What a player has to know of a state.
type position struct {
	team  string
	board [size][size]piece // board[x][y]; x counts the lines from the start line of ONE
}

func newPosition(state *Element) *position {
	p := &position{team: "ONE"}
	if state.Number("turn")%2 == 1 {
		p.team = "TWO"
	}
	for _, entry := range state.Child("board").Child("pieces").All("entry") {
		square, there := entry.Child("coordinates"), entry.Child("piece")
		p.board[square.Number("x")][square.Number("y")] =
			piece{there.Attribute("type"), there.Attribute("team"), there.Number("count")}
	}
	return p
}

// All legal moves.
func (p *position) moves() (found []move) {
	forward := 1
	if p.team == "TWO" {
		forward = -1
	}
	for x := range size {
		for y := range size {
			if p.board[x][y].team != p.team {
				continue
			}
			for _, s := range steps[p.board[x][y].kind] {
				targetX, targetY := x+forward*s.ahead, y+s.aside
				if isInside(targetX, targetY) && p.board[targetX][targetY].team != p.team {
					found = append(found, move{x, y, targetX, targetY})
				}
			}
		}
	}
	return found
}

// How many ambers this move wins.
func (p *position) ambers(m move) (count int) {
	own, below := p.board[m.x][m.y], p.board[m.targetX][m.targetY]
	lastLine := size - 1
	if p.team == "TWO" {
		lastLine = 0
	}
	if own.height+below.height >= 3 {
		count++
	}
	if m.targetX == lastLine && own.kind != "Robbe" {
		count++
	}
	return count
}

// How good a move is: two for each amber, one for landing on an opponent.
func (p *position) value(m move) int {
	value := 2 * p.ambers(m)
	if p.board[m.targetX][m.targetY].height > 0 {
		value++
	}
	return value
}

func isInside(x, y int) bool {
	return x >= 0 && x < size && y >= 0 && y < size
}

// The data of the move to answer with: one of the best, chosen at random.
func chooseMove(state *Element) string {
	p := newPosition(state)
	moves := p.moves()
	best := p.value(moves[0])
	for _, m := range moves {
		best = max(best, p.value(m))
	}
	var good []move
	for _, m := range moves {
		if p.value(m) == best {
			good = append(good, m)
		}
	}
	m := good[rand.Intn(len(good))]
	start := fmt.Sprintf(`<from x="%d" y="%d"/>`, m.x, m.y)
	return fmt.Sprintf(`<data class="move">%s<to x="%d" y="%d"/></data>`, start, m.targetX, m.targetY)
}
