package pages

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/ui/term"
)

// bindingsByName returns the bindings that a configuration can change. The keys of the map are the
// names of actions in the configuration.
func (k *KeyMap) bindingsByName() map[string]*key.Binding {
	return map[string]*key.Binding{
		"next_page": &k.NextPage, "previous_page": &k.PrevPage, "next_pane": &k.Pane.Next, "previous_pane": &k.Pane.Prev,
		"next_channel": &k.NextChannel, "previous_channel": &k.PrevChannel, "next_platform": &k.NextPlatform,
		"open": &k.Open, "back": &k.Back, "filter": &k.Filter, "sort": &k.Rows.Sort, "reverse": &k.Rows.Reverse, "columns": &k.Rows.Columns, "pin": &k.Rows.Pin, "copy": &k.Rows.Copy, "only_alerts": &k.Rows.OnlyAlerts, "mark": &k.Actions.Mark,
		"group_by": &k.Rows.Group, "fold": &k.Rows.Fold, "fold_all": &k.Rows.FoldAll,
		"why": &k.Why, "take_over": &k.Alert.TakeOver, "snooze": &k.Alert.Snooze, "chart": &k.Chart, "usual": &k.Baseline,
		"handover": &k.Handover, "rewind": &k.Rewind.Open, "compare": &k.Rewind.Compare, "save_incident": &k.Rewind.Save, "freeze": &k.Freeze, "old_figures": &k.LastKnown, "palette": &k.Palette, "connect": &k.Reconnect,
		"help": &k.Help, "quit": &k.Quit,
		"actions": &k.Actions.Actions, "dial": &k.Actions.Dial, "stop": &k.Actions.Stop, "record": &k.Actions.Record,
		"calls": &k.Actions.CallsOrSettings, "edit": &k.Actions.Edit, "log": &k.Actions.Log,
	}
}

// ChangedKeyMap returns the default key bindings with changes, and their help in the language l.
// changed maps names of actions to their keys, which are separated by spaces. Unknown actions and
// empty values are ignored.
func ChangedKeyMap(changed map[string]string, l *words.Language) KeyMap {
	k := DefaultKeyMap(l)
	all := k.bindingsByName()
	for name, typed := range changed {
		if b, names := all[name], strings.Fields(typed); b != nil && len(names) > 0 {
			b.SetKeys(names...)
			b.SetHelp(names[0], b.Help().Desc)
		}
	}
	return k
}

// localBindings returns the bindings that apply only on one page or in one mode of the board. The
// keys of the map are the English titles of their groups in the help.
func (k *KeyMap) localBindings() map[string][]key.Binding {
	return map[string][]key.Binding{
		words.KeysHistory().In(nil): k.History.All(), words.KeysReplay().In(nil): k.Rewind.All(), words.KeysBreaks().In(nil): ReleaseKeys(nil),
	}
}

// KeyProblems checks the keys that a configuration changes. It returns an error for each
// action with a problem: an unknown action, an invalid key, or a key that another action already
// has.
func KeyProblems(changed map[string]string) map[string]error {
	k, defaults := ChangedKeyMap(changed, nil), DefaultKeyMap(nil)
	previous := defaults.bindingsByName()
	out := make(map[string]error)
	owners := make(map[string]string) // name or description of the action to which each key belongs
	redraw, suspend := TerminalKeys(nil)
	for _, b := range append(MovingKeys(nil), redraw, suspend, k.Page) {
		for _, name := range b.Keys() {
			owners[name] = b.Help().Desc
		}
	}
	all := k.bindingsByName()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, ok := changed[name]; !ok {
			for _, keyName := range all[name].Keys() {
				owners[keyName] = name
			}
		}
	}
	taken, there := make(map[string]string), k.localBindings()
	for _, where := range slices.Sorted(maps.Keys(there)) {
		for _, b := range there[where] {
			for _, keyName := range b.Keys() {
				taken[keyName] = where + ": " + b.Help().Desc
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if all[name] == nil {
			out[name] = fmt.Errorf("is no action; these are: %s", strings.Join(slices.Sorted(maps.Keys(all)), " "))
			continue
		}
		others := maps.Clone(taken)
		for _, ownName := range previous[name].Keys() { // an action may keep its default keys even if they are also local keys
			delete(others, ownName)
		}
		out[name] = keysProblem(strings.Fields(changed[name]), owners, others)
		for _, keyName := range strings.Fields(changed[name]) {
			owners[keyName] = name
		}
	}
	maps.DeleteFunc(out, func(_ string, problem error) bool { return problem == nil })
	return out
}

// keysProblem returns an error about the keys of an action, or nil if they are correct.
// taken maps keys to the other actions that use them.
func keysProblem(names []string, taken ...map[string]string) error {
	if len(names) == 0 {
		return errors.New("has no key: write one, or several with blanks between")
	}
	for _, name := range names {
		if !term.IsAssignableKey(name) {
			return fmt.Errorf("%q is no key: write a character, ctrl+ and a letter, f2 to f12, or the name of a key such as tab", name)
		}
		for _, has := range taken {
			if what := has[name]; what != "" {
				return fmt.Errorf("%q is the key of another action: %s", name, what)
			}
		}
	}
	return nil
}

// PageKeys returns the keys that a configuration may assign to a page: the digits, and the
// function keys and letters that no action uses.
func PageKeys() []string {
	keys := DefaultKeyMap(nil)
	groups := append(keys.FullHelp(), MovingKeys(nil))
	for _, there := range keys.localBindings() {
		groups = append(groups, there)
	}
	var taken []string
	for _, g := range groups {
		for _, b := range g {
			if !slices.Equal(b.Keys(), keys.Page.Keys()) {
				taken = append(taken, b.Keys()...)
			}
		}
	}
	all := slices.Clone(keys.Page.Keys())
	for n := range 12 {
		all = append(all, "f"+strconv.Itoa(n+1))
	}
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, string(c))
	}
	for c := 'A'; c <= 'Z'; c++ {
		all = append(all, string(c))
	}
	return slices.DeleteFunc(all, func(k string) bool { return slices.Contains(taken, k) })
}
