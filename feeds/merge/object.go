package merge

import (
	"bytes"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"
)

// readObject merges the object at the current position into the struct at base. name is the field
// of the object, for errors.
func (d *decoder) readObject(name string, o *objectPlan, base unsafe.Pointer) error {
	if d.peek() != '{' {
		return d.shapeError(name, "an object")
	}
	if err := d.enter('{'); err != nil {
		return err
	}
	defer d.leave()
	if d.peek() == '}' {
		d.pos++
		return nil
	}
	return d.readFields(name, o, base, d.pos, 0)
}

// resumeObject merges the rest of an object after [decoder.readKeys] has read its first members.
// seen is the bit set of these members, and start is the offset of the first one.
func (d *decoder) resumeObject(o *objectPlan, base unsafe.Pointer, start int, seen uint64) error {
	if d.depth++; d.depth > maxDepth {
		return errTooDeep
	}
	done, err := d.consumeSeparator('}')
	if !done && err == nil {
		err = d.readFields(o.name, o, base, start, seen)
	}
	d.leave()
	return err
}

// readFields merges members up to the end of the object. start is the offset of the first member.
// seen is the bit set of the fields read before. A duplicate field is an error, because it is
// unclear which value is valid, and a duplicate key could change the wrong record.
func (d *decoder) readFields(name string, o *objectPlan, base unsafe.Pointer, start int, seen uint64) error {
	for next := bits.Len64(seen); ; {
		reached, closed := d.readPlainFields(o, base, next, seen)
		seen |= bitsBelow(reached) &^ bitsBelow(next)
		if next = reached; closed {
			return nil
		}
		d.peek()
		i, keyed := d.consumePredicted(o, next)
		nulls := bitsBelow(i) &^ bitsBelow(next)
		again := seen & nulls
		seen |= nulls
		next = i
		if !keyed {
			var err error
			if i, err = d.readKey(o); err != nil {
				return err
			}
		}
		if i >= 0 {
			bit := uint64(1) << uint(i)
			again |= seen & bit
			seen |= bit
			next = i + 1
		}
		if again != 0 {
			return d.duplicateError(&o.fields[bits.TrailingZeros64(again)])
		}
		d.peek()
		var err error
		switch {
		case i < 0:
			err = d.skipValue()
		case d.consumeNull():
		case i == o.typename:
			var cleared bool
			if cleared, err = d.readTypename(o, base); cleared && bits.OnesCount64(seen) > 1 {
				d.pos, seen, next = start, 0, 0 // the values merged so far were cleared too: merge them again
				continue
			}
		default:
			err = d.readValue(&o.fields[i], base)
		}
		if err != nil {
			return err
		}
		if d.consumeComma() {
			continue
		}
		done, err := d.consumeSeparator('}')
		if done && o.typename >= 0 && seen == 1<<uint(o.typename) {
			d.env.recordBareType(name, *(*string)(unsafe.Add(base, o.fields[o.typename].offset)))
		}
		if done || err != nil {
			return err
		}
	}
}

// bitsBelow returns the bit set of the fields before field i.
func bitsBelow(i int) uint64 { return 1<<uint(i) - 1 }

// consumePredicted consumes the input that the plan predicts: null members from field next on, then
// the key and the colon of field i, which is not null. Most input is as predicted. If the key is
// not as predicted, keyed is false, and only the null members before field i are consumed.
func (d *decoder) consumePredicted(o *objectPlan, next int) (i int, keyed bool) {
	if next >= len(o.fields) {
		return next, false
	}
	begin := o.fields[next].memberOffset
	end := begin + commonPrefix(d.data[d.pos:], o.nulls[begin:])
	i = int(o.fieldAt[end])
	if i == len(o.fields) {
		d.pos += end - begin
		return i, false
	}
	f := &o.fields[i]
	if end < f.valueOffset {
		d.pos += f.memberOffset - begin
		return i, false
	}
	d.pos += f.valueOffset - begin
	return i, true
}

func (d *decoder) duplicateError(f *fieldPlan) error {
	return fmt.Errorf("field %q twice in one object before offset %d", f.name, d.pos)
}

// readKey consumes a key and its colon. It returns the index of the field, or -1 if the document
// does not select the field.
func (d *decoder) readKey(o *objectPlan) (int, error) {
	d.peek()
	raw, plain, err := d.readString()
	if err != nil {
		return 0, err
	}
	if err := d.expect(':'); err != nil {
		return 0, err
	}
	if i, ok := o.byName[string(raw)]; ok {
		return i, nil
	}
	if !plain {
		s, err := unquote(raw)
		if err != nil {
			return 0, err
		}
		if i, ok := o.byName[s]; ok {
			return i, nil
		}
	}
	// A field in the fragment of an added type has an alias, see [Alias].
	if end := bytes.Index(raw, []byte(aliasSeparator)); end > 0 {
		if i, ok := o.byName[string(raw[:end])]; ok {
			return i, nil
		}
	}
	return -1, nil
}

// readTypename reads __typename. If the type has changed, it clears the values of all fields,
// because they belong to another type, and returns true.
func (d *decoder) readTypename(o *objectPlan, base unsafe.Pointer) (cleared bool, err error) {
	f := &o.fields[o.typename]
	p := (*string)(unsafe.Add(base, f.offset))
	s, err := d.readText(f.name, *p)
	if err != nil {
		return false, err
	}
	if *p != "" && *p != s {
		reflect.NewAt(o.goType, base).Elem().SetZero()
		cleared = true
	}
	*p = s
	return cleared, nil
}

// readInts reads a list of integers into a new slice without spare capacity.
func (d *decoder) readInts(name string, dst *[]int64) error {
	if d.peek() != '[' {
		return d.shapeError(name, "a list")
	}
	list := d.env.ints[:0]
	err := d.readElements(func() error {
		if d.consumeNull() {
			return nil
		}
		n, err := d.readInt(name)
		list = append(list, n)
		return err
	})
	if d.env.ints = list; err == nil && (*dst == nil || !slices.Equal(*dst, list)) {
		*dst = append(make([]int64, 0, len(list)), list...)
	}
	return err
}

// readStrings reads a list of strings into a new slice without spare capacity.
func (d *decoder) readStrings(name string, dst *[]string) error {
	if d.peek() != '[' {
		return d.shapeError(name, "a list")
	}
	list := d.env.strings[:0]
	err := d.readElements(func() error {
		if d.consumeNull() {
			return nil
		}
		var s string
		read := func() (err error) { s, err = d.readText(name, ""); return err }
		if d.pos < len(d.data) && d.data[d.pos] == '{' {
			if found, err := d.readSoleMember(name, read); err != nil || !found {
				return err
			}
		} else if err := read(); err != nil {
			return err
		}
		list = append(list, s)
		return nil
	})
	if d.env.strings = list; err == nil && (*dst == nil || !slices.Equal(*dst, list)) {
		*dst = append(make([]string, 0, len(list)), list...)
	}
	return err
}

// consumeSameKey consumes the beginning of an object up to and including its key field. It consumes
// nothing and returns false unless the key is the first field, has the value key and contains only
// plain characters.
func (d *decoder) consumeSameKey(o *objectPlan, keys uint64, key string) bool {
	if keys != 1 {
		return false // the first field is not the key
	}
	data, n := d.data[d.pos:], 1+o.fields[0].valueOffset
	end := n + 1 + len(key)
	if len(data) <= end || data[0] != '{' || data[n] != '"' || data[end] != '"' ||
		string(data[1:n]) != string(o.nulls[:n-1]) || string(data[n+1:end]) != key || plainRunLength(data[n+1:]) != len(key) {
		return false
	}
	d.pos += end + 1
	return true
}

// readKeys reads only the key fields of the object at the current position into the struct at base.
// It stops after the last key field. found is the bit set of the key fields that are present. ahead
// is true if only key fields were read and [decoder.resumeObject] can continue at the current
// position.
func (d *decoder) readKeys(o *objectPlan, keys uint64, base unsafe.Pointer) (found uint64, ahead bool, err error) {
	if d.peek() != '{' {
		return 0, false, d.shapeError(o.name, "an object")
	}
	d.pos++
	if d.peek() == '}' {
		return 0, false, nil
	}
	ahead = true
	for next := 0; ; {
		d.peek()
		i, keyed := d.consumePredicted(o, next)
		ahead = ahead && i == next
		next = i
		if !keyed {
			if i, err = d.readKey(o); err != nil {
				return found, false, err
			}
		}
		if i >= 0 {
			next = i + 1
		}
		d.peek()
		switch bit := uint64(1) << uint(i); { // unselected fields have no bit
		case keys&bit == 0:
			ahead = false
			err = d.skipValue()
		case d.consumeNull():
			ahead = false
		case found&bit != 0:
			err = d.duplicateError(&o.fields[i])
		default:
			d.wrappedNull = false
			if err = d.readValue(&o.fields[i], base); d.wrappedNull {
				ahead = false
			} else {
				found |= bit
			}
		}
		if err != nil || found == keys {
			return found, ahead, err
		}
		if done, err := d.consumeSeparator('}'); done || err != nil {
			return found, false, err
		}
	}
}
