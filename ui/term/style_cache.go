package term

import (
	"sync"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// styleCache caches the sequences that change one style to another. A styleCache is safe for
// concurrent use.
type styleCache struct {
	mu        sync.Mutex
	sequences map[string]string
	key       []byte // buffer for the key of a sequence
}

// maxStyles limits the number of cached sequences. It is far more than is normally needed; a full
// cache is emptied.
const maxStyles = 4096

// changeSequence returns the sequence that changes the style of a terminal from one style to
// another. Each style is given as the sequences since the last reset. profile is the color profile
// of the terminal.
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

// styleOf returns the style that the sequences in pen set, with colors that the profile supports.
func styleOf(profile colorprofile.Profile, pen []byte) uv.Style {
	if len(pen) == 0 {
		return uv.Style{}
	}
	cell := uv.NewScreenBuffer(1, 1)
	uv.NewStyledString(string(pen)+"x").Draw(cell, cell.Bounds())
	return uv.ConvertStyle(cell.CellAt(0, 0).Style, profile)
}
