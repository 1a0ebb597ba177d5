// What a player knows of __TITLE__: what a state says, which moves are legal, and ChooseMove, yours to improve.
//
// It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with Value.

using System;
using System.Collections.Generic;
using System.Linq;

static class Player
{
    const int Size = 8;
    static readonly Random Random = new Random();

    /// <summary>Where the pieces go, as pairs: squares forward, squares to the side.</summary>
    static readonly Dictionary<string, int[,]> Steps = new Dictionary<string, int[,]>
    {
        { "Herzmuschel", new[,] { { 1, -1 }, { 1, 1 } } },
        { "Moewe", new[,] { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } },
        { "Seestern", new[,] { { 1, 0 }, { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } },
        { "Robbe", new[,] { { 2, 1 }, { 2, -1 }, { 1, 2 }, { 1, -2 }, { -1, 2 }, { -1, -2 }, { -2, 1 }, { -2, -1 } } },
    };

    /// <summary>A piece or a stack of pieces; a stack moves as its uppermost piece.</summary>
    class Piece
    {
        public readonly string Kind, Team;
        public readonly int Height;

        public Piece(string kind, string team, int height)
        {
            Kind = kind;
            Team = team;
            Height = height;
        }
    }

    /// <summary>The piece on X,Y goes to a target.</summary>
    class Move
    {
        public readonly int X, Y, TargetX, TargetY;

        public Move(int x, int y, int targetX, int targetY)
        {
            X = x;
            Y = y;
            TargetX = targetX;
            TargetY = targetY;
        }
    }

    /// <summary>What a player has to know of a state.</summary>
    class Position
    {
        readonly string team;
        readonly Piece[,] board = new Piece[Size, Size]; // board[x, y]; x counts the lines from the start line of ONE

        public Position(Element state)
        {
            team = state.Number("turn") % 2 == 0 ? "ONE" : "TWO";
            foreach (Element entry in state.Child("board").Child("pieces").All("entry"))
            {
                Element square = entry.Child("coordinates"), piece = entry.Child("piece");
                board[square.Number("x"), square.Number("y")] =
                    new Piece(piece.Attribute("type"), piece.Attribute("team"), piece.Number("count"));
            }
        }

        /// <summary>All legal moves.</summary>
        public List<Move> Moves()
        {
            int forward = team == "ONE" ? 1 : -1;
            var found = new List<Move>();
            for (int x = 0; x < Size; x++)
            for (int y = 0; y < Size; y++)
            {
                if (!IsOwn(x, y)) continue;
                int[,] steps = Steps[board[x, y].Kind];
                for (int i = 0; i < steps.GetLength(0); i++)
                {
                    int targetX = x + forward * steps[i, 0], targetY = y + steps[i, 1];
                    if (IsInside(targetX, targetY) && !IsOwn(targetX, targetY))
                        found.Add(new Move(x, y, targetX, targetY));
                }
            }
            return found;
        }

        bool IsOwn(int x, int y)
        {
            return board[x, y] != null && board[x, y].Team == team;
        }

        /// <summary>How many ambers this move wins.</summary>
        int Ambers(Move move)
        {
            Piece piece = board[move.X, move.Y], below = board[move.TargetX, move.TargetY];
            int lastLine = team == "ONE" ? Size - 1 : 0;
            int count = 0;
            if (below != null && piece.Height + below.Height >= 3) count++;
            if (move.TargetX == lastLine && piece.Kind != "Robbe") count++;
            return count;
        }

        /// <summary>How good a move is: two for each amber, one for landing on an opponent.</summary>
        public int Value(Move move)
        {
            return 2 * Ambers(move) + (board[move.TargetX, move.TargetY] != null ? 1 : 0);
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
        string start = $"<from x=\"{move.X}\" y=\"{move.Y}\"/>";
        return $"<data class=\"move\">{start}<to x=\"{move.TargetX}\" y=\"{move.TargetY}\"/></data>";
    }
}
