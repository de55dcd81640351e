package daemon

import (
	"showhow/daemon/credential"
	"showhow/store/keys"
)

func (d *Daemon) credentialOptions() credential.Options {
	o := credential.Options{Store: d.store.Credentials(), UsedBy: d.shelf.CredentialUsers, Now: d.now}
	if d.o.Test.Secrets != nil {
		o.Keychain = d.o.Test.Secrets
	} else if d.keys.Kind() == "keychain" {
		o.Keychain = keys.Secrets{Service: credential.KeychainService}
	}
	return o
}
