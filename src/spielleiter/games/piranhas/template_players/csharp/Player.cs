// What a player knows of __TITLE__: what a state says, which moves are legal, and ChooseMove, yours to improve.
//
// It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with Value.
// The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

using System;
using System.Collections.Generic;
using System.Linq;

static class Player
{
    const int Size = 10;
    static readonly Random Random = new Random();

    class Direction
    {
        public readonly string Name;
        public readonly int Dx, Dy;

        public Direction(string name, int dx, int dy)
        {
            Name = name;
            Dx = dx;
            Dy = dy;
        }
    }

    static readonly Direction[] Directions =
    {
        new Direction("UP", 0, 1), new Direction("UP_RIGHT", 1, 1), new Direction("RIGHT", 1, 0),
        new Direction("DOWN_RIGHT", 1, -1), new Direction("DOWN", 0, -1), new Direction("DOWN_LEFT", -1, -1),
        new Direction("LEFT", -1, 0), new Direction("UP_LEFT", -1, 1),
    };

    /// <summary>What can lie on a square: whose it is, and how heavy.</summary>
    class Content
    {
        public readonly string Owner;
        public readonly int Weight;

        public Content(string owner, int weight)
        {
            Owner = owner;
            Weight = weight;
        }
    }

    /// <summary>The words of both seasons. In 2019 all fish weigh the same.</summary>
    static readonly Dictionary<string, Content> Contents = new Dictionary<string, Content>
    {
        { "EMPTY", new Content("", 0) }, { "OBSTRUCTED", new Content("KRAKEN", 0) },
        { "RED", new Content("ONE", 1) }, { "BLUE", new Content("TWO", 1) }, { "SQUID", new Content("KRAKEN", 0) },
        { "ONE_S", new Content("ONE", 1) }, { "ONE_M", new Content("ONE", 2) }, { "ONE_L", new Content("ONE", 3) },
        { "TWO_S", new Content("TWO", 1) }, { "TWO_M", new Content("TWO", 2) }, { "TWO_L", new Content("TWO", 3) },
    };

    /// <summary>The fish on X,Y swims in a direction, and so comes to a target.</summary>
    class Move
    {
        public readonly int X, Y, TargetX, TargetY;
        public readonly string Direction;

        public Move(int x, int y, string direction, int targetX, int targetY)
        {
            X = x;
            Y = y;
            Direction = direction;
            TargetX = targetX;
            TargetY = targetY;
        }
    }

    /// <summary>What a player has to know of a state.</summary>
    class Position
    {
        public readonly bool Is2019;
        readonly string team, opponent;
        readonly Content[,] board = new Content[Size, Size]; // board[x, y]

        public Position(Element state)
        {
            Is2019 = state.Attribute("class") == "sc.plugin2019.GameState";
            team = state.Number("turn") % 2 == 0 ? "ONE" : "TWO";
            opponent = team == "ONE" ? "TWO" : "ONE";
            List<Element> lines = state.Child("board").All(Is2019 ? "fields" : "row");
            for (int i = 0; i < Size; i++)
            {
                List<Element> fields = lines[i].All("field");
                for (int j = 0; j < Size; j++)
                {
                    if (Is2019) board[i, j] = Contents[fields[j].Attribute("state")]; // i: a column
                    else board[j, i] = Contents[fields[j].Text]; // i: a row
                }
            }
        }

        /// <summary>All legal moves.</summary>
        public List<Move> Moves()
        {
            var found = new List<Move>();
            for (int x = 0; x < Size; x++)
            for (int y = 0; y < Size; y++)
            {
                if (board[x, y].Owner != team) continue;
                foreach (Direction direction in Directions)
                {
                    int dx = direction.Dx, dy = direction.Dy;
                    int distance = 1 + FishFrom(x, y, dx, dy) + FishFrom(x, y, -dx, -dy);
                    if (CanSwim(x, y, dx, dy, distance))
                        found.Add(new Move(x, y, direction.Name, x + distance * dx, y + distance * dy));
                }
            }
            return found;
        }

        /// <summary>Whether the own fish on this square may swim so far in this direction.</summary>
        bool CanSwim(int x, int y, int dx, int dy, int distance)
        {
            int targetX = x + distance * dx, targetY = y + distance * dy;
            if (!IsInside(targetX, targetY)) return false;
            string there = board[targetX, targetY].Owner;
            if (there == team || there == "KRAKEN") return false;
            for (int step = 1; step < distance; step++) // own fish and krakens may be passed, opponents not
                if (board[x + step * dx, y + step * dy].Owner == opponent) return false;
            return true;
        }

        /// <summary>How many fish lie from this square on in this direction, the square itself not counted.</summary>
        int FishFrom(int x, int y, int dx, int dy)
        {
            int count = 0;
            for (x += dx, y += dy; IsInside(x, y); x += dx, y += dy)
                if (board[x, y].Weight > 0) count++;
            return count;
        }

        /// <summary>How good a move is: the weight of the fish that it eats, 0 if it eats none.</summary>
        public int Value(Move move)
        {
            return board[move.TargetX, move.TargetY].Weight;
        }
    }

    static bool IsInside(int x, int y)
    {
        return x >= 0 && x < Size && y >= 0 && y < Size;
    }

    /// <summary>The data of the move to answer with: one of the best, chosen at random.</summary>
    public static string ChooseMove(Element state)
    {
        var position = new Position(state);
        List<Move> moves = position.Moves();
        int best = moves.Max(one => position.Value(one));
        List<Move> good = moves.Where(one => position.Value(one) == best).ToList();
        Move move = good[Random.Next(good.Count)];
        string start = $"x=\"{move.X}\" y=\"{move.Y}\"";
        if (position.Is2019) return $"<data class=\"move\" {start} direction=\"{move.Direction}\"/>";
        return $"<data class=\"move\"><from {start}/><direction>{move.Direction}</direction></data>";
    }
}
