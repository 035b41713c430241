package operations

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"wallboard/model/resource"
)

// fieldFlag is a flag that sets an optional field of a resource. If the flag is not used, the
// field stays nil. It implements [pflag.Value].
type fieldFlag struct {
	index int           // index of the field in its body
	value reflect.Value // variable that the flag sets
	isSet bool
}

// declareFlag adds a flag that sets target. target is a *string, **int, **bool, *[]string or
// *resource.Time.
func declareFlag(fs *pflag.FlagSet, name, usage string, target any) *fieldFlag {
	f := &fieldFlag{value: reflect.ValueOf(target).Elem()}
	flag := fs.VarPF(f, name, "", usage)
	if f.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	return f
}

// Type returns the name of the value's type, as shown in the help.
func (f *fieldFlag) Type() string {
	switch f.value.Interface().(type) {
	case *int:
		return "int"
	case *bool:
		return "bool"
	case []string:
		return "stringArray"
	case resource.Time:
		return "time"
	case string:
		return "string"
	}
	panic("cli: no flag for " + f.value.Type().String()) // unreachable: every test that builds the commands would panic
}

// String returns "", because the flag has no default value.
func (f *fieldFlag) String() string { return "" }

// Set parses text and sets the field. If the field is a list, Set appends an element.
func (f *fieldFlag) Set(text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		return errors.New("want text without control characters")
	}
	switch p := f.value.Addr().Interface().(type) {
	case *string:
		*p = text
	case **int:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return errors.New("want a whole number")
		}
		v := int(n)
		*p = &v
	case **bool:
		v, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New("want true or false")
		}
		*p = &v
	case *[]string:
		*p = append(*p, text)
	case *resource.Time:
		t, err := resource.ParseTime(text)
		if err != nil {
			return err
		}
		*p = t
	}
	f.isSet = true
	return nil
}
