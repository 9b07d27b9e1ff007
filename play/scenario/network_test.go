package scenario

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// harmless are the packages below net that open no connection.
var harmless = map[string]bool{"net/url": true, "net/netip": true}

// TestNothingHereImportsNet holds where the system permits no network
// namespace: nothing that a run executes of this project can open a
// connection.
func TestNothingHereImportsNet(t *testing.T) {
	for _, root := range []string{".", filepath.Join("..", "..", "emu"), filepath.Join("..", "..", "fixtures")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			return importsNoNet(t, path)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func importsNoNet(t *testing.T, path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		if name == "net" || strings.HasPrefix(name, "net/") && !harmless[name] {
			t.Errorf("%s imports %s", path, name)
		}
	}
	return nil
}
