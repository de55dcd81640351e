// Package credential stores the person's secrets that agents' runs may be given, by name, in the operating system's
// keychain.
//
// Guarantees: a value is only in the keychain: not in the database, a receipt, an event or a response. The names are
// in the database, because not every keychain can list them; a change of a name, its receipt and its event are one
// transaction. A value that was replaced or removed is gone from the keychain before the change is recorded, so a
// crash in between leaves a name that List shows as missing, never a hidden value. Not guaranteed: what a keychain
// does with a deleted item; that a value works.
//
// To test against it: New over a store in t.TempDir with a keychain in memory; keychain_linux_test.go uses a real
// gnome-keyring.
package credential
