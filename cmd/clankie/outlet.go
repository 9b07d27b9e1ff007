package main

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// outlet is standard output that remembers a failed write: a command whose
// output is lost has not done what was asked for, whoever printed it.
type outlet struct {
	io.Writer
	failed atomic.Pointer[error]
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// lost is the first write's failure, or nil.
func (o *outlet) lost() error {
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// leftByReader reports whether err says nothing but that whoever read standard
// output has gone, as head does when it has seen enough. That is no news to
// him.
func leftByReader(err error) bool {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			if !leftByReader(part) {
				return false
			}
		}
		return true
	case interface{ Unwrap() error }:
		return leftByReader(e.Unwrap())
	}
	return errors.Is(err, syscall.EPIPE)
}
