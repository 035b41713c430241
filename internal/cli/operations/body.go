package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
)

// maxBodyFile is the maximum size in bytes of a file that --file reads.
const maxBodyFile = 8 << 20

// body builds the JSON body of a request from a file and from flags. If both set a field, the
// value of the flag is used.
type body[T any] struct {
	file   string
	fields []*fieldFlag
}

// bodyField is a JSON field of a body that can be set by a flag.
type bodyField struct{ name, usage string }

// newBody adds the flag --file, and a flag for each of the fields. The flag for the field
// serviceCode is --service-code.
func newBody[T any](fs *pflag.FlagSet, fields ...bodyField) *body[T] {
	b := &body[T]{}
	fs.StringVarP(&b.file, "file", "f", "", "file with the fields as JSON, - for standard input; flags override it")
	t := reflect.TypeFor[T]()
	for _, f := range fields {
		i := fieldIndex(t, f.name)
		v := declareFlag(fs, toKebabCase(f.name), f.usage, reflect.New(t.Field(i).Type).Interface())
		v.index = i
		b.fields = append(b.fields, v)
	}
	return b
}

// fieldIndex returns the index of the struct field with the given JSON name.
func fieldIndex(t reflect.Type, name string) int {
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
			return i
		}
	}
	panic("cli: " + t.String() + " has no field " + name) // cannot happen: the tests build all commands and would have panicked
}

// toKebabCase converts a name such as serviceCode to service-code.
func toKebabCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// applyTo returns base with the fields replaced that the file and the flags set. Without a
// file and flags, it returns errNoBody.
func (b *body[T]) applyTo(in io.Reader, base T) (T, error) {
	if b.file == "" && !b.hasFlags() {
		return base, errNoBody
	}
	return b.mergeInto(in, base)
}

// newFromFlags returns a body with only the fields that the file and the flags set. Without a
// file and flags, it returns the zero value.
func (b *body[T]) newFromFlags(in io.Reader) (T, error) {
	var zero T
	return b.mergeInto(in, zero)
}

func (b *body[T]) mergeInto(in io.Reader, base T) (T, error) {
	raw, err := b.readJSON(in)
	if err != nil {
		return base, err
	}
	out, err := safedecode.MergeJSON(base, raw)
	if err != nil {
		return base, cmdutil.NewUsageError(fmt.Errorf("--file: %w", err))
	}
	b.applyFlags(&out)
	return out, nil
}

// newCreateCommand returns the command o, which creates a resource. The body comes from a file and
// from flags for fields.
func newCreateCommand[T any](set *cmdutil.Setup, o operation, fields []bodyField, create func(ctx context.Context, s *invocation, resource T) words.ActionReport) *cobra.Command {
	var in *body[T]
	o.isAction = true
	o.flags = func(fs *pflag.FlagSet) { in = newBody[T](fs, fields...) }
	o.run = func(ctx context.Context, s *invocation, _ []string) error {
		var empty T
		v, err := in.applyTo(s.streams.In, empty)
		if err != nil {
			return err
		}
		return s.printReport(create(ctx, s, v))
	}
	return newOperationCommand(set, o)
}

// newUpdateCommand returns the command o, which changes a resource. It reads the resource with the ID
// in the argument and replaces the fields set by a file and by flags.
func newUpdateCommand[T any](
	set *cmdutil.Setup, o operation, fields []bodyField,
	read func(ctx context.Context, s *invocation, id string) (T, error), update func(ctx context.Context, s *invocation, before, after T) (words.ActionReport, error),
) *cobra.Command {
	var in *body[T]
	addFlags := o.flags
	o.args, o.isAction = exactArguments, true
	o.flags = func(fs *pflag.FlagSet) {
		in = newBody[T](fs, fields...)
		if addFlags != nil {
			addFlags(fs)
		}
	}
	o.run = func(ctx context.Context, s *invocation, args []string) error {
		before, err := read(ctx, s, args[0])
		if err != nil {
			return err
		}
		after, err := in.applyTo(s.streams.In, before)
		if err != nil {
			return err
		}
		report, err := update(ctx, s, before, after)
		if err != nil {
			return err
		}
		return s.printReport(report)
	}
	return newOperationCommand(set, o)
}

// newShowCommand returns the command o, which prints the resource with the ID in the argument.
func newShowCommand[T any](set *cmdutil.Setup, o operation, read func(ctx context.Context, s *invocation, id string) (T, error)) *cobra.Command {
	o.args = exactArguments
	o.run = func(ctx context.Context, s *invocation, args []string) error {
		v, err := read(ctx, s, args[0])
		if err != nil {
			return err
		}
		return printResource(s, v)
	}
	return newOperationCommand(set, o)
}

// errNoBody means that neither a flag nor --file describes a body.
var errNoBody = cmdutil.NewUsageError(errors.New("nothing is given: name the fields with flags or --file"))

// readBodies returns one or more bodies. The file contains an object or an array of objects; the
// flags override fields of all of them. Without a file, readBodies returns a single body made from
// the flags. Without a file and flags, or for an empty array, it returns errNoBody.
func (b *body[T]) readBodies(in io.Reader) ([]T, error) {
	if b.file == "" && !b.hasFlags() {
		return nil, errNoBody
	}
	raw, err := b.readJSON(in)
	if err != nil {
		return nil, err
	}
	list := make([]T, 1)
	switch {
	case raw == nil:
	case raw[0] == '[':
		err = json.Unmarshal(raw, &list)
	default:
		list[0], err = safedecode.MergeJSON(list[0], raw)
	}
	switch {
	case err != nil:
		return nil, cmdutil.NewUsageError(fmt.Errorf("--file: %w", err))
	case len(list) == 0:
		return nil, errNoBody
	}
	for i := range list {
		b.applyFlags(&list[i])
	}
	return list, nil
}

func (b *body[T]) hasFlags() bool {
	for _, f := range b.fields {
		if f.isSet {
			return true
		}
	}
	return false
}

func (b *body[T]) applyFlags(v *T) {
	for _, f := range b.fields {
		if f.isSet {
			reflect.ValueOf(v).Elem().Field(f.index).Set(f.value)
		}
	}
}

// readJSON returns the JSON in the file without surrounding white space. It returns nil if --file
// is not set.
func (b *body[T]) readJSON(in io.Reader) ([]byte, error) {
	if b.file == "" {
		return nil, nil
	}
	raw, err := b.readFile(in)
	raw = bytes.TrimSpace([]byte(textnorm.DecodeText(raw)))
	switch {
	case err != nil:
		return nil, cmdutil.NewUsageError(fmt.Errorf("--file: %w", err))
	case len(raw) == 0 || !json.Valid(raw):
		return nil, cmdutil.NewUsageError(errors.New("--file: it is not valid JSON"))
	}
	return raw, nil
}

// readFile returns the content of the file, or the content of in if the file is "-".
func (b *body[T]) readFile(in io.Reader) ([]byte, error) {
	if b.file != "-" {
		return securefile.ReadRegular(b.file, maxBodyFile)
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxBodyFile+1))
	if err == nil && len(raw) > maxBodyFile {
		err = fmt.Errorf("it is larger than %d bytes", maxBodyFile)
	}
	return raw, err
}
