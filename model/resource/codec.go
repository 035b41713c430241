//nolint:revive // exported: these methods only implement json.Unmarshaler and json.Marshaler
package resource

// Parts of a resource need no methods of their own: they are read and written with the resource.

func (v *Version) UnmarshalJSON(raw []byte) error { return readResource(raw, v) }
func (v Version) MarshalJSON() ([]byte, error)    { return writeResource(&v) }

func (p *Profile) UnmarshalJSON(raw []byte) error { return readResource(raw, p) }
func (p Profile) MarshalJSON() ([]byte, error)    { return writeResource(&p) }

func (c *Call) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Call) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (c *Campaign) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Campaign) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (l *List) UnmarshalJSON(raw []byte) error { return readResource(raw, l) }
func (l List) MarshalJSON() ([]byte, error)    { return writeResource(&l) }

func (i *Item) UnmarshalJSON(raw []byte) error { return readResource(raw, i) }
func (i Item) MarshalJSON() ([]byte, error)    { return writeResource(&i) }

func (r *Run) UnmarshalJSON(raw []byte) error { return readResource(raw, r) }
func (r Run) MarshalJSON() ([]byte, error)    { return writeResource(&r) }

func (c *Contact) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Contact) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (m *MessageQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageQuery) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (m *MessageRecord) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageRecord) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (s *SMS) UnmarshalJSON(raw []byte) error { return readResource(raw, s) }
func (s SMS) MarshalJSON() ([]byte, error)    { return writeResource(&s) }

func (c *ChatMessage) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c ChatMessage) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (p *Person) UnmarshalJSON(raw []byte) error { return readResource(raw, p) }
func (p Person) MarshalJSON() ([]byte, error)    { return writeResource(&p) }

func (q *TemplateQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, q) }
func (q TemplateQuery) MarshalJSON() ([]byte, error)    { return writeResource(&q) }

func (t *Template) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t Template) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *TicketQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t TicketQuery) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *Ticket) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t Ticket) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (a *Article) UnmarshalJSON(raw []byte) error { return readResource(raw, a) }
func (a Article) MarshalJSON() ([]byte, error)    { return writeResource(&a) }
