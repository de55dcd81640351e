package contract

import "encoding/json"

// Revision is the contract's revision that this speaks.
const Revision = "1.0.17"

// spec is the protocol, for machines.
func spec(version string) map[string]any {
	tiers := map[string][]string{}
	for _, t := range []string{grantReadOnly, grantViewer, grantWrite, grantChannel} {
		tiers[t] = granted(t)
	}
	return map[string]any{
		"contract": Revision, "product": "showhow/" + version,
		"request_schema": published("request"), "response_schema": published("response"),
		"observation_schema": published("observation"), "kinds": catalog(), "tools": granted(grantChannel), "grants": tiers,
		"errors": []string{errKind, errMatch, errAsk, errSensitive, errRestricted, errUnknown, errClaim, errConfidence, errTrigger,
			errCrossUser, errPII, errSafety, errDisclosure},
		"block_classes":  []string{blockContent, blockDisclosure, blockTier},
		"no_information": json.RawMessage(noInformation(selects).bytes()),
		"compression":    map[string]any{"above_chars": longEnvelope, "exempt": whole},
		"provenance":     provenanceDelta,
	}
}
