package model

import "slices"

// Op is the name of an operation of document 2 that has a subscription (section
// Operations). No other package writes one as a text: a test looks for them.
type Op string

// The operations.
const (
	OpVersion          Op = "version"
	OpServerHealth     Op = "serverHealth"
	OpUsers            Op = "users"
	OpServices         Op = "serviceStats"
	OpGroups           Op = "groupStats"
	OpUserStats        Op = "userStats"
	OpProfiles         Op = "userProfileStats"
	OpCampaigns        Op = "pdCampaignStats"
	OpAttendants       Op = "serviceAttendantStats"
	OpOperators        Op = "operatorStats"
	OpOperatorProfiles Op = "operatorProfileStats"
)

// Operation is what is known of one of them.
type Operation struct {
	Name  Op
	Noun  string // what people call the things that it tells of
	Title string // what it tells of them, where all operations stand side by side
	Scope Scope  // the figures that its records have; "" for none
	Floor bool   // the floor's figures are made of its records, too
	// table joins its table of a store with that of a snapshot; nil for an
	// operation that tells of the platform and has no records.
	table func(*Store, *Snapshot) stored
}

// operations are in the order of document 2. This is the only list of them: a
// new subscription is a row here, and whoever goes through all of them, or turns
// the name of one into words, asks here.
var operations = []Operation{
	{Name: OpVersion, Noun: "the platform's version", Title: "Version"},
	{Name: OpServerHealth, Noun: "the platform's health", Title: "Health"},
	{OpUsers, "agents", "Agents' names", "", false, func(s *Store, p *Snapshot) stored { return join(&s.Users, &p.Users) }},
	{OpServices, "services", "Services", ScopeService, true, func(s *Store, p *Snapshot) stored { return join(&s.Services, &p.Services) }},
	{OpGroups, "groups", "Groups", ScopeGroup, false, func(s *Store, p *Snapshot) stored { return join(&s.Groups, &p.Groups) }},
	{OpUserStats, "agents", "Agents", ScopeUser, true, func(s *Store, p *Snapshot) stored { return join(&s.UserStats, &p.UserStats) }},
	{OpProfiles, "agents", "Agents' profiles", "", false, func(s *Store, p *Snapshot) stored { return join(&s.Profiles, &p.Profiles) }},
	{OpCampaigns, "campaigns", "Campaigns", ScopeCampaign, false, func(s *Store, p *Snapshot) stored { return join(&s.Campaigns, &p.Campaigns) }},
	{OpAttendants, "attendants", "Attendants", "", false, func(s *Store, p *Snapshot) stored { return join(&s.Attendants, &p.Attendants) }},
	{OpOperators, "operators", "Operators", "", false, func(s *Store, p *Snapshot) stored { return join(&s.Operators, &p.Operators) }},
	{OpOperatorProfiles, "operators", "Operators' profiles", "", false, func(s *Store, p *Snapshot) stored { return join(&s.OperatorProfiles, &p.OperatorProfiles) }},
}

// Operations returns the operations in the order of document 2. They must not be
// changed.
func Operations() []Operation { return operations }

// Noun returns what people call the things that an operation tells of; "figures"
// for one that document 2 does not have.
func (op Op) Noun() string {
	if o := op.known(); o != nil {
		return o.Noun
	}
	return "figures"
}

// Title returns what an operation tells of in words that no other one has; its name for
// one that document 2 does not have.
func (op Op) Title() string {
	if o := op.known(); o != nil {
		return o.Title
	}
	return string(op)
}

func (op Op) known() *Operation {
	for i := range operations {
		if operations[i].Name == op {
			return &operations[i]
		}
	}
	return nil
}

// HasRecords reports whether what the operation tells of is records of the
// floor, and not the platform itself.
func (o *Operation) HasRecords() bool { return o.table != nil }

// Scope is the kind of record that a figure is about.
type Scope string

// The scopes.
const (
	ScopeService  Scope = "service"  // ServiceStat of document 2
	ScopeGroup    Scope = "group"    // GroupStat
	ScopeUser     Scope = "user"     // UserStat
	ScopeCampaign Scope = "campaign" // PdCampaignStat
	ScopeFloor    Scope = "floor"    // [Floor]: one per channel
	ScopeFeed     Scope = "feed"     // the connection and its subscriptions
)

// Subscriptions returns the operations that a scope's figures come from.
func (s Scope) Subscriptions() []Op {
	var ops []Op
	for _, o := range Operations() {
		if o.Scope == s && s != "" || o.Floor && s == ScopeFloor {
			ops = append(ops, o.Name)
		}
	}
	return ops
}

// Records is a table of a snapshot, whatever its records are: a pointer, that of
// the last snapshot when nothing of it has changed. As JSON it is the list of
// the records, in order.
type Records interface {
	Len() int
	MarshalJSON() ([]byte, error)
}

// Told is a table of a snapshot and the operation that tells of its records.
type Told struct {
	By Op
	Records
}

// Tables returns the tables of a snapshot in the order of document 2.
func (p *Snapshot) Tables() []Told {
	var none Store
	var all []Told
	for _, o := range Operations() {
		if o.HasRecords() {
			all = append(all, Told{o.Name, o.table(&none, p).records()})
		}
	}
	return all
}

// Empty reports whether a snapshot has no record at all.
func (p *Snapshot) Empty() bool {
	return !slices.ContainsFunc(p.Tables(), func(t Told) bool { return t.Len() > 0 })
}
