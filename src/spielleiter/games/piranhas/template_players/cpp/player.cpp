// What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//
// It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
// The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

#include "client.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int SIZE = 10;

struct Direction {
    std::string name;
    int dx, dy;
};

const std::vector<Direction> DIRECTIONS = {
    {"UP", 0, 1},    {"UP_RIGHT", 1, 1},    {"RIGHT", 1, 0}, {"DOWN_RIGHT", 1, -1},
    {"DOWN", 0, -1}, {"DOWN_LEFT", -1, -1}, {"LEFT", -1, 0}, {"UP_LEFT", -1, 1},
};

/// What can lie on a square: whose it is, and how heavy.
struct Content {
    std::string owner;
    int weight = 0;
};

/// The words of both seasons. In 2019 all fish weigh the same.
const std::map<std::string, Content> CONTENTS = {
    {"EMPTY", {"", 0}},    {"RED", {"ONE", 1}},   {"BLUE", {"TWO", 1}},  {"OBSTRUCTED", {"KRAKEN", 0}},
    {"ONE_S", {"ONE", 1}}, {"ONE_M", {"ONE", 2}}, {"ONE_L", {"ONE", 3}}, {"SQUID", {"KRAKEN", 0}},
    {"TWO_S", {"TWO", 1}}, {"TWO_M", {"TWO", 2}}, {"TWO_L", {"TWO", 3}},
};

/// The fish on x,y swims in a direction, and so comes to a target.
struct Move {
    int x, y;
    std::string direction;
    int target_x, target_y;
};

bool is_inside(int x, int y) { return x >= 0 && x < SIZE && y >= 0 && y < SIZE; }

/// What a player has to know of a state.
struct Position {
    bool is_2019;
    std::string team, opponent;
    Content board[SIZE][SIZE];  // board[x][y]

    explicit Position(const Element& state) {
        is_2019 = state.attribute("class") == "sc.plugin2019.GameState";
        team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
        opponent = team == "ONE" ? "TWO" : "ONE";
        const auto lines = state.child("board").all(is_2019 ? "fields" : "row");
        for (int i = 0; i < SIZE; ++i) {
            const auto fields = lines.at(i)->all("field");
            for (int j = 0; j < SIZE; ++j) {
                if (is_2019) board[i][j] = CONTENTS.at(fields.at(j)->attribute("state"));  // i: a column
                else board[j][i] = CONTENTS.at(fields.at(j)->text);                        // i: a row
            }
        }
    }

    /// All legal moves.
    std::vector<Move> moves() const {
        std::vector<Move> found;
        for (int x = 0; x < SIZE; ++x)
            for (int y = 0; y < SIZE; ++y)
                if (board[x][y].owner == team)
                    for (const auto& [direction, dx, dy] : DIRECTIONS) {
                        int distance = 1 + fish_from(x, y, dx, dy) + fish_from(x, y, -dx, -dy);
                        if (can_swim(x, y, dx, dy, distance))
                            found.push_back({x, y, direction, x + distance * dx, y + distance * dy});
                    }
        return found;
    }

    /// Whether the own fish on this square may swim so far in this direction.
    bool can_swim(int x, int y, int dx, int dy, int distance) const {
        int target_x = x + distance * dx, target_y = y + distance * dy;
        if (!is_inside(target_x, target_y)) return false;
        const std::string& there = board[target_x][target_y].owner;
        if (there == team || there == "KRAKEN") return false;
        for (int step = 1; step < distance; ++step)  // own fish and krakens may be passed, opponents not
            if (board[x + step * dx][y + step * dy].owner == opponent) return false;
        return true;
    }

    /// How many fish lie from this square on in this direction, the square itself not counted.
    int fish_from(int x, int y, int dx, int dy) const {
        int count = 0;
        for (x += dx, y += dy; is_inside(x, y); x += dx, y += dy)
            if (board[x][y].weight > 0) ++count;
        return count;
    }

    /// How good a move is: the weight of the fish that it eats, 0 if it eats none.
    int value(const Move& move) const { return board[move.target_x][move.target_y].weight; }
};

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
    const std::string start = "x=\"" + std::to_string(move.x) + "\" y=\"" + std::to_string(move.y) + "\"";
    if (position.is_2019) return "<data class=\"move\" " + start + " direction=\"" + move.direction + "\"/>";
    return "<data class=\"move\"><from " + start + "/><direction>" + move.direction + "</direction></data>";
}
