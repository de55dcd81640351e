// Package seal encrypts values under the key of a learning target and gives equal values of one target the same link
// id (decisions B1). Without the key neither the value nor its equality with a guess can be computed.
//
// A row is bound to its target and link id, so that rows cannot be swapped. Losing the key (capture.Keyring.Destroy)
// loses the values. The package keeps no key and knows no store; whoever seals or opens values imports it.
package seal
