using System;

/// <summary>The moves of __TITLE__: TO BE WRITTEN. ChooseMove is the place for the rules and your ideas.</summary>
static class Player
{
    /// <summary>The data to answer a request in this state with.</summary>
    /// <example>For a game whose move is a square:
    /// "&lt;data class=\"sc.plugin__YEAR__.Move\"&gt;&lt;to x=\"3\" y=\"5\"/&gt;&lt;/data&gt;"</example>
    public static string ChooseMove(Element state)
    {
        throw new NotImplementedException("write ChooseMove: it gives the <data> of a move in this state");
    }
}
