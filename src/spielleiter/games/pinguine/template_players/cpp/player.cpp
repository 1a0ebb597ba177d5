// What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//
// It goes to a field with as many fish as possible. To make it better, begin with value.
// Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.

#include "client.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int PENGUINS = 4;  // of each team

using Field = std::pair<int, int>;  // x, y

const std::vector<Field> DIRECTIONS = {{2, 0}, {-2, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/// A penguin comes to a target.
struct Move {
    bool is_placed;  // then it has no start
    Field start, target;
};

/// What a player has to know of a state.
struct Position {
    std::map<Field, int> fish;  // how many; fields without fish are left out
    std::map<std::string, std::vector<Field>> penguins = {{"ONE", {}}, {"TWO", {}}};
    std::string team;

    explicit Position(const Element& state) {
        int y = 0;
        for (const Element* row : state.child("board").all("list")) {
            int x = y % 2;
            for (const Element* field : row->all("field")) {
                if (penguins.count(field->text)) penguins[field->text].push_back({x, y});
                else if (field->text != "0") fish[{x, y}] = std::stoi(field->text);
                x += 2;
            }
            ++y;
        }
        team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
        // A team that cannot move is passed over: it must be the other one that is asked.
        if (moves().empty()) team = team == "ONE" ? "TWO" : "ONE";
    }

    /// All legal moves.
    std::vector<Move> moves() const {
        std::vector<Move> found;
        const std::vector<Field>& own = penguins.at(team);
        if (own.size() < PENGUINS) {
            for (const auto& [field, count] : fish)
                if (count == 1) found.push_back({true, {}, field});
        } else {
            for (const Field& start : own)
                for (const Field& target : targets(start)) found.push_back({false, start, target});
        }
        return found;
    }

    /// All fields to which the penguin on this field can slide.
    std::vector<Field> targets(const Field& start) const {
        std::vector<Field> found;
        for (const auto& [dx, dy] : DIRECTIONS) {
            Field field = {start.first + dx, start.second + dy};
            while (fish.count(field)) {  // holes, penguins and the edge are in the way
                found.push_back(field);
                field = {field.first + dx, field.second + dy};
            }
        }
        return found;
    }

    /// How good a move is: the fish that it gets.
    int value(const Move& move) const { return fish.at(move.target); }
};

std::string attributes(const Field& field) {
    return "x=\"" + std::to_string(field.first) + "\" y=\"" + std::to_string(field.second) + "\"";
}

}  // namespace

/// The data of the move to answer with: one of the best, chosen at random.
std::string choose_move(const Element& state) {
    static std::mt19937 random{std::random_device{}()};
    const Position position(state);
    const std::vector<Move> moves = position.moves();
    int best = position.value(moves.at(0));
    for (const Move& move : moves) best = std::max(best, position.value(move));
    std::vector<Move> good;
    for (const Move& move : moves)
        if (position.value(move) == best) good.push_back(move);
    const Move& move = good[random() % good.size()];
    const std::string start = move.is_placed ? "" : "<from " + attributes(move.start) + "/>";
    return "<data class=\"move\">" + start + "<to " + attributes(move.target) + "/></data>";
}
