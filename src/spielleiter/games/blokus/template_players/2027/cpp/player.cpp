// A complete player for Blokus 2027 in C++17 for POSIX systems, written from docs/protocol/.
//
// It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
// passes them; at home --room ROOM-ID joins that room, and --game TYPE another game type ("any": whatever there is).

#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using std::string;

// --- XML: the small part of it that the server uses ------------------------------------------------------------------

struct Element {
    string name, text;
    std::map<string, string> attributes;
    std::vector<Element> children;

    const Element* find(const string& wanted) const {
        for (const Element& child : children)
            if (child.name == wanted) return &child;
        return nullptr;
    }
    const Element& child(const string& wanted) const {
        if (const Element* found = find(wanted)) return *found;
        throw std::runtime_error("<" + name + "> has no <" + wanted + ">");
    }
    string attribute(const string& key) const {
        auto found = attributes.find(key);
        return found == attributes.end() ? "" : found->second;
    }
};

string escaped(const string& text) {
    static const string special = "&<>\"'";
    string result;
    for (char c : text) result += special.find(c) == string::npos ? string(1, c) : "&#" + std::to_string(c) + ";";
    return result;
}

string utf8(unsigned long code) {
    auto more = [code](int shift) { return char(0x80 | (code >> shift & 63)); };
    if (code < 0x80) return {char(code)};
    if (code < 0x800) return {char(0xC0 | code >> 6), more(0)};
    if (code < 0x10000) return {char(0xE0 | code >> 12), more(6), more(0)};
    return {char(0xF0 | code >> 18), more(12), more(6), more(0)};
}

string unescaped(const string& text) {
    static const std::map<string, char> names = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    string result;
    for (size_t at = 0; at < text.size(); ++at) {
        size_t end = text[at] == '&' ? text.find(';', at) : string::npos;
        if (end == string::npos) {
            result += text[at];
            continue;
        }
        string name = text.substr(at + 1, end - at - 1);
        if (name.substr(0, 2) == "#x") result += utf8(std::stoul(name.substr(2), nullptr, 16));
        else if (name[0] == '#') result += utf8(std::stoul(name.substr(1)));
        else result += names.at(name);
        at = end;
    }
    return result;
}

/// Cuts the server's document into messages.
class Reader {
public:
    explicit Reader(int socket) : socket_(socket) {}

    /// Reads the next message, as soon as its last byte is there; false when the document or the connection is over.
    bool next(Element& message) {
        std::vector<Element> open;  // the elements that are not closed yet, without <protocol>
        string text, tag;
        while (read_until('<', text) && read_until('>', tag)) {
            if (!open.empty()) open.back().text += unescaped(text);
            if (tag == "/protocol") return false;
            if (tag == "protocol" || tag[0] == '?' || tag[0] == '!') continue;
            bool is_end = tag[0] == '/', is_empty = tag.back() == '/';
            if (!is_end) open.push_back(parsed(tag));
            if (!is_end && !is_empty) continue;
            Element closed = std::move(open.back());
            open.pop_back();
            if (open.empty()) {
                message = std::move(closed);
                return true;
            }
            open.back().children.push_back(std::move(closed));
        }
        return false;
    }

    /// Reads and drops everything until the server closes.
    void wait_for_close() {
        while (recv(socket_, buffer_, sizeof buffer_, 0) > 0) {
        }
    }

private:
    bool read_until(char stop, string& taken) {
        taken.clear();
        for (;; ++at_) {
            if (at_ == filled_) {
                ssize_t count = recv(socket_, buffer_, sizeof buffer_, 0);
                if (count <= 0) return false;
                at_ = 0, filled_ = size_t(count);
            }
            if (buffer_[at_] == stop) return ++at_, true;
            taken += buffer_[at_];
        }
    }

    static Element parsed(const string& tag) {
        Element element;
        size_t at = tag.find_first_of(" \t\n\r/");
        element.name = tag.substr(0, at);
        while (at != string::npos && (at = tag.find_first_not_of(" \t\n\r/", at)) != string::npos) {
            size_t equals = tag.find('=', at), quote = tag.find_first_of("\"'", equals);
            size_t end = tag.find(tag.at(quote), quote + 1);
            element.attributes[tag.substr(at, equals - at)] = unescaped(tag.substr(quote + 1, end - quote - 1));
            at = end + 1;
        }
        return element;
    }

    int socket_;
    char buffer_[65536];
    size_t at_ = 0, filled_ = 0;
};

// --- the game --------------------------------------------------------------------------------------------------------

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

    explicit Position(const Element& state) : color(COLORS[std::stoi(state.attribute("turn")) % 4]) {
        for (const Element& field : state.child("board").children) {
            string content = field.attribute("content");
            board[std::stoi(field.attribute("x"))][std::stoi(field.attribute("y"))] = content;
            if (content == color) is_first = false;
        }
        string list = color + "Shapes";
        std::transform(color.begin(), color.end(), list.begin(), [](char c) { return char(c - 'A' + 'a'); });
        if (is_first) pieces = {state.attribute("startPiece")};
        else for (const Element& shape : state.child(list).children) pieces.push_back(shape.text);
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
        if (is_first) return x == 0 || x == SIDE - 1 || y == 0 || y == SIDE - 1;
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

/// The data of the move to answer with: one of the largest pieces that fit.
string choose(const Position& position) {
    static std::mt19937 random{std::random_device{}()};
    for (size_t size = 5; size > 0; --size) {
        std::vector<Move> moves = position.moves(size);
        if (moves.empty()) continue;
        const Move& move = moves[random() % moves.size()];
        std::ostringstream data;
        data << "<data class=\"sc.plugin2027.SetMove\"><piece color=\"" << position.color << "\" kind=\"" << move.kind
             << "\" rotation=\"" << move.orientation->rotation << "\" isFlipped=\"" << std::boolalpha
             << move.orientation->flipped << "\"><position x=\"" << move.x << "\" y=\"" << move.y
             << "\"/></piece></data>";
        return data.str();
    }
    return "<data class=\"sc.plugin2027.SkipMove\"><color>" + position.color + "</color></data>";
}

// --- the conversation ------------------------------------------------------------------------------------------------

void send_all(int socket, const string& text) {
    for (size_t sent = 0; sent < text.size();) {
        ssize_t count = send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0) throw std::runtime_error("the connection broke");
        sent += size_t(count);
    }
}

/// Joins, plays one game and says goodbye; whether the game was played.
bool play(int socket, const string& join) {
    send_all(socket, "<protocol>" + join);
    Reader reader(socket);
    Element message, state;
    bool joined = false;
    while (reader.next(message)) {
        const Element* data = message.find("data");
        const string name = data ? data->attribute("class") : message.name;
        if (name == "joined") joined = true;
        else if (name == "memento") state = data->child("state");
        else if (name == "moveRequest")
            send_all(socket, "<room roomId=\"" + escaped(message.attribute("roomId")) + "\">" +
                                 choose(Position(state)) + "</room>");
        else if (name == "result") std::cerr << "result: " << data->child("winner").attribute("reason") << std::endl;
        else if (name == "error" || name == "errorpacket") {
            std::cerr << "the server complains: " << (data ? *data : message).attribute("message") << std::endl;
            if (!joined) return false;
        } else if (name == "left") {
            send_all(socket, "</protocol>");
            reader.wait_for_close();
            return true;
        }
    }
    return false;
}

/// A connection to the first address of the host at which somebody listens.
int connected(const string& host, const string& port) {
    addrinfo hints{}, *addresses = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    int problem = getaddrinfo(host.c_str(), port.c_str(), &hints, &addresses);
    if (problem) throw std::runtime_error(gai_strerror(problem));
    for (addrinfo* address = addresses; address; address = address->ai_next) {
        int made = socket(address->ai_family, address->ai_socktype, address->ai_protocol), on = 1;
        if (made >= 0 && connect(made, address->ai_addr, address->ai_addrlen) == 0) {
            setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            freeaddrinfo(addresses);
            return made;
        }
        if (made >= 0) close(made);
    }
    freeaddrinfo(addresses);
    throw std::runtime_error("nobody listens there");
}

// --- the program -----------------------------------------------------------------------------------------------------

using Options = std::map<string, string>;

/// The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.
Options read_options(int count, char** arguments) {
    Options options = {{"--host", "localhost"}, {"--port", "13050"}, {"--reservation", ""},
                       {"--room", ""}, {"--game", "swc_2027_blokus"}};
    const Options short_names = {{"-h", "--host"}, {"-p", "--port"}, {"-r", "--reservation"}};
    for (int i = 1; i < count; ++i) {
        string argument = arguments[i];
        size_t equals = argument.find('=');
        string name = argument.substr(0, equals);
        if (short_names.count(name)) name = short_names.at(name);
        if (!options.count(name)) continue;
        if (equals != string::npos) options[name] = argument.substr(equals + 1);
        else if (i + 1 < count) options[name] = arguments[++i];
    }
    return options;
}

string join_request(Options options) {
    string reservation = options["--reservation"], room = options["--room"], game = options["--game"];
    if (!reservation.empty()) return "<joinPrepared reservationCode=\"" + escaped(reservation) + "\"/>";
    if (!room.empty()) return "<joinRoom roomId=\"" + escaped(room) + "\"/>";
    return game == "any" ? "<join/>" : "<join gameType=\"" + escaped(game) + "\"/>";
}

int main(int count, char** arguments) {
    Options options = read_options(count, arguments);
    try {
        int socket = connected(options["--host"], options["--port"]);
        bool played = play(socket, join_request(options));
        close(socket);
        return played ? 0 : 1;
    } catch (const std::exception& problem) {
        std::cerr << "cannot play at " << options["--host"] << ":" << options["--port"] << ": " << problem.what()
                  << std::endl;
        return 1;
    }
}
