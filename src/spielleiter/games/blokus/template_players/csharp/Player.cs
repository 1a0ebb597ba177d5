using System;
using System.Collections.Generic;
using System.Linq;

/// <summary>
/// What a player knows of __TITLE__: what a state says, which moves are legal, and ChooseMove, yours to improve.
/// </summary>
static class Player
{
    const int Side = 20;
    static readonly int Year = __YEAR__;
    static readonly string[] Colors = { "BLUE", "YELLOW", "RED", "GREEN" };
    static readonly string[] Rotations = { "NONE", "RIGHT", "MIRROR", "LEFT" };
    const string Pieces =
        "MONO #|DOMINO ##|TRIO_L #. ##|TRIO_I # # #|TETRO_O ## ##|TETRO_T ### .#.|TETRO_I # # # #|TETRO_L #. #. ##|"
        + "TETRO_Z ##. .##|PENTO_L #. #. #. ##|PENTO_T ### .#. .#.|PENTO_V #.. #.. ###|PENTO_S .### ##..|"
        + "PENTO_Z ##. .#. .##|PENTO_I # # # # #|PENTO_P ## ## #.|PENTO_W #.. ##. .##|PENTO_U #.# ###|"
        + "PENTO_R ..# ### .#.|PENTO_X .#. ### .#.|PENTO_Y .# ## .# .#";

    struct Square
    {
        public readonly int X, Y;

        public Square(int x, int y)
        {
            X = x;
            Y = y;
        }
    }

    /// <summary>One way in which a piece can lie; its bounding box begins at 0,0.</summary>
    sealed class Orientation
    {
        public string Rotation;
        public bool Flipped;
        public List<Square> Cells;
    }

    sealed class Move
    {
        public string Kind;
        public Orientation Orientation;
        public int X, Y;
    }

    static readonly Dictionary<string, List<Orientation>> Orientations =
        Pieces.Split('|').Select(line => line.Split(' ')).ToDictionary(words => words[0], OrientationsOf);
    static readonly Random Chance = new Random();

    /// <summary>Every way in which a piece can lie, each once.</summary>
    static List<Orientation> OrientationsOf(string[] words)
    {
        var piece = new List<Square>();
        for (int y = 1; y < words.Length; y++)
            for (int x = 0; x < words[y].Length; x++)
                if (words[y][x] == '#') piece.Add(new Square(x, y));
        var found = new List<Orientation>();
        foreach (string rotation in Rotations)
            foreach (bool flipped in new[] { false, true })
            {
                List<Square> cells = Aligned(piece.Select(cell => Turned(cell, rotation, flipped)).ToList());
                if (!found.Any(known => known.Cells.SequenceEqual(cells)))
                    found.Add(new Orientation { Rotation = rotation, Flipped = flipped, Cells = cells });
            }
        return found;
    }

    static Square Turned(Square cell, string rotation, bool flipped)
    {
        int x = cell.X, y = cell.Y;
        switch (rotation)
        {
            case "RIGHT": x = -cell.Y; y = cell.X; break;
            case "MIRROR": x = -cell.X; y = -cell.Y; break;
            case "LEFT": x = cell.Y; y = -cell.X; break;
        }
        return new Square(flipped ? -x : x, y);
    }

    static List<Square> Aligned(List<Square> cells)
    {
        int left = cells.Min(cell => cell.X), top = cells.Min(cell => cell.Y);
        return cells.Select(cell => new Square(cell.X - left, cell.Y - top))
            .OrderBy(cell => cell.Y).ThenBy(cell => cell.X).ToList();
    }

    /// <summary>What a player has to know of a state.</summary>
    sealed class Position
    {
        public readonly string Color;
        readonly List<string> pieces;
        readonly string[,] board = new string[Side, Side];
        readonly bool isFirst = true;

        public Position(Element state)
        {
            Color = Colors[state.Number("turn") % 4];
            foreach (Element field in state.Child("board").All("field"))
            {
                string content = field.Attribute("content");
                board[field.Number("x"), field.Number("y")] = content;
                if (content == Color) isFirst = false;
            }
            pieces = state.Child(Color.ToLowerInvariant() + "Shapes").All("shape").Select(shape => shape.Text).ToList();
            if (isFirst) pieces = new List<string> { state.Attribute("startPiece") };
        }

        static bool IsInside(int x, int y)
        {
            return x >= 0 && x < Side && y >= 0 && y < Side;
        }

        bool IsOwn(int x, int y)
        {
            return IsInside(x, y) && board[x, y] == Color;
        }

        /// <summary>Whether the colour may cover this square.</summary>
        bool IsOpen(int x, int y)
        {
            return IsInside(x, y) && board[x, y] == null
                && !(IsOwn(x - 1, y) || IsOwn(x + 1, y) || IsOwn(x, y - 1) || IsOwn(x, y + 1));
        }

        /// <summary>Whether this square is one of those of which a piece must cover at least one.</summary>
        bool IsCorner(int x, int y)
        {
            if (!IsOpen(x, y)) return false;
            bool side = x == 0 || x == Side - 1, end = y == 0 || y == Side - 1;
            if (isFirst) return Year == 2021 ? side && end : side || end; // in 2021 it covers a corner of the board
            return IsOwn(x - 1, y - 1) || IsOwn(x + 1, y - 1) || IsOwn(x - 1, y + 1) || IsOwn(x + 1, y + 1);
        }

        /// <summary>All placements of pieces of this size; some of them more than once.</summary>
        public List<Move> Moves(int size)
        {
            var moves = new List<Move>();
            for (int x = 0; x < Side; x++)
                for (int y = 0; y < Side; y++)
                    if (IsCorner(x, y))
                        foreach (string kind in pieces)
                            foreach (Orientation orientation in Orientations[kind])
                                if (orientation.Cells.Count == size) AddMoves(moves, kind, orientation, x, y);
            return moves;
        }

        /// <summary>Adds the placements that cover this corner square.</summary>
        void AddMoves(List<Move> moves, string kind, Orientation orientation, int cornerX, int cornerY)
        {
            foreach (Square anchor in orientation.Cells)
            {
                int left = cornerX - anchor.X, top = cornerY - anchor.Y;
                if (orientation.Cells.All(cell => IsOpen(left + cell.X, top + cell.Y)))
                    moves.Add(new Move { Kind = kind, Orientation = orientation, X = left, Y = top });
            }
        }
    }

    /// <summary>The data to answer a request in this state with: one of the largest pieces that fit.</summary>
    public static string ChooseMove(Element state)
    {
        var position = new Position(state);
        for (int size = 5; size > 0; size--)
        {
            List<Move> moves = position.Moves(size);
            if (moves.Count == 0) continue;
            Move move = moves[Chance.Next(moves.Count)];
            string rotation = move.Orientation.Rotation, flipped = move.Orientation.Flipped ? "true" : "false";
            return $"<data class=\"sc.plugin{Year}.SetMove\"><piece color=\"{position.Color}\" kind=\"{move.Kind}\" "
                + $"rotation=\"{rotation}\" isFlipped=\"{flipped}\">"
                + $"<position x=\"{move.X}\" y=\"{move.Y}\"/></piece></data>";
        }
        return $"<data class=\"sc.plugin{Year}.SkipMove\"><color>{position.Color}</color></data>";
    }
}
