package events

import "context"

// Opened is an original as it came.
func (s *Service) Opened(ctx context.Context, deliveryID string) (original []byte, err error) {
	var sealed []byte
	err = s.o.Store.View(ctx, func(tx Tx) error {
		sealed, err = tx.Original(deliveryID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.open(ctx, deliveryID, sealed)
}
