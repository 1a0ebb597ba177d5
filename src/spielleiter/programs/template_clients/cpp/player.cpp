// The moves of __TITLE__: TO BE WRITTEN. The client is there; choose_move is the place for the rules and your ideas.

#include "client.h"

#include <stdexcept>

// For a game whose move is a square: "<data class=\"sc.plugin__YEAR__.Move\"><to x=\"3\" y=\"5\"/></data>"
std::string choose_move(const Element& /* state */) {
    throw std::logic_error("write choose_move: it gives the <data> of a move in this state");
}
