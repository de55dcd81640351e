// Package credential keeps what agents' runs may be given: secrets of the person's, by name, in the operating system's keychain.
//
// Guarantees: a value is in the keychain and nowhere else: not in the database, a receipt, an event or an answer. The names are
// in the database, because no keychain can be asked for them everywhere; a change of a name, its receipt and its event are one
// transaction. A value that was replaced or removed is gone from the keychain before the change is recorded, so a crash between
// leaves a name that List shows as missing, never a value that nobody sees. Not guaranteed: what a keychain does with a deleted
// item; that a value works.
//
// To test against it: New over a store in t.TempDir with a keychain in memory; keychain_linux_test.go asks a real gnome-keyring.
package credential
