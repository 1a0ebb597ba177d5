// How a player talks to the game master, in plain Go, written from docs/protocol/. The moves are player.go's.
//
// Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
// --game TYPE another game type ("any": whatever there is).
package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
)

// An XML element. What is missing is an empty element, an empty text, or 0; never nil.
type Element struct {
	Name, Text string
	Attributes map[string]string
	Children   []*Element
}

func (e *Element) Attribute(key string) string {
	return e.Attributes[key]
}

// The attribute as a whole number.
func (e *Element) Number(key string) int {
	number, _ := strconv.Atoi(e.Attributes[key])
	return number
}

func (e *Element) Has(childName string) bool {
	return len(e.All(childName)) > 0
}

// The first child of this name.
func (e *Element) Child(childName string) *Element {
	if found := e.All(childName); len(found) > 0 {
		return found[0]
	}
	return &Element{}
}

// The children of this name.
func (e *Element) All(childName string) (found []*Element) {
	for _, child := range e.Children {
		if child.Name == childName {
			found = append(found, child)
		}
	}
	return found
}

// --- the conversation ------------------------------------------------------------------------------------------------

// The next message, as soon as its last byte is there; an error when the document or the connection is over.
func nextMessage(decoder *xml.Decoder) (*Element, error) {
	var open []*Element // the elements that are not closed yet, without <protocol>
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		last := len(open) - 1
		switch tag := token.(type) {
		case xml.StartElement:
			if last < 0 && tag.Name.Local == "protocol" {
				continue
			}
			element := &Element{Name: tag.Name.Local, Attributes: map[string]string{}}
			for _, attribute := range tag.Attr {
				element.Attributes[attribute.Name.Local] = attribute.Value
			}
			if last >= 0 {
				open[last].Children = append(open[last].Children, element)
			}
			open = append(open, element)
		case xml.CharData:
			if last >= 0 {
				open[last].Text += string(tag)
			}
		case xml.EndElement:
			if last < 0 {
				return nil, io.EOF
			}
			open[last].Text = strings.TrimSpace(open[last].Text)
			if last == 0 {
				return open[0], nil
			}
			open = open[:last]
		}
	}
}

// The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest.
func classOf(data *Element) string {
	name := data.Attribute("class")
	return strings.ToLower(name[strings.LastIndex(name, ".")+1:])
}

// Why the game ended: a text for people, which each season has in another place.
func reasonOf(result *Element) string {
	found := result.Attribute("reason")
	for _, child := range result.Children {
		if found == "" {
			found = reasonOf(child)
		}
	}
	return found
}

// Joins, plays one game and says goodbye.
func play(connection net.Conn, join string) error {
	fmt.Fprint(connection, "<protocol>", join)
	decoder := xml.NewDecoder(connection)
	joined := false
	var state *Element
	for {
		message, err := nextMessage(decoder)
		if err != nil {
			return fmt.Errorf("the server left before the end: %w", err)
		}
		name, data := message.Name, message.Child("data")
		if message.Has("data") {
			name = classOf(data)
		}
		switch name {
		case "joined":
			joined = true
		case "memento":
			state = data.Child("state")
		case "moverequest":
			if state != nil {
				fmt.Fprintf(connection, `<room roomId="%s">%s</room>`, escaped(message.Attribute("roomId")), chooseMove(state))
			}
		case "result":
			why := reasonOf(data)
			if why == "" {
				why = "the game is over"
			}
			report("result:", why)
		case "error":
			report("the server complains:", data.Attribute("message"))
		case "errorpacket":
			report("the server complains:", message.Attribute("message"))
			if !joined {
				return fmt.Errorf("it was refused")
			}
		case "left":
			fmt.Fprint(connection, "</protocol>")
			io.Copy(io.Discard, connection) // the server says goodbye too, and closes
			return nil
		}
	}
}

func escaped(text string) string {
	var result strings.Builder
	xml.EscapeText(&result, []byte(text))
	return result.String()
}

func report(words ...any) {
	fmt.Fprintln(os.Stderr, words...)
}

// --- the program -----------------------------------------------------------------------------------------------------

// The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored.
func readOptions(arguments []string) map[string]string {
	options := map[string]string{
		"--host": "localhost", "--port": "13050", "--reservation": "", "--room": "", "--game": "__GAME_TYPE__",
	}
	short := map[string]string{"-h": "--host", "-p": "--port", "-r": "--reservation"}
	for i := 0; i < len(arguments); i++ {
		name, value, hasValue := strings.Cut(arguments[i], "=")
		if long, isShort := short[name]; isShort {
			name = long
		}
		if _, known := options[name]; !known {
			continue
		}
		if !hasValue && i+1 < len(arguments) {
			i++
			value = arguments[i]
		}
		options[name] = value
	}
	return options
}

func joinRequest(options map[string]string) string {
	switch {
	case options["--reservation"] != "":
		return fmt.Sprintf(`<joinPrepared reservationCode="%s"/>`, escaped(options["--reservation"]))
	case options["--room"] != "":
		return fmt.Sprintf(`<joinRoom roomId="%s"/>`, escaped(options["--room"]))
	case options["--game"] == "any":
		return "<join/>"
	}
	return fmt.Sprintf(`<join gameType="%s"/>`, escaped(options["--game"]))
}

func main() {
	options := readOptions(os.Args[1:])
	connection, err := net.Dial("tcp", net.JoinHostPort(options["--host"], options["--port"]))
	if err == nil {
		err = play(connection, joinRequest(options))
		connection.Close()
	}
	if err != nil {
		report("cannot play at "+options["--host"]+":", err)
		os.Exit(1)
	}
}
