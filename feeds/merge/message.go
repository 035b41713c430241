package merge

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrNoKey means that an update does not say which record, or which element of a list, it concerns.
// Some servers send null for a key field because it has not changed.
var ErrNoKey = errors.New("the update does not say which record it is for")

// Result describes what a GraphQL message contains besides its records.
type Result struct {
	HasData bool   // the root field is present and not null
	Errors  []byte // raw value of "errors", a part of the payload; nil if absent or null
	Items   int    // number of records read
}

// Item is a record in the message that is being read.
type Item[T any] struct {
	Key      *T   // record in which only the key fields are set; valid until the next item
	Keyed    bool // all key fields were present
	plan     *Plan[T]
	start    int // offset of the item in the message
	afterKey int // offset after the key fields; 0 if they do not come first
	end      int // offset after the item; 0 until known
}

// Merge merges the item into dst, which must belong to the caller. After an error, dst is partly
// changed and must be discarded.
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

// Read scans the payload {"data":{root:[item, …]},"errors":…} once and calls each for every item.
// It skips items that each does not merge. A single object instead of the list counts as one item.
// Read returns the first error of the scan or of each, which ends the scan. The payload must not
// change during the call.
func (p *Plan[T]) Read(payload []byte, root string, env *Env, each func(*Item[T]) error) (Result, error) {
	var res Result
	p.decoder = decoder{data: payload, env: env}
	defer func() { p.decoder = decoder{} }() // drop the payload, which may belong to a buffer of many MiB
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

// readKey reads the key fields of an item into p.scratch.
func (p *Plan[T]) readKey(item *Item[T]) error {
	d, scratch := &p.decoder, unsafe.Pointer(&p.scratch)
	found, ahead, err := d.readKeys(p.root, p.keys, scratch)
	if found != p.keys && err == nil { // p.scratch may still hold key fields of the previous item: read again
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
