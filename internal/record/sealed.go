package record

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"wallboard/internal/lib/secret"
)

// magicSealed is the beginning of an encrypted segment file. It is as long as magic.
//
// The header block of such a file holds a random key and the JSON of the header, encrypted by
// [secret.Seal]. The payloads of all other blocks are encrypted with this key by AES-256-GCM. The
// nonce is the offset of the block, which occurs only once in a file, because a writer does not
// continue a file after an error. The kind of the block is authenticated as well.
const magicSealed = magicPrefix + "2\n"

const (
	fileKeyBytes  = 32
	sealedTagSize = 16 // number of bytes that encryption adds to a payload
)

// headerOpener returns the content of the header block of an encrypted file.
type headerOpener func(sealed []byte) ([]byte, error)

// openHeaderWith returns a headerOpener that uses the private keys in files.
func openHeaderWith(keyFiles []string) headerOpener {
	return func(sealed []byte) ([]byte, error) { return secret.Open(sealed, keyFiles...) }
}

// blockCipher encrypts the blocks of one file. A nil blockCipher leaves them as they are.
type blockCipher struct{ aead cipher.AEAD }

func newBlockCipher(key []byte) (*blockCipher, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &blockCipher{aead}, err
}

// seal returns the encrypted payload of a block. offset is the position of the block in the file.
func (c *blockCipher) seal(offset int64, kind byte, payload []byte) []byte {
	if c == nil {
		return payload
	}
	return c.aead.Seal(nil, blockNonce(offset), payload, []byte{kind})
}

// open decrypts a payload in place. The error is errTornBlock if the block was changed or moved.
func (c *blockCipher) open(offset int64, kind byte, payload []byte) ([]byte, error) {
	if c == nil {
		return payload, nil
	}
	plain, err := c.aead.Open(payload[:0], blockNonce(offset), payload, []byte{kind})
	if err != nil {
		return nil, errTornBlock
	}
	return plain, nil
}

func blockNonce(offset int64) []byte {
	return binary.LittleEndian.AppendUint64(make([]byte, 4, 12), uint64(offset)) //nolint:gosec // not negative
}

// sealHeader returns the content of a header block, for locks that have keys, and the cipher of the
// other blocks. sealed is the same content, encrypted.
func sealHeader(head []byte, locks []secret.Lock) (content, sealed []byte, c *blockCipher, err error) {
	content = make([]byte, fileKeyBytes, fileKeyBytes+len(head))
	if _, err := rand.Read(content); err != nil {
		return nil, nil, nil, fmt.Errorf("create a key: %w", err)
	}
	if c, err = newBlockCipher(content); err != nil {
		return nil, nil, nil, err
	}
	content = append(content, head...)
	sealed, err = secret.Seal(content, locks...)
	return content, sealed, c, err
}

// unsealHeader returns the JSON of an encrypted header block and the cipher of the other blocks.
func unsealHeader(payload []byte, open headerOpener) (head []byte, c *blockCipher, err error) {
	content, err := open(payload)
	if err != nil {
		return nil, nil, err
	}
	if len(content) < fileKeyBytes {
		return nil, nil, errors.Join(ErrDamaged, errTornBlock)
	}
	c, err = newBlockCipher(content[:fileKeyBytes])
	return content[fileKeyBytes:], c, err
}
