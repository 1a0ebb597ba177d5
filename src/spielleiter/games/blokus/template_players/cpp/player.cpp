// What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

#include "client.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <tuple>
#include <utility>

using std::string;

namespace {

constexpr int YEAR = __YEAR__;
constexpr int SIDE = 20;
const char* const COLORS[] = {"BLUE", "YELLOW", "RED", "GREEN"};
const char* const ROTATIONS[] = {"NONE", "RIGHT", "MIRROR", "LEFT"};
const char* const PIECES[] = {
    "MONO #", "DOMINO ##", "TRIO_L #. ##", "TRIO_I # # #", "TETRO_O ## ##", "TETRO_T ### .#.", "TETRO_I # # # #",
    "TETRO_L #. #. ##", "TETRO_Z ##. .##", "PENTO_L #. #. #. ##", "PENTO_T ### .#. .#.", "PENTO_V #.. #.. ###",
    "PENTO_S .### ##..", "PENTO_Z ##. .#. .##", "PENTO_I # # # # #", "PENTO_P ## ## #.", "PENTO_W #.. ##. .##",
    "PENTO_U #.# ###", "PENTO_R ..# ### .#.", "PENTO_X .#. ### .#.", "PENTO_Y .# ## .# .#",
};

using Cells = std::vector<std::pair<int, int>>;

struct Orientation {
    string rotation;
    bool flipped;
    Cells cells;  // the bounding box begins at 0,0
};

struct Move {
    string kind;
    const Orientation* orientation;
    int x, y;
};

Cells turned(Cells cells, const string& rotation, bool flipped) {
    int left = SIDE, top = SIDE;
    for (auto& [x, y] : cells) {
        if (rotation == "RIGHT") std::tie(x, y) = std::make_pair(-y, x);
        if (rotation == "MIRROR") std::tie(x, y) = std::make_pair(-x, -y);
        if (rotation == "LEFT") std::tie(x, y) = std::make_pair(y, -x);
        if (flipped) x = -x;
        left = std::min(left, x), top = std::min(top, y);
    }
    for (auto& [x, y] : cells) x -= left, y -= top;
    std::sort(cells.begin(), cells.end());
    return cells;
}

/// For each piece every way in which it can lie, each once.
std::map<string, std::vector<Orientation>> all_orientations() {
    std::map<string, std::vector<Orientation>> all;
    for (const char* line : PIECES) {
        std::istringstream words(line);
        string kind, row;
        words >> kind;
        Cells piece;
        for (int y = 0; words >> row; ++y)
            for (int x = 0; x < int(row.size()); ++x)
                if (row[size_t(x)] == '#') piece.push_back({x, y});
        auto& found = all[kind];
        for (const char* rotation : ROTATIONS)
            for (bool flipped : {false, true}) {
                Cells cells = turned(piece, rotation, flipped);
                if (std::none_of(found.begin(), found.end(), [&](auto& known) { return known.cells == cells; }))
                    found.push_back({rotation, flipped, cells});
            }
    }
    return all;
}

const auto ORIENTATIONS = all_orientations();

/// What a player has to know of a state.
struct Position {
    string color;
    std::vector<string> pieces;
    string board[SIDE][SIDE];
    bool is_first = true;

    explicit Position(const Element& state) : color(COLORS[state.number("turn") % 4]) {
        for (const Element* field : state.child("board").all("field")) {
            string content = field->attribute("content");
            board[field->number("x")][field->number("y")] = content;
            if (content == color) is_first = false;
        }
        string list = color + "Shapes";
        std::transform(color.begin(), color.end(), list.begin(), [](char c) { return char(c - 'A' + 'a'); });
        if (is_first) pieces = {state.attribute("startPiece")};
        else for (const Element* shape : state.child(list).all("shape")) pieces.push_back(shape->text);
    }

    static bool is_inside(int x, int y) { return x >= 0 && x < SIDE && y >= 0 && y < SIDE; }
    bool is_own(int x, int y) const { return is_inside(x, y) && board[x][y] == color; }

    /// Whether the colour may cover this square.
    bool is_open(int x, int y) const {
        return is_inside(x, y) && board[x][y].empty() &&
               !(is_own(x - 1, y) || is_own(x + 1, y) || is_own(x, y - 1) || is_own(x, y + 1));
    }

    /// Whether this square is one of those of which a piece must cover at least one.
    bool is_corner(int x, int y) const {
        if (!is_open(x, y)) return false;
        bool side = x == 0 || x == SIDE - 1, end = y == 0 || y == SIDE - 1;
        if (is_first) return YEAR == 2021 ? side && end : side || end;  // in 2021 it covers a corner of the board
        return is_own(x - 1, y - 1) || is_own(x + 1, y - 1) || is_own(x - 1, y + 1) || is_own(x + 1, y + 1);
    }

    /// All placements of pieces of this size; some of them more than once.
    std::vector<Move> moves(size_t size) const {
        std::vector<Move> found;
        for (const string& kind : pieces)
            for (const Orientation& orientation : ORIENTATIONS.at(kind)) {
                const Cells& cells = orientation.cells;
                if (cells.size() != size) continue;
                for (int x = 0; x < SIDE; ++x)
                    for (int y = 0; y < SIDE; ++y)
                        for (auto [dx, dy] : is_corner(x, y) ? cells : Cells()) {
                            int left = x - dx, top = y - dy;
                            auto fits = [&](auto cell) { return is_open(left + cell.first, top + cell.second); };
                            if (std::all_of(cells.begin(), cells.end(), fits))
                                found.push_back({kind, &orientation, left, top});
                        }
            }
        return found;
    }
};

/// The data of one of the largest pieces that fit.
string choose(const Position& position) {
    const string plugin = "sc.plugin" + std::to_string(YEAR);
    static std::mt19937 random{std::random_device{}()};
    for (size_t size = 5; size > 0; --size) {
        std::vector<Move> moves = position.moves(size);
        if (moves.empty()) continue;
        const Move& move = moves[random() % moves.size()];
        std::ostringstream data;
        data << "<data class=\"" << plugin << ".SetMove\"><piece color=\"" << position.color
             << "\" kind=\"" << move.kind << "\" rotation=\"" << move.orientation->rotation
             << "\" isFlipped=\"" << std::boolalpha << move.orientation->flipped
             << "\"><position x=\"" << move.x << "\" y=\"" << move.y << "\"/></piece></data>";
        return data.str();
    }
    return "<data class=\"" + plugin + ".SkipMove\"><color>" + position.color + "</color></data>";
}

}  // namespace

string choose_move(const Element& state) {
    return choose(Position(state));
}
