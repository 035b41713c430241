package world

import (
	"fmt"
	"strings"
)

// culture holds first and last names of a common origin. weight determines how frequent they are.
// If the spelling in usernames differs from the name, it follows the name after a vertical bar.
type culture struct {
	weight                int
	firstNames, lastNames string
}

// cultures returns the names of agents and operators. They include accents, umlauts and wide
// characters, which displays must handle.
func cultures() []culture {
	return []culture{
		{
			30, "Marco Giulia Luca Chiara Matteo Francesca Andrea Elena Davide Sara Alessandro Martina Paolo Niccolò|niccolo Valentina Simone",
			"Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti DeLuca Costa Giordano Mancini Rizzo",
		},
		{
			18, "James Emily Oliver Amelia Jack Isla Harry Grace Thomas Charlotte Daniel Sophie Liam Hannah",
			"Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker O'Brien|obrien Hughes",
		},
		{
			14, "Jürgen|juergen Anna Lukas Sophie Jonas Katrin Björn|bjoern Käthe|kaethe Felix Lena Maximilian Jana",
			"Müller|mueller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schäfer|schaefer Koch Groß|gross Vogel Böhm|boehm",
		},
		{
			12, "François|francois Camille Hugo Léa|lea Louis Chloé|chloe Gaëlle|gaelle Jules Zoé|zoe Théo|theo",
			"Martin Bernard Dubois Lefèvre|lefevre Moreau Laurent Girard Mercier Fournier Béranger|beranger",
		},
		{
			10, "José|jose Lucía|lucia Álvaro|alvaro Carmen Íñigo|inigo Marta Raúl|raul Noelia",
			"García|garcia Muñoz|munoz Fernández|fernandez López|lopez Ibáñez|ibanez Romero Núñez|nunez Ortega",
		},
		{
			6, "Zofia Łukasz|lukasz Agnieszka Michał|michal Małgorzata|malgorzata Piotr",
			"Kowalska Nowak Wójcik|wojcik Zieliński|zielinski Dąbrowska|dabrowska Kamiński|kaminski",
		},
		{4, "Søren|soeren Åsa|asa Lars Ingrid Nils Freja", "Jørgensen|joergensen Lindström|lindstroem Hansen Nyström|nystroem Berg"},
		{3, "陽菜|hina 健太|kenta 美咲|misaki 翔|sho 葵|aoi", "田中|tanaka 佐藤|sato 鈴木|suzuki 高橋|takahashi 渡辺|watanabe"},
		{2, "伟|wei 秀英|xiuying 磊|lei 静|jing", "王|wang 李|li 张|zhang 陈|chen"},
		{1, "민준|minjun 서연|seoyeon 지훈|jihun", "김|kim 이|lee 박|park"},
	}
}

// person holds a name and a unique username.
type person struct {
	first, last, username string
}

// personGenerator generates persons with random names.
type personGenerator struct {
	cultures       []culture
	weight         int
	usernameCounts map[string]int
}

func newPersonGenerator() *personGenerator {
	p := &personGenerator{cultures: cultures(), usernameCounts: map[string]int{}}
	for _, c := range p.cultures {
		p.weight += c.weight
	}
	return p
}

func (p *personGenerator) randomPerson(w *World) person {
	x := w.randomIndex(p.weight)
	i := 0
	for x >= p.cultures[i].weight {
		x -= p.cultures[i].weight
		i++
	}
	first, firstASCII := randomName(&w.scheduler, p.cultures[i].firstNames)
	last, lastASCII := randomName(&w.scheduler, p.cultures[i].lastNames)
	username := firstASCII + "." + lastASCII
	p.usernameCounts[username]++
	if n := p.usernameCounts[username]; n > 1 {
		username = fmt.Sprintf("%s%d", username, n)
	}
	return person{first, last, username}
}

func randomName(a *scheduler, list string) (name, ascii string) {
	names := strings.Fields(list)
	name, ascii, ok := strings.Cut(names[a.randomIndex(len(names))], "|")
	if !ok {
		ascii = strings.ToLower(name)
	}
	return name, ascii
}

// serviceName returns the name of the i-th service. The first 200 names are distinct.
func serviceName(i int) string {
	topics := [...]string{
		"Sales", "Billing", "Tech Support", "Orders", "Returns", "Premium", "Deliveries", "Contracts",
		"Complaints", "Activation", "Loyalty", "Roadside", "Claims", "Bookings", "Energy", "Broadband",
		"Mobile", "Payments", "Warranty", "Insurance",
	}
	markets := [...]string{"IT", "EN", "DE", "FR", "ES", "PL", "NL", "PT", "CH", "AT"}
	return topics[i%len(topics)] + " " + markets[(i/len(topics)+i)%len(markets)]
}

// groupName returns the name of the i-th group. The first 50 names are distinct.
func groupName(i int) string {
	skills := [...]string{"Sales", "Billing", "Tech L1", "Retention", "Orders", "Tech L2", "Claims", "VIP Care", "Backoffice", "Logistics"}
	teams := [...]string{"", " North", " South", " Night", " Partner"}
	return skills[i%len(skills)] + teams[i/len(skills)%len(teams)]
}

// campaignName returns the name of the i-th campaign.
func campaignName(i int) string {
	goals := [...]string{"Win-back", "Renewals", "Survey", "Upsell Fiber", "Payment Reminder", "Welcome", "Appointments", "Recall"}
	return fmt.Sprintf("%s %d", goals[i%len(goals)], 1+i/len(goals))
}
