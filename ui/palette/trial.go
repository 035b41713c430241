package palette

// trial is the command whose effect is seen while the viewer is at it.
type trial struct {
	name string
	undo func()
}

// end takes the effect back.
func (t *trial) end() {
	if t.undo != nil {
		t.undo()
	}
	*t = trial{}
}

// try shows what the command leads to that the viewer is at.
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
