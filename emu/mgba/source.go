package mgba

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// sourceTree is mGBA's source, unpacked in the working folder.
type sourceTree struct {
	dir      string
	sha256   emu.Digest // of the tarball; empty for a tree
	verified bool
}

// getSource lays the source tree into work: from the operator's file or
// folder, else from Debian's source package.
func (b *builder) getSource(ctx context.Context) (sourceTree, error) {
	tree := sourceTree{dir: filepath.Join(b.work, "tree")}
	from := b.opts.Source
	if from == "" {
		b.progress(Progress{Stage: StageSource, Detail: "downloading mGBA's source"})
		file, err := b.fetchSource(ctx)
		if err != nil {
			return tree, err
		}
		from = file
	}
	info, err := os.Stat(from)
	if err != nil {
		return tree, fmt.Errorf("read the source: %w", err)
	}
	if info.IsDir() {
		err = copyTree(tree.dir, from)
	} else {
		tree.sha256, tree.verified = sourceSHA256, true
		err = b.unpackSource(ctx, tree.dir, from)
	}
	if err != nil {
		return tree, err
	}
	return tree, layShim(tree.dir)
}

func (b *builder) fetchSource(ctx context.Context) (string, error) {
	a, err := b.getApt(ctx)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.work, "download")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := a.source(ctx, dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, sourceFile), nil
}

// unpackSource verifies the tarball before anything reads it, then unpacks
// what the build needs.
func (b *builder) unpackSource(ctx context.Context, dir, file string) error {
	packed, err := readTarball(file)
	if err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	if err := checkTarball(packed); err != nil {
		return err
	}
	xz, env, err := b.findXZ(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, xz, "-dc", file)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("unpack the source: %w", err)
	}
	untarErr := untar(dir, out)
	// xz must be able to end even when its output was not read to the end.
	_, drainErr := io.Copy(io.Discard, out)
	if err := errors.Join(untarErr, drainErr, cmd.Wait()); err != nil {
		return fmt.Errorf("unpack the source: %w", err)
	}
	return nil
}

// maxTarball bounds a tarball: the one that is taken has some 6 MiB.
const maxTarball = 64 << 20

func readTarball(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxTarball))
}

func checkTarball(packed []byte) error {
	if got := emu.DigestOf(packed); got != sourceSHA256 {
		return fmt.Errorf("the source has SHA-256 %s, not %s: it is not %s", got, sourceSHA256, sourceFile)
	}
	return nil
}

// findXZ returns the xz program, fetched privately where it is missing.
func (b *builder) findXZ(ctx context.Context) (path string, env []string, err error) {
	if path, err := exec.LookPath("xz"); err == nil {
		return path, nil, nil
	}
	a, err := b.getApt(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("the xz program is missing (package xz-utils): %w", err)
	}
	prefix := filepath.Join(b.work, "xz")
	if err := b.fetch(ctx, a, prefix, []string{"xz-utils"}); err != nil {
		return "", nil, fmt.Errorf("the xz program is missing (package xz-utils): %w", err)
	}
	return filepath.Join(prefix, "usr", "bin", "xz"), libraryEnv(prefix), nil
}

// wanted reports whether the build reads a file of the source tree.
func wanted(name string) bool {
	return strings.HasPrefix(name, "src/") || strings.HasPrefix(name, "include/")
}

// untar unpacks the regular files that the build reads, without the archive's
// top folder.
func untar(dir string, r io.Reader) error {
	root, err := makeRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, _ := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || !wanted(name) {
			continue
		}
		if err := copyInto(root, name, t); err != nil {
			return err
		}
	}
}

// copyTree copies the files that the build reads, so that nothing is written
// into the operator's folder.
func copyTree(dir, from string) error {
	root, err := makeRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !d.Type().IsRegular() || !wanted(name) {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return copyInto(root, name, f)
	})
}

func makeRoot(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// copyInto writes one file below root, which refuses names that lead out.
func copyInto(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err != nil {
		return err
	}
	f, err := root.Create(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
