package client

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

type (
	PDFHealth    = wire.AcrobatAdapterHealth
	PDFSource    = wire.AcrobatSourceRef
	PDFText      = wire.PDFText
	PDFOperation = wire.AcrobatOperationResponse
	PDFAskText   = wire.AcrobatExtractTextRequest
	PDFTables    = wire.PDFTables
	PDFWarning   = wire.PDFWarning
	PDFAskTables = wire.AcrobatExtractTablesRequest
	PDFAskOCR    = wire.AcrobatOCRRequest
	PDFOCR       = wire.PDFRecognised
	PDFAskRedact = wire.AcrobatRedactionPrepRequest
	PDFRedaction = wire.PDFRedaction
	PDFPlace     = wire.DocumentPlace
	PDFAskValues = wire.AcrobatReadValuesRequest
	PDFValues    = wire.PDFValues
)

// PDFService is the part of the API about PDF documents.
type PDFService struct{ t *transport }

const acrobatPath = "/api/adapters/acrobat/"

// PDFSourceOf names a kept document.
func PDFSourceOf(ref string) PDFSource {
	kind := wire.RefOfDocument
	if strings.HasPrefix(ref, "art_") {
		kind = wire.RefOfArtifact
	}
	return PDFSource{SourceRefKind: kind, SourceRef: ref}
}

// PDFHealth says what can be done with PDF documents.
func (c PDFService) PDFHealth(ctx context.Context) (PDFHealth, error) {
	return get[PDFHealth](ctx, c.t, acrobatPath+"health", nil)
}

// ExtractText reads the text of a document.
func (c PDFService) ExtractText(ctx context.Context, q PDFAskText) (PDFOperation, error) {
	q.Capability, q.SchemaVersion = wire.AcrobatText, 1
	return post[PDFOperation](ctx, c.t, acrobatPath+"extract-text", q)
}

// ExtractTables finds the tables of a document.
func (c PDFService) ExtractTables(ctx context.Context, q PDFAskTables) (PDFOperation, error) {
	q.Capability, q.SchemaVersion = wire.AcrobatTables, 1
	return post[PDFOperation](ctx, c.t, acrobatPath+"extract-tables", q)
}

// ReadValues reads what stands at places of a document.
func (c PDFService) ReadValues(ctx context.Context, q PDFAskValues) (PDFValues, error) {
	q.SchemaVersion = 1
	return post[PDFValues](ctx, c.t, acrobatPath+"read-values", q)
}

// RecogniseText recognises the text in the pictures of a document.
func (c PDFService) RecogniseText(ctx context.Context, q PDFAskOCR) (PDFOperation, error) {
	q.Capability, q.SchemaVersion = wire.AcrobatOCR, 1
	return post[PDFOperation](ctx, c.t, acrobatPath+"ocr", q)
}

// PrepareRedaction marks in a copy what is to be redacted.
func (c PDFService) PrepareRedaction(ctx context.Context, q PDFAskRedact) (PDFOperation, error) {
	q.Capability, q.SchemaVersion = wire.AcrobatRedaction, 1
	return post[PDFOperation](ctx, c.t, acrobatPath+"redaction-prep", q)
}

// PDFResult reads the result of an operation.
func (c PDFService) PDFResult(ctx context.Context, r PDFOperation, into any) error {
	in, err := DocumentService(c).DocumentContent(ctx, r.OutputRef)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		return unreachable(ctx, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fault.Wrap(err, fault.VersionMismatch,
			"the result is not one that this version knows").WithHint("`showhow daemon restart`")
	}
	return nil
}
