package forecast

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// intradayFile is the JSON form of recorded courses.
type intradayFile struct {
	Days []intradayFileDay `json:"days"`
}

type intradayFileDay struct {
	Date     string            `json:"date"`
	Services []intradayFileRow `json:"services"`
	// Agents holds the logged-in agents by channel. Each element is the number of a half hour and
	// the number of agents.
	Agents map[model.Channel][][2]uint32 `json:"agents,omitempty"`
	Shown  []intradayFileShown           `json:"shown,omitempty"`
}

// intradayFileShown is a forecast that was shown in a half hour. Slot is the number of the half hour.
// Closing is in minutes since midnight.
type intradayFileShown struct {
	Code    string        `json:"code"`
	Channel model.Channel `json:"channel"`
	Slot    int           `json:"halfHour"`
	Low     float64       `json:"low"`
	High    float64       `json:"high"`
	Target  float64       `json:"target,omitempty"`
	Verdict Verdict       `json:"verdict,omitempty"`
	Closing int           `json:"closing"`
}

// intradayFileRow holds the course of a service on one day. Each element of Calls is the number of a
// half hour and its numbers of received, counted and missed calls.
type intradayFileRow struct {
	Code    string        `json:"code"`
	Channel model.Channel `json:"channel"`
	Calls   [][4]uint32   `json:"calls"`
}

// EncodeIntradayDays encodes days as JSON for [DecodeIntradayDays].
func EncodeIntradayDays(days []IntradayDay) ([]byte, error) {
	var f intradayFile
	for _, d := range days {
		day := intradayFileDay{Date: d.Date, Services: make([]intradayFileRow, 0, len(d.Services))}
		for k, c := range d.Services {
			row := intradayFileRow{Code: k.Code, Channel: k.Channel}
			for i, known := range c.Known {
				if known {
					row.Calls = append(row.Calls, [4]uint32{uint32(i), c.Calls[i].Received, c.Calls[i].Counted, c.Calls[i].Missed})
				}
			}
			day.Services = append(day.Services, row)
		}
		slices.SortFunc(day.Services, func(a, b intradayFileRow) int {
			return strings.Compare(a.Code+string(a.Channel), b.Code+string(b.Channel))
		})
		for ch, c := range d.Agents {
			for i, n := range c {
				if n > 0 {
					if day.Agents == nil {
						day.Agents = make(map[model.Channel][][2]uint32)
					}
					day.Agents[ch] = append(day.Agents[ch], [2]uint32{uint32(i), n})
				}
			}
		}
		for k, of := range d.ShownForecasts {
			for slot, s := range of {
				day.Shown = append(day.Shown, intradayFileShown{k.Code, k.Channel, slot, s.Low, s.High, s.Target, s.Verdict, int(s.Closing / time.Minute)})
			}
		}
		slices.SortFunc(day.Shown, func(a, b intradayFileShown) int {
			return cmp.Or(strings.Compare(a.Code+string(a.Channel), b.Code+string(b.Channel)), cmp.Compare(a.Slot, b.Slot))
		})
		f.Days = append(f.Days, day)
	}
	return json.Marshal(f)
}

// DecodeIntradayDays decodes the JSON of [EncodeIntradayDays]. It skips invalid half hours.
func DecodeIntradayDays(text []byte) ([]IntradayDay, error) {
	var f intradayFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("recorded days: %w", err)
	}
	var out []IntradayDay
	for _, d := range f.Days {
		day := IntradayDay{Date: d.Date, Services: make(map[model.ServiceKey]*IntradayCalls, len(d.Services)), Agents: make(map[model.Channel]*AgentsByHalfHour)}
		for _, row := range d.Services {
			c := new(IntradayCalls)
			for _, n := range row.Calls {
				if n[0] <= HalfHours && n[3] <= n[2] {
					c.Calls[n[0]], c.Known[n[0]] = Calls{n[1], n[2], n[3]}, true
				}
			}
			day.Services[model.ServiceKey{Code: row.Code, Channel: row.Channel}] = c
		}
		for ch, counts := range d.Agents {
			c := new(AgentsByHalfHour)
			for _, n := range counts {
				if n[0] <= HalfHours {
					c[n[0]] = n[1]
				}
			}
			day.Agents[ch] = c
		}
		for _, s := range d.Shown {
			if s.Slot >= 0 && s.Slot < HalfHours && s.Verdict >= VerdictNone && s.Verdict <= VerdictCertain {
				day.addShown(model.ServiceKey{Code: s.Code, Channel: s.Channel}, s.Slot, ShownForecast{s.Low, s.High, s.Target, s.Verdict, time.Duration(s.Closing) * time.Minute})
			}
		}
		out = append(out, day)
	}
	return out, nil
}
