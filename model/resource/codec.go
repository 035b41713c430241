//nolint:revive // exported: these methods only implement json.Unmarshaler and json.Marshaler
package resource

func (v *Version) UnmarshalJSON(raw []byte) error { return readResource(raw, v) }
func (v Version) MarshalJSON() ([]byte, error)    { return writeResource(&v) }

func (p *Profile) UnmarshalJSON(raw []byte) error { return readResource(raw, p) }
func (p Profile) MarshalJSON() ([]byte, error)    { return writeResource(&p) }

func (c *Call) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Call) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (c *Campaign) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Campaign) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (c *CampaignList) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c CampaignList) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (l *List) UnmarshalJSON(raw []byte) error { return readResource(raw, l) }
func (l List) MarshalJSON() ([]byte, error)    { return writeResource(&l) }

func (i *Item) UnmarshalJSON(raw []byte) error { return readResource(raw, i) }
func (i Item) MarshalJSON() ([]byte, error)    { return writeResource(&i) }

func (i *ItemPerson) UnmarshalJSON(raw []byte) error { return readResource(raw, i) }
func (i ItemPerson) MarshalJSON() ([]byte, error)    { return writeResource(&i) }

func (r *Run) UnmarshalJSON(raw []byte) error { return readResource(raw, r) }
func (r Run) MarshalJSON() ([]byte, error)    { return writeResource(&r) }

func (r *RunContact) UnmarshalJSON(raw []byte) error { return readResource(raw, r) }
func (r RunContact) MarshalJSON() ([]byte, error)    { return writeResource(&r) }

func (c *Contact) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c Contact) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (k *KeyValue) UnmarshalJSON(raw []byte) error { return readResource(raw, k) }
func (k KeyValue) MarshalJSON() ([]byte, error)    { return writeResource(&k) }

func (t *TypedValue) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t TypedValue) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (m *MessageQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageQuery) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (p *Pagination) UnmarshalJSON(raw []byte) error { return readResource(raw, p) }
func (p Pagination) MarshalJSON() ([]byte, error)    { return writeResource(&p) }

func (s *Sorting) UnmarshalJSON(raw []byte) error { return readResource(raw, s) }
func (s Sorting) MarshalJSON() ([]byte, error)    { return writeResource(&s) }

func (m *MessageSearch) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageSearch) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (c *CampaignSearch) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c CampaignSearch) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (f *FilterGroup) UnmarshalJSON(raw []byte) error { return readResource(raw, f) }
func (f FilterGroup) MarshalJSON() ([]byte, error)    { return writeResource(&f) }

func (s *ServiceSearch) UnmarshalJSON(raw []byte) error { return readResource(raw, s) }
func (s ServiceSearch) MarshalJSON() ([]byte, error)    { return writeResource(&s) }

func (f *Filter) UnmarshalJSON(raw []byte) error { return readResource(raw, f) }
func (f Filter) MarshalJSON() ([]byte, error)    { return writeResource(&f) }

func (m *MessageRecord) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageRecord) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (m *MessageCampaign) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageCampaign) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (m *MessageAbilitation) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageAbilitation) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (m *MessageService) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageService) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (m *MessageList) UnmarshalJSON(raw []byte) error { return readResource(raw, m) }
func (m MessageList) MarshalJSON() ([]byte, error)    { return writeResource(&m) }

func (r *Retry) UnmarshalJSON(raw []byte) error { return readResource(raw, r) }
func (r Retry) MarshalJSON() ([]byte, error)    { return writeResource(&r) }

func (s *SMS) UnmarshalJSON(raw []byte) error { return readResource(raw, s) }
func (s SMS) MarshalJSON() ([]byte, error)    { return writeResource(&s) }

func (c *ChatMessage) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c ChatMessage) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (c *ChatAttachment) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c ChatAttachment) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (c *ChatService) UnmarshalJSON(raw []byte) error { return readResource(raw, c) }
func (c ChatService) MarshalJSON() ([]byte, error)    { return writeResource(&c) }

func (p *Person) UnmarshalJSON(raw []byte) error { return readResource(raw, p) }
func (p Person) MarshalJSON() ([]byte, error)    { return writeResource(&p) }

func (q *TemplateQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, q) }
func (q TemplateQuery) MarshalJSON() ([]byte, error)    { return writeResource(&q) }

func (t *Template) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t Template) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *TemplateComponent) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t TemplateComponent) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *TicketQuery) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t TicketQuery) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *Ticket) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t Ticket) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (t *TicketAttachment) UnmarshalJSON(raw []byte) error { return readResource(raw, t) }
func (t TicketAttachment) MarshalJSON() ([]byte, error)    { return writeResource(&t) }

func (a *Article) UnmarshalJSON(raw []byte) error { return readResource(raw, a) }
func (a Article) MarshalJSON() ([]byte, error)    { return writeResource(&a) }

func (a *ArticleAttachment) UnmarshalJSON(raw []byte) error { return readResource(raw, a) }
func (a ArticleAttachment) MarshalJSON() ([]byte, error)    { return writeResource(&a) }
