package mgba

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// checkGiven looks at everything that the operator named, before anything is
// fetched or waited for. One error tells all that is wrong.
func (o BuildOptions) checkGiven(ctx context.Context) error {
	var wrong []string
	var causes []error
	add := func(what string, err error) {
		if err != nil {
			wrong, causes = append(wrong, what+": "+oneLine(err)), append(causes, err)
		}
	}
	add("source", o.checkSource())
	sysroot := o.checkSysroot()
	add("sysroot", sysroot)
	if o.CC != "" && sysroot == nil {
		_, err := probe(ctx, o.CC, o.Sysroot, nil)
		add("compiler", err)
	}
	if len(wrong) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	return &emu.Error{
		Code:    CodeCoreUnavailable,
		Message: "the core cannot be built from what was named:\n  - " + strings.Join(wrong, "\n  - "),
		Err:     errors.Join(causes...),
	}
}

// checkSource reads a tarball whole, for its digest.
func (o BuildOptions) checkSource() error {
	if o.Source == "" {
		return nil
	}
	info, err := os.Stat(o.Source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return checkTree(o.Source)
	}
	packed, err := readTarball(o.Source)
	if err != nil {
		return err
	}
	return checkTarball(packed)
}

// checkTree tells a folder that is no source tree from one that is.
func checkTree(dir string) error {
	for _, name := range []string{"src", "include"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return fmt.Errorf("%s has no folder %s: it is no source tree of mGBA", dir, name)
		}
	}
	return nil
}

func (o BuildOptions) checkSysroot() error {
	if o.Sysroot == "" {
		return nil
	}
	info, err := os.Stat(o.Sysroot)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", o.Sysroot)
	}
	return err
}
