package notify

import (
	"net/url"
	"path"

	"wallboard/internal/alert"
)

// ntfyMessage is the body of a request that publishes a message as JSON
// (https://docs.ntfy.sh/publish/#publish-as-json).
type ntfyMessage struct {
	Topic    string `json:"topic"`
	Title    string `json:"title"`
	Message  string `json:"message"`
	Priority int    `json:"priority"`
	Click    string `json:"click,omitempty"` // address that opens when the message is tapped
}

// maxNtfyText limits the length of a text of a message, in characters. A message may have 4,096 bytes.
const maxNtfyText = 1000

// newNtfyMessage returns a message without its topic.
func newNtfyMessage(m *message) ntfyMessage {
	const low, normal, high = 2, 3, 4
	priority := normal
	switch {
	case m.Event == EventEnd:
		priority = low
	case m.Severity == alert.Critical.String():
		priority = high
	}
	return ntfyMessage{Title: m.headline(), Message: truncate(m.Text, maxNtfyText), Priority: priority, Click: m.Link}
}

// splitTopic splits the address of a topic into that of the server and the name of the topic.
func splitTopic(address string) (server, topic string) {
	u, err := url.Parse(address)
	if err != nil {
		return address, ""
	}
	topic = path.Base(u.Path)
	u.Path = path.Dir(u.Path)
	return u.String(), topic
}
