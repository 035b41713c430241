package dialog

// preview is a running preview of the palette's selected command.
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

// updatePreview ends the current preview and starts the preview of the selected command. If the
// selected command has not changed, it does nothing.
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
