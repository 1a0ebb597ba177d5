// What a player knows of __TITLE__: what a state says, which moves are legal, and ChooseMove, yours to improve.
//
// It goes to a field with as many fish as possible. To make it better, begin with Value.
// Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.

using System;
using System.Collections.Generic;
using System.Linq;

static class Player
{
    const int Size = 8;
    const int PenguinsOfATeam = 4;
    static readonly Random Random = new Random();

    class Field
    {
        public readonly int X, Y;

        public Field(int x, int y)
        {
            X = x;
            Y = y;
        }
    }

    static readonly Field[] Directions =
    {
        new Field(2, 0), new Field(-2, 0), new Field(1, 1), new Field(-1, -1), new Field(1, -1), new Field(-1, 1),
    };

    /// <summary>A penguin comes to a target; Start is null if it is placed.</summary>
    class Move
    {
        public readonly Field Start, Target;

        public Move(Field start, Field target)
        {
            Start = start;
            Target = target;
        }
    }

    /// <summary>What a player has to know of a state.</summary>
    class Position
    {
        readonly string team;
        readonly int[,] fish = new int[2 * Size, Size]; // how many on fish[x, y]
        readonly Dictionary<string, List<Field>> penguins = new Dictionary<string, List<Field>>
        {
            { "ONE", new List<Field>() }, { "TWO", new List<Field>() },
        };

        public Position(Element state)
        {
            List<Element> rows = state.Child("board").All("list");
            for (int y = 0; y < Size; y++)
            {
                List<Element> fields = rows[y].All("field");
                for (int index = 0; index < Size; index++)
                {
                    int x = 2 * index + y % 2;
                    string content = fields[index].Text;
                    if (penguins.ContainsKey(content)) penguins[content].Add(new Field(x, y));
                    else fish[x, y] = int.Parse(content);
                }
            }
            team = state.Number("turn") % 2 == 0 ? "ONE" : "TWO";
            // A team that cannot move is passed over: it must be the other one that is asked.
            if (Moves().Count == 0) team = team == "ONE" ? "TWO" : "ONE";
        }

        /// <summary>All legal moves.</summary>
        public List<Move> Moves()
        {
            List<Field> own = penguins[team];
            if (own.Count < PenguinsOfATeam) return Placements();
            var found = new List<Move>();
            foreach (Field start in own)
                foreach (Field target in Targets(start)) found.Add(new Move(start, target));
            return found;
        }

        /// <summary>All ways to place a penguin.</summary>
        List<Move> Placements()
        {
            var found = new List<Move>();
            for (int x = 0; x < 2 * Size; x++)
                for (int y = 0; y < Size; y++)
                    if (fish[x, y] == 1) found.Add(new Move(null, new Field(x, y)));
            return found;
        }

        /// <summary>All fields to which the penguin on this field can slide.</summary>
        List<Field> Targets(Field start)
        {
            var found = new List<Field>();
            foreach (Field step in Directions)
            {
                int x = start.X + step.X, y = start.Y + step.Y;
                while (IsInside(x, y) && fish[x, y] > 0) // holes, penguins and the edge are in the way
                {
                    found.Add(new Field(x, y));
                    x += step.X;
                    y += step.Y;
                }
            }
            return found;
        }

        /// <summary>How good a move is: the fish that it gets.</summary>
        public int Value(Move move)
        {
            return fish[move.Target.X, move.Target.Y];
        }
    }

    static bool IsInside(int x, int y)
    {
        return x >= 0 && x < 2 * Size && y >= 0 && y < Size;
    }

    /// <summary>The data of the move to answer with: one of the best, chosen at random.</summary>
    public static string ChooseMove(Element state)
    {
        var position = new Position(state);
        List<Move> moves = position.Moves();
        int best = moves.Max(one => position.Value(one));
        List<Move> good = moves.Where(one => position.Value(one) == best).ToList();
        Move move = good[Random.Next(good.Count)];
        string start = move.Start == null ? "" : $"<from x=\"{move.Start.X}\" y=\"{move.Start.Y}\"/>";
        return $"<data class=\"move\">{start}<to x=\"{move.Target.X}\" y=\"{move.Target.Y}\"/></data>";
    }
}
