package skills

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Extension is the extension's identifier.
const Extension = "io.modelcontextprotocol/skills"

// The methods of the extension.
const (
	MethodList      = "skills/list"
	MethodGet       = "skills/get"
	MethodDirectory = "resources/directory/read"
)

// complete is the result type of every answer.
const complete = "complete"

// ListParams asks for a page of skills.
type ListParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

// ListResult is a page of entries, each as its skill's content rendered it.
type ListResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string            `json:"resultType"`
	Skills     []json.RawMessage `json:"skills"`
	NextCursor string            `json:"nextCursor,omitempty"`
}

// GetParams names a skill by the URI of its SKILL.md.
type GetParams struct {
	mcp.ParamsBase
	URI string `json:"uri"`
}

// GetResult is one entry.
type GetResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string          `json:"resultType"`
	Skill      json.RawMessage `json:"skill"`
}

// DirectoryParams names a directory of a skill.
type DirectoryParams struct {
	mcp.ParamsBase
	URI    string `json:"uri"`
	Cursor string `json:"cursor,omitempty"`
}

// DirectoryResult lists a directory's direct children.
type DirectoryResult struct {
	mcp.ResultBase
	ResultType string          `json:"resultType"`
	Resources  []*mcp.Resource `json:"resources"`
	NextCursor string          `json:"nextCursor,omitempty"`
}

// Declare adds the extension to what a server declares. It needs the resources capability besides.
func Declare(c *mcp.ServerCapabilities) {
	c.AddExtension(Extension, map[string]any{"directoryRead": true})
}

// Params returns where the params of a method of the extension belong; nil: it is none of them.
func Params(method string) any {
	switch method {
	case MethodList:
		return &ListParams{}
	case MethodGet:
		return &GetParams{}
	case MethodDirectory:
		return &DirectoryParams{}
	}
	return nil
}

// Attach adds the extension's methods to a server.
func (v View) Attach(s *mcp.Server) error {
	err := mcp.AddReceivingCustomMethod(s, MethodList, func(ctx context.Context, _ *mcp.ServerSession, p *ListParams) (*ListResult, error) {
		if p == nil {
			p = &ListParams{}
		}
		return v.List(ctx, p)
	})
	if err != nil {
		return err
	}
	err = mcp.AddReceivingCustomMethod(s, MethodGet, func(ctx context.Context, _ *mcp.ServerSession, p *GetParams) (*GetResult, error) {
		if p == nil {
			p = &GetParams{}
		}
		return v.Get(ctx, p)
	})
	if err != nil {
		return err
	}
	return mcp.AddReceivingCustomMethod(s, MethodDirectory,
		func(ctx context.Context, _ *mcp.ServerSession, p *DirectoryParams) (*DirectoryResult, error) {
			if p == nil {
				p = &DirectoryParams{}
			}
			return v.Directory(ctx, p)
		})
}
