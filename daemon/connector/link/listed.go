package link

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
)

// Listed is what a server offers.
type Listed struct {
	Protocol string
	Title    string
	Version  string
	Tools    []connector.Definition // at the end that which stands for more than are taken
}

// List connects and lists the tools. It calls none of them.
func (l *Link) List(ctx context.Context) (out Listed, err error) {
	err = l.do(ctx, func(ctx context.Context, s *session) error {
		if out, err = list(ctx, s.ClientSession); err == nil {
			l.heard(s, out)
		}
		if err == nil && l.spec.Native != nil { // its list needs nobody to answer
			err = l.pingNative(ctx)
		}
		return err
	})
	return out, err
}

func list(ctx context.Context, s *mcp.ClientSession) (out Listed, err error) {
	if init := s.InitializeResult(); init != nil {
		out.Protocol = init.ProtocolVersion
		if init.ServerInfo != nil {
			out.Title, out.Version = init.ServerInfo.Name, init.ServerInfo.Version
		}
		if init.Capabilities != nil && init.Capabilities.Tools == nil {
			return out, nil
		}
	}
	cursor := ""
pages:
	for range mostPages {
		page, err := s.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return out, err
		}
		for _, t := range page.Tools {
			if len(out.Tools) == connector.MaxTools {
				break pages
			}
			raw, err := json.Marshal(t)
			if err != nil {
				return out, err
			}
			d, err := connector.Define(raw)
			if err != nil {
				return out, err
			}
			out.Tools = append(out.Tools, d)
		}
		if cursor = page.NextCursor; cursor == "" {
			return out, nil
		}
	}
	out.Tools = append(out.Tools, connector.Beyond())
	return out, nil
}
