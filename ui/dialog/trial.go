package dialog

// preview is the command that is currently previewed.
type preview struct {
	name string
	undo func()
}

// end undoes the preview.
func (t *preview) end() {
	if t.undo != nil {
		t.undo()
	}
	*t = preview{}
}

// updatePreview ends the current preview and previews the selected command.
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
