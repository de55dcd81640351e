package a2a

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/a2aproject/a2a-go/a2a"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// LookUp is the skill by which callers look skills up.
const LookUp = "showhow.lookup"

// protocol is the version that is spoken.
const protocol = "0.3.0"

// Place is where callers reach this computer, and how it signs.
type Place struct {
	URL       string // of the one address
	Authorize string
	Token     string
	Scopes    map[string]string // with what each lets a caller do
	Need      []string          // of these
	// Sign signs a payload by a published key: the protected header and the signature, in base64url.
	Sign func(ctx context.Context, payload []byte) (protected, signature string, err error)
}

func (p Place) card() *a2a.AgentCard {
	return &a2a.AgentCard{Name: "Showhow", ProtocolVersion: protocol, Version: version.Get().Version, URL: p.URL,
		Description: "Skills that a person taught on this computer. Which there are, only callers learn that they were opened to. " +
			"A person decides about each run.",
		PreferredTransport: a2a.TransportProtocolJSONRPC, Capabilities: a2a.AgentCapabilities{Streaming: true},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain", "application/json"},
		Skills: []a2a.AgentSkill{}, SupportsAuthenticatedExtendedCard: true,
		SecuritySchemes: a2a.NamedSecuritySchemes{"oauth2": a2a.OAuth2SecurityScheme{Flows: a2a.OAuthFlows{
			AuthorizationCode: &a2a.AuthorizationCodeOAuthFlow{AuthorizationURL: p.Authorize, TokenURL: p.Token, Scopes: p.Scopes},
			ClientCredentials: &a2a.ClientCredentialsOAuthFlow{TokenURL: p.Token, Scopes: p.Scopes}}}},
		Security: []a2a.SecurityRequirements{{"oauth2": a2a.SecuritySchemeScopes(p.Need)}}}
}

// Public is the card for everybody. It names no skill.
func (s *Service) Public(ctx context.Context, p Place) (*a2a.AgentCard, error) {
	return p.signed(ctx, p.card())
}

// extended is the card for one caller, with the skills that are open to it and can be used now.
func (s *Service) extended(ctx context.Context, p Place, g Guest) (*a2a.AgentCard, error) {
	c := p.card()
	c.Skills = append(c.Skills, a2a.AgentSkill{ID: LookUp, Name: "Look skills up", Tags: []string{"skills"},
		Description: "Which of the skills that were opened to you does what you say."})
	if s.runs(g) {
		all, err := s.o.Abilities.Listed(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			if e, there := e.For([]string{g.Agent}); there && e.UsableNow {
				c.Skills = append(c.Skills, a2a.AgentSkill{ID: e.SkillSlug, Name: e.Title, Tags: []string{"skill"},
					Examples:    slices.Clone(e.TriggerPhrases[:min(3, len(e.TriggerPhrases))]),
					Description: "“" + e.Title + "”, run here by an agent in a sandbox, after the person has allowed it."})
			}
		}
	}
	return p.signed(ctx, c)
}

// runs reports whether a caller can ask for runs.
func (s *Service) runs(g Guest) bool { return g.Runs && len(s.o.Command()) > 0 }

// open is a skill that a caller may have run now.
func (s *Service) open(ctx context.Context, g Guest, id string) (e wire.AbilityAvailabilityEntry, err error) {
	none := fault.New(fault.AbilityNotFound, "there is no such skill")
	if !s.runs(g) {
		return e, none
	}
	if e, err = s.o.Abilities.AvailabilityOf(ctx, id); err != nil {
		return e, none
	}
	if e, there := e.For([]string{g.Agent}); there && e.UsableNow {
		return e, nil
	}
	return wire.AbilityAvailabilityEntry{}, none
}

// signed adds a signature over the canonical form of the card (RFC 7515, RFC 8785).
func (p Place) signed(ctx context.Context, c *a2a.AgentCard) (*a2a.AgentCard, error) {
	payload, err := canonical(c)
	if err != nil {
		return nil, err
	}
	protected, signature, err := p.Sign(ctx, payload)
	c.Signatures = []a2a.AgentCardSignature{{Protected: protected, Signature: signature}}
	return c, err
}

// canonical is RFC 8785's form of a value without fractions: members sorted by their UTF-16, nothing escaped that need
// not be.
func canonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = write(&b, x)
	return b.Bytes(), err
}

func write(b *bytes.Buffer, x any) error {
	switch x := x.(type) {
	case map[string]any:
		var names []string
		for n := range x {
			names = append(names, n)
		}
		slices.SortFunc(names, func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) })
		b.WriteByte('{')
		for i, n := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := write(b, n); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := write(b, x[n]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range x {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := write(b, e); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case string:
		var one bytes.Buffer
		e := json.NewEncoder(&one)
		e.SetEscapeHTML(false)
		if err := e.Encode(x); err != nil {
			return err
		}
		text := strings.TrimSuffix(one.String(), "\n")
		for i := 0; i < len(text); i++ {
			switch {
			case strings.HasPrefix(text[i:], `\u2028`), strings.HasPrefix(text[i:], `\u2029`): // JSON lets them stand
				b.WriteRune('\u2020' + rune(text[i+5]-'0'))
				i += 5
			case text[i] == '\\':
				b.WriteString(text[i : i+2])
				i++
			default:
				b.WriteByte(text[i])
			}
		}
	default:
		text, err := json.Marshal(x)
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return nil
}
