// How a player talks to the game master, in plain C#, written from docs/protocol/. The moves are Player.cs's.
//
// Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
// --game TYPE another game type ("any": whatever there is).

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>An XML element. What is missing is never null: an empty element, an empty text, or 0.</summary>
sealed class Element
{
    public readonly string Name;
    public string Text = "";
    public readonly Dictionary<string, string> Attributes = new Dictionary<string, string>();
    public readonly List<Element> Children = new List<Element>();

    public Element(string name)
    {
        Name = name;
    }

    public string Attribute(string key)
    {
        return Attributes.TryGetValue(key, out string value) ? value : "";
    }

    /// <summary>The attribute as a whole number.</summary>
    public int Number(string key)
    {
        int.TryParse(Attribute(key), NumberStyles.Integer, CultureInfo.InvariantCulture, out int number);
        return number;
    }

    public bool Has(string childName)
    {
        return Children.Any(child => child.Name == childName);
    }

    /// <summary>The first child of this name.</summary>
    public Element Child(string childName)
    {
        return Children.FirstOrDefault(child => child.Name == childName) ?? new Element("");
    }

    /// <summary>The children of this name.</summary>
    public List<Element> All(string childName)
    {
        return Children.Where(child => child.Name == childName).ToList();
    }
}

/// <summary>Cuts the server's document into messages; it knows the small part of XML that the server uses.</summary>
sealed class MessageReader
{
    static readonly Regex Attributes = new Regex("([^\\s=]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");
    static readonly Regex Reference = new Regex("&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(\\w+));");
    static readonly Dictionary<string, string> Names = new Dictionary<string, string>
    {
        { "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" },
    };

    readonly Stream stream;

    public MessageReader(Stream stream)
    {
        this.stream = new BufferedStream(stream, 1 << 16);
    }

    /// <summary>The next message, as soon as its last byte is there; null when the document is over.</summary>
    public Element Next()
    {
        var open = new List<Element>(); // the elements that are not closed yet, without <protocol>
        for (;;)
        {
            string text = ReadUntil('<');
            string tag = text == null ? null : ReadUntil('>');
            if (tag == null || tag == "/protocol") return null;
            if (open.Count > 0) open.Last().Text += Unescaped(text);
            if (tag == "protocol" || tag.StartsWith("?") || tag.StartsWith("!")) continue;
            if (!tag.StartsWith("/"))
            {
                Element element = Started(tag);
                if (open.Count > 0) open.Last().Children.Add(element);
                open.Add(element);
                if (!tag.EndsWith("/")) continue;
            }
            if (open.Count == 0) return null;
            Element closed = open.Last();
            closed.Text = closed.Text.Trim();
            open.RemoveAt(open.Count - 1);
            if (open.Count == 0) return closed;
        }
    }

    /// <summary>What comes before this character; null when the connection is over.</summary>
    string ReadUntil(char stop)
    {
        // Bytes become text only when a whole token is there, so no character is ever cut.
        var bytes = new List<byte>();
        for (int next; (next = stream.ReadByte()) >= 0; bytes.Add((byte)next))
            if (next == stop) return Encoding.UTF8.GetString(bytes.ToArray());
        return null;
    }

    static Element Started(string tag)
    {
        var element = new Element(tag.Split(' ', '\t', '\r', '\n', '/')[0]);
        foreach (Match found in Attributes.Matches(tag))
            element.Attributes[found.Groups[1].Value] = Unescaped(found.Groups[2].Value + found.Groups[3].Value);
        return element;
    }

    static string Unescaped(string text)
    {
        return Reference.Replace(text, found =>
        {
            string name = found.Groups[3].Value;
            if (name != "") return Names.TryGetValue(name, out string known) ? known : found.Value;
            bool isHex = found.Groups[1].Success;
            return char.ConvertFromUtf32(Convert.ToInt32(found.Groups[isHex ? 1 : 2].Value, isHex ? 16 : 10));
        });
    }
}

static class Client
{
    // --- the conversation --------------------------------------------------------------------------------------------

    /// <summary>Joins, plays one game and says goodbye; whether the game was played.</summary>
    static bool Play(Stream stream, string join)
    {
        Send(stream, "<protocol>" + join);
        var reader = new MessageReader(stream);
        Element state = null;
        bool joined = false;
        for (Element message; (message = reader.Next()) != null;)
        {
            Element data = message.Has("data") ? message.Child("data") : null;
            switch (data == null ? message.Name : Kind(data))
            {
                case "joined":
                    joined = true;
                    break;
                case "memento":
                    state = data.Child("state");
                    break;
                case "moverequest":
                    if (state == null) break;
                    string room = Escaped(message.Attribute("roomId"));
                    Send(stream, "<room roomId=\"" + room + "\">" + Player.ChooseMove(state) + "</room>");
                    break;
                case "result":
                    Log("result: " + (Reason(data) == "" ? "the game is over" : Reason(data)));
                    break;
                case "error":
                case "errorpacket":
                    Log("the server complains: " + (data ?? message).Attribute("message"));
                    if (!joined) return false;
                    break;
                case "left":
                    Send(stream, "</protocol>");
                    WaitForClose(stream);
                    return true;
            }
        }
        return false;
    }

    /// <summary>The class of the data without its package: some seasons write one before MoveRequest.</summary>
    static string Kind(Element data)
    {
        return data.Attribute("class").Split('.').Last().ToLowerInvariant();
    }

    /// <summary>Why the game ended: a text for people, which each season has in another place.</summary>
    static string Reason(Element result)
    {
        return result.Children.Aggregate(
            result.Attribute("reason"), (found, child) => found == "" ? Reason(child) : found);
    }

    static void Send(Stream stream, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        stream.Write(bytes, 0, bytes.Length);
    }

    /// <summary>The server says goodbye too, and closes.</summary>
    static void WaitForClose(Stream stream)
    {
        try
        {
            var rest = new byte[4096];
            while (stream.Read(rest, 0, rest.Length) > 0) { }
        }
        catch (IOException)
        {
            // Then it is closed, too.
        }
    }

    static string Escaped(string text)
    {
        return text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;");
    }

    static void Log(string text)
    {
        Console.Error.WriteLine(text);
    }

    // --- the program -------------------------------------------------------------------------------------------------

    /// <summary>The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.</summary>
    static Dictionary<string, string> ReadOptions(string[] arguments)
    {
        var options = new Dictionary<string, string>
        {
            { "host", "localhost" }, { "port", "13050" }, { "reservation", "" }, { "room", "" },
            { "game", "__GAME_TYPE__" },
        };
        var names = options.Keys.ToDictionary(name => "--" + name);
        foreach (string name in new[] { "host", "port", "reservation" }) names["-" + name[0]] = name;
        for (int i = 0; i < arguments.Length; i++)
        {
            string[] parts = arguments[i].Split(new[] { '=' }, 2);
            if (!names.TryGetValue(parts[0], out string name)) continue;
            if (parts.Length == 2) options[name] = parts[1];
            else if (i + 1 < arguments.Length) options[name] = arguments[++i];
        }
        return options;
    }

    static string JoinRequest(Dictionary<string, string> options)
    {
        if (options["reservation"] != "")
            return "<joinPrepared reservationCode=\"" + Escaped(options["reservation"]) + "\"/>";
        if (options["room"] != "") return "<joinRoom roomId=\"" + Escaped(options["room"]) + "\"/>";
        return options["game"] == "any" ? "<join/>" : "<join gameType=\"" + Escaped(options["game"]) + "\"/>";
    }

    static int Main(string[] arguments)
    {
        Dictionary<string, string> options = ReadOptions(arguments);
        string address = options["host"] + ":" + options["port"];
        if (!ushort.TryParse(options["port"], out ushort port))
        {
            Log("cannot play at " + address + ": there is no such port");
            return 1;
        }
        try
        {
            using (var connection = new TcpClient(options["host"], port) { NoDelay = true })
                return Play(connection.GetStream(), JoinRequest(options)) ? 0 : 1;
        }
        catch (Exception problem) when (problem is SocketException || problem is IOException)
        {
            Log("cannot play at " + address + ": " + problem.Message);
            return 1;
        }
    }
}
