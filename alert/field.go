package alert

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// kind is the type of an expression.
type kind uint8

const (
	numberKind kind = iota
	textKind
	truthKind
)

// String returns the type as it is told to people.
func (k kind) String() string {
	switch k {
	case textKind:
		return "a text"
	case truthKind:
		return "a condition"
	case numberKind:
	}
	return "a number"
}

// A program computes one value from a frame.
type (
	numeric   func(*frame) model.Figure
	words     func(*frame) model.Text
	condition func(*frame) truth
)

// field is a name that expressions may use, and how its value is got.
type field struct {
	name   string
	kind   kind
	number numeric
	sure   numeric // of an estimate: what is certain, which rules go by; nil: number
	text   words
	truth  condition

	format     Format
	counter    bool           // it grows, and starts again at 0
	pace       pace           // of a number that changes with time alone
	day        bool           // it is made of what was counted today
	presumable model.Presumed // the platform's time that it is, whose unit may be presumed
	fixed      bool           // it says which record it is, or what was configured
	kpi        *KPI           // of a built-in KPI
}

// Name describes a name of a scope, for documentation and completion.
type Name struct {
	Name   string
	Kind   string // "a number", "a text" or "a condition"
	Format Format
	// Counter reports whether it only grows, so that rate may be asked of it.
	Counter bool
	BuiltIn bool // a built-in KPI
}

// fieldsOf returns the names of a scope.
func fieldsOf(s Scope) []field {
	switch s {
	case Service:
		return serviceFields()
	case Group:
		return groupFields()
	case User:
		return userFields()
	case Campaign:
		return campaignFields()
	case Floor:
		return floorFields()
	case Feed:
		return feedFields()
	}
	return nil
}

// level is a number that goes up and down.
func level[T any](name string, get func(*T) model.Int) field {
	return field{name: name, number: func(f *frame) model.Figure { return get(record[T](f)).Figure() }}
}

// total is a number that grows over the day.
func total[T any](name string, get func(*T) model.Int) field {
	f := level(name, get)
	f.counter, f.day = true, true
	return f
}

// seconds is a level in seconds.
func seconds[T any](name string, get func(*T) model.Int) field {
	f := level(name, get)
	f.format = Duration
	return f
}

// spent is a total in seconds.
func spent[T any](name string, get func(*T) model.Int) field {
	f := total(name, get)
	f.format = Duration
	return f
}

// heads is the count of user profiles in a state.
func heads[T any](name string, get func(*T) *model.ProfilesInStatus) field {
	return level(name, func(r *T) model.Int { return get(r).Count })
}

// word is a text.
func word[T any](name string, get func(*T) model.Text) field {
	return field{name: name, kind: textKind, text: func(f *frame) model.Text { return get(record[T](f)) }}
}

// naming is a text that says which record it is.
func naming(f field) field {
	f.fixed = true
	return f
}

// enum is a text of which the empty one is unknown.
func enum[T any, E ~string](name string, get func(*T) E) field {
	return word(name, func(r *T) model.Text {
		if v := get(r); v != "" {
			return model.TextOf(string(v))
		}
		return model.Text{}
	})
}

// catalogued are the built-in figures of a scope; of computes one of them.
func catalogued(s Scope, of func(*kpi.Form) numeric) []field {
	var out []field
	for _, figure := range kpi.Figures() {
		form := figure.On(s)
		if form == nil {
			continue
		}
		f := field{name: figure.Name, format: Format(figure.Unit), number: of(form), day: figure.Day, presumable: figure.Presumable}
		if figure.Sure != nil {
			sure := *form
			sure.Calls = func(c *model.ServiceCalls, _ kpi.Goal) model.Figure { return figure.Sure(c) }
			f.sure = of(&sure)
		}
		f.fixed = figure.Name == "serviceLevelTarget"
		if !figure.Count {
			f.kpi = &KPI{
				Name: figure.Name, Title: figure.TitleOn(s), Scope: s, Expr: form.Formula,
				Format: Format(figure.Unit), Direction: figure.Better, BuiltIn: true,
			}
		}
		out = append(out, f)
	}
	return out
}

// record returns the frame's record. A scope's names are compiled for its
// records only.
func record[T any](f *frame) *T { return f.rec.(*T) }

// marked marks a time while its unit is presumed.
func (f *field) marked() {
	if f.presumable == 0 {
		return
	}
	for _, number := range []*numeric{&f.number, &f.sure} {
		if get, time := *number, f.presumable; get != nil {
			*number = func(f *frame) model.Figure { return get(f).Presume(f.presumed.Has(time)) }
		}
	}
}
