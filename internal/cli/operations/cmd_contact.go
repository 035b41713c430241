package operations

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// newContactCommand returns the commands for the external address book (document 1, section
// Addressbook Contact External).
func newContactCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("contact", "Show, create, change and delete contacts of the external address book",
		newContactShow(set), newContactCreate(set), newContactUpdate(set), newContactDelete(set))
}

func contactFields() []bodyField {
	return []bodyField{
		{"addressbookBackendId", "id of the address book"},
		{"name", "first name"},
		{"surname", "surname"},
		{"otherName", "other name"},
		{"company", "company"},
		{"department", "department"},
		{"role", "role"},
		{"street", "street"},
		{"city", "city"},
		{"district", "district"},
		{"cap", "postal code"},
		{"country", "country"},
		{"note", "note"},
		{"agentNote", "note for agents"},
		{"vip", "whether the contact is a VIP"},
		{"categories", "category, once for each"},
	}
}

func newContactShow(set *cmdutil.Setup) *cobra.Command {
	return newShowCommand(set, operation{use: "show ID", short: "Show a contact"}, readContact)
}

func readContact(ctx context.Context, s *invocation, id string) (resource.Contact, error) {
	c, err := s.client.Contacts.Contact(ctx, id)
	if err != nil {
		return c, s.queryError("Contact "+id+" cannot be read", err)
	}
	return c, nil
}

func newContactCreate(set *cmdutil.Setup) *cobra.Command {
	return newCreateCommand(set, operation{
		use: "create", short: "Create a contact",
		long: "Create makes a contact of the named fields. Numbers, e-mail addresses, web sites and custom fields come from --file.",
	}, append([]bodyField{{"id", "id of the contact"}}, contactFields()...), func(ctx context.Context, s *invocation, c resource.Contact) words.ActionReport {
		return s.actionClient.Contacts.CreateContact(ctx, c)
	})
}

func newContactUpdate(set *cmdutil.Setup) *cobra.Command {
	return newUpdateCommand(set, operation{use: "update ID", short: "Change a contact; what is not named stays"}, contactFields(), readContact,
		func(ctx context.Context, s *invocation, before, after resource.Contact) (words.ActionReport, error) {
			return s.actionClient.Contacts.UpdateContact(ctx, before, after), nil
		})
}

func newContactDelete(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "delete ID", short: "Delete a contact",
		args: exactArguments, isAction: true, needsConfirm: alwaysConfirm,
		run: func(ctx context.Context, s *invocation, args []string) error {
			c, err := readContact(ctx, s, args[0])
			if err != nil {
				return err
			}
			name := strings.TrimSpace(c.Name + " " + c.Surname)
			if name == "" {
				name = args[0]
			}
			if err := s.confirm(ctx, fmt.Sprintf("Delete contact %s, %s, for good?", args[0], name), name); err != nil {
				return err
			}
			return s.printReport(s.actionClient.Contacts.DeleteContact(ctx, c))
		},
	})
}
