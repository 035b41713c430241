package dialog

// preview is the preview of a command that is on the screen.
type preview struct {
	name string
	undo func()
}

// end undoes the effect of the preview.
func (t *preview) end() {
	if t.undo != nil {
		t.undo()
	}
	*t = preview{}
}

// updatePreview starts the preview of the selected command, after it has ended the current preview.
// It does nothing if the same command is still selected.
func (p *Palette) updatePreview() {
	var command Command
	if p.selected >= 0 && p.selected < len(p.matches) {
		command = p.commands[p.matches[p.selected]]
	}
	if command.Name == p.preview.name {
		return
	}
	p.preview.end()
	if command.Preview != nil {
		p.preview = preview{command.Name, command.Preview()}
	}
}
