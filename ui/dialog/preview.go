package dialog

// commandPreview is a running preview of the palette's selected command.
type commandPreview struct {
	name string
	undo func()
}

// end undoes the effect of the preview.
func (t *commandPreview) end() {
	if t.undo != nil {
		t.undo()
	}
	*t = commandPreview{}
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
		p.preview = commandPreview{command.Name, command.Preview()}
	}
}
