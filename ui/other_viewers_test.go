package ui

import (
	"testing"
	"time"

	"wallboard/internal/hub"
)

// TestAddressee cuts names of viewers, in any encoding, from the beginning of a line.
func TestAddressee(t *testing.T) {
	t.Parallel()
	room := hub.NewRoom(time.Now)
	room.Enter(hub.Participant{Name: "José"})
	room.Enter(hub.Participant{Name: "José Luis"})
	s := &viewersConnection{options: OtherViewers{Seat: room.Enter(hub.Participant{Name: "anna"})}}
	for text, want := range map[string][2]string{
		"jose\u0301 hello": {"José", "hello"}, "JOSÉ LUIS  hello": {"José Luis", "hello"}, "joséx": {"", "joséx"}, "jose hello": {"", "jose hello"},
	} {
		if name, rest := s.cutAddressee(text); name != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", text, name, rest)
		}
	}
}
