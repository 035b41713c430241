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

// String returns the display text.
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

// Compiled expressions compute a value from a frame.
type (
	numeric   func(*frame) model.Figure
	words     func(*frame) model.Text
	condition func(*frame) truth
)

// field is a name that expressions may use, with its accessor.
type field struct {
	name   string
	kind   kind
	number numeric
	sure   numeric // for estimates: the certain value, which rules use; nil: number
	text   words
	truth  condition

	format     Format
	counter    bool           // grows and may restart at 0
	pace       pace           // of a number that changes with time alone
	day        bool           // counted since the start of the day
	presumable model.Presumed // the platform's time that it is, whose unit may be presumed
	fixed      bool           // identifies the record or is configured
	kpi        *KPI           // for a built-in KPI
}

// Name describes a name of a scope, for documentation and completion.
type Name struct {
	Name   string
	Kind   string // "a number", "a text" or "a condition"
	Format Format
	// Counter reports whether rate applies to it because it only grows.
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

// level returns the field of a number that goes up and down.
func level[T any](name string, get func(*T) model.Int) field {
	return field{name: name, number: func(f *frame) model.Figure { return get(record[T](f)).Figure() }}
}

// total returns the field of a number that grows over the day.
func total[T any](name string, get func(*T) model.Int) field {
	f := level(name, get)
	f.counter, f.day = true, true
	return f
}

// seconds returns the field of a level in seconds.
func seconds[T any](name string, get func(*T) model.Int) field {
	f := level(name, get)
	f.format = Duration
	return f
}

// spent returns the field of a total in seconds.
func spent[T any](name string, get func(*T) model.Int) field {
	f := total(name, get)
	f.format = Duration
	return f
}

// heads returns the field of the number of user profiles in a state.
func heads[T any](name string, get func(*T) *model.ProfilesInStatus) field {
	return level(name, func(r *T) model.Int { return get(r).Count })
}

// word returns the field of a text.
func word[T any](name string, get func(*T) model.Text) field {
	return field{name: name, kind: textKind, text: func(f *frame) model.Text { return get(record[T](f)) }}
}

// naming marks a field that identifies the record.
func naming(f field) field {
	f.fixed = true
	return f
}

// enum returns the field of a text; an empty text is unknown.
func enum[T any, E ~string](name string, get func(*T) E) field {
	return word(name, func(r *T) model.Text {
		if v := get(r); v != "" {
			return model.TextOf(string(v))
		}
		return model.Text{}
	})
}

// catalogFields returns the built-in figures of a scope; of computes one of them.
func catalogFields(s Scope, of func(*kpi.Form) numeric) []field {
	var out []field
	for _, figure := range kpi.Figures() {
		form := figure.On(s)
		if form == nil {
			continue
		}
		f := field{name: figure.Name, format: Format(figure.Unit), number: of(form), day: figure.Day, presumable: figure.Presumable}
		if figure.Certain != nil {
			sure := *form
			sure.Calls = func(c *model.ServiceCalls, _ kpi.Goal) model.Figure { return figure.Certain(c) }
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

// record returns the record of the frame. Names are compiled only for records of their
// scope.
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
