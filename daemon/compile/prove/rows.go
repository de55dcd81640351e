package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// stateWithEarlierTables returns the state before the act. If the act led back to a page that was seen earlier, it includes the
// tables of that earlier visit, so that changes of their rows can be found.
func stateWithEarlierTables(m *miner) *capture.State {
	a := m.st.Act
	before := *a.StateBefore()
	if !flow.Effective(m.st) || page.PathOf(before.URL) == page.PathOf(a.URL()) {
		return &before
	}
	before.Tables = slices.Clone(before.Tables)
	for i := len(m.earlier) - 1; i >= 0; i-- {
		for _, s := range []*capture.State{m.earlier[i].Act.After, m.earlier[i].Act.Before} {
			if s != nil && page.PathOf(s.URL) == page.PathOf(a.URL()) {
				before.Tables = append(before.Tables, s.Tables...)
				return &before
			}
		}
	}
	return &before
}

// rows describes the lists that grew or shrank. effect says whether that is the wanted effect or the result of a search.
func (m *miner) rows(effect bool) {
	a := m.st.Act
	for _, rc := range page.RowChanges(stateWithEarlierTables(m), a.State()) {
		name := m.g.Text(cmp.Or(page.TableName(rc.Table), m.heading(true)))
		called := "the list"
		if name != "" {
			called = fmt.Sprintf(`the list "%s"`, m.n.Prose(name))
		}
		columns := strings.Join(rc.Table.Columns, "; ")
		delta := rc.Table.Rows - rc.Before
		if rc.IsNew && effect {
			delta = grewBy(m, rc.Table) // the list appeared with the first round
		}
		if !effect || rc.IsNew && delta == 0 {
			if rc.Table.Rows > 0 && (!effect || rc.IsNew && flow.Searches(m.st)) {
				m.add(called+" shows at least one row", workflow.Check{Kind: "row_count", Name: m.n.Machine(name), Extra: map[string]string{"min": "1",
					"columns": columns}}, name)
			}
			continue
		}
		word := map[bool]string{true: "more", false: "fewer"}[delta > 0]
		count := delta
		if count < 0 {
			count = -count
		}
		if count > 1 && page.TableName(rc.Table) == "" && columns == "" {
			continue // it may be another list
		}
		if item := m.perItem(count); item != "" {
			m.add(fmt.Sprintf("%s has one row %s than before for each %s", called, word, m.n.Prose(item)),
				workflow.Check{Kind: "row_count", Name: m.n.Machine(name), Delta: delta / count, Extra: map[string]string{"columns": columns,
					"each": m.n.Machine(item)}}, name, item)
			continue
		}
		m.add(fmt.Sprintf("%s has %s %s than before", called, rowsWord(count), word), workflow.Check{Kind: "row_count", Name: m.n.Machine(name),
			Delta: delta, Extra: map[string]string{"columns": columns}}, name)
		m.itemGone(delta)
	}
}

// perItem returns the template of the items that were gathered one by one before this act, if as many rows changed as
// there were items.
func (m *miner) perItem(count int) string {
	if m.st.Loop >= 0 || count < 2 {
		return ""
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.Steps...)) {
		if st != m.st && flow.Effective(st) {
			return ""
		}
		if ids := page.RefsOf(st.ValueTemplate); st.Loop >= 0 && st.Act.Run != nil && len(st.Act.Run.Rounds) == count && len(ids) == 1 &&
			st.ValueTemplate == page.Ref(ids[0]) {
			return st.ValueTemplate
		}
	}
	return ""
}

// rowsSince describes how a list that was seen before a change differs now that it is shown again: the effect of the
// change.
func (m *miner) rowsSince() {
	here := page.PathOf(m.st.Act.URL())
	changed := false
	for _, st := range slices.Backward(m.earlier) {
		if st.Loop != m.st.Loop && st.Loop >= 0 {
			return // other rounds lie in between
		}
		for _, s := range []*capture.State{st.Act.After, st.Act.Before} {
			if s == nil || page.PathOf(s.URL) != here || !changed || len(s.Tables) == 0 {
				continue
			}
			for _, rc := range page.RowChanges(s, m.st.Act.State()) {
				if name := m.g.Text(page.TableName(rc.Table)); !rc.IsNew && name != "" {
					delta := rc.Table.Rows - rc.Before
					word := map[bool]string{true: "more", false: "fewer"}[delta > 0]
					m.add(fmt.Sprintf(`the list "%s" has %s %s than before`, m.n.Prose(name), rowsWord(max(delta, -delta)), word),
						workflow.Check{Kind: "row_count", Name: m.n.Machine(name), Delta: delta,
							Extra: map[string]string{"columns": strings.Join(rc.Table.Columns, "; ")}}, name)
					m.proves = true
				}
			}
			return
		}
		changed = changed || st.Effect && st.Surface == workflow.OnBrowser
	}
}

// itemGone adds that the picked object is no longer in its list, if exactly one row disappeared.
func (m *miner) itemGone(delta int) {
	if delta != -1 || m.st.Verb == capture.Drag {
		return
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.Steps...)) {
		ids := page.RefsOf(st.ValueTemplate)
		l := (*capture.Landmark)(nil)
		if st.Act.Target != nil {
			l = st.Act.Target.Landmark
		}
		if !st.Act.IsPick() || len(ids) != 1 || st.ValueTemplate != page.Ref(ids[0]) || l == nil || l.Role != "row" && l.Role != "listitem" ||
			page.PathOf(st.Act.URLBefore()) != page.PathOf(m.st.Act.URL()) {
			continue
		}
		m.add(fmt.Sprintf("%s is no longer in it", m.n.Prose(st.ValueTemplate)), workflow.Check{Kind: "element", Role: l.Role,
			Name: m.n.Machine(st.ValueTemplate), Gone: true}, st.ValueTemplate)
		return
	}
}

// grewBy returns by how many rows a list changed in every further round of a loop, or 0 when the rounds disagree.
func grewBy(m *miner, t capture.Table) int {
	by := 0
	for _, r := range m.st.Col.Rounds {
		if r.Act == nil {
			continue
		}
		for _, rc := range page.RowChanges(r.Act.StateBefore(), r.Act.State()) {
			d := rc.Table.Rows - rc.Before
			if !page.SameTable(rc.Table, t) || rc.IsNew {
				continue
			}
			if by != 0 && by != d {
				return 0
			}
			by = d
		}
	}
	return by
}

func rowsWord(n int) string {
	if n == 1 {
		return "one row"
	}
	return strconv.Itoa(n) + " rows"
}
