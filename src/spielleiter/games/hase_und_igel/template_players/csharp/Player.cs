// What a player knows of __TITLE__: what a state says, which moves are legal, and ChooseMove, yours to improve.
//
// It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with Value.

using System;
using System.Collections.Generic;
using System.Linq;

static class Player
{
    static readonly string[] Cards = { "EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD" };
    const int Price = 10; // carrots for a card on the market
    const int GoalCarrots = 10; // a hare may enter the goal with so many at most
    static readonly Random Random = new Random();

    /// <summary>A hare and what it has.</summary>
    class Hare
    {
        public readonly int Field, Carrots, Salads;
        public readonly List<string> Cards;
        public readonly bool HasEaten, HasSwapped;

        public Hare(Element hare)
        {
            Field = hare.Number("position");
            Carrots = hare.Number("carrots");
            Salads = hare.Number("salads");
            Cards = hare.Child("cards").All("card").Select(card => card.Text).ToList();
            Element last = hare.Child("lastAction");
            HasEaten = last.Attribute("class") == "eatsalad";
            HasSwapped = last.Attribute("class") == "card" && last.Text == "SWAP_CARROTS";
        }
    }

    /// <summary>What the hare does: the class of the move, its number (distance or amount, or 0), its cards.</summary>
    class Move
    {
        public readonly string Kind;
        public readonly int Number;
        public readonly List<string> Cards;

        public Move(string kind, int number = 0, List<string> cards = null)
        {
            Kind = kind;
            Number = number;
            Cards = cards ?? new List<string>();
        }
    }

    /// <summary>What a player has to know of a state.</summary>
    class Position
    {
        readonly List<string> track;
        readonly Hare me, other;

        public Position(Element state)
        {
            track = state.Child("board").All("field").Select(field => field.Text).ToList();
            string team = state.Number("turn") % 2 == 0 ? "ONE" : "TWO";
            foreach (Element hare in state.All("hare"))
            {
                if (hare.Attribute("team") == team) me = new Hare(hare);
                else other = new Hare(hare);
            }
        }

        /// <summary>All legal moves.</summary>
        public List<Move> Moves()
        {
            string here = track[me.Field];
            if (here == "SALAD" && !me.HasEaten) return new List<Move> { new Move("eatsalad") };
            List<Move> found = Advances();
            int hedgehog = track.Take(me.Field).ToList().LastIndexOf("HEDGEHOG"); // -1 if there is none behind
            if (hedgehog >= 0 && hedgehog != other.Field) found.Add(new Move("fallback"));
            if (here == "CARROTS")
            {
                found.Add(new Move("exchangecarrots", 10));
                if (me.Carrots >= 10) found.Add(new Move("exchangecarrots", -10));
            }
            return found;
        }

        /// <summary>All moves forward, with each way to play or to buy cards at their end.</summary>
        List<Move> Advances()
        {
            var found = new List<Move>();
            for (int distance = 1; me.Field + distance < track.Count; distance++)
            {
                int carrots = me.Carrots - distance * (distance + 1) / 2;
                if (carrots < 0) break;
                foreach (List<string> cards in Arrivals(me.Field + distance, carrots, me.Cards))
                    found.Add(new Move("advance", distance, cards));
            }
            return found;
        }

        /// <summary>
        /// Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
        /// On most fields that is only the empty list. Carrots and held (cards) are what the hare has by then.
        /// </summary>
        List<List<string>> Arrivals(int field, int carrots, List<string> held)
        {
            var found = new List<List<string>>();
            if (field < 0 || field >= track.Count) return found;
            string kind = track[field];
            bool isOpen = kind != "START" && kind != "HEDGEHOG";
            if (kind == "MARKET") isOpen = carrots >= Price;
            if (kind == "SALAD") isOpen = me.Salads > 0;
            if (kind == "GOAL") isOpen = carrots <= GoalCarrots && me.Salads == 0;
            if (!isOpen || (field == other.Field && kind != "GOAL")) return found;
            if (kind == "HARE") return Plays(field, carrots, held);
            if (kind == "MARKET") // exactly one is bought
                foreach (string card in Cards) found.Add(new List<string> { card });
            else found.Add(new List<string>());
            return found;
        }

        /// <summary>Every list of cards that may be played on this hare field; some lead on to another.</summary>
        List<List<string>> Plays(int field, int carrots, List<string> held)
        {
            var found = new List<List<string>>();
            bool isAhead = field > other.Field;
            foreach (string card in Cards)
            {
                var left = new List<string>(held);
                if (!left.Remove(card)) continue;
                var following = new List<List<string>>(); // the lists of cards that may come after this one
                if (card == "EAT_SALAD" && me.Salads > 0) following.Add(new List<string>());
                if (card == "SWAP_CARROTS" && CanSwap(field)) following.Add(new List<string>());
                if (card == "FALL_BACK" && isAhead) following = Arrivals(other.Field - 1, carrots, left);
                if (card == "HURRY_AHEAD" && !isAhead) following = Arrivals(other.Field + 1, carrots, left);
                foreach (List<string> cards in following)
                {
                    var all = new List<string> { card };
                    all.AddRange(cards);
                    found.Add(all);
                }
            }
            return found;
        }

        /// <summary>Whether carrots may be swapped: both before the last salad field, and not twice in a row.</summary>
        bool CanSwap(int field)
        {
            bool isEarly = Math.Max(field, other.Field) < track.LastIndexOf("SALAD");
            return isEarly && !me.HasSwapped && !other.HasSwapped;
        }

        /// <summary>How good a move is: 2 for going into the goal, 1 for getting to a salad or eating one.</summary>
        public int Value(Move move)
        {
            if (move.Kind == "eatsalad" || move.Cards.Contains("EAT_SALAD")) return 1;
            if (move.Kind != "advance") return 0;
            string target = track[me.Field + move.Number];
            return target == "GOAL" ? 2 : target == "SALAD" ? 1 : 0;
        }
    }

    /// <summary>The data of the move to answer with: one of the best, chosen at random.</summary>
    public static string ChooseMove(Element state)
    {
        var position = new Position(state);
        List<Move> moves = position.Moves();
        int best = moves.Max(one => position.Value(one));
        List<Move> good = moves.Where(one => position.Value(one) == best).ToList();
        Move move = good[Random.Next(good.Count)];
        if (move.Kind == "exchangecarrots") return $"<data class=\"exchangecarrots\" amount=\"{move.Number}\"/>";
        if (move.Kind != "advance") return $"<data class=\"{move.Kind}\"/>";
        string cards = string.Concat(move.Cards.Select(card => $"<card>{card}</card>"));
        return $"<data class=\"advance\" distance=\"{move.Number}\">{cards}</data>";
    }
}
