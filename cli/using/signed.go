package using

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

// signedFlags let the person accept another key, or none.
func signedFlags(cmd *cobra.Command, r *client.SkillSource) {
	cmd.Flags().StringVar(&r.Signer, "signer", "", "the `fingerprint` of the key that must have signed it, also another one than before")
	cmd.Flags().BoolVar(&r.Unsigned, "unsigned", false, "take this one without a signature; later ones must have the accepted key's")
	cmd.Flags().BoolFunc("forget-signer", "as if you had accepted no key for it: the one that signed it is accepted anew, or none is",
		func(said string) error {
			yes, err := strconv.ParseBool(said)
			if r.Pin = ""; yes {
				r.Pin = "forget"
			}
			return err
		})
}

// signedBy says who will sign a push, or why nobody does.
func signedBy(p client.SkillPushPreview, unsigned bool) string {
	switch {
	case !p.Signed && unsigned:
		return "no, as --unsigned says"
	case !p.Signed:
		return "no: there is no keychain here that could hold a key"
	case p.Signer == "":
		return "yes, with a key that is made now and kept in the keychain"
	}
	return "yes, by the key " + p.Signer
}

func skillVerify(e *kit.Env) *cobra.Command {
	var signer string
	cmd := e.Call("verify REF", "Check a skill in a registry as a pull does, and bring nothing in: its files, its trust hash, its signature",
		func(ctx context.Context, c *client.Client, args []string) error {
			v, err := c.VerifySkill(ctx, args[0], signer)
			if err != nil {
				return err
			}
			return e.Show(func() { sayVerified(e, v) })
		})
	cmd.Args = cobra.ExactArgs(1)
	cmd.Long = "It fails, with the reason, where a pull would: a file or the manifest is another one, the signature does not hold, " +
		"is missing where there was\none, is by another key than the one that you accepted, or was made for another tag."
	cmd.Flags().StringVar(&signer, "signer", "", "the `fingerprint` of the key that must have signed it")
	return kit.With(cmd, "showhow skill verify registry.example.com/team/change-an-order:1.2",
		"showhow skill verify registry.example.com/team/change-an-order:1.2 --signer 6f1e...")
}

func sayVerified(e *kit.Env, v client.SkillVerified) {
	e.Say("%s holds: %s, all as its manifest says", kit.PlainText(v.Reference), kit.Plural(v.Files, "file", "files"))
	e.Say("  digest       %s\n  content      %s", v.Digest, v.ContentHash)
	switch {
	case v.Signer == "":
		e.Say("  signed       no")
	case v.Yours:
		e.Say("  signed       by this computer's key %s", v.Signer)
	case v.Signer == v.Expected:
		e.Say("  signed       by the key %s, as the installed one", v.Signer)
	default:
		e.Say("  signed       by the key %s, which you have not accepted yet", v.Signer)
	}
	for _, x := range v.Signatures {
		if x.Problem != "" {
			e.Say("  another signature does not count: %s", kit.Words(x.Problem))
		}
	}
	if v.InstalledAs != "" {
		e.Say("  installed    as %s", v.InstalledAs)
	}
}

func skillSigner(e *kit.Env) *cobra.Command {
	cmd := e.Call("signer", "Show the fingerprint of the key that signs your pushes; give it to those who pull",
		func(ctx context.Context, c *client.Client, _ []string) error {
			k, err := c.SkillSigner(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				switch {
				case !k.Available:
					e.Say("There is no keychain here, so pushes are not signed.")
				case k.Signer == "":
					e.Say("There is no key yet; the first push makes one.")
				default:
					e.Say("%s", k.Signer)
				}
			})
		})
	cmd.Args = cobra.NoArgs
	return kit.With(cmd, "showhow skill signer")
}
