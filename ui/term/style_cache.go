package term

import (
	"sync"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// styleCache caches the sequences that change from one style to another. It is safe for concurrent
// use.
type styleCache struct {
	mu        sync.Mutex
	sequences map[string]string
	key       []byte // reused for keys of cache
}

// maxStyles limits the cache: a board has fewer style changes.
const maxStyles = 4096

// changeSequence returns the sequence that changes the style of a terminal with a color profile. from and to
// are the old and the new style, as the sequences since the last reset.
func (p *styleCache) changeSequence(profile colorprofile.Profile, from, to []byte) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = append(append(append(append(p.key[:0], byte(profile)), from...), 0), to...)
	if text, ok := p.sequences[string(p.key)]; ok {
		return text
	}
	if p.sequences == nil || len(p.sequences) >= maxStyles {
		p.sequences = make(map[string]string)
	}
	oldStyle, newStyle := styleOf(profile, from), styleOf(profile, to)
	text := uv.StyleDiff(&oldStyle, &newStyle)
	if fromReset := ansi.ResetStyle + newStyle.String(); len(fromReset) < len(text) {
		text = fromReset
	}
	p.sequences[string(p.key)] = text
	return text
}

// styleOf converts an escape sequence to a style, reduced to the colors of the profile.
func styleOf(profile colorprofile.Profile, pen []byte) uv.Style {
	if len(pen) == 0 {
		return uv.Style{}
	}
	cell := uv.NewScreenBuffer(1, 1)
	uv.NewStyledString(string(pen)+"x").Draw(cell, cell.Bounds())
	return uv.ConvertStyle(cell.CellAt(0, 0).Style, profile)
}
