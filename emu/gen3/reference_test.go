package gen3

import (
	"compress/gzip"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"

	"clankie/emu/sharedtest"

	"github.com/go-json-experiment/json"
)

// TestFunctionsAgainstSymbols compares every recognised function of every build
// with the decompilations' symbol tables.
func TestFunctionsAgainstSymbols(t *testing.T) {
	f, err := os.Open(sharedtest.Path(t, "reference", "gen3", "code-symbols.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var symbols map[string]map[string][]string // build -> address -> function, source file
	if err := json.UnmarshalRead(plain, &symbols); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, family := range []struct {
		rows   []codeRow
		builds [4]string
	}{
		{fireRedCode, [4]string{"firered", "firered_rev1", "leafgreen", "leafgreen_rev1"}},
		{emeraldCode, [4]string{"emerald"}},
		{rubySapphireCode, [4]string{"ruby", "ruby_rev2", "sapphire", "sapphire_rev2"}},
	} {
		for _, row := range family.rows {
			for i, build := range family.builds {
				if build == "" {
					continue
				}
				got := symbols[build][fmt.Sprintf("%08X", row.addr[i])]
				if len(got) == 0 || got[0] != row.symbol {
					t.Errorf("%s %08X is %v, listed as %s", build, row.addr[i], got, row.symbol)
				}
				compared++
			}
		}
	}
	t.Logf("%d addresses", compared)
}

// TestVariablesAgainstSymbols: variables and tables stand where the symbol tables
// have something.
func TestVariablesAgainstSymbols(t *testing.T) {
	data, err := os.ReadFile(sharedtest.Path(t, "reference", "gen3", "symbols.json"))
	if err != nil {
		t.Fatal(err)
	}
	var symbols map[string]map[string]any // build -> symbol -> address, size, kind
	if err := json.Unmarshal(data, &symbols); err != nil {
		t.Fatal(err)
	}
	compared, unlisted := 0, map[string]bool{}
	for _, p := range Profiles[:len(Profiles)-1] {
		known := map[uint64]bool{}
		for _, s := range symbols[p.Name] {
			if row, ok := s.([]any); ok {
				addr, _ := strconv.ParseUint(fmt.Sprint(row[0]), 0, 32)
				known[addr] = true
			}
		}
		for _, v := range []reflect.Value{reflect.ValueOf(p.RAM), reflect.ValueOf(p.Tables)} {
			for i := range v.NumField() {
				switch addr := v.Field(i).Uint(); {
				case addr == 0:
				case known[addr]:
					compared++
				default:
					unlisted[v.Type().Field(i).Name] = true
				}
			}
		}
	}
	t.Logf("%d addresses", compared)
	want := map[string]bool{
		// Members of a structure.
		"LearnMoveState": true, "SummaryData": true,
		// Variables that the list leaves out.
		"ItemActions": true, "CaseActions": true, "PouchActions": true, "PopupCursor": true, "PopupCount": true,
		"Pokedex": true, "StorageCursor": true, "SummaryMove": true,
	}
	if !reflect.DeepEqual(unlisted, want) {
		t.Errorf("not listed: %v", unlisted)
	}
}
