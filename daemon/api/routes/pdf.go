package routes

import (
	"context"
	"slices"

	"showhow/daemon/api/engine"
	"showhow/daemon/document"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagPDF = "pdf"

// PDF reads PDF documents; *pdf.Service implements it.
type PDF interface {
	Health(ctx context.Context) (wire.AcrobatAdapterHealth, error)
	Text(ctx context.Context, by document.Owner, q wire.AcrobatExtractTextRequest) (wire.AcrobatOperationResponse, error)
	Tables(ctx context.Context, by document.Owner, q wire.AcrobatExtractTablesRequest) (wire.AcrobatOperationResponse, error)
	ReadValues(ctx context.Context, by document.Owner, q wire.AcrobatReadValuesRequest) (wire.PDFValues, error)
	OCR(ctx context.Context, by document.Owner, q wire.AcrobatOCRRequest) (wire.AcrobatOperationResponse, error)
	Redact(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest, approved bool) (wire.AcrobatOperationResponse, error)
}

// PDFRoutes are the routes of the specification's Acrobat adapter (DOC3 0.2F), and one that reads single values.
type PDFRoutes struct{ PDF PDF }

const acrobatPath = "/api/adapters/acrobat/"

var acrobatCodes = []fault.Code{fault.AcrobatUnavailable, fault.AcrobatNotFound, fault.AcrobatFailed, fault.SandboxUnavailable,
	fault.DocumentsFull, fault.TooManyRequests}

// Register adds the routes. Their bodies take no client_request_id: what is remembered of a request would hold a hash of
// the password, and repeating one does no harm.
func (rs PDFRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-acrobat-health", acrobatPath+"health", tagPDF, "What can be done with PDF documents here",
		engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.AcrobatAdapterHealth], error) {
			return engine.Answered(rs.PDF.Health(ctx))
		})
	engine.Register(g, engine.Post("extract-pdf-text", acrobatPath+"extract-text", tagPDF,
		"Read the text of a document, page by page in reading order", engine.AnybodyActs, acrobatCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.AcrobatExtractTextRequest) (*engine.Reply[wire.AcrobatOperationResponse], error) {
			return engine.Answered(rs.PDF.Text(ctx, owner(ctx), *b))
		})
	engine.Register(g, engine.Post("extract-pdf-tables", acrobatPath+"extract-tables", tagPDF,
		"Find the tables of a document, with the places of their cells", engine.AnybodyActs, acrobatCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.AcrobatExtractTablesRequest) (*engine.Reply[wire.AcrobatOperationResponse], error) {
			return engine.Answered(rs.PDF.Tables(ctx, owner(ctx), *b))
		})
	engine.Register(g, engine.Post("read-pdf-values", acrobatPath+"read-values", tagPDF,
		"Read what stands beside or below words of a document; nothing of it is kept", engine.AnybodyActs, acrobatCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.AcrobatReadValuesRequest) (*engine.Reply[wire.PDFValues], error) {
			return engine.Answered(rs.PDF.ReadValues(ctx, owner(ctx), *b))
		})
	engine.Register(g, engine.Post("recognise-pdf", acrobatPath+"ocr", tagPDF,
		"Recognise the text in the pictures of a document, with confidence and places", engine.AnybodyActs,
		append(slices.Clone(acrobatCodes), fault.AcrobatOCR)...),
		func(ctx context.Context, _ *engine.None, b *wire.AcrobatOCRRequest) (*engine.Reply[wire.AcrobatOperationResponse], error) {
			return engine.Answered(rs.PDF.OCR(ctx, owner(ctx), *b))
		})
	engine.Register(g, engine.Post("prepare-pdf-redaction", acrobatPath+"redaction-prep", tagPDF,
		"Mark in a copy what is to be redacted, and list the places; an agent is not allowed to by itself", engine.AnybodyActs,
		append(slices.Clone(acrobatCodes), fault.AcrobatNeedsConsent)...),
		func(ctx context.Context, _ *engine.None, b *wire.AcrobatRedactionPrepRequest) (*engine.Reply[wire.AcrobatOperationResponse], error) {
			return engine.Answered(rs.PDF.Redact(ctx, owner(ctx), *b, false))
		})
}
