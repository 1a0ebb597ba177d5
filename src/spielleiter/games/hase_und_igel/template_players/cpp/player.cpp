// What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//
// It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with value.

#include "client.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using Cards = std::vector<std::string>;

const Cards CARDS = {"EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD"};
constexpr int PRICE = 10;         // carrots for a card on the market
constexpr int GOAL_CARROTS = 10;  // a hare may enter the goal with so many at most

/// A hare and what it has.
struct Hare {
    int field = 0, carrots = 0, salads = 0;
    Cards cards;
    bool has_eaten = false, has_swapped = false;

    Hare() = default;
    explicit Hare(const Element& hare)
        : field(hare.number("position")), carrots(hare.number("carrots")), salads(hare.number("salads")) {
        for (const Element* card : hare.child("cards").all("card")) cards.push_back(card->text);
        const Element& last = hare.child("lastAction");
        has_eaten = last.attribute("class") == "eatsalad";
        has_swapped = last.attribute("class") == "card" && last.text == "SWAP_CARROTS";
    }
};

/// What the hare does.
struct Move {
    std::string kind;  // the class of the move
    int number;        // its distance or amount, or 0
    Cards cards;
};

/// What a player has to know of a state.
struct Position {
    std::vector<std::string> track;
    Hare me, other;

    explicit Position(const Element& state) {
        for (const Element* field : state.child("board").all("field")) track.push_back(field->text);
        const std::string team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
        for (const Element* hare : state.all("hare"))
            (hare->attribute("team") == team ? me : other) = Hare(*hare);
    }

    const std::string& at(int field) const { return track.at(size_t(field)); }

    /// All legal moves.
    std::vector<Move> moves() const {
        if (at(me.field) == "SALAD" && !me.has_eaten) return {{"eatsalad", 0, {}}};
        std::vector<Move> found = advances();
        int hedgehog = me.field - 1;  // the nearest one behind, or -1
        while (hedgehog >= 0 && at(hedgehog) != "HEDGEHOG") --hedgehog;
        if (hedgehog >= 0 && hedgehog != other.field) found.push_back({"fallback", 0, {}});
        if (at(me.field) == "CARROTS") {
            found.push_back({"exchangecarrots", 10, {}});
            if (me.carrots >= 10) found.push_back({"exchangecarrots", -10, {}});
        }
        return found;
    }

    /// All moves forward, with each way to play or to buy cards at their end.
    std::vector<Move> advances() const {
        std::vector<Move> found;
        for (int distance = 1; me.field + distance < int(track.size()); ++distance) {
            int carrots = me.carrots - distance * (distance + 1) / 2;
            if (carrots < 0) break;
            for (const Cards& cards : arrivals(me.field + distance, carrots, me.cards))
                found.push_back({"advance", distance, cards});
        }
        return found;
    }

    /// Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
    ///
    /// On most fields that is only the empty list. Carrots and held (cards) are what the hare has by then.
    std::vector<Cards> arrivals(int field, int carrots, const Cards& held) const {
        if (field < 0 || field >= int(track.size())) return {};
        const std::string& kind = at(field);
        bool is_open = kind != "START" && kind != "HEDGEHOG";
        if (kind == "MARKET") is_open = carrots >= PRICE;
        if (kind == "SALAD") is_open = me.salads > 0;
        if (kind == "GOAL") is_open = carrots <= GOAL_CARROTS && me.salads == 0;
        if (!is_open || (field == other.field && kind != "GOAL")) return {};
        if (kind == "HARE") return plays(field, carrots, held);
        if (kind != "MARKET") return {Cards()};
        std::vector<Cards> found;
        for (const std::string& card : CARDS) found.push_back({card});  // exactly one is bought
        return found;
    }

    /// Every list of cards that the hare may play on this hare field; some lead on to another field.
    std::vector<Cards> plays(int field, int carrots, const Cards& held) const {
        std::vector<Cards> found;
        bool is_ahead = field > other.field;
        for (const std::string& card : CARDS) {
            Cards left = held;
            auto place = std::find(left.begin(), left.end(), card);
            if (place == left.end()) continue;
            left.erase(place);
            std::vector<Cards> following;  // the lists of cards that may come after this one
            if (card == "EAT_SALAD" && me.salads > 0) following = {Cards()};
            if (card == "SWAP_CARROTS" && can_swap(field)) following = {Cards()};
            if (card == "FALL_BACK" && is_ahead) following = arrivals(other.field - 1, carrots, left);
            if (card == "HURRY_AHEAD" && !is_ahead) following = arrivals(other.field + 1, carrots, left);
            for (Cards cards : following) {
                cards.insert(cards.begin(), card);
                found.push_back(cards);
            }
        }
        return found;
    }

    /// Whether carrots may be swapped: both before the last salad field, and not twice in a row.
    bool can_swap(int field) const {
        int last_salad = int(track.size()) - 1;
        while (at(last_salad) != "SALAD") --last_salad;
        return std::max(field, other.field) < last_salad && !me.has_swapped && !other.has_swapped;
    }

    /// How good a move is: 2 if it goes into the goal, 1 if it gets to a salad or eats one, otherwise 0.
    int value(const Move& move) const {
        bool plays_salad = std::find(move.cards.begin(), move.cards.end(), "EAT_SALAD") != move.cards.end();
        if (move.kind == "eatsalad" || plays_salad) return 1;
        if (move.kind != "advance") return 0;
        const std::string& target = at(me.field + move.number);
        return target == "GOAL" ? 2 : target == "SALAD" ? 1 : 0;
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
    const std::string number = std::to_string(move.number);
    if (move.kind == "exchangecarrots") return "<data class=\"exchangecarrots\" amount=\"" + number + "\"/>";
    if (move.kind != "advance") return "<data class=\"" + move.kind + "\"/>";
    std::string cards;
    for (const std::string& card : move.cards) cards += "<card>" + card + "</card>";
    return "<data class=\"advance\" distance=\"" + number + "\">" + cards + "</data>";
}
