//nolint:revive // exported: these methods only implement json.Unmarshaler and json.Marshaler
package resource

func (v *Version) UnmarshalJSON(raw []byte) error { return read(raw, v) }
func (v Version) MarshalJSON() ([]byte, error)    { return write(&v) }

func (p *Profile) UnmarshalJSON(raw []byte) error { return read(raw, p) }
func (p Profile) MarshalJSON() ([]byte, error)    { return write(&p) }

func (c *Call) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c Call) MarshalJSON() ([]byte, error)    { return write(&c) }

func (c *Campaign) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c Campaign) MarshalJSON() ([]byte, error)    { return write(&c) }

func (c *CampaignList) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c CampaignList) MarshalJSON() ([]byte, error)    { return write(&c) }

func (l *List) UnmarshalJSON(raw []byte) error { return read(raw, l) }
func (l List) MarshalJSON() ([]byte, error)    { return write(&l) }

func (i *Item) UnmarshalJSON(raw []byte) error { return read(raw, i) }
func (i Item) MarshalJSON() ([]byte, error)    { return write(&i) }

func (i *ItemPerson) UnmarshalJSON(raw []byte) error { return read(raw, i) }
func (i ItemPerson) MarshalJSON() ([]byte, error)    { return write(&i) }

func (r *Run) UnmarshalJSON(raw []byte) error { return read(raw, r) }
func (r Run) MarshalJSON() ([]byte, error)    { return write(&r) }

func (r *RunContact) UnmarshalJSON(raw []byte) error { return read(raw, r) }
func (r RunContact) MarshalJSON() ([]byte, error)    { return write(&r) }

func (c *Contact) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c Contact) MarshalJSON() ([]byte, error)    { return write(&c) }

func (k *KeyValue) UnmarshalJSON(raw []byte) error { return read(raw, k) }
func (k KeyValue) MarshalJSON() ([]byte, error)    { return write(&k) }

func (t *TypedValue) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t TypedValue) MarshalJSON() ([]byte, error)    { return write(&t) }

func (m *MessageQuery) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageQuery) MarshalJSON() ([]byte, error)    { return write(&m) }

func (p *Pagination) UnmarshalJSON(raw []byte) error { return read(raw, p) }
func (p Pagination) MarshalJSON() ([]byte, error)    { return write(&p) }

func (s *Sorting) UnmarshalJSON(raw []byte) error { return read(raw, s) }
func (s Sorting) MarshalJSON() ([]byte, error)    { return write(&s) }

func (m *MessageSearch) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageSearch) MarshalJSON() ([]byte, error)    { return write(&m) }

func (c *CampaignSearch) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c CampaignSearch) MarshalJSON() ([]byte, error)    { return write(&c) }

func (f *FilterGroup) UnmarshalJSON(raw []byte) error { return read(raw, f) }
func (f FilterGroup) MarshalJSON() ([]byte, error)    { return write(&f) }

func (s *ServiceSearch) UnmarshalJSON(raw []byte) error { return read(raw, s) }
func (s ServiceSearch) MarshalJSON() ([]byte, error)    { return write(&s) }

func (f *Filter) UnmarshalJSON(raw []byte) error { return read(raw, f) }
func (f Filter) MarshalJSON() ([]byte, error)    { return write(&f) }

func (m *MessageRecord) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageRecord) MarshalJSON() ([]byte, error)    { return write(&m) }

func (m *MessageCampaign) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageCampaign) MarshalJSON() ([]byte, error)    { return write(&m) }

func (m *MessageAbilitation) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageAbilitation) MarshalJSON() ([]byte, error)    { return write(&m) }

func (m *MessageService) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageService) MarshalJSON() ([]byte, error)    { return write(&m) }

func (m *MessageList) UnmarshalJSON(raw []byte) error { return read(raw, m) }
func (m MessageList) MarshalJSON() ([]byte, error)    { return write(&m) }

func (r *Retry) UnmarshalJSON(raw []byte) error { return read(raw, r) }
func (r Retry) MarshalJSON() ([]byte, error)    { return write(&r) }

func (s *SMS) UnmarshalJSON(raw []byte) error { return read(raw, s) }
func (s SMS) MarshalJSON() ([]byte, error)    { return write(&s) }

func (c *ChatMessage) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c ChatMessage) MarshalJSON() ([]byte, error)    { return write(&c) }

func (c *ChatAttachment) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c ChatAttachment) MarshalJSON() ([]byte, error)    { return write(&c) }

func (c *ChatService) UnmarshalJSON(raw []byte) error { return read(raw, c) }
func (c ChatService) MarshalJSON() ([]byte, error)    { return write(&c) }

func (p *Person) UnmarshalJSON(raw []byte) error { return read(raw, p) }
func (p Person) MarshalJSON() ([]byte, error)    { return write(&p) }

func (t *TemplateQuery) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t TemplateQuery) MarshalJSON() ([]byte, error)    { return write(&t) }

func (t *Template) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t Template) MarshalJSON() ([]byte, error)    { return write(&t) }

func (t *TemplateComponent) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t TemplateComponent) MarshalJSON() ([]byte, error)    { return write(&t) }

func (t *TicketQuery) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t TicketQuery) MarshalJSON() ([]byte, error)    { return write(&t) }

func (t *Ticket) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t Ticket) MarshalJSON() ([]byte, error)    { return write(&t) }

func (t *TicketAttachment) UnmarshalJSON(raw []byte) error { return read(raw, t) }
func (t TicketAttachment) MarshalJSON() ([]byte, error)    { return write(&t) }

func (a *Article) UnmarshalJSON(raw []byte) error { return read(raw, a) }
func (a Article) MarshalJSON() ([]byte, error)    { return write(&a) }

func (a *ArticleAttachment) UnmarshalJSON(raw []byte) error { return read(raw, a) }
func (a ArticleAttachment) MarshalJSON() ([]byte, error)    { return write(&a) }
