package words

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"wallboard/model"
)

// Stored returns the text in the form in which files hold it, so that a later program can write it in
// every language: the key of the message and its arguments, such as ["count.agents","i3"]. The first byte
// of an argument is its kind; texts are an array. It returns nil for the zero Text.
func (t Text) Stored() json.RawMessage {
	if t.IsZero() {
		return nil
	}
	b, err := json.Marshal(t.stored())
	if err != nil { // strings and arrays can be encoded
		return nil
	}
	return b
}

func (t Text) stored() []any {
	out := make([]any, 0, 1+len(t.args))
	out = append(out, t.Key())
	for i := range t.args {
		out = append(out, t.args[i].stored())
	}
	return out
}

func (a *arg) stored() any {
	switch a.kind {
	case intArg:
		return "i" + strconv.FormatInt(a.n, 10)
	case numberArg:
		return "n" + strconv.FormatFloat(a.float(), 'g', -1, 64)
	case percentArg:
		return "%" + strconv.FormatFloat(a.float(), 'g', -1, 64)
	case durationArg:
		return "d" + time.Duration(a.n).String()
	case clockArg:
		return "c" + strconv.FormatInt(a.n, 10)
	case textArg:
		texts := make([]any, len(a.texts))
		for i := range a.texts {
			if texts[i] = nil; !a.texts[i].IsZero() {
				texts[i] = a.texts[i].stored()
			}
		}
		return texts
	case noArg, nameArg:
	}
	return "=" + a.name
}

// Limits of stored texts, which may come from the file of another user.
const (
	maxStored      = 32 << 10 // bytes
	maxStoredDepth = 12       // phrases within phrases
)

// Restored returns a text that [Text.Stored] has returned, with clean names. The result is the zero Text if this program does
// not have one of its messages, or has it with other parameters.
func Restored(b json.RawMessage) Text {
	var in []any
	if len(b) == 0 || len(b) > maxStored || json.Unmarshal(b, &in) != nil {
		return Text{}
	}
	t, _ := restored(in, maxStoredDepth)
	return t
}

// messageIDs returns the messages by key.
var messageIDs = sync.OnceValue(func() map[string]messageID { return newTranslation().known })

func restored(in []any, depth int) (t Text, ok bool) {
	if len(in) == 0 || depth == 0 {
		return Text{}, false
	}
	key, _ := in[0].(string)
	id, known := messageIDs()[key]
	if !known || len(in)-1 != len(messageOf(id).paramNames()) {
		return Text{}, false
	}
	t = Text{id: id, args: make([]arg, len(in)-1)}
	for i := range t.args {
		if t.args[i], ok = restoredArg(in[1+i], depth); !ok {
			return Text{}, false
		}
	}
	return t, true
}

func restoredArg(in any, depth int) (a arg, ok bool) {
	if all, isList := in.([]any); isList {
		a = argList(make([]Text, len(all)))
		for i := range all {
			if all[i] == nil {
				continue
			}
			one, _ := all[i].([]any)
			if a.texts[i], ok = restored(one, depth-1); !ok {
				return arg{}, false
			}
		}
		return a, true
	}
	s, _ := in.(string)
	if s == "" {
		return arg{}, false
	}
	var err error
	var n int64
	var v float64
	var d time.Duration
	switch value := s[1:]; s[0] {
	case '=':
		return argName(model.CleanText(value, model.MaxBody)), true
	case 'i':
		n, err = strconv.ParseInt(value, 10, 64)
		a = arg{kind: intArg, n: n}
	case 'c':
		n, err = strconv.ParseInt(value, 10, 64)
		a = arg{kind: clockArg, n: min(max(n, 0), 24*60-1)}
	case 'n':
		v, err = strconv.ParseFloat(value, 64)
		a = argNumber(v)
	case '%':
		v, err = strconv.ParseFloat(value, 64)
		a = argPercent(v)
	case 'd':
		d, err = time.ParseDuration(value)
		a = argDuration(d)
	default:
		return arg{}, false
	}
	return a, err == nil
}
