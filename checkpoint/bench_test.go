package checkpoint

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkList lists a store of a thousand saves.
func BenchmarkList(b *testing.B) {
	f := &faults{noSync: true}
	s, err := openStore(filepath.Join(b.TempDir(), "saves"), Options{Clock: fixedClock{noon}}, f.open)
	if err != nil {
		b.Fatal(err)
	}
	root, err := s.root()
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	request := testRequest("a")
	request.State = make([]byte, 400<<10)
	for i := range 1000 {
		receipt, err := s.newReceipt(root, request)
		if err != nil {
			b.Fatal(err)
		}
		lineage := newLineage(request)
		lineage.Sequence = int64(i + 1)
		files, err := mintFiles(request, receipt, lineage)
		if err != nil {
			b.Fatal(err)
		}
		if err := publish(root, receipt.CheckpointID, files); err != nil {
			b.Fatal(err)
		}
	}
	s.open = openFolder
	for b.Loop() {
		entries, err := s.List(context.Background(), testIdentity)
		if err != nil || len(entries) != 1000 {
			b.Fatal(fmt.Sprint(len(entries), err))
		}
	}
}

// BenchmarkRead reads and verifies one save of the usual size.
func BenchmarkRead(b *testing.B) {
	f := &faults{noSync: true}
	s, err := openStore(filepath.Join(b.TempDir(), "saves"), Options{Clock: fixedClock{noon}}, f.open)
	if err != nil {
		b.Fatal(err)
	}
	request := testRequest("a")
	request.State = append(make([]byte, 400<<10), 1)
	receipt, err := s.Mint(context.Background(), request)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Read(context.Background(), receipt.CheckpointID, testIdentity); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMint mints with every sync carried out.
func BenchmarkMint(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), "saves"), Options{Clock: fixedClock{noon}})
	if err != nil {
		b.Fatal(err)
	}
	request := testRequest("a")
	request.State = append(make([]byte, 400<<10), 1)
	for b.Loop() {
		if _, err := s.Mint(context.Background(), request); err != nil {
			b.Fatal(err)
		}
	}
}
