package merge

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrNoKey means that an update does not identify its record: a server may send
// an unchanged key field as null.
var ErrNoKey = errors.New("the update does not say which record it is for")

// Result describes a GraphQL message apart from its records.
type Result struct {
	HasData bool   // the root field is present and not null
	Errors  []byte // raw value of "errors"; nil if absent or null; valid as long as the payload
	Items   int    // records read
}

// Item is a record of the message being read.
type Item[T any] struct {
	Key      *T   // a record with only the key fields; valid until the next item
	Keyed    bool // all key fields were present; otherwise ErrNoKey applies
	plan     *Plan[T]
	start    int // start offset
	afterKey int // offset after the key; 0 if the key is not first
	end      int // end offset; 0 until known
}

// Merge merges the item into dst, which the caller owns. After an error dst is
// partly updated and must be discarded.
func (it *Item[T]) Merge(dst *T) error {
	p, base := it.plan, unsafe.Pointer(dst)
	d := &p.decoder
	var err error
	if it.afterKey > 0 {
		p.root.copyFields(p.keys, base, unsafe.Pointer(&p.scratch))
		d.pos = it.afterKey
		err = d.resumeObject(p.root, base, it.start+1, p.keys)
	} else {
		d.pos = it.start
		err = d.readObject(p.root.name, p.root, base)
	}
	if err == nil {
		it.end = d.pos
	}
	return err
}

// Read scans the payload {"data":{root:[item, …]},"errors":…} once and calls
// each for every item. An item that each does not merge is skipped. A single
// object instead of the list is one item. Read returns the first error of the
// scan or of each. The payload must not change meanwhile.
func (p *Plan[T]) Read(payload []byte, root string, env *Env, each func(*Item[T]) error) (Result, error) {
	var res Result
	p.decoder = decoder{data: payload, env: env}
	defer func() { p.decoder = decoder{} }() // the payload may be a part of a buffer of many MiB
	if err := p.readEnvelope(&res, root, each); err != nil {
		return res, fmt.Errorf("%s: %w", root, err)
	}
	return res, nil
}

func (p *Plan[T]) readEnvelope(res *Result, root string, each func(*Item[T]) error) error {
	d := &p.decoder
	err := d.readMembers("payload", func(key []byte) error {
		switch string(key) {
		case "data":
			if d.consumeNull() {
				return nil
			}
			return d.readMembers("data", func(key []byte) error {
				if string(key) != root {
					return d.skipValue()
				}
				return p.readItems(res, each)
			})
		case "errors":
			start := d.pos
			if err := d.skipValue(); err != nil {
				return err
			}
			if raw := d.data[start:d.pos]; string(raw) != "null" {
				res.Errors = raw
			}
			return nil
		}
		return d.skipValue()
	})
	if err != nil {
		return err
	}
	if d.peek(); d.pos < len(d.data) {
		return fmt.Errorf("data after the end at offset %d", d.pos)
	}
	return nil
}

func (p *Plan[T]) readItems(res *Result, each func(*Item[T]) error) error {
	d := &p.decoder
	item := &p.item
	*item = Item[T]{Key: &p.scratch, plan: p}
	one := func() error {
		if d.consumeNull() {
			return nil
		}
		item.start, item.afterKey, item.end = d.pos, 0, 0
		res.Items++
		if p.keys != 0 {
			if err := p.readKey(item); err != nil {
				return err
			}
		}
		if err := each(item); err != nil {
			return err
		}
		if item.end == 0 {
			d.pos = item.start
			return d.skipValue()
		}
		d.pos = item.end
		return nil
	}
	switch d.peek() {
	case 'n':
		if d.consumeNull() {
			return nil
		}
	case '[':
		res.HasData = true
		return d.readElements(one)
	case '{':
		res.HasData = true
		return one()
	}
	return d.shapeError(p.root.name, "a list")
}

// readKey reads the key of an item.
func (p *Plan[T]) readKey(item *Item[T]) error {
	d, scratch := &p.decoder, unsafe.Pointer(&p.scratch)
	found, ahead, err := d.readKeys(p.root, p.keys, scratch)
	if found != p.keys && err == nil { // scratch still holds parts of the previous item
		var zero T
		p.scratch, d.pos = zero, item.start
		found, _, err = d.readKeys(p.root, p.keys, scratch)
	}
	if ahead {
		item.afterKey = d.pos
	}
	item.Keyed = found == p.keys
	return err
}
