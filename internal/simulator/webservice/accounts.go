package webservice

// Account is a user of the simulated platform.
type Account struct {
	Username, Password string
	Token              string // permanent access token; "": none
	Name, Surname      string
	Language           string // a value of the enum Language of document 2; "": EN
	Supervisor         bool
	// PasswordExpired makes both REST logins return 403.
	PasswordExpired bool
	// NoSMS means that the user may not send SMS. A request to send an SMS fails with status 570.
	NoSMS bool
}

// DefaultAccounts returns the accounts used if the options list none: the default account, one
// with an expired password, and one that may not send SMS.
func DefaultAccounts() []Account {
	return []Account{
		DefaultAccount(),
		{Username: "expired", Password: "wallboard", Token: "expired-token", Name: "Ivo", Surname: "Marek", PasswordExpired: true},
		{Username: "trainee", Password: "wallboard", Token: "trainee-token", Name: "Nora", Surname: "Blum", NoSMS: true},
	}
}

// DefaultAccount returns the account of a supervisor without restrictions.
func DefaultAccount() Account {
	return Account{
		Username: "supervisor", Password: "wallboard", Token: "demo-token",
		Name: "Sofia", Surname: "Lindqvist", Language: "EN", Supervisor: true,
	}
}
