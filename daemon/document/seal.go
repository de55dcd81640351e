package document

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
)

// A sealed file is a row of pieces, each AES-GCM under a key of this file alone, with its number as nonce. The last piece
// is marked: a file that was cut short, or whose pieces were moved, does not open.

// piece is how much is sealed at once, in bytes.
const piece = 1 << 20

func newSalt() []byte {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails: it ends the program instead
	return salt
}

// cipherOf makes the cipher of one file: no two files have the same salt.
func cipherOf(key, salt []byte) (cipher.AEAD, error) {
	own, err := hkdf.Key(sha256.New, key, salt, "showhow/document/v1", 32)
	if err != nil {
		return nil, err
	}
	b, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func nonce(n uint64, last bool) []byte {
	out := make([]byte, 12)
	binary.BigEndian.PutUint64(out, n)
	if last {
		out[11] = 1
	}
	return out
}

// seal writes what it reads, sealed, and returns how much it read.
func seal(key, salt []byte, to io.Writer, from io.Reader) (int64, error) {
	a, err := cipherOf(key, salt)
	if err != nil {
		return 0, err
	}
	in := bufio.NewReader(from)
	plain, out := make([]byte, piece), make([]byte, 0, piece+a.Overhead())
	for n, size := uint64(0), int64(0); ; n++ {
		k, err := io.ReadFull(in, plain)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return size, err
		}
		size += int64(k)
		last := k < piece
		if !last {
			_, err = in.Peek(1)
			last = errors.Is(err, io.EOF)
		}
		if _, err := to.Write(a.Seal(out, nonce(n, last), plain[:k], nil)); err != nil {
			return size, err
		}
		if last {
			return size, nil
		}
	}
}

// opened reads a sealed file.
type opened struct {
	a     cipher.AEAD
	in    *bufio.Reader
	n     uint64
	last  bool
	left  []byte
	plain []byte
	err   error
}

func open(key, salt []byte, from io.Reader) io.Reader {
	a, err := cipherOf(key, salt)
	return &opened{a: a, in: bufio.NewReader(from), err: err}
}

var errNotSealed = errors.New("document: it does not open")

func (o *opened) Read(p []byte) (int, error) {
	for len(o.left) == 0 {
		if o.err != nil {
			return 0, o.err
		}
		if o.last {
			return 0, io.EOF
		}
		o.err = o.next()
	}
	n := copy(p, o.left)
	o.left = o.left[n:]
	return n, nil
}

func (o *opened) next() error {
	if o.plain == nil {
		o.plain = make([]byte, piece+o.a.Overhead())
	}
	k, err := io.ReadFull(o.in, o.plain)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return errNotSealed
	}
	_, err = o.in.Peek(1)
	o.last = errors.Is(err, io.EOF)
	o.left, err = o.a.Open(o.plain[:0], nonce(o.n, o.last), o.plain[:k], nil)
	if o.n++; err != nil {
		return errNotSealed
	}
	return nil
}
