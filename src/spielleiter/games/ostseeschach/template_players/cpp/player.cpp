// What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//
// It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.

#include "client.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int SIZE = 8;

/// One way in which a piece may go: so many squares forward, and so many to the side.
struct Step {
    int ahead, aside;
};

const std::map<std::string, std::vector<Step>> STEPS = {
    {"Herzmuschel", {{1, -1}, {1, 1}}},
    {"Moewe", {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}},
    {"Seestern", {{1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}},
    {"Robbe", {{2, 1}, {2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}}},
};

/// A piece or a stack of pieces; a stack moves as its uppermost piece.
struct Piece {
    std::string kind, team;
    int height = 0;  // 0: there is no piece
};

/// The piece on x,y goes to a target.
struct Move {
    int x, y, target_x, target_y;
};

bool is_inside(int x, int y) { return x >= 0 && x < SIZE && y >= 0 && y < SIZE; }

/// What a player has to know of a state.
struct Position {
    std::string team;
    Piece board[SIZE][SIZE];  // board[x][y]; x counts the lines from the start line of ONE

    explicit Position(const Element& state) : team(state.number("turn") % 2 == 0 ? "ONE" : "TWO") {
        for (const Element* entry : state.child("board").child("pieces").all("entry")) {
            const Element &square = entry->child("coordinates"), &piece = entry->child("piece");
            board[square.number("x")][square.number("y")] = {piece.attribute("type"), piece.attribute("team"),
                                                             piece.number("count")};
        }
    }

    /// All legal moves.
    std::vector<Move> moves() const {
        const int forward = team == "ONE" ? 1 : -1;
        std::vector<Move> found;
        for (int x = 0; x < SIZE; ++x)
            for (int y = 0; y < SIZE; ++y) {
                if (board[x][y].team != team) continue;
                for (const Step& step : STEPS.at(board[x][y].kind)) {
                    int target_x = x + forward * step.ahead, target_y = y + step.aside;
                    if (is_inside(target_x, target_y) && board[target_x][target_y].team != team)
                        found.push_back({x, y, target_x, target_y});
                }
            }
        return found;
    }

    /// How many ambers this move wins.
    int ambers(const Move& move) const {
        const Piece &piece = board[move.x][move.y], &below = board[move.target_x][move.target_y];
        const int last_line = team == "ONE" ? SIZE - 1 : 0;
        int count = 0;
        if (piece.height + below.height >= 3) ++count;
        if (move.target_x == last_line && piece.kind != "Robbe") ++count;
        return count;
    }

    /// How good a move is: two for each amber, one for landing on an opponent.
    int value(const Move& move) const {
        return 2 * ambers(move) + (board[move.target_x][move.target_y].height > 0 ? 1 : 0);
    }
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
    const std::string x = std::to_string(move.x), y = std::to_string(move.y);
    const std::string to_x = std::to_string(move.target_x), to_y = std::to_string(move.target_y);
    return "<data class=\"move\"><from x=\"" + x + "\" y=\"" + y + "\"/><to x=\"" + to_x + "\" y=\"" + to_y +
           "\"/></data>";
}
