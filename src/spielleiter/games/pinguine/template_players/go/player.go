// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It goes to a field with as many fish as possible. To make it better, begin with value.
// Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.
package main

import (
	"fmt"
	"math/rand"
	"strconv"
)

const penguinsOfATeam = 4

type field struct{ x, y int }

var directions = []field{{2, 0}, {-2, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}

// A penguin comes to a target; start is nil if it is placed.
type move struct {
	start  *field
	target field
}

// What a player has to know of a state.
type position struct {
	team     string
	fish     map[field]int // how many; fields without fish are left out
	penguins map[string][]field
}

func newPosition(state *Element) *position {
	p := &position{"ONE", map[field]int{}, map[string][]field{}}
	other := "TWO"
	if state.Number("turn")%2 == 1 {
		p.team, other = "TWO", "ONE"
	}
	for y, row := range state.Child("board").All("list") {
		for index, element := range row.All("field") {
			place := field{2*index + y%2, y}
			if element.Text == "ONE" || element.Text == "TWO" {
				p.penguins[element.Text] = append(p.penguins[element.Text], place)
			} else if fish, _ := strconv.Atoi(element.Text); fish > 0 {
				p.fish[place] = fish
			}
		}
	}
	if len(p.moves()) == 0 {
		p.team = other // a team that cannot move is passed over: it must be the other one that is asked
	}
	return p
}

// All legal moves.
func (p *position) moves() (found []move) {
	own := p.penguins[p.team]
	if len(own) < penguinsOfATeam {
		for target, fish := range p.fish {
			if fish == 1 {
				found = append(found, move{nil, target})
			}
		}
		return found
	}
	for i := range own {
		for _, target := range p.targets(own[i]) {
			found = append(found, move{&own[i], target})
		}
	}
	return found
}

// All fields to which the penguin on this field can slide.
func (p *position) targets(start field) (found []field) {
	for _, d := range directions {
		at := field{start.x + d.x, start.y + d.y}
		for p.fish[at] > 0 { // holes, penguins and the edge are in the way
			found = append(found, at)
			at = field{at.x + d.x, at.y + d.y}
		}
	}
	return found
}

// How good a move is: the fish that it gets.
func (p *position) value(m move) int {
	return p.fish[m.target]
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
	start := ""
	if m.start != nil {
		start = fmt.Sprintf(`<from x="%d" y="%d"/>`, m.start.x, m.start.y)
	}
	return fmt.Sprintf(`<data class="move">%s<to x="%d" y="%d"/></data>`, start, m.target.x, m.target.y)
}
