// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
// The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.
package main

import (
	"fmt"
	"math/rand"
)

const size = 10

type direction struct {
	name   string
	dx, dy int
}

var directions = []direction{
	{"UP", 0, 1}, {"UP_RIGHT", 1, 1}, {"RIGHT", 1, 0}, {"DOWN_RIGHT", 1, -1},
	{"DOWN", 0, -1}, {"DOWN_LEFT", -1, -1}, {"LEFT", -1, 0}, {"UP_LEFT", -1, 1},
}

// What can lie on a square: whose it is, and how heavy.
type content struct {
	owner  string
	weight int
}

// The words of both seasons; all others are empty squares. In 2019 all fish weigh the same.
var contents = map[string]content{
	"RED": {"ONE", 1}, "BLUE": {"TWO", 1}, "OBSTRUCTED": {"KRAKEN", 0},
	"ONE_S": {"ONE", 1}, "ONE_M": {"ONE", 2}, "ONE_L": {"ONE", 3},
	"TWO_S": {"TWO", 1}, "TWO_M": {"TWO", 2}, "TWO_L": {"TWO", 3},
	"SQUID": {"KRAKEN", 0},
}

// The fish on x,y swims in a direction, and so comes to a target.
type move struct {
	x, y             int
	direction        string
	targetX, targetY int
}

// What a player has to know of a state.
type position struct {
	is2019         bool
	team, opponent string
	board          [size][size]content // board[x][y]
}

func newPosition(state *Element) *position {
	p := &position{team: "ONE", opponent: "TWO"}
	if state.Number("turn")%2 == 1 {
		p.team, p.opponent = "TWO", "ONE"
	}
	p.is2019 = state.Attribute("class") == "sc.plugin2019.GameState"
	lines := "row"
	if p.is2019 {
		lines = "fields"
	}
	for i, line := range state.Child("board").All(lines) {
		for j, field := range line.All("field") {
			if p.is2019 { // a line is a column
				p.board[i][j] = contents[field.Attribute("state")]
			} else { // a line is a row
				p.board[j][i] = contents[field.Text]
			}
		}
	}
	return p
}

// All legal moves.
func (p *position) moves() (found []move) {
	for x := range size {
		for y := range size {
			if p.board[x][y].owner != p.team {
				continue
			}
			for _, d := range directions {
				distance := 1 + p.fishFrom(x, y, d.dx, d.dy) + p.fishFrom(x, y, -d.dx, -d.dy)
				if p.canSwim(x, y, d.dx, d.dy, distance) {
					found = append(found, move{x, y, d.name, x + distance*d.dx, y + distance*d.dy})
				}
			}
		}
	}
	return found
}

// Whether the own fish on this square may swim so far in this direction.
func (p *position) canSwim(x, y, dx, dy, distance int) bool {
	targetX, targetY := x+distance*dx, y+distance*dy
	if !isInside(targetX, targetY) {
		return false
	}
	there := p.board[targetX][targetY].owner
	if there == p.team || there == "KRAKEN" {
		return false
	}
	for step := 1; step < distance; step++ {
		if p.board[x+step*dx][y+step*dy].owner == p.opponent {
			return false // own fish and krakens may be passed, opponents not
		}
	}
	return true
}

// How many fish lie from this square on in this direction, the square itself not counted.
func (p *position) fishFrom(x, y, dx, dy int) (count int) {
	for x, y = x+dx, y+dy; isInside(x, y); x, y = x+dx, y+dy {
		if p.board[x][y].weight > 0 {
			count++
		}
	}
	return count
}

// How good a move is: the weight of the fish that it eats, 0 if it eats none.
func (p *position) value(m move) int {
	return p.board[m.targetX][m.targetY].weight
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
	if p.is2019 {
		return fmt.Sprintf(`<data class="move" x="%d" y="%d" direction="%s"/>`, m.x, m.y, m.direction)
	}
	start := fmt.Sprintf(`<from x="%d" y="%d"/>`, m.x, m.y)
	return fmt.Sprintf(`<data class="move">%s<direction>%s</direction></data>`, start, m.direction)
}
