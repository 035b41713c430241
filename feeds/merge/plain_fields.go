package merge

import (
	"unsafe"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// readPlainFields merges members in the usual form: in the order of the selection from field next
// on, with unsigned integers, plain strings and no white space. It stops before a member in another
// form. Its caller, [decoder.readFields], handles that member. reached is the index of the field at
// which it stopped. closed is true if it read the end of the object.
func (d *decoder) readPlainFields(o *objectPlan, base unsafe.Pointer, next int, seen uint64) (reached int, closed bool) {
	data, pos := d.data, d.pos
	for ; next < len(o.fields) && seen>>uint(next) == 0; next++ {
		f := &o.fields[next]
		key := o.nulls[f.memberOffset:f.valueOffset]
		rest := data[pos:]
		if len(rest) <= len(key) {
			break
		}
		size := 0
		switch first := rest[len(key)]; {
		case f.kind == kindInt && first-'0' <= 9:
			if string(rest[:len(key)]) != string(key) {
				break
			}
			var n int64
			if n, size = parsePlainInteger(rest[len(key):]); size > 0 {
				d.storeInt(f, base, n)
			}
		case f.kind <= kindString && f.kind >= kindText && first == '"' && next != o.typename:
			if string(rest[:len(key)]) != string(key) {
				break
			}
			size = d.storePlainText(f, base, rest[len(key):])
		}
		end := pos + len(key) + size
		if size == 0 || end == len(data) || data[end] != ',' && data[end] != '}' {
			break
		}
		if pos = end + 1; data[end] == '}' {
			d.pos = pos
			return next + 1, true
		}
	}
	d.pos = pos
	return next, false
}

// storeInt stores an integer in a field of the struct at base.
func (d *decoder) storeInt(f *fieldPlan, base unsafe.Pointer, n int64) {
	v := model.IntOf(n)
	if f.timeField != timeunit.FieldNone {
		v = d.env.toSeconds(f.timeField, n)
	}
	*(*model.Int)(unsafe.Add(base, f.offset)) = v
}

// storePlainText stores the plain string at the start of b in a field of the struct at base. It
// returns the size of the string including the quotes, or 0 if the string is not plain.
func (d *decoder) storePlainText(f *fieldPlan, base unsafe.Pointer, b []byte) (size int) {
	end := 1 + plainRunLength(b[1:])
	if end == len(b) || b[end] != '"' {
		return 0
	}
	raw, p := b[1:end], unsafe.Add(base, f.offset)
	if f.kind == kindString {
		if have := (*string)(p); *have != string(raw) {
			*have = d.env.cleanPlainText(raw)
		}
	} else if have, known := (*model.Text)(p).Get(); !known || have != string(raw) {
		*(*model.Text)(p) = model.TextOf(d.env.cleanPlainText(raw))
	}
	return end + 1
}
