package mgba

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// compile compiles the tree with all processors and links the module.
func (b *builder) compile(ctx context.Context, t toolchain, tree string) ([]byte, error) {
	files, err := sourceFiles(os.DirFS(tree))
	if err != nil {
		return nil, err
	}
	objects, err := b.compileAll(ctx, t, tree, files)
	if err != nil {
		return nil, err
	}
	b.progress(Progress{Stage: StageLink})
	out := filepath.Join(b.work, "mgba.wasm")
	args := append([]string{}, linkFlags...)
	args = append(args, "-L"+filepath.Dir(t.crt), "-o", out, t.crt)
	args = append(args, objects...)
	args = append(args, "-lc", t.builtins)
	if _, err := run(ctx, tree, t.env, t.linker, args...); err != nil {
		return nil, fmt.Errorf("link the core: %w", err)
	}
	return os.ReadFile(out)
}

// compileAll compiles each file to an object, several at a time, and returns
// the objects in the order of files.
func (b *builder) compileAll(ctx context.Context, t toolchain, tree string, files []string) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	objects := make([]string, len(files))
	errs := make([]error, len(files))
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) || ctx.Err() != nil {
					return
				}
				// Numbered names: the linker's result depends on the order of
				// objects, never on where they lie.
				objects[i] = filepath.Join(b.work, fmt.Sprintf("%03d.o", i))
				if errs[i] = compileOne(ctx, t, tree, files[i], objects[i]); errs[i] != nil {
					cancel()
					return
				}
				b.progress(Progress{Stage: StageCompile, Done: int(done.Add(1)), Total: len(files)})
			}
		})
	}
	wg.Wait()
	if err := firstCause(errs); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return objects, nil
}

func compileOne(ctx context.Context, t toolchain, tree, file, object string) error {
	args := append([]string{}, compileFlags...)
	if t.sysroot != "" {
		args = append(args, "--sysroot="+t.sysroot)
	}
	args = append(args, "-c", filepath.FromSlash(file), "-o", object)
	if _, err := run(ctx, tree, t.env, t.clang, args...); err != nil {
		return fmt.Errorf("compile %s: %w", file, err)
	}
	return nil
}

// firstCause returns the error that made the others stop.
func firstCause(errs []error) error {
	var cancelled error
	for _, err := range errs {
		if errors.Is(err, context.Canceled) {
			cancelled = err
		} else if err != nil {
			return err
		}
	}
	return cancelled
}
