// Package store is the one writer of everything durable.
package store
