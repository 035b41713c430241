package pages

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// PaneHints returns the key hints that panes show in their frames.
func (p *Set) PaneHints(k *KeyMap) panes.KeyHints {
	l := p.floor.Words
	return panes.KeyHints{
		Situations: p.situationHints(k), Pages: p.currentTitles().standardKeys,
		Table: hintsOf(k.Open, k.Filter, style.WithHelp(k.Rows.Sort, words.KeysSort().In(l)), style.WithHelp(k.Why, words.KeysWhy().In(l))),
	}
}

// situationHints returns the key hints for a situation and the name of the page that lists all
// situations. The hint for taking over is omitted during a replay and for viewers who cannot take
// over alerts.
func (p *Set) situationHints(k *KeyMap) widgets.SituationKeys {
	l := p.floor.Words
	hints := hintsOf(k.Open, style.WithHelp(k.Why, words.KeysWhy().In(l)))
	if !p.floor.Replay && k.Alert.TakeOver.Enabled() {
		hints = append(hints, hintsOf(style.WithHelp(k.Alert.TakeOver, words.DialogKeyTakeOver().In(l)))...)
	}
	var actions []string
	for _, h := range hints {
		actions = append(actions, h.Key+" "+h.Description)
	}
	return widgets.SituationKeys{Actions: strings.Join(actions, "  "), Hints: hints, AllSituations: p.NameForViewer(Situations)}
}

// hintsOf returns a key hint for each binding, with the help texts of the binding.
func hintsOf(bindings ...key.Binding) []style.KeyHint {
	out := make([]style.KeyHint, len(bindings))
	for i, b := range bindings {
		out[i] = style.KeyHint{Key: b.Help().Key, Description: b.Help().Desc}
	}
	return out
}
