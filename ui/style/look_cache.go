package style

import (
	"slices"
	"sync"

	"wallboard/internal/lib/powersave"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// LookCache holds the looks of boards that show the same floor with the same configuration, and the
// drawings that these boards share. It is safe for concurrent use.
type LookCache struct {
	mu    sync.Mutex
	looks []*Look
}

// LookCaches holds a [LookCache] for each view of the floor. It is safe for concurrent use.
type LookCaches struct {
	mu            sync.Mutex
	configuration any
	byView        map[string]*LookCache
}

// ForView returns the cache shared by all boards with the same configuration and view.
// configuration is a pointer. If it differs from that of the last call, ForView drops the caches of
// the previous configuration.
func (f *LookCaches) ForView(configuration any, view string) *LookCache {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.configuration != configuration || f.byView == nil {
		f.configuration, f.byView = configuration, make(map[string]*LookCache)
	}
	if f.byView[view] == nil {
		f.byView[view] = new(LookCache)
	}
	return f.byView[view]
}

// DropAll drops all caches. It is called when the last viewer has left.
func (f *LookCaches) DropAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.byView = nil
}

// maxLooks is the maximum number of looks in a cache. There is one for each kind of terminal and
// theme, so more are hardly needed.
const maxLooks = 100

// FindOrCreate returns the cached look with the options o. If there is none, it creates a look and caches
// it, unless the cache already holds maxLooks. All boards must pass the same renderOptions.
func (s *LookCache) FindOrCreate(o Options, renderOptions render.Options) *Look {
	newLook := New(o, renderOptions)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lk := range s.looks {
		lk.Cache.Rows.DropUnused() // a look may no longer be in use on any board
		lk.Cache.sharedLists.DropUnused()
		lk.Cache.dropUnusedLines()
	}
	index := slices.IndexFunc(s.looks, func(lk *Look) bool { return lk.equals(&newLook.Options) })
	if index >= 0 {
		return s.looks[index]
	}
	newLook.Cache = new(DrawingCache)
	if len(s.looks) < maxLooks {
		s.looks = append(s.looks, newLook)
	}
	return newLook
}

// CountRows returns the number of table rows drawn and the number taken from a cache.
func (s *LookCache) CountRows() (drawn, reused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lk := range s.looks {
		d, t := lk.Cache.Rows.CountRows()
		drawn, reused = drawn+d, reused+t
	}
	return drawn, reused
}

func (o Options) equals(other *Options) bool {
	themes := o.Theme.Same(other.Theme)
	o.Theme = other.Theme
	return themes && o == *other
}

// DrawingCache holds the drawings shared by boards with the same look. It is safe for concurrent
// use.
type DrawingCache struct {
	Rows        table.RowCache
	sharedLists render.SharedLists

	mu     sync.Mutex
	second int64            // second for which the texts were computed, as a Unix time
	texts  map[any][]string // see [DrawingCache.CachedLines]

	linesMu sync.Mutex
	lines   powersave.RecentCache[lineParts, string]
}

// lineParts are the parts of a composed line. base is the style on which the line is drawn; "" if the
// line consists only of the other parts, one after the other.
type lineParts struct{ first, second, third, base string }

// maxLineBytes is the maximum size of the composed lines of a [DrawingCache] in bytes.
const maxLineBytes = 4 << 20

// Join returns the three parts of a line as one string. Boards that share a cache share the string. The
// receiver may be nil.
func (s *DrawingCache) Join(first, second, third string) string {
	if s == nil {
		return first + second + third
	}
	return s.line(lineParts{first: first, second: second, third: third})
}

// StyleOnBase returns the line l in the style base, like [AppendOnBase]. Boards that share the cache share the
// string.
func (s *DrawingCache) StyleOnBase(l, base string) string {
	return s.line(lineParts{first: l, base: base})
}

func (s *DrawingCache) line(parts lineParts) string {
	s.linesMu.Lock()
	defer s.linesMu.Unlock()
	out, ok := s.lines.Get(parts)
	if !ok {
		out = parts.compose()
		s.lines.MaxSize = maxLineBytes
		s.lines.Put(parts, out, len(out))
	}
	return out
}

func (p lineParts) compose() string {
	text := p.first + p.second + p.third
	if p.base == "" {
		return text
	}
	return string(AppendOnBase(nil, text, p.base))
}

// dropUnusedLines drops the composed lines that have not been used for some seconds.
func (s *DrawingCache) dropUnusedLines() {
	s.linesMu.Lock()
	defer s.linesMu.Unlock()
	s.lines.Tidy()
}

// CachedLines returns the lines for a key and a second. If they are not cached, it calls text and caches
// the result. Callers must not change the lines. Lines of earlier seconds are dropped, so that they
// do not keep old snapshots in memory.
func (s *DrawingCache) CachedLines(second int64, key any, text func() []string) []string {
	s.mu.Lock()
	if second > s.second {
		s.second, s.texts = second, make(map[any][]string)
	}
	out, ok := s.texts[key]
	ok = ok && second == s.second
	s.mu.Unlock()
	if ok {
		return out
	}
	out = text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if second == s.second {
		s.texts[key] = out
	}
	return out
}

// AgentTextKey is the key of an agent's figures in [DrawingCache.CachedLines].
type AgentTextKey struct {
	Username string
	Width    int
	Snapshot *model.Snapshot
	Options  *render.Options
	Scope    render.Scope
	Alerts   *render.Alerts
}

// AgentHourKey is the key of an agent's last hour in [DrawingCache.CachedLines].
type AgentHourKey struct {
	Username string
	Width    int
	Options  *render.Options
	Channel  model.Channel
}

// ViewKey returns the cache key for a channel, service and group. Boards with the same look share
// the drawings with this key. It is nil if drawings must not be shared. live is false for frozen
// snapshots and replays, whose drawings are not shared.
func (lk *Look) ViewKey(live bool, channel model.Channel, service, group string) any {
	if lk.Cache == nil || !live {
		return nil
	}
	return render.Scope{Channel: channel, Service: service, Group: group}
}

// StyleTable sets the styles of a table and lets the table share drawn rows with other boards.
func (lk *Look) StyleTable(t *table.Model) {
	t.SetStyles(lk.TableStyles())
	t.SetRowCache(lk.Cache.RowCache())
}

// Lists returns the shared lists of table rows. For a nil cache it returns nil, which means that
// lists are not shared.
func (s *DrawingCache) Lists() *render.SharedLists {
	if s == nil {
		return nil
	}
	return &s.sharedLists
}

// RowCache returns the cache of drawn table rows. For a nil cache it returns nil, which means that
// rows are not shared.
func (s *DrawingCache) RowCache() *table.RowCache {
	if s == nil {
		return nil
	}
	return &s.Rows
}
