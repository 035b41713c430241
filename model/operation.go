package model

import "slices"

// Operation describes an operation of document 2 that can be subscribed to.
type Operation struct {
	Name  Op
	Type  string   // type of the operation's records in document 2; "" for a single value
	keys  []string // key fields of a record in document 2
	Scope Scope    // scope of the figures in the operation's records; "": none
	Floor bool     // the records also contribute to the figures of the floor
	// Importance determines which operations are polled on a server that allows only a few
	// subscriptions: the least important first. The values are unique.
	Importance int
	// table returns the operation's table in a store, connected with its field in a snapshot.
	// It is nil for an operation about the platform itself, which has no records.
	table func(*Store, *Snapshot) storeTable
}

// Operations returns the operations in the order of document 2. The result must not be changed.
func Operations() []Operation { return operations }

// RecordType returns the type of the operation's records in document 2. It returns "" if the
// operation has no records or is unknown.
func (op Op) RecordType() string {
	if o := op.findOperation(); o != nil {
		return o.Type
	}
	return ""
}

// Keys returns the fields of document 2 that together identify one of the operation's records. It
// returns nil if the operation has no records or is unknown.
func (op Op) Keys() []string {
	if o := op.findOperation(); o != nil {
		return o.keys
	}
	return nil
}

func (op Op) findOperation() *Operation {
	for i := range operations {
		if operations[i].Name == op {
			return &operations[i]
		}
	}
	return nil
}

// HasRecords reports whether the operation returns records of the floor. It is false for operations
// about the platform itself.
func (o *Operation) HasRecords() bool { return o.table != nil }

// Scope is the object that a figure describes: a kind of record, the floor or the feed.
type Scope string

// The scopes.
const (
	ScopeService  Scope = "service"  // ServiceStat of document 2
	ScopeGroup    Scope = "group"    // GroupStat
	ScopeUser     Scope = "user"     // UserStat
	ScopeCampaign Scope = "campaign" // PdCampaignStat
	ScopeFloor    Scope = "floor"    // [Floor]: one for each channel
	ScopeFeed     Scope = "feed"     // the connection and its subscriptions
)

// Subscriptions returns the operations whose records contribute to the figures of a scope.
func (s Scope) Subscriptions() []Op {
	var ops []Op
	for _, o := range Operations() {
		if o.Scope == s && s != "" || o.Floor && s == ScopeFloor {
			ops = append(ops, o.Name)
		}
	}
	return ops
}

// Records is a table of a snapshot, with records of any type. Its dynamic type is a pointer, which
// is the same in two snapshots of a store if no record has changed between them. The JSON form is
// the list of records, sorted by key.
type Records interface {
	Len() int
	MarshalJSON() ([]byte, error)
}

// OpTable is a table of a snapshot and the operation that fills it.
type OpTable struct {
	Op Op
	Records
}

// Tables returns all tables of a snapshot in the order of document 2.
func (s *Snapshot) Tables() []OpTable {
	var none Store
	var all []OpTable
	for _, o := range Operations() {
		if o.HasRecords() {
			all = append(all, OpTable{o.Name, o.table(&none, s).records()})
		}
	}
	return all
}

// IsEmpty reports whether a snapshot has no records.
func (s *Snapshot) IsEmpty() bool {
	return !slices.ContainsFunc(s.Tables(), func(t OpTable) bool { return t.Len() > 0 })
}

// hideTables removes all tables from a snapshot except those of the given operations.
func (s *Snapshot) hideTables(except ...Op) {
	var none Store
	for _, o := range Operations() {
		if o.HasRecords() && !slices.Contains(except, o.Name) {
			o.table(&none, s).hide()
		}
	}
}
