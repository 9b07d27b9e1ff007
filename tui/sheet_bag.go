package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// pocket is one pocket of the bag.
type pocket struct{ id, name string }

// pockets are in the order of the bag.
var pockets = []pocket{
	{"items", "Items"},
	{"key-items", "Key items"},
	{"poke-balls", "Balls"},
	{"tm-hm", "TMs and HMs"},
	{"berries", "Berries"},
}

// bagSheet is the bag, pocket by pocket.
type bagSheet struct {
	bag *emu.Inventory
	why string // why bag is absent, or what of it is not shown
}

func bagOf(s seen) sheet {
	return bagSheet{s.State.Inventory, absence(&s.State, "inventory", "")}
}

func (t bagSheet) names() []string {
	if t.bag == nil {
		return nil
	}
	names := make([]string, len(pockets))
	for i, p := range pockets {
		names[i] = p.name
	}
	return names
}

// in lists what is in a pocket. What is in none that is known is with the
// items, so that nothing is passed over.
func (t bagSheet) in(at int) (items []emu.Item) {
	for _, item := range t.bag.Items {
		if item.Pocket == pockets[at].id || at == 0 && !knownPocket(item.Pocket) {
			items = append(items, item)
		}
	}
	return items
}

func knownPocket(id string) bool {
	for _, p := range pockets {
		if p.id == id {
			return true
		}
	}
	return false
}

func (t bagSheet) entry(p *palette, i, w int) string {
	n := len(t.in(i))
	ink := p.text
	if n == 0 {
		ink = p.muted
	}
	return spread(ink.Render(pockets[i].name), ink.Render(fmt.Sprint(n)), w)
}

func (t bagSheet) rows(p *palette, at, w, _ int) []string {
	if t.bag == nil {
		return p.absent(or(t.why, "the bag was not read"), w)
	}
	rows := []string{p.accent.Render(cut(pockets[at].name, w))}
	items := t.in(at)
	if len(items) == 0 {
		rows = append(rows, p.muted.Render(cut("nothing is in this pocket", w)))
	}
	col := w
	if w >= 64 {
		col = (w - 4) / 2
	}
	cells := make([]string, len(items))
	for i, item := range items {
		cells[i] = p.stack(item, col)
	}
	rows = append(rows, columns(cells, 0, col, w, len(cells))...)
	if t.why != "" {
		rows = append(rows, wrapped(p.warn.Render, t.why, w)...)
	}
	return rows
}

// stack is one stack of items; of a key item there is one anyhow.
func (p *palette) stack(item emu.Item, w int) string {
	name := p.text.Render(or(clean(item.Name), or(clean(item.ItemID), fmt.Sprintf("item %d", item.ID))))
	if item.Pocket == "key-items" && item.Count == 1 {
		return fit(name, w)
	}
	return spread(name, p.muted.Render("×"+strings.TrimSpace(fmt.Sprint(item.Count))), w)
}
