package session

import (
	"fmt"

	"clankie/emu"
)

// CodeRecordNotWritten marks what was refused because it could not be
// registered on disk first. The machine is fine.
const CodeRecordNotWritten = "record_not_written"

// outage is what comes of records that are not written. Strictly, each failure
// is the error of whatever had to be recorded. With somebody to tell, none is:
// they are told once for as long as the disk takes nothing.
type outage struct {
	tell  func(error)
	out   bool  // told, and nothing was written since
	first error // the first failure, when there is nobody to tell
}

// take takes in how a write ended and returns the error that is left of it.
// Whoever is told is told later, when no lock is held.
func (o *outage) take(err error, later func(func())) error {
	if err == nil {
		o.out = false
		return nil
	}
	failure := &emu.Error{
		Code: CodeRecordNotWritten, Retryable: true, Err: err,
		Message: fmt.Sprint("the session's record could not be written: ", err),
	}
	if o.tell == nil {
		if o.first == nil {
			o.first = failure
		}
		return failure
	}
	if !o.out {
		o.out = true
		later(func() { o.tell(failure) })
	}
	return nil
}
