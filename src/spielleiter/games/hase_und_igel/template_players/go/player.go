// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with value.
package main

import (
	"fmt"
	"math/rand"
	"slices"
)

const (
	price       = 10 // carrots for a card on the market
	goalCarrots = 10 // a hare may enter the goal with so many at most
)

var cardNames = []string{"EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD"}

// A hare and what it has.
type hare struct {
	field, carrots, salads int
	cards                  []string
	hasEaten, hasSwapped   bool
}

func newHare(element *Element) hare {
	last := element.Child("lastAction")
	h := hare{
		field:      element.Number("position"),
		carrots:    element.Number("carrots"),
		salads:     element.Number("salads"),
		hasEaten:   last.Attribute("class") == "eatsalad",
		hasSwapped: last.Attribute("class") == "card" && last.Text == "SWAP_CARROTS",
	}
	for _, card := range element.Child("cards").All("card") {
		h.cards = append(h.cards, card.Text)
	}
	return h
}

// What the hare does: the class of the move, its number (distance or amount, or 0) and its cards.
type move struct {
	kind   string
	number int
	cards  []string
}

// What a player has to know of a state.
type position struct {
	track     []string
	me, other hare
}

func newPosition(state *Element) *position {
	p := &position{}
	for _, field := range state.Child("board").All("field") {
		p.track = append(p.track, field.Text)
	}
	team := "ONE"
	if state.Number("turn")%2 == 1 {
		team = "TWO"
	}
	for _, element := range state.All("hare") {
		if element.Attribute("team") == team {
			p.me = newHare(element)
		} else {
			p.other = newHare(element)
		}
	}
	return p
}

// All legal moves.
func (p *position) moves() []move {
	here := p.track[p.me.field]
	if here == "SALAD" && !p.me.hasEaten {
		return []move{{"eatsalad", 0, nil}}
	}
	found := p.advances()
	hedgehog := p.me.field - 1 // the nearest one behind, or -1
	for hedgehog >= 0 && p.track[hedgehog] != "HEDGEHOG" {
		hedgehog--
	}
	if hedgehog >= 0 && hedgehog != p.other.field {
		found = append(found, move{"fallback", 0, nil})
	}
	if here == "CARROTS" {
		found = append(found, move{"exchangecarrots", 10, nil})
		if p.me.carrots >= 10 {
			found = append(found, move{"exchangecarrots", -10, nil})
		}
	}
	return found
}

// All moves forward, with each way to play or to buy cards at their end.
func (p *position) advances() (found []move) {
	for distance := 1; p.me.field+distance < len(p.track); distance++ {
		carrots := p.me.carrots - distance*(distance+1)/2
		if carrots < 0 {
			break
		}
		for _, cards := range p.arrivals(p.me.field+distance, carrots, p.me.cards) {
			found = append(found, move{"advance", distance, cards})
		}
	}
	return found
}

// Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
//
// On most fields that is only the empty list. Carrots and held (cards) are what the hare has by then.
func (p *position) arrivals(field, carrots int, held []string) (found [][]string) {
	if field < 0 || field >= len(p.track) {
		return nil
	}
	kind, isOpen := p.track[field], true
	switch kind {
	case "START", "HEDGEHOG":
		isOpen = false
	case "MARKET":
		isOpen = carrots >= price
	case "SALAD":
		isOpen = p.me.salads > 0
	case "GOAL":
		isOpen = carrots <= goalCarrots && p.me.salads == 0
	}
	if !isOpen || (field == p.other.field && kind != "GOAL") {
		return nil
	}
	if kind == "HARE" {
		return p.plays(field, carrots, held)
	}
	if kind != "MARKET" {
		return [][]string{{}}
	}
	for _, card := range cardNames {
		found = append(found, []string{card}) // exactly one is bought
	}
	return found
}

// Every list of cards that the hare may play on this hare field; some lead on to another field.
func (p *position) plays(field, carrots int, held []string) (found [][]string) {
	isAhead := field > p.other.field
	for _, card := range cardNames {
		place := slices.Index(held, card)
		if place < 0 {
			continue
		}
		left := slices.Delete(slices.Clone(held), place, place+1)
		var following [][]string // the lists of cards that may come after this one
		switch {
		case card == "EAT_SALAD" && p.me.salads > 0, card == "SWAP_CARROTS" && p.canSwap(field):
			following = [][]string{{}}
		case card == "FALL_BACK" && isAhead:
			following = p.arrivals(p.other.field-1, carrots, left)
		case card == "HURRY_AHEAD" && !isAhead:
			following = p.arrivals(p.other.field+1, carrots, left)
		}
		for _, cards := range following {
			found = append(found, append([]string{card}, cards...))
		}
	}
	return found
}

// Whether carrots may be swapped: both before the last salad field, and not twice in a row.
func (p *position) canSwap(field int) bool {
	lastSalad := len(p.track) - 1
	for p.track[lastSalad] != "SALAD" {
		lastSalad--
	}
	return max(field, p.other.field) < lastSalad && !p.me.hasSwapped && !p.other.hasSwapped
}

// How good a move is: 2 if it goes into the goal, 1 if it gets to a salad or eats one, otherwise 0.
func (p *position) value(m move) int {
	if m.kind == "eatsalad" || slices.Contains(m.cards, "EAT_SALAD") {
		return 1
	}
	if m.kind != "advance" {
		return 0
	}
	return map[string]int{"GOAL": 2, "SALAD": 1}[p.track[p.me.field+m.number]]
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
	switch m.kind {
	case "advance":
		cards := ""
		for _, card := range m.cards {
			cards += "<card>" + card + "</card>"
		}
		return fmt.Sprintf(`<data class="advance" distance="%d">%s</data>`, m.number, cards)
	case "exchangecarrots":
		return fmt.Sprintf(`<data class="exchangecarrots" amount="%d"/>`, m.number)
	}
	return fmt.Sprintf(`<data class="%s"/>`, m.kind)
}
