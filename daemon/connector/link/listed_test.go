package link_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
)

// A definition that is too large, and tools beyond those that are taken, are refused and listed as such. The others can be used.
func TestWhatIsBeyondTheBoundsIsRefusedAlone(t *testing.T) {
	s, url := server(t, nil)
	enum := []any{strings.Repeat("x", connector.MaxDefinition)}
	s.AddTool(&mcp.Tool{Name: "get_huge", InputSchema: map[string]any{"type": "object", "properties": map[string]any{
		"a": map[string]any{"enum": enum}}}}, nil)
	l := open(t, url, nil)
	look := func() map[string]connector.Definition {
		t.Helper()
		listed, err := l.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]connector.Definition{}
		for _, d := range listed.Tools {
			all[d.Name] = d
		}
		return all
	}
	all := look()
	huge, good := all["get_huge"], all["get_echo"]
	if len(all) != 2 || !strings.Contains(huge.Refused, "256 KB") || len(huge.Tool) > 1000 || good.Refused != "" {
		t.Errorf("%+v", all)
	}
	if _, err := l.Call(t.Context(), link.Call{Tool: good.Name, Hash: good.Hash}); err != nil {
		t.Error(err)
	}
	enum[0] = "y" + enum[0].(string)[1:]
	s.AddTool(&mcp.Tool{Name: "get_huge", InputSchema: map[string]any{"type": "object", "properties": map[string]any{
		"a": map[string]any{"enum": enum}}}}, nil)
	if now := look()["get_huge"]; now.Hash == huge.Hash {
		t.Error("another definition counts as the same")
	}
	for i := range connector.MaxTools {
		addTool(s, fmt.Sprintf("get_%04d", i), "")
	}
	all = look()
	if len(all) != connector.MaxTools+1 || all[connector.Beyond().Name].Refused == "" {
		t.Errorf("%d tools, %+v", len(all), all[connector.Beyond().Name])
	}
}
