// How a player talks to the game master, in C++17 for POSIX systems, written from docs/protocol/. The moves are
// player.cpp's.
//
// Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
// --game TYPE another game type ("any": whatever there is).

#include "client.h"

#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <utility>

using std::string;

// --- XML: the small part of it that the server uses ------------------------------------------------------------------

string Element::attribute(const string& key) const {
    auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
}

int Element::number(const string& key) const {
    return std::atoi(attribute(key).c_str());
}

bool Element::has(const string& child_name) const {
    return !child(child_name).name.empty();
}

const Element& Element::child(const string& child_name) const {
    static const Element none;
    for (const Element& child : children)
        if (child.name == child_name) return child;
    return none;
}

std::vector<const Element*> Element::all(const string& child_name) const {
    std::vector<const Element*> found;
    for (const Element& child : children)
        if (child.name == child_name) found.push_back(&child);
    return found;
}

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
        else if (names.count(name)) result += names.at(name);
        at = end;
    }
    return result;
}

string trimmed(const string& text) {
    const char* const blanks = " \t\n\r";
    size_t first = text.find_first_not_of(blanks);
    return first == string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
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
            if (tag == "protocol" || tag.empty() || tag[0] == '?' || tag[0] == '!') continue;
            bool is_end = tag[0] == '/', is_empty = tag.back() == '/';
            if (!is_end) open.push_back(parsed(tag));
            if (!is_end && !is_empty) continue;
            if (open.empty()) return false;
            Element closed = std::move(open.back());
            closed.text = trimmed(closed.text);
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

// --- the conversation ------------------------------------------------------------------------------------------------

void send_all(int socket, const string& text) {
    for (size_t sent = 0; sent < text.size();) {
        ssize_t count = send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0) throw std::runtime_error("the connection broke");
        sent += size_t(count);
    }
}

/// The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest.
string kind(const Element& data) {
    string name = data.attribute("class");
    name.erase(0, name.rfind('.') + 1);
    for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

/// Why the game ended: a text for people, which each season has in another place.
string reason(const Element& result) {
    string found = result.attribute("reason");
    for (const Element& child : result.children)
        if (found.empty()) found = reason(child);
    return found;
}

/// Joins, plays one game and says goodbye; whether the game was played.
bool play(int socket, const string& join) {
    send_all(socket, "<protocol>" + join);
    Reader reader(socket);
    Element message, state;
    bool joined = false;
    while (reader.next(message)) {
        const Element& data = message.child("data");
        const string name = message.has("data") ? kind(data) : message.name;
        if (name == "joined") joined = true;
        else if (name == "memento") state = data.child("state");
        else if (name == "moverequest" && !state.name.empty())
            send_all(socket, "<room roomId=\"" + escaped(message.attribute("roomId")) + "\">" + choose_move(state) +
                                 "</room>");
        else if (name == "result")
            std::cerr << "result: " << (reason(data).empty() ? "the game is over" : reason(data)) << std::endl;
        else if (name == "error" || name == "errorpacket") {
            const Element& complaint = message.has("data") ? data : message;
            std::cerr << "the server complains: " << complaint.attribute("message") << std::endl;
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
                       {"--room", ""}, {"--game", "__GAME_TYPE__"}};
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
