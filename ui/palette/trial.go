package palette

// trial is the command that is being previewed.
type trial struct {
	name string
	undo func()
}

// end undoes the preview.
func (t *trial) end() {
	if t.undo != nil {
		t.undo()
	}
	*t = trial{}
}

// try previews the selected command.
func (p *Palette) try() {
	var at Command
	if p.at >= 0 && p.at < len(p.matches) {
		at = p.commands[p.matches[p.at]]
	}
	if at.Name == p.tried.name {
		return
	}
	p.tried.end()
	if at.Try != nil {
		p.tried = trial{at.Name, at.Try()}
	}
}
