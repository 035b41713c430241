package term

import (
	"sync"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// styleCache caches the sequences that change one style to another. It is safe for concurrent
// use.
type styleCache struct {
	mu    sync.Mutex
	known map[string]string
	key   []byte
}

// maxStyles limits the cache: a board has fewer style changes.
const maxStyles = 4096

// change returns the sequence that changes the style of a terminal with a profile. from
// and to are the sequences since the last reset.
func (p *styleCache) change(profile colorprofile.Profile, from, to []byte) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = append(append(append(append(p.key[:0], byte(profile)), from...), 0), to...)
	if text, is := p.known[string(p.key)]; is {
		return text
	}
	if p.known == nil || len(p.known) >= maxStyles {
		p.known = make(map[string]string)
	}
	was, is := styleOf(profile, from), styleOf(profile, to)
	text := uv.StyleDiff(&was, &is)
	if anew := ansi.ResetStyle + is.String(); len(anew) < len(text) {
		text = anew
	}
	p.known[string(p.key)] = text
	return text
}

// styleOf converts an escape sequence to a style, reduced to the colours of the profile.
func styleOf(profile colorprofile.Profile, pen []byte) uv.Style {
	if len(pen) == 0 {
		return uv.Style{}
	}
	cell := uv.NewScreenBuffer(1, 1)
	uv.NewStyledString(string(pen)+"x").Draw(cell, cell.Bounds())
	return uv.ConvertStyle(cell.CellAt(0, 0).Style, profile)
}
