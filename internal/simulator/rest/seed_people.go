package rest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"wallboard/internal/simulator/world"
)

// firstContactID is the ID of the first customer in the address book. The call data of this
// customer's calls contain "customer=10000".
const firstContactID = 10_000

// numContacts is the number of customers in the address book. The world has further customers.
const numContacts = 48

// addContacts adds the first numContacts customers of the world to the address book.
func (s *seeder) addContacts() {
	first := strings.Fields("Alba Bruno Carla Dario Emma Fabio Gaia Heinz Irene Jörg Klara Louis Mireille Nadia Omar Petra Quentin Rosa Søren Teresa Ugo Vera Walter Ximena Yves Zoé")
	last := strings.Fields("Albrecht Bellini Castillo Dupont Eriksen Fontana Gruber Hoffmann Iversen Janssen Keller Lombardi Marchetti Neumann Olsen Pellegrini Quintana Rinaldi Schäfer Tanaka Ullmann Vidal Weiß Zanetti")
	cities := []struct{ city, country string }{{"Milano", "IT"}, {"Roma", "IT"}, {"Torino", "IT"}, {"Berlin", "DE"}, {"Lyon", "FR"}, {"Sevilla", "ES"}}
	companies := []string{"", "Casa Moreno", "Tulip B.V.", "Acme S.p.A.", "Nordwind GmbH", "Atelier Bleu", "Officine Riunite", "Hôtel de l'Étoile"}
	for i := range numContacts {
		id := strconv.Itoa(firstContactID + i)
		name, surname := first[i%len(first)], last[(i*7)%len(last)]
		place := pickOne(s, cities)
		contact := object{
			"id": id, "addressbookBackendId": "external", "name": name, "surname": surname,
			"company": pickOne(s, companies), "street": fmt.Sprintf("Via Garibaldi %d", 1+s.rng.IntN(120)),
			"city": place.city, "cap": fmt.Sprintf("%05d", 10_000+s.rng.IntN(80_000)), "country": place.country,
			"vip": i%9 == 0, "categories": []string{pickOne(s, []string{"CUSTOMER", "PARTNER", "PROSPECT"})},
			"note":    pickOne(s, []string{"", "", "Prefers to be called after 17:00.", "Speaks German.\nContract renewed in spring."}),
			"emails":  []object{{"type": "INTERNET_WORK", "value": mailAddress(name, surname, "example.com")}},
			"numbers": []object{{"type": "WORK", "value": world.CallerNumber(i)}},
		}
		switch i % 5 {
		case 1:
			contact["customFields"] = []object{{"key": "CUSTOM_01", "value": fmt.Sprintf("contract %d", 40_000+i)}}
		case 2: // a field that document 1 does not define
			contact["loyalty"] = object{"tier": "GOLD", "points": s.rng.IntN(9000)}
		case 3:
			contact["webSites"] = []object{{"type": "WORK", "value": "https://www.example.com/" + id}}
			contact["agentNote"] = "Asked twice for an invoice."
		}
		s.resources.book.contacts[id] = contact
	}
	s.resources.book.lastID = firstContactID + world.NumCallers // keep the ids of the other customers free
}

// mailAddress returns the e-mail address of a person. It leaves out characters other than ASCII.
func mailAddress(name, surname, domain string) string {
	plain := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return unicode.ToLower(r)
	}, name+"."+surname)
	return plain + "@" + domain
}

// addPersons generates the agents and the customers of tickets.
func (s *seeder) addPersons() {
	for _, u := range s.users {
		if u.ProfileType != world.ProfileAgent {
			continue
		}
		s.resources.support.agents = append(s.resources.support.agents, object{
			"displayName": u.Name + " " + u.Surname, "name": u.Name, "surname": u.Surname,
			"uid": strconv.FormatInt(u.ActiveProfile, 10), "username": u.Username, "publicUsername": u.Username,
			"value": u.Username, "type": "USER", "email": u.Username + "@center.example", "language": "EN",
			"serviceCodes": u.Services, "userIdMc1002": u.ActiveProfile,
		})
	}
	for i := range numContacts {
		c := s.resources.book.contacts[strconv.Itoa(firstContactID+i)]
		name, surname := scalarText(c["name"]), scalarText(c["surname"])
		s.resources.support.customers = append(s.resources.support.customers, object{
			"displayName": name + " " + surname, "name": name, "surname": surname,
			"uid": c["id"], "username": mailAddress(name, surname, "example.com"), "value": world.CallerNumber(i),
			"type": "CUSTOMER", "email": mailAddress(name, surname, "example.com"), "language": "it_IT",
		})
	}
}
